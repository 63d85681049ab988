import assert from "node:assert/strict";
import { test } from "node:test";
import { replacement } from "../../Sources/GraphQLTransport/Playground/editor/searchPanel.js";

const cases = [
  ["ba a", /(?<=b)a/gm, "X", ["X"]],
  ["ab a", /a(?=b)/gm, "X", ["X"]],
  ["id name", /^\w+/gm, "<$&>", ["<id>"]],
  ["first: 1\nlast: 2", /^(\w+): (\d)$/gm, "$2: $1", ["1: first", "2: last"]],
  ["aXbx", /(?<name>x)/gim, "$<name>$$", ["X$", "x$"]],
];
for (const [text, pattern, wanted, expected] of cases) {
  test(`replaces ${pattern} by ${wanted} in ${JSON.stringify(text)}`, () => {
    assert.deepEqual([...text.matchAll(pattern)].map((match) => replacement(text, match.index, match.index + match[0].length, pattern, wanted)), expected);
  });
}
