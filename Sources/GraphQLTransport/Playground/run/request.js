// @ts-check
import { filledText, filledVariables } from "../documents/placeholders.js";
import { operationAt, operationsOf } from "../language/operations.js";
import { byID, fill, h } from "../page/dom.js";
import { Run } from "./run.js";
import { valueAt } from "./operation.js";

/** @typedef {import("../types").OperationInfo} OperationInfo */
/** @typedef {import("./operation.js").Operation} Operation */
/** @typedef {{ run: Run | null, list: import("./operation.js").Answer | null, compared: Run[], problem: string }} Outcome */

/** The choice of a document that reads a list and then keeps it as it is on the server. */
export const watching = "*watch*";

/** Makes the request of a tab, and sends it. */
export class Requests {
  /**
   * @param {{ endpoint: string, editors: { query: import("../types").EditorAPI, variables: import("../types").EditorAPI, headers: import("../types").EditorAPI },
   *   files: import("./files.js").FilePanel, environments: import("../documents/environments.js").Environments, sessions: import("../session/sessions.js").Sessions, format: import("../panes/livelist.js").ChangeFormat | null,
   *   wantsPlan: () => boolean, onOutcome: (tab: string, outcome: Outcome) => void, onSent: (run: Run) => void }} parts
   */
  constructor(parts) {
    this.parts = parts;
    this.choice = "";
    /** @type {{ text: string, operations: OperationInfo[] }} the operations of the text that was read last */
    this.read = { text: "", operations: [] };
    this.drawn = "";
  }

  get operations() {
    const text = this.parts.editors.query.value;
    if (text !== this.read.text) this.know(text, operationsOf(text));
    return this.read.operations;
  }

  /**
   * Takes over the operations of a text that the validator has read already.
   * @param {string} text @param {OperationInfo[]} operations
   */
  know(text, operations) {
    this.read = { text, operations };
  }

  /**
   * The operation that a run sends: the chosen one, or the one at the caret.
   * @returns {OperationInfo | null}
   */
  get operation() {
    return this.chosenOf(this.operations);
  }

  /** @param {OperationInfo[]} all */
  chosenOf(all) {
    return all.find((operation) => operation.name !== null && operation.name === this.choice) ?? operationAt(all, this.parts.editors.query.caret);
  }

  /** The query and the subscription of a document that has one of each, where the server's changes can be applied to a list. */
  get watched() {
    return this.watchedOf(this.operations);
  }

  /** @param {OperationInfo[]} all */
  watchedOf(all) {
    const queries = all.filter(({ type }) => type === "query"), subscriptions = all.filter(({ type }) => type === "subscription");
    if (!this.parts.format || queries.length !== 1 || subscriptions.length !== 1 || all.some(({ name }) => name === null)) return null;
    return { query: queries[0], subscription: subscriptions[0] };
  }

  /** Shows the operations to choose from, where there are several. */
  drawChoice(all = this.operations) {
    const watched = this.watchedOf(all);
    if (this.choice && this.choice !== watching && !all.some(({ name }) => name === this.choice)) this.choice = "";
    if (this.choice === watching && !watched) this.choice = "";
    const type = this.choice === watching ? "subscription" : this.chosenOf(all)?.type;
    const seen = JSON.stringify([this.choice, type, watched !== null, all.map((operation) => [operation.type, operation.name])]);
    if (seen === this.drawn) return;
    this.drawn = seen;
    const picker = /** @type {HTMLSelectElement} */ (byID("operation"));
    picker.hidden = all.length < 2;
    fill(picker, h("option", { value: "" }, "At the caret"),
      watched ? h("option", { value: watching, selected: this.choice === watching }, `Live list: ${watched.query.name}, then ${watched.subscription.name}`) : null,
      all.filter(({ name }) => name).map((operation) => h("option", { value: operation.name, selected: this.choice === operation.name }, `${operation.type} ${operation.name}`)));
    byID("transport").hidden = type !== "subscription";
  }

  /**
   * The headers of the tab: a JSON object, or `Name: value` lines. One whose placeholder has no value is left out.
   * @returns {Record<string, string>}
   */
  get headers() {
    return Object.fromEntries(Object.entries(this.writtenHeaders).flatMap(([name, text]) => {
      /** @type {Set<string>} */
      const missing = new Set(), value = filledText(text, this.parts.environments.lookUp(missing));
      return missing.size ? [] : [[name, value]];
    }));
  }

  /** @returns {Record<string, string>} */
  get writtenHeaders() {
    const text = this.parts.editors.headers.value.trim();
    if (!text) return {};
    try {
      const value = JSON.parse(text);
      if (value && typeof value === "object" && !Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
    } catch {
      // Lines, then.
    }
    return Object.fromEntries(text.split(/[\r\n]+/).map((line) => /^\s*([!#$%&'*+.^`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(line)).filter((match) => match !== null).map((match) => [match?.[1] ?? "", match?.[2] ?? ""]));
  }

  /**
   * The variables as they are written, with placeholders; none where they are no JSON object.
   * @returns {Record<string, unknown>}
   */
  get writtenVariables() {
    try {
      const value = JSON.parse(this.parts.editors.variables.value || "{}");
      return value && typeof value === "object" && !Array.isArray(value) ? value : {};
    } catch {
      return {};
    }
  }

  /**
   * The operation, or what is wrong with the request.
   * @param {OperationInfo} info
   * @param {boolean} [showsSecrets] without it an environment's secrets stay placeholders, for code that others may read
   * @returns {Operation | string}
   */
  made(info, showsSecrets = true) {
    const { editors, files, environments } = this.parts;
    /** @type {Record<string, unknown>} */
    let variables = {};
    const text = editors.variables.value.trim();
    if (text) {
      try { variables = JSON.parse(text); } catch (error) {
        return `The variables are not JSON: ${error instanceof Error ? error.message : error}`;
      }
      if (variables === null || typeof variables !== "object" || Array.isArray(variables)) return "The variables are not a JSON object.";
    }
    if (this.operations.length > 1) {
      // A variable of another operation of the document is none of this one's.
      const own = new Set(info.variables.map(({ name }) => name));
      variables = Object.fromEntries(Object.entries(variables).filter(([name]) => own.has(name)));
    }
    /** @type {Set<string>} */
    const missing = new Set(), lookUp = environments.lookUp(missing, showsSecrets);
    const filled = filledVariables(variables, info.variables, lookUp);
    const headers = Object.fromEntries(Object.entries(this.writtenHeaders).map(([name, value]) => [name, filledText(value, lookUp)]));
    if (missing.size) return environments.problem(missing);
    return {
      type: info.type, operationName: info.name, query: this.documentOf(info), variables: filled, written: variables,
      extensions: { cost: true, ...(this.parts.wantsPlan() ? { plan: true } : {}) }, headers, files: files.files,
    };
  }

  /**
   * The document with its places kept. An operation without a name cannot stand beside others. Where a document has both,
   * all operations but the one that is sent become spaces.
   * @param {OperationInfo} info
   */
  documentOf(info) {
    const text = this.parts.editors.query.value;
    const all = this.operations;
    if (all.length < 2 || all.every(({ name }) => name !== null)) return text;
    return all.filter(({ start }) => start !== info.start).reduce((document, { start, end }) => document.slice(0, start) + document.slice(start, end).replace(/[^\r\n]/g, " ") + document.slice(end), text);
  }

  /**
   * Runs what is chosen.
   * @param {string} tab @param {"websocket" | "sse"} streams
   */
  async run(tab, streams) {
    const watched = this.choice === watching ? this.watched : null;
    if (watched) return this.watch(tab, streams, watched);
    const info = this.operation;
    const operation = info ? this.made(info) : "There is no operation to run yet.";
    if (typeof operation === "string") return this.parts.onOutcome(tab, { run: null, list: null, compared: [], problem: operation });
    const run = await this.send(operation, streams, this.parts.sessions.active);
    this.parts.onOutcome(tab, { run, list: null, compared: [], problem: "" });
  }

  /**
   * Reads a list and its cursor, then subscribes after the cursor.
   * @param {string} tab @param {"websocket" | "sse"} streams @param {{ query: OperationInfo, subscription: OperationInfo }} watched
   */
  async watch(tab, streams, watched) {
    const format = /** @type {import("../panes/livelist.js").ChangeFormat} */ (this.parts.format);
    const query = this.made(watched.query), subscription = this.made(watched.subscription);
    if (typeof query === "string" || typeof subscription === "string") {
      return this.parts.onOutcome(tab, { run: null, list: null, compared: [], problem: typeof query === "string" ? query : String(subscription) });
    }
    const first = await this.send(query, streams, this.parts.sessions.active);
    this.parts.onOutcome(tab, { run: first, list: null, compared: [], problem: "" });
    await first.finished;
    const cursor = valueAt(first.answer?.data, [format.cursorField]);
    if (!first.answer?.data || first.answer.errors?.length || first.abortion.signal.aborted) return;
    const variables = typeof cursor === "string" ? { ...subscription.variables, [format.cursorVariable]: cursor } : subscription.variables;
    const run = await this.send({ ...subscription, variables }, streams, this.parts.sessions.active);
    this.parts.onOutcome(tab, { run, list: first.answer, compared: [], problem: "" });
  }

  /**
   * Sends a subscription again, after the newest cursor that it received.
   * @param {string} tab @param {Run} run
   */
  async resume(tab, run) {
    const format = this.parts.format;
    const last = [...run.events].reverse().map((event) => format && valueAt(Object.values(event.answer.data ?? {})[0], [format.cursor])).find((cursor) => typeof cursor === "string");
    const variables = last && format ? { ...run.operation.variables, [format.cursorVariable]: last } : run.operation.variables;
    const again = await this.send({ ...run.operation, variables }, run.transport === "sse" ? "sse" : "websocket", this.parts.sessions.active);
    this.parts.onOutcome(tab, { run: again, list: null, compared: [], problem: "" });
  }

  /**
   * Runs the operation as all sessions; fewer than two are compared with a client that is signed out.
   * @param {string} tab
   */
  async compare(tab) {
    const info = this.operation;
    const operation = !info ? "There is no operation to run yet." : info.type !== "query" ? "Only a query is run as several sessions: a mutation would be done several times." : this.made(info);
    if (typeof operation === "string") return this.parts.onOutcome(tab, { run: null, list: null, compared: [], problem: operation });
    const sessions = this.parts.sessions.all.length > 1 ? this.parts.sessions.all : [null, ...this.parts.sessions.all];
    const compared = await Promise.all(sessions.map((session) => this.send(operation, "sse", session)));
    this.parts.onOutcome(tab, { run: compared[0], list: null, compared, problem: "" });
  }

  /** @param {Operation} operation @param {"websocket" | "sse"} streams @param {import("../session/sessions.js").Session | null} session */
  async send(operation, streams, session) {
    const token = session ? await this.parts.sessions.fresh(session) : null;
    const run = new Run(operation, operation.type === "subscription" ? streams : "http", { endpoint: this.parts.endpoint, token, sessionName: session?.name ?? null });
    this.parts.onSent(run);
    return run;
  }
}
