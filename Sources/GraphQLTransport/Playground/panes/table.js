// @ts-check
import { copy, fill, h } from "../page/dom.js";
import { pathText } from "../run/operation.js";

/** @typedef {(string | number)[]} Path */

/** Rows that a table shows at most. */
const shownRows = 500;

/**
 * The lists of objects in an answer.
 * @param {unknown} value @param {Path} [path] @returns {{ path: Path, rows: object[] }[]}
 */
export function lists(value, path = []) {
  if (value === null || typeof value !== "object" || path.length > 12) return [];
  const objects = Array.isArray(value) ? value.filter((item) => item !== null && typeof item === "object" && !Array.isArray(item)) : [];
  if (objects.length) {
    return [{ path, rows: objects }, ...lists(objects[0], [...path, 0]).filter((list) => list.rows.length)];
  }
  return Object.entries(value).flatMap(([key, item]) => lists(item, [...path, Array.isArray(value) ? Number(key) : key]));
}

/**
 * An object's plain values by their path: `author.username`.
 * @param {object} object @param {string} [prefix] @returns {[string, unknown][]}
 */
export function cells(object, prefix = "") {
  return Object.entries(object).flatMap(([key, value]) => {
    const name = prefix + key;
    if (value === null || typeof value !== "object") return [/** @type {[string, unknown]} */ ([name, value])];
    if (Array.isArray(value)) {
      return [/** @type {[string, unknown]} */ ([name, value.every((item) => item === null || typeof item !== "object") ? value.join(", ") : `[${value.length}]`])];
    }
    return name.split(".").length > 3 ? [] : cells(value, `${name}.`);
  });
}

/**
 * The names of all cells, in the order in which they are first seen.
 * @param {object[]} rows
 */
export function columns(rows) {
  return [...new Set(rows.slice(0, shownRows).flatMap((row) => cells(row).map(([name]) => name)))];
}

/**
 * Rows as comma-separated values. RFC 4180
 * @param {string[]} names @param {object[]} rows
 */
export function commaSeparated(names, rows) {
  const quoted = (/** @type {unknown} */ value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names.map(quoted).join(","), ...rows.map((row) => {
    const values = new Map(cells(row));
    return names.map((name) => quoted(values.get(name))).join(",");
  })].join("\r\n");
}

/** An answer's lists of objects, one at a time, as a table that sorts by a column. */
export class TableView {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.chosen = "";
    this.sortedBy = "";
    this.isDescending = false;
  }

  /** @param {unknown} value */
  show(value) {
    const found = lists(value);
    const list = found.find((item) => JSON.stringify(item.path) === this.chosen) ?? found[0];
    if (!list) return fill(this.host, h("p", { class: "empty" }, "This answer has no list of objects."));
    const names = columns(list.rows);
    const rows = this.sorted(list.rows, names);
    const picker = h("select", { "aria-label": "List", onchange: () => { this.chosen = picker.value; this.show(value); } },
      found.map((item) => h("option", { value: JSON.stringify(item.path), selected: item === list }, `${pathText(item.path)} (${item.rows.length})`)));
    fill(this.host, h("div", { class: "pane-tools" }, picker,
      h("button", { onclick: () => copy(commaSeparated(names, rows), "the table as CSV") }, "Copy as CSV"),
      rows.length > shownRows ? h("span", { class: "dim" }, `The first ${shownRows} of ${rows.length}`) : null),
    h("div", { class: "table-scroll", tabindex: "0" }, h("table", null,
      h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col", "aria-sort": name === this.sortedBy ? (this.isDescending ? "descending" : "ascending") : null },
        h("button", { class: "plain", onclick: () => {
          this.isDescending = name === this.sortedBy && !this.isDescending;
          this.sortedBy = name;
          this.show(value);
        } }, name))))),
      h("tbody", null, rows.slice(0, shownRows).map((row) => tableRow(row, names))))));
  }

  /** @param {object[]} rows @param {string[]} names */
  sorted(rows, names) {
    if (!names.includes(this.sortedBy)) return rows;
    const key = (/** @type {object} */ row) => new Map(cells(row)).get(this.sortedBy);
    const order = this.isDescending ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      if (typeof x === "number" && typeof y === "number") return order * (x - y);
      return order * String(x ?? "").localeCompare(String(y ?? ""));
    });
  }
}

/** @param {object} row @param {string[]} names */
export function tableRow(row, names) {
  const values = new Map(cells(row));
  return h("tr", null, names.map((name) => {
    const value = values.get(name);
    return h("td", { class: value === null ? "tree-null" : `tree-${typeof value}` }, value === undefined ? "" : String(value));
  }));
}
