import assert from "node:assert/strict";
import { test } from "node:test";
import { headersWithToken } from "../../Sources/GraphQLTransport/Playground/run/operation.js";

const sent = (headers, token) => headersWithToken({ headers }, token);

test("an operation has the session's token or its own, never both", () => {
  assert.deepEqual(sent({}, "t"), { Authorization: "Bearer t" });
  assert.deepEqual(sent({ "X-Trace": "1" }, "t"), { "X-Trace": "1", Authorization: "Bearer t" });
  assert.deepEqual(sent({ authorization: "Bearer own" }, "t"), { authorization: "Bearer own" });
  assert.deepEqual(sent({ Authorization: "Bearer own" }, null), { Authorization: "Bearer own" });
  assert.deepEqual(sent({ authorization: "", "X-Trace": "1" }, "t"), { "X-Trace": "1", Authorization: "Bearer t" });
  assert.deepEqual(sent({}, null), {});
});
