import assert from "node:assert/strict";
import { test } from "node:test";
import { hoverAt } from "../../Sources/GraphQLTransport/Playground/schema/hover.js";
import { caret, schema } from "./fixture.mjs";

const cases = [
  ["a field", "{ u¦ser(by: {}) { id } }", "Query.user(by: UserBy!): User", { type: "Query", member: "user" }],
  ["a field under an alias", "{ user(by: {}) { a: na¦me } }", "User.name: String!", { type: "User", member: "name" }],
  ["an argument", "{ posts(fi¦rst: 1) { id } }", "Query.posts(first: Int)", { type: "Query", member: "posts", argument: "first" }],
  ["an argument with a default", "{ posts(or¦der: NEWEST) { id } }", "Query.posts(order: Order = NEWEST)", { type: "Query", member: "posts", argument: "order" }],
  ["an input field", "{ posts(filter: {ta¦gs: []}) { id } }", "PostFilter.tags: [String!]", { type: "PostFilter", member: "tags" }],
  ["an enum value", "{ posts(order: OLD¦EST) { id } }", "Order.OLDEST", { type: "Order", member: "OLDEST" }],
  ["a type condition", "{ node(id: 1) { ... on Us¦er { id } } }", "type User", { type: "User" }],
  ["a variable's type", "query($a: [ID¦!]) { old }", "scalar ID", { type: "ID" }],
  ["a variable", "query($a: [ID!]) { nodes(ids: $¦a) { id } }", "$a: [ID!]", { type: "ID" }],
  ["a directive", "{ old @sk¦ip(if: true) }", "@skip(if: Boolean!)", { directive: "skip" }],
  ["a directive's argument", "{ old @skip(i¦f: true) }", "@skip(if: Boolean!)", { directive: "skip", argument: "if" }],
];
for (const [name, marked, signature, link] of cases) {
  test(`explains ${name}`, () => {
    const { text, offset } = caret(marked), hover = hoverAt(schema, text, offset);
    assert.equal(hover?.signature, signature);
    assert.deepEqual(hover.link, link);
    assert.ok(hover.start <= offset && hover.end >= offset);
  });
}

test("explains nothing between words", () => assert.equal(hoverAt(schema, "{  }", 2), null));
test("tells why a field is deprecated", () => assert.equal(hoverAt(schema, "{ old }", 3).deprecation, "Use `posts`."));
