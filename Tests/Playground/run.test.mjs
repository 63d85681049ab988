import assert from "node:assert/strict";
import { test } from "node:test";
import { overHTTP } from "../../Sources/GraphQLTransport/Playground/run/http.js";
import { snippets } from "../../Sources/GraphQLTransport/Playground/run/snippets.js";
import { overWebSocket } from "../../Sources/GraphQLTransport/Playground/run/socket.js";
import { SchemaSource } from "../../Sources/GraphQLTransport/Playground/explorer/source.js";

const operation = { type: "query", query: "{ a }", operationName: null, variables: {}, written: {}, extensions: {}, headers: {}, files: new Map() };
const own = { authorization: "Bearer b", "content-type": "application/json", ACCEPT: "text/plain", "X-Trace": "1" };

/** The requests that are sent while `action` runs; each is answered with an empty object. */
async function sentBy(action) {
  const sent = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (_address, request) => {
    sent.push(request);
    return new Response("{}", { headers: { "Content-Type": "application/json" } });
  };
  try {
    await action();
  } finally {
    globalThis.fetch = fetch;
  }
  return sent;
}

async function drained(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A socket that acknowledges, and answers a subscription with one event. */
class Socket {
  static OPEN = 1;
  static sent = [];
  static payload = { data: { a: "é€😀" } };
  readyState = 1;
  protocol = "graphql-transport-ws";
  constructor() { queueMicrotask(() => this.onopen()); }
  send(text) {
    const message = JSON.parse(text);
    Socket.sent.push(message);
    const answer = (value) => queueMicrotask(() => this.onmessage({ data: JSON.stringify(value) }));
    if (message.type === "connection_init") answer({ type: "connection_ack" });
    if (message.type !== "subscribe") return;
    answer({ id: "1", type: "next", payload: Socket.payload });
    answer({ id: "1", type: "complete" });
  }
  close() {}
}

async function overSocket(headers, token) {
  Object.assign(globalThis, { WebSocket: Socket, location: { href: "http://localhost/" } });
  Socket.sent = [];
  const events = await drained(overWebSocket("/graphql", { ...operation, headers }, token, new AbortController().signal));
  return { events, initialisation: Socket.sent[0].payload };
}

test("a tab's header takes the place of the page's and of the session's, in any case of letters", async () => {
  const signal = new AbortController().signal;
  const [request] = await sentBy(() => drained(overHTTP("http://localhost/graphql", { ...operation, headers: own }, "a", signal, false)));
  assert.deepEqual([...new Headers(request.headers)], [["accept", "text/plain"], ["authorization", "Bearer b"], ["content-type", "application/json"], ["x-trace", "1"]]);
  const [introspection] = await sentBy(() => new SchemaSource("http://localhost/graphql").load("a", own));
  assert.deepEqual([...new Headers(introspection.headers)], [["accept", "text/plain"], ["authorization", "Bearer b"], ["content-type", "application/json"], ["x-trace", "1"]]);
});

test("the session's header is sent where the tab has none", async () => {
  const signal = new AbortController().signal;
  const [request] = await sentBy(() => drained(overHTTP("http://localhost/graphql", operation, "a", signal, true)));
  assert.deepEqual([...new Headers(request.headers)], [["accept", "text/event-stream"], ["authorization", "Bearer a"], ["content-type", "application/json"]]);
});

test("the browser alone names the type of an upload's body, which has the boundary of its parts", async () => {
  const files = new Map([["file", new File(["a"], "a.txt")]]);
  const [request] = await sentBy(() => drained(overHTTP("http://localhost/graphql", { ...operation, files, headers: { "content-type": "application/json" } }, null, new AbortController().signal, false)));
  assert.deepEqual([...new Headers(request.headers).keys()], ["accept", "graphql-require-preflight"]);
});

test("a socket takes the tab's header before the session's, too", async () => {
  assert.deepEqual((await overSocket({ authorization: "Bearer b", "X-Trace": "1" }, "a")).initialisation, { headers: { authorization: "Bearer b", "X-Trace": "1" } });
  assert.deepEqual((await overSocket({ "X-Trace": "1" }, "a")).initialisation, { headers: { Authorization: "Bearer a", "X-Trace": "1" } });
  assert.deepEqual((await overSocket({}, null)).initialisation, { headers: {} });
});

test("a socket's events are counted in bytes of UTF-8", async () => {
  const { events } = await overSocket({}, null);
  assert.equal(events.find(({ kind }) => kind === "answer").bytes, Buffer.byteLength(JSON.stringify({ id: "1", type: "next", payload: Socket.payload })));
});

test("a program that sends the operation has each header once", () => {
  for (const { language, code } of snippets({ ...operation, headers: own }, "http://localhost/graphql", true)) {
    for (const name of ["authorization", "content-type", "accept"]) assert.equal(code.match(new RegExp(`\\b${name}"?(?:: |")`, "gi"))?.length, 1, `${language}: ${name}\n${code}`);
  }
});
