import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "../../Sources/GraphQLTransport/Playground/language/parser.js";
import { maximumComparisons } from "../../Sources/GraphQLTransport/Playground/schema/validation/fieldComparison.js";
import { OverlappingFieldsCanBeMerged } from "../../Sources/GraphQLTransport/Playground/schema/validation/overlappingFields.js";
import { maximumErrors } from "../../Sources/GraphQLTransport/Playground/schema/validation/traversal.js";
import { marksOf, validate } from "../../Sources/GraphQLTransport/Playground/schema/validation/validate.js";
import { schema } from "./fixture.mjs";

const messages = (text) => validate(schema, parse(text).document, [OverlappingFieldsCanBeMerged]).map(({ message }) => message);
const tooMany = "The document takes more than 10000 field comparisons to validate.";

test("the limits are the server's", () => {
  const options = readFileSync(new URL("../../Sources/GraphQL/Validation/Validate.swift", import.meta.url), "utf8");
  const [, errors, comparisons] = /maximumErrors: Int = ([\d_]+).*maximumFieldComparisons: Int = ([\d_]+)/.exec(options);
  assert.deepEqual([maximumErrors, maximumComparisons], [errors, comparisons].map((text) => Number(text.replaceAll("_", ""))));
  const rule = readFileSync(new URL("../../Sources/GraphQL/Validation/Rules/OverlappingFieldsCanBeMerged.swift", import.meta.url), "utf8");
  assert.equal(/message: "(The document takes .*)"/.exec(rule)[1].replace("\\(maximum)", maximumComparisons), tooMany);
});

test("a field that is there often is compared with the first alone", () => {
  assert.deepEqual(messages(`{ ${"old ".repeat(10_000)} }`), []);
  assert.deepEqual(messages(`{ ${"old ".repeat(10_001)} }`), [tooMany]);
});

test("a search for conflicts ends where the server's does", () => {
  // 142 fields have 10,011 pairs, of which the last has the conflict.
  assert.deepEqual(messages(`{ ${"a: old ".repeat(140)} a: posts { id } }`).length, 50);
  assert.deepEqual(messages(`{ ${"posts { id } ".repeat(142)} user(by: {}) { id } user(by: {id: 1}) { id } }`), [tooMany]);
});

test("the limit is shown at the first definition", () => {
  assert.deepEqual(
    marksOf(schema, `# many\nquery Q { ${"old ".repeat(10_001)} }`).filter(({ severity }) => severity === "error"),
    [{ start: 7, end: 14, message: tooMany, severity: "error" }]);
});

const cases = [
  ["{ a: old a: __typename }", 1], ["{ node(id: 1) { ... on User { a: name } ... on Post { a: text } } }", 0],
  ["{ node(id: 1) { ... on User { a: name } ... on Post { a: id } } }", 1], ["{ node(id: 1) { id ...F } } fragment F on Node { ...F id: __typename }", 1],
  ["{ node(id: 1) { ... on User { a: posts { id } } ... on Post { a: author { id } } } }", 1],
  ["{ search(text: 1) { ... on User { a: id b: posts { c: id } } ... on Post { a: id b: author { c: id } } } }", 1],
  ["{ posts { author { id name } author { id name: id } } posts { author { id } } }", 1], ["{ posts(first: 1) { id } posts(first: 1) { id text } }", 0],
  ["{ node(id: 1) { ...A ...B } } fragment A on User { a: name } fragment B on Post { a: text }", 0], ["fragment A on User { a: name a: id }", 1],
];
for (const [text, count] of cases) test(`finds ${count} conflicts in ${text}`, () => assert.equal(messages(text).length, count));
