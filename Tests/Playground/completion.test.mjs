import assert from "node:assert/strict";
import { test } from "node:test";
import { complete } from "../../Sources/GraphQLTransport/Playground/schema/completion.js";
import { rank } from "../../Sources/GraphQLTransport/Playground/editor/completionList.js";
import { caret, schema } from "./fixture.mjs";

function labels(marked) {
  const { text, offset } = caret(marked);
  return complete(schema, text, offset)?.items.map(({ label }) => label) ?? null;
}

const cases = [
  ["the kinds of operation that the schema has", "¦", ["query", "mutation", "fragment"]],
  ["the fields of the query type", "{ ¦ }", ["node", "user", "posts", "search", "old", "__typename", "__schema", "__type"]],
  ["the fields of a nested selection", "{ user(by: {id: 1}) { posts { ¦ } } }", ["id", "text", "at", "author", "__typename"]],
  ["the fields behind an alias", "{ user(by: {id: 1}) { a: ¦ } }", ["id", "name", "posts", "__typename"]],
  ["the fields behind a broken definition", "query A { posts(filter: { \n}\nquery B { user(by: {}) { ¦", ["id", "name", "posts", "__typename"]],
  ["a union's only field", '{ search(text: "a, }") { ¦ } }', ["__typename"]],
  ["arguments", "{ posts(¦) { id } }", ["filter", "order", "first"]],
  ["arguments behind an object value", "{ posts(filter: {}, ¦) { id } }", ["order", "first"]],
  ["arguments behind a list in an object", "{ posts(filter: {tags: [\"a\"], all: [{author: 1}]}, ¦) { id } }", ["order", "first"]],
  ["no argument that comes later", "{ posts(¦, first: 1) { id } }", ["filter", "order"]],
  ["input fields in a nested list", "{ posts(filter: {all: [{author: 1}, {¦}]}) { id } }", ["author", "tags", "all", "order", "since"]],
  ["input fields that are left", "{ posts(filter: {author: 1, ¦ tags: []}) { id } }", ["all", "order", "since"]],
  ["enum values", "{ posts(order: ¦) { id } }", ["NEWEST", "OLDEST", "RANDOM", "null"]],
  ["enum values in an input object", "{ posts(filter: {order: ¦}) { id } }", ["NEWEST", "OLDEST", "RANDOM", "null"]],
  ["fitting variables first", "query($n: Int, $id: ID!, $s: String!) { node(id: ¦) { id } }", ["$id", '" "', "$n", "$s"]],
  ["a variable with a default fits", "query($s: String!, $id: ID = 1) { node(id: $¦) { id } }", ["$id", "$s"]],
  ["variables of all operations in a fragment", "query A($id: ID) { a }\nfragment F on Query { node(id: $¦) { id } }", ["$id"]],
  ["input types of variables", "query($a: ¦) { old }", ["Order", "PostFilter", "UserBy", "Int", "Float", "String", "Boolean", "ID", "DateTime"]],
  ["possible types only", "{ node(id: 1) { ... on ¦ } }", ["Node", "User", "Post", "Result"]],
  ["the type of an object alone, and what it is part of", "{ user(by: {}) { ... on ¦ } }", ["Node", "User", "Result"]],
  ["fragments that fit, then conditions", "{ user(by: {}) { ...¦ } }\nfragment U on User { id }\nfragment T on Tag { label }", ["U", "on Node", "on User", "on Result"]],
  ["composite types of a fragment", "fragment F on ¦", ["Query", "Mutation", "Node", "User", "Post", "Tag", "Result"]],
  ["directives of a field", "{ old @¦ }", ["@skip", "@include"]],
  ["directives of a query", "query A @¦ { old }", ["@trace"]],
  ["directives of a variable", "query A($a: Int @¦) { old }", ["@trace"]],
  ["a directive's arguments", "{ old @skip(¦) }", ["if"]],
  ["nothing in a comment", "{ # ¦\n}", null],
  ["nothing in a string", '{ node(id: "¦") { id } }', null],
  ["nothing for an unknown field", "{ nothing { ¦ } }", []],
];
for (const [name, text, expected] of cases) test(`completes ${name}`, () => assert.deepEqual(labels(text), expected));

test("replaces the word around the caret", () => {
  const { text, offset } = caret("{ po¦sts }");
  assert.deepEqual((({ from, to }) => ({ from, to }))(complete(schema, text, offset)), { from: 2, to: 7 });
});

test("inserts required arguments and a selection", () => {
  const { text, offset } = caret("{ ¦ }");
  const inserted = Object.fromEntries(complete(schema, text, offset).items.map((item) => [item.label, item.insert]));
  assert.equal(inserted.node, "node(id: |) {\n  \n}");
  assert.equal(inserted.posts, "posts {\n  |\n}");
  assert.equal(inserted.old, "old");
});

test("tells deprecation and description", () => {
  const { items } = complete(schema, "{  }", 2);
  const old = items.find(({ label }) => label === "old");
  assert.equal(old.deprecation, "Use `posts`.");
  assert.equal(old.description, "About old.");
  assert.equal(old.detail, "Int");
});

test("ranks beginnings first, and what is deprecated last", () => {
  const item = (label, deprecation = null) => ({ label, kind: "field", deprecation });
  const items = [item("outPost"), item("aPost"), item("posts"), item("postOld", "Old."), item("x")];
  assert.deepEqual(rank(items, "post").map(({ label }) => label), ["posts", "outPost", "aPost", "postOld"]);
});

test("typing on offers what a text that was never seen offers", () => {
  const text = 'query Q($id: ID = "a b", $n: [Int!] = [1, -2.5e1]) @include(if: true) {\n  # a comment, {\n  node(id: $id) { ... on User { name: id posts(filter: {}, first: 1) { text } } }\n  '
    + 'search(text: """block { "quoted" }""") { ...Part }\n  posts(first: 12, order: NEW) { id }\n}\nfragment Part on Post { author { ...on User { id } } }\n';
  const offsets = Array.from({ length: text.length + 1 }, (_, index) => index);
  const typed = offsets.map((offset) => complete(schema, text.slice(0, offset), offset));
  offsets.forEach((offset) => {
    complete(schema, "mutation Other {", 16);
    assert.deepEqual(typed[offset], complete(schema, text.slice(0, offset), offset), text.slice(0, offset));
  });
});
