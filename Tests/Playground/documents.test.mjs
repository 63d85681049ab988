import assert from "node:assert/strict";
import { test } from "node:test";
import { filledText, filledValue, filledVariables } from "../../Sources/GraphQLTransport/Playground/documents/placeholders.js";
import { hasPlaceholder, headersWithoutSecrets, textWithoutSecrets } from "../../Sources/GraphQLTransport/Playground/documents/secrets.js";

const values = { id: "user_1", count: "12", yes: "true", quote: 'a "b"' };
const lookUp = (name) => values[name] ?? null;

test("placeholders take the values of their names", () => {
  assert.equal(filledText("a {{id}} {{ count }} {{nobody}} {id}", lookUp), "a user_1 12 {{nobody}} {id}");
  assert.deepEqual(filledValue({ a: ["{{quote}}", 1, null], b: { c: "{{id}}!" } }, lookUp), { a: ['a "b"', 1, null], b: { c: "user_1!" } });
  assert.ok(hasPlaceholder("{{id}}") && hasPlaceholder("x {{ id }}") && !hasPlaceholder("{ {id} }"));
});

test("a variable that is one placeholder has its type", () => {
  const declared = [{ name: "first", type: "Int!", hasDefault: false }, { name: "id", type: "ID", hasDefault: false }, { name: "is", type: "Boolean", hasDefault: false }];
  assert.deepEqual(filledVariables({ first: "{{count}}", id: "{{count}}", is: "{{yes}}", other: "{{yes}}" }, declared, lookUp), { first: 12, id: "12", is: true, other: "true" });
  assert.deepEqual(filledVariables({ first: "{{id}}" }, declared, lookUp), { first: "user_1" });
});

test("a value that JSON has no number for stays a string, which the server refuses by the variable's name", () => {
  const declared = [{ name: "first", type: "Int!", hasDefault: false }, { name: "share", type: "Float", hasDefault: false }];
  for (const [value, filled] of [["007", "007"], ["-01", "-01"], ["1e999", "1e999"], ["0", 0], ["-0.5", -0.5], ["1e3", 1000]]) {
    assert.deepEqual(filledVariables({ first: "{{a}}", share: "{{a}}" }, declared, () => value), { first: filled, share: filled });
  }
});

test("headers lose their secrets, but not placeholders", () => {
  assert.equal(headersWithoutSecrets("Authorization: Bearer abc\nX-Trace: 1\nX-Api-Key: {{key}}\n"), "Authorization:\nX-Trace: 1\nX-Api-Key: {{key}}\n");
  assert.equal(headersWithoutSecrets('{"Authorization": "Bearer abc"}'), '{\n  "Authorization": ""\n}');
  assert.equal(textWithoutSecrets('{"password": "{{pw}}"}'), '{"password": "{{pw}}"}');
});

test("only a value that is a placeholder as a whole keeps a secret's place", () => {
  assert.equal(textWithoutSecrets('{"password":"hunter2{{x}}"}'), '{\n  "password": ""\n}');
  assert.equal(textWithoutSecrets('{"password":"{{x}}{{y}}"}'), '{\n  "password": ""\n}');
  assert.equal(headersWithoutSecrets("X-Api-Key: abc{{key}}\nCookie:  {{ cookie }} \nAuthorization: Bearer {{token}}\n"), "X-Api-Key:\nCookie:  {{ cookie }} \nAuthorization: Bearer {{token}}\n");
  assert.equal(headersWithoutSecrets("Authorization: Bearer a{{token}}\nX-Token: secret {{token}}"), "Authorization:\nX-Token:");
});
