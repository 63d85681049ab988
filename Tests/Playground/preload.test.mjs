import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../Sources/GraphQLTransport/Playground/", import.meta.url);

test("the page names every module of the first page before it reads the first", () => {
  const found = new Set();
  const visit = (address) => {
    if (found.has(address.href)) return;
    found.add(address.href);
    for (const [, path] of readFileSync(address, "utf8").matchAll(/^(?:import|export)[^"]*? from "(\.[^"]+)"/gm)) visit(new URL(path, address));
  };
  visit(new URL("main.js", root));
  const wanted = [...found].map((href) => href.slice(root.href.length)).filter((path) => path !== "main.js").sort();
  const named = [...readFileSync(new URL("index.html", root), "utf8").matchAll(/<link rel="modulepreload" href="\/playground\/([^"]+)">/g)].map(([, path]) => path);
  assert.deepEqual(named, wanted);
});
