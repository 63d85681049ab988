import assert from "node:assert/strict";
import { test } from "node:test";
import { extractFragment, extractVariables, inlineFragment } from "../../Sources/GraphQLTransport/Playground/schema/refactor.js";
import { caret, schema } from "./fixture.mjs";

function at(marked, change) {
  const { text, offset } = caret(marked);
  return change(schema, text, offset);
}

test("values of arguments become variables of their types", () => {
  assert.deepEqual(at("{ node(id: 1) { id ... on User { posts(first: 3) { id } } } posts(filter: {}) { id } }¦", extractVariables), {
    text: "query ($id: ID!, $first: Int, $filter: PostFilter) { node(id: $id) { id ... on User { posts(first: $first) { id } } } posts(filter: $filter) { id } }",
    variables: { id: 1, first: 3, filter: {} },
  });
  assert.deepEqual(at('query Q($id: ID!) { node(id: $id) { id } other: node(id: "a¦") { id } }', extractVariables), {
    text: "query Q($id: ID!, $id2: ID!) { node(id: $id) { id } other: node(id: $id2) { id } }", variables: { id2: "a" },
  });
  assert.equal(at("{ node(id: $id) { id ¦} }", extractVariables), null);
  assert.equal(at("{ node(id: 1) { id ¦", extractVariables), null);
});

test("a selection becomes a fragment, and back", () => {
  const text = at("query Q { posts { author { id na¦me } } }", extractFragment);
  assert.equal(text, "query Q {\n  posts {\n    author {\n      ...UserFields\n    }\n  }\n}\n\nfragment UserFields on User {\n  id\n  name\n}\n");
  assert.equal(inlineFragment(schema, text, text.indexOf("...") + 4), "query Q {\n  posts {\n    author {\n      id\n      name\n    }\n  }\n}\n");
  assert.equal(extractFragment(schema, text, text.indexOf("name"))?.includes("fragment UserFields2 on User"), true);
});

test("a spread with directives or of another type keeps its condition", () => {
  assert.equal(at("{ node(id: 1) { ...¦A @include(if: true) } a: node(id: 2) { ...A } } fragment A on User { name }", inlineFragment),
    "{\n  node(id: 1) {\n    ... on User @include(if: true) {\n      name\n    }\n  }\n  a: node(id: 2) {\n    ...A\n  }\n}\n\nfragment A on User {\n  name\n}\n");
  assert.equal(at("{ node(id: 1) { ...A } } fragment A on User { posts { author { ...¦A } } }", inlineFragment), null);
  assert.equal(at("{ node(id: 1) { ...Nobo¦dy } }", inlineFragment), null);
});
