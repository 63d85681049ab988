// @ts-check
import { fill, h } from "../page/dom.js";
import { valueAt } from "../run/operation.js";
import { lists, cells, columns } from "./table.js";

/**
 * How the server's changes read, from its description: paths inside the event's root field, and the kinds' names.
 * @typedef {{ kind: string, id: string, node: string, cursor: string, objectID: string, added: string, changed: string,
 *   removed: string, cursorField: string, cursorVariable: string }} ChangeFormat
 */

/** @typedef {{ kind: string, id: string, node: any, cursor: string | null }} Change */

/**
 * The change in an event, or null where it is none.
 * @param {import("../run/operation.js").Answer} answer @param {ChangeFormat | null} format @returns {Change | null}
 */
export function changeIn(answer, format) {
  if (!format || !answer.data || typeof answer.data !== "object") return null;
  const root = Object.values(answer.data)[0];
  const kind = valueAt(root, [format.kind]);
  if (typeof kind !== "string") return null;
  const node = valueAt(root, [format.node]) ?? null;
  const id = valueAt(root, [format.id]) ?? valueAt(node, [format.objectID]);
  const cursor = valueAt(root, [format.cursor]);
  return { kind, id: String(id ?? ""), node, cursor: typeof cursor === "string" ? cursor : null };
}

/**
 * The class of a kind of change.
 * @param {string} kind @param {ChangeFormat | null} format
 */
export function kindClass(kind, format) {
  if (kind === format?.added) return "kind-added";
  if (kind === format?.removed) return "kind-removed";
  return kind === format?.changed ? "kind-changed" : "kind-other";
}

/** A list that changes keep as it is on the server: an upsert or a delete by the object's id. */
export class LiveList {
  /** @param {HTMLElement} host @param {ChangeFormat | null} format */
  constructor(host, format) {
    this.host = host;
    this.format = format;
    /** @type {Map<string, { node: any, kind: string, at: number }>} */
    this.items = new Map();
    this.applied = 0;
  }

  /**
   * Begins with the objects of an answer's first list.
   * @param {import("../run/operation.js").Answer | null} answer
   */
  begin(answer) {
    this.items.clear();
    this.applied = 0;
    const objectID = this.format?.objectID ?? "id";
    const list = lists(answer?.data).map((found) => found.rows)
      .map((rows) => rows.map((/** @type {any} */ row) => (row[objectID] === undefined && row.node ? row.node : row)))
      .find((rows) => rows.every((/** @type {any} */ row) => row[objectID] !== undefined));
    for (const node of list ?? []) this.items.set(String(node[objectID]), { node, kind: "", at: 0 });
    this.show();
  }

  /** @param {Change} change */
  apply(change) {
    this.applied += 1;
    const present = this.items.get(change.id);
    if (change.kind === this.format?.removed) {
      if (present) this.items.set(change.id, { ...present, kind: change.kind, at: Date.now() });
      return;
    }
    if (!change.node) return;
    const item = { node: { ...(present && present.kind !== this.format?.removed ? present.node : null), ...change.node }, kind: change.kind, at: Date.now() };
    if (present) this.items.set(change.id, item);
    else this.items = new Map([[change.id, item], ...this.items]);
  }

  show() {
    const now = Date.now();
    // A removed object stays for a moment, struck out, so that its going is seen.
    for (const [id, item] of this.items) if (item.kind === this.format?.removed && now - item.at > 2_500) this.items.delete(id);
    const rows = [...this.items.values()];
    if (!rows.length) {
      return fill(this.host, h("p", { class: "empty" }, this.applied ? "The list is empty." : "Waiting for changes. Each one is applied here as it arrives."));
    }
    const objectID = this.format?.objectID ?? "id";
    const names = columns(rows.map((row) => row.node)).sort((a, b) => Number(a === objectID) - Number(b === objectID));
    fill(this.host, h("div", { class: "table-scroll", tabindex: "0" }, h("table", { class: "live" },
      h("caption", null, `${rows.length} ${rows.length === 1 ? "object" : "objects"}, ${this.applied} ${this.applied === 1 ? "change" : "changes"} applied`),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "change"), names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, rows.map((row) => {
        const values = new Map(cells(row.node));
        const isFresh = now - row.at < 4_000;
        return h("tr", { class: `${row.kind ? kindClass(row.kind, this.format) : ""}${isFresh ? " fresh" : ""}` },
          h("td", null, row.kind ? h("span", { class: "badge" }, row.kind) : ""), names.map((name) => h("td", null, String(values.get(name) ?? ""))));
      })))));
    clearTimeout(this.timer);
    if (rows.some((row) => row.kind && now - row.at < 4_000)) this.timer = setTimeout(() => this.show(), 1_000);
  }
}
