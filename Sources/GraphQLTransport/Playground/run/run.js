// @ts-check
import { overHTTP } from "./http.js";
import { overWebSocket } from "./socket.js";

/**
 * @typedef {import("./operation.js").Operation} Operation
 * @typedef {import("./operation.js").Answer} Answer
 * @typedef {{ number: number, at: number, answer: Answer, bytes: number }} ReceivedEvent
 */

/** Events that are kept; older ones are dropped and counted. */
const keptEvents = 2_000;

/** One operation that was sent, and everything that came back. `change` is dispatched with each step. */
export class Run extends EventTarget {
  /**
   * @param {Operation} operation @param {import("./operation.js").Transport} transport
   * @param {{ endpoint: string, token: string | null, sessionName: string | null }} way
   */
  constructor(operation, transport, way) {
    super();
    this.operation = operation;
    this.transport = transport;
    this.way = way;
    /** @type {"running" | "ended"} */
    this.phase = "running";
    this.startedAt = performance.now();
    this.startedOn = Date.now();
    /** Milliseconds to the response's head, to the first answer and to the end. */
    this.times = { head: 0, first: 0, end: 0 };
    this.status = 0;
    this.statusText = "";
    /** @type {[string, string][]} */
    this.headers = [];
    /** @type {Answer | null} */
    this.answer = null;
    this.isWhole = false;
    this.parts = 0;
    this.bytes = 0;
    /** @type {ReceivedEvent[]} */
    this.events = [];
    this.eventCount = 0;
    this.reason = "";
    this.abortion = new AbortController();
    this.finished = this.follow();
  }

  get elapsed() {
    return (this.phase === "running" ? performance.now() - this.startedAt : this.times.end);
  }

  abort() {
    this.abortion.abort();
  }

  async follow() {
    const { endpoint, token } = this.way;
    const signal = this.abortion.signal;
    try {
      const events = this.transport === "websocket" ? overWebSocket(endpoint, this.operation, token, signal)
        : overHTTP(endpoint, this.operation, token, signal, this.transport === "sse");
      for await (const event of events) {
        this.take(event);
        this.dispatchEvent(new Event("change"));
      }
    } catch (error) {
      this.reason = signal.aborted ? "Stopped." : `The server cannot be reached, or broke off: ${error instanceof Error ? error.message : error}`;
    }
    this.times.end = performance.now() - this.startedAt;
    this.phase = "ended";
    this.dispatchEvent(new Event("change"));
  }

  /** @param {import("./operation.js").RunEvent} event */
  take(event) {
    const time = performance.now() - this.startedAt;
    switch (event.kind) {
      case "head":
        this.times.head = time;
        this.status = event.status;
        this.statusText = event.statusText;
        this.headers = event.headers;
        break;
      case "answer":
        this.times.first ||= time;
        this.answer = event.answer;
        this.isWhole = event.isWhole;
        this.bytes += event.bytes;
        this.parts += 1;
        break;
      case "event":
        this.times.first ||= time;
        this.answer = event.answer;
        this.bytes += event.bytes;
        this.eventCount += 1;
        this.events.push({ number: this.eventCount, at: Date.now(), answer: event.answer, bytes: event.bytes });
        if (this.events.length > keptEvents) this.events.shift();
        this.dispatchEvent(new CustomEvent("event", { detail: this.events[this.events.length - 1] }));
        break;
      case "end":
        this.reason = event.reason;
        break;
    }
  }
}
