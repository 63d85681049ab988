// @ts-check
import { IncrementalAnswer } from "./incremental.js";
import { headersWithToken, parameters } from "./operation.js";

/** @typedef {import("./operation.js").RunEvent} RunEvent */

/** PROTOCOL.md of graphql-ws, and RFC 6455, 7.4.1 Defined Status Codes */
const closeCodes = new Map([
  [1000, "normal"], [1001, "going away"], [1006, "the connection broke, or the server cannot be reached"], [1012, "the server restarts"],
  [4400, "the server did not understand a message"], [4401, "not acknowledged yet"], [4403, "the session ended, or is not allowed"],
  [4406, "no common protocol"], [4408, "connection_init came too late"], [4409, "this id is in use"], [4429, "two connection_init"],
  [4500, "an error of the server"], [4504, "the acknowledgement came too late"],
]);

/**
 * Runs an operation over a WebSocket of its own (graphql-transport-ws).
 * @param {string} endpoint @param {import("./operation.js").Operation} operation
 * @param {string | null} token @param {AbortSignal} signal
 * @returns {AsyncGenerator<RunEvent>}
 */
export async function* overWebSocket(endpoint, operation, token, signal) {
  const address = new URL(endpoint, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address, "graphql-transport-ws");
  const whole = new IncrementalAnswer();
  /** @type {RunEvent[]} */
  const queue = [];
  /** @type {() => void} */
  let wake = () => {};
  const put = (/** @type {RunEvent} */ event) => {
    queue.push(event);
    wake();
  };
  socket.onopen = () => socket.send(JSON.stringify({ type: "connection_init", payload: { headers: headersWithToken(operation, token) } }));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const bytes = data.length;
    switch (message.type) {
      case "connection_ack":
        put({ kind: "head", status: 101, statusText: "Switching Protocols", headers: [["sec-websocket-protocol", socket.protocol]] });
        socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: parameters(operation) }));
        break;
      case "ping":
        socket.send(JSON.stringify({ type: "pong", ...(message.payload ? { payload: message.payload } : {}) }));
        break;
      case "next":
        if (operation.type === "subscription") put({ kind: "event", answer: message.payload, bytes });
        else put({ kind: "answer", answer: whole.add(message.payload), bytes, isWhole: !whole.hasNext });
        break;
      case "error":
        put({ kind: "answer", answer: { errors: message.payload }, bytes, isWhole: true });
        put({ kind: "end", reason: "The server refused the operation." });
        break;
      case "complete":
        put({ kind: "end", reason: operation.type === "subscription" ? "The server completed the subscription." : "" });
        break;
    }
  };
  socket.onclose = ({ code, reason }) => {
    put({ kind: "end", reason: `The socket closed: ${code} ${reason || closeCodes.get(code) || ""}`.trim() + "." });
  };
  const abort = () => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: "1", type: "complete" }));
    put({ kind: "end", reason: "Stopped." });
  };
  signal.addEventListener("abort", abort);
  try {
    for (;;) {
      while (queue.length === 0) await new Promise((resolve) => { wake = () => resolve(undefined); });
      const event = /** @type {RunEvent} */ (queue.shift());
      yield event;
      if (event.kind === "end") return;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    socket.onclose = null;
    socket.close(1000);
  }
}
