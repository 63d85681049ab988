import assert from "node:assert/strict";
import { test } from "node:test";
import { withSelection } from "../../Sources/GraphQLTransport/Playground/explorer/selection.js";
import { schema } from "./fixture.mjs";

test("a first field of another type gets an operation of its own, and the others stay as they are", () => {
  assert.equal(
    withSelection(schema, "query A { __typename }", 0, "mutation", ["rename"], true),
    "query A {\n  __typename\n}\n\nmutation ($id: ID!, $name: String!) {\n  rename(id: $id, name: $name) {\n    id\n  }\n}\n");
});
