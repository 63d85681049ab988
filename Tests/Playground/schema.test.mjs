import assert from "node:assert/strict";
import { test } from "node:test";
import { typeText } from "../../Sources/GraphQLTransport/Playground/schema/schema.js";

test("a type is written as in SDL", () => {
  const id = { kind: "SCALAR", name: "ID", ofType: null };
  const list = { kind: "LIST", name: null, ofType: { kind: "NON_NULL", name: null, ofType: id } };
  assert.equal(typeText({ kind: "NON_NULL", name: null, ofType: list }), "[ID!]!");
});
