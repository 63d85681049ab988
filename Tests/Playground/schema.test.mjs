import assert from "node:assert/strict";
import { test } from "node:test";
import { operationsOf } from "../../Sources/GraphQLTransport/Playground/language/operations.js";
import { isVariableAllowed, typeFromText, typeText } from "../../Sources/GraphQLTransport/Playground/schema/schema.js";
import { printSchema, printType } from "../../Sources/GraphQLTransport/Playground/schema/sdl.js";
import { marksOf } from "../../Sources/GraphQLTransport/Playground/schema/validation/validate.js";
import { completeVariables, fillVariables, validateVariables } from "../../Sources/GraphQLTransport/Playground/schema/variables.js";
import { caret, schema } from "./fixture.mjs";

test("a type is written as in SDL", () => assert.equal(typeText(typeFromText("[[ID!]]!")), "[[ID!]]!"));

test("finds where a type is used", () => {
  const uses = schema.usedBy("Post").map(({ type, member }) => (member ? `${type}.${member}` : type));
  assert.deepEqual(uses, ["Query.posts", "User.posts", "Result"]);
  assert.deepEqual(schema.usedBy("PostFilter"), [{ type: "Query", member: "posts", argument: "filter" }, { type: "PostFilter", member: "all", argument: null }]);
});

test("searches names, types first", () => {
  assert.deepEqual(schema.search("post").map(({ label }) => label).slice(0, 4), ["Post", "PostFilter", "Query.posts", "User.posts"]);
  assert.deepEqual(schema.search("user.na").map(({ label }) => label), ["User.name"]);
  assert.deepEqual(schema.search("  "), []);
});

test("knows which variables a place allows", () => {
  const allowed = (variable, hasDefault, location) => isVariableAllowed(typeFromText(variable), hasDefault, typeFromText(location));
  assert.ok(allowed("ID!", false, "ID"));
  assert.ok(allowed("ID", true, "ID!"));
  assert.ok(!allowed("ID", false, "ID!"));
  assert.ok(allowed("[ID!]!", false, "[ID]"));
  assert.ok(!allowed("ID", false, "[ID]"));
});

test("prints SDL", () => {
  assert.equal(printType(schema, "UserBy"), '"""A UserBy."""\ninput UserBy @oneOf {\n  id: ID\n  name: String\n}\n');
  assert.equal(printType(schema, "Order"), '"""A Order."""\nenum Order {\n  NEWEST\n  OLDEST\n  RANDOM @deprecated(reason: "Not stable.")\n}\n');
  assert.equal(printType(schema, "Result"), '"""A Result."""\nunion Result = User | Post\n');
  const all = printSchema(schema);
  assert.match(all, /directive @trace on QUERY \| VARIABLE_DEFINITION/);
  assert.match(all, /type User implements Node \{/);
  assert.doesNotMatch(all, /scalar Int|directive @skip|^schema/m);
});

const mistakes = [
  ["{ old }", ["warning 2-5 The field Query.old is deprecated. Use `posts`."]],
  ["{ usr }", ['error 2-5 Cannot query field "usr" on type "Query". Did you mean "user"?']],
  ["{ node(id: 1) { name } }", ['error 16-20 Cannot query field "name" on type "Node". Did you mean to use an inline fragment on "User"?']],
  ["{ node { id } }", ['error 2-6 Field "node" argument "id" of type "ID!" is required, but it was not provided.']],
  ["{ user(by: {}) { id } }", ['error 11-13 OneOf Input Object "UserBy" must specify exactly one key.']],
  ["{ posts(order: NEWES) { id } }", ['error 15-20 Value "NEWES" does not exist in "Order" enum. Did you mean the enum value "NEWEST"?']],
  ["query A($a: Int) { posts { id } }", ['error 8-15 Variable "$a" is never used in operation "A".']],
  ["{ posts { id }", ["error 14-14 Syntax Error: Expected Name, found <EOF>."]],
  ["# nothing yet\n", []],
  ["{ posts { id text } }", []],
];
for (const [text, expected] of mistakes) {
  test(`marks ${JSON.stringify(text)}`, () => {
    assert.deepEqual(marksOf(schema, text).map(({ severity, start, end, message }) => `${severity} ${start}-${end} ${message}`), expected);
  });
}

test("checks only the syntax without a schema", () => {
  assert.deepEqual(marksOf(null, "{ anything }"), []);
  assert.equal(marksOf(null, "{").length, 1);
});

const [operation] = operationsOf("query Q($ids: [ID!]!, $by: UserBy, $filter: PostFilter, $order: Order = OLDEST, $n: Int!) { old }");
const variableCases = [
  ["{ ¦ }", ['"ids"', '"n"', '"by"', '"filter"', '"order"']],
  ['{ "ids": [], "¦" }', ['"n"', '"by"', '"filter"', '"order"']],
  ['{ "order": ¦ }', ['"NEWEST"', '"OLDEST"', '"RANDOM"', "null"]],
  ['{ "order": "¦" }', ['"NEWEST"', '"OLDEST"', '"RANDOM"', "null"]],
  ['{ "filter": { "all": [ { "author": "1", ¦ } ] } }', ['"tags"', '"all"', '"order"', '"since"']],
  ['{ "by": ¦ }', ["{ }", "null"]],
];
for (const [marked, expected] of variableCases) {
  test(`completes variables in ${marked}`, () => {
    const { text, offset } = caret(marked);
    assert.deepEqual(completeVariables(schema, operation, text, offset)?.items.map(({ label }) => label), expected);
  });
}

test("checks variables", () => {
  const messages = validateVariables(schema, operation, '{"ids": [1, null], "by": {"x": 1}, "order": "NO", "n": 1.5, "m": 1}').map(({ message }) => message);
  assert.deepEqual(messages, [
    'Expected non-nullable type "ID!" not to be null.', 'Field "x" is not defined by type "UserBy".', 'Value "NO" does not exist in "Order" enum.',
    "Expected a value of type Int.", 'The operation has no variable "$m".',
  ]);
  assert.deepEqual(validateVariables(schema, operation, "").map(({ message }) => message), [
    'Variable "$ids" of required type "[ID!]!" was not provided.', 'Variable "$n" of required type "Int!" was not provided.']);
});

test("fills in variables and keeps those given", () => {
  assert.deepEqual(JSON.parse(fillVariables(schema, operation, '{"n": 12345678901234567890}')), { n: 12345678901234567890, ids: [], by: { id: "" }, filter: {} });
  assert.equal(fillVariables(schema, operation, "{ broken"), "{ broken");
});
