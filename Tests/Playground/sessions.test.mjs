import assert from "node:assert/strict";
import { test } from "node:test";

const storage = new Map();
Object.assign(globalThis, {
  sessionStorage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, value) },
});
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
const { Sessions } = await import("../../Sources/GraphQLTransport/Playground/session/sessions.js");

const description = { open: [], refresh: { query: "mutation R($token: String!) { refresh(token: $token) { token } }", variable: "token" }, result: { token: "refresh.token", errors: "refresh.errors", expires: "refresh.expires", refresh: "refresh.refresh" } };

/** Sessions of which one has ended, with each refresh answered by `answers`. */
async function sessionsThat(answers, action) {
  const sessions = new Sessions("http://localhost/graphql", description), { fetch } = globalThis;
  let asked = 0;
  globalThis.fetch = async () => Response.json(answers[asked++] ?? answers.at(-1));
  try {
    await action(sessions, sessions.add({ name: "a", token: "t", expires: Date.now() - 1_000, refresh: "r" }), () => asked);
  } finally {
    globalThis.fetch = fetch;
    for (const { id } of [...sessions.all]) sessions.forget(id);
    sessions.channel.close();
  }
}

const immediate = () => new Promise((resolve) => setImmediate(resolve));

/** Waits for what follows an answer, with the clock standing still. */
async function until(condition) {
  for (const end = performance.now() + 30_000; !condition(); await immediate()) assert.ok(performance.now() < end, String(condition));
}

test("a session whose refresh token was refused is held no longer", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  await sessionsThat([{ data: { refresh: { token: null, errors: [{ message: "Refused." }] } } }], async (sessions, session, asked) => {
    const timers = context.mock.method(globalThis, "setTimeout");
    context.mock.timers.tick(1_000);
    await until(() => session.refresh === null);
    for (let turn = 0; turn < 5; turn += 1) await immediate();
    assert.equal(asked(), 1);
    assert.equal(timers.mock.callCount(), 0);
    assert.deepEqual([...sessions.held], []);
  });
});

test("the holder of a session waits with one listener at a time", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const added = context.mock.method(AbortSignal.prototype, "addEventListener"), removed = context.mock.method(AbortSignal.prototype, "removeEventListener");
  await sessionsThat([{ errors: [{ message: "The server cannot be reached." }] }], async (_sessions, session, asked) => {
    for (let round = 1; round <= 4; round += 1) {
      context.mock.timers.tick(1_000);
      await until(() => added.mock.callCount() === round + 1);
    }
    assert.equal(session.refresh, "r");
    assert.equal(asked(), 4);
    assert.equal(removed.mock.callCount(), 4);
  });
});

test("the other tabs learn that a refresh token was refused", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  await sessionsThat([{ data: { refresh: { token: null, errors: [{ message: "Refused." }] } } }], async (sessions, session) => {
    const post = context.mock.method(sessions.channel, "postMessage");
    context.mock.timers.tick(1_000);
    await until(() => session.refresh === null);
    assert.deepEqual(post.mock.calls.map((call) => call.arguments), [[{ kind: "refused", id: session.id, refresh: "r" }]]);
    const other = sessions.add({ name: "b", token: "t", expires: null, refresh: "newer" });
    sessions.hear({ kind: "refused", id: other.id, token: "", expires: null, refresh: "older" });
    assert.equal(other.refresh, "newer");
    sessions.hear({ kind: "refused", id: other.id, token: "", expires: null, refresh: "newer" });
    assert.equal(other.refresh, null);
  });
});
