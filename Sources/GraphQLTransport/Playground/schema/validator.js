// @ts-check
/** @typedef {import("../types").IntrospectionSchema} IntrospectionSchema */
/** @typedef {import("../types").Mark} Mark */
/** @typedef {import("../types").OperationInfo} OperationInfo */

/** Validates in a worker, so that typing never waits. The policy must allow `worker-src 'self'`. */
export class Validator {
  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.answered(data));
    this.latest = 0;
    /** True while the worker is at work. Of the texts that come meanwhile, only the last is sent to it afterwards. */
    this.isBusy = false;
    /** @type {{ id: number, text: string } | null} */
    this.next = null;
    /** @type {Map<number, (marks: Mark[] | null) => void>} */
    this.waiting = new Map();
    /** @type {OperationInfo[]} the operations of the text that was validated last */
    this.operations = [];
  }

  /**
   * Without a schema only the syntax is checked.
   * @param {IntrospectionSchema | null} introspection
   */
  setSchema(introspection) { this.worker.postMessage({ introspection }); }

  /**
   * The marks of the text; null where a later call has replaced this one.
   * @param {string} text
   * @returns {Promise<Mark[] | null>}
   */
  validate(text) {
    const id = (this.latest += 1);
    for (const [earlier, resolve] of this.waiting) {
      resolve(null);
      this.waiting.delete(earlier);
    }
    this.next = { id, text };
    this.send();
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  send() {
    if (this.isBusy || !this.next) return;
    this.isBusy = true;
    this.worker.postMessage(this.next);
    this.next = null;
  }

  /** @param {{ id: number, marks: Mark[], operations: OperationInfo[] }} answer */
  answered({ id, marks, operations }) {
    this.isBusy = false;
    this.operations = operations;
    this.waiting.get(id)?.(marks);
    this.waiting.delete(id);
    this.send();
  }

  dispose() { this.worker.terminate(); }
}
