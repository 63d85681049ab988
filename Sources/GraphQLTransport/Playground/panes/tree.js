// @ts-check
import { announce, copy, fill, h, icon } from "../page/dom.js";
import { pathText, valueAt } from "../run/operation.js";

/** Children that one level shows at first, and per further step. */
const step = 100;

/** @typedef {(string | number)[]} Path */

/**
 * A value as a foldable tree (WAI-ARIA: tree). Only unfolded levels have elements, so that a long answer costs little.
 */
export class TreeView {
  /** @param {HTMLElement} host @param {{ onPath?: (path: Path) => void }} [options] */
  constructor(host, options = {}) {
    this.host = host;
    this.options = options;
    /** @type {unknown} */
    this.value = undefined;
    /**
     * Paths as JSON whose fold differs from what their size suggests.
     * @type {Map<string, boolean>}
     */
    this.folds = new Map();
    /** @type {Set<string>} */
    this.marked = new Set();
    /** The path, as JSON, to which somebody was led. */
    this.revealed = "";
    this.rows = h("div", { class: "tree", role: "tree", "aria-label": "Answer", tabindex: "-1" });
    this.rows.addEventListener("keydown", (event) => this.pressed(event));
    this.rows.addEventListener("click", (event) => this.clicked(event));
    host.append(this.rows);
  }

  /**
   * Shows a value; what was folded and unfolded stays so.
   * @param {unknown} value
   */
  show(value) {
    const focused = this.rows.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.path : null;
    const top = this.host.scrollTop;
    this.value = value;
    fill(this.rows, value === undefined ? [] : this.level(value, [], 1));
    const first = /** @type {HTMLElement | null} */ (this.rows.querySelector("[role=treeitem]"));
    if (first) first.tabIndex = 0;
    this.host.scrollTop = top;
    if (focused) this.row(focused)?.focus();
  }

  /** @param {Path} path @param {unknown} value */
  isOpen(path, value) {
    const fold = this.folds.get(JSON.stringify(path));
    if (fold !== undefined) return fold;
    return path.length < 3 || (path.length < 7 && size(value) <= 12);
  }

  /** @param {unknown} value @param {Path} path @param {number} level @param {number} [from] @returns {HTMLElement[]} */
  level(value, path, level, from = 0) {
    if (value === null || typeof value !== "object") return [];
    /** @type {[string | number, unknown][]} */
    const entries = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
    const rows = entries.slice(from, from + step).flatMap(([key, item]) => this.item(key, item, [...path, key], level));
    if (entries.length > from + step) {
      const more = h("button", { class: "tree-more" }, `Show ${Math.min(step, entries.length - from - step)} of ${entries.length - from - step} more`);
      more.addEventListener("click", (event) => {
        event.stopPropagation();
        more.replaceWith(...this.level(value, path, level, from + step));
      });
      rows.push(more);
    }
    return rows;
  }

  /** @param {string | number} key @param {unknown} value @param {Path} path @param {number} level @returns {HTMLElement[]} */
  item(key, value, path, level) {
    const isParent = value !== null && typeof value === "object" && size(value) > 0;
    const isOpen = isParent && this.isOpen(path, value);
    const id = JSON.stringify(path);
    const row = h("div", {
      class: "tree-row", role: "treeitem", "aria-level": level, "aria-expanded": isParent ? isOpen : null, tabindex: "-1", "data-path": id,
    },
    h("span", { class: "tree-fold", "aria-hidden": "true" }, isParent ? (isOpen ? "▾" : "▸") : ""),
    h("span", { class: typeof key === "number" ? "tree-index" : "tree-key" }, key), h("span", { class: "tree-colon" }, ": "),
    shown(value, isOpen),
    h("button", { class: "tree-copy plain", tabindex: "-1", title: "Copy the path", "aria-label": `Copy the path of ${key}` }, icon("copy")));
    row.style.paddingInlineStart = `${level * 14}px`;
    if (this.marked.has(id)) row.classList.add("marked");
    if (this.revealed === id) row.classList.add("revealed");
    return isOpen ? [row, ...this.level(value, path, level + 1)] : [row];
  }

  /** @param {string} id @returns {HTMLElement | null} */
  row(id) {
    return this.rows.querySelector(`[data-path="${CSS.escape(id)}"]`);
  }

  /** @param {string} id @param {boolean} isOpen */
  setOpen(id, isOpen) {
    this.folds.set(id, isOpen);
    this.show(this.value);
    this.row(id)?.focus();
  }

  /**
   * Unfolds everything, or folds it to the first level.
   * @param {boolean} isOpen
   */
  setAll(isOpen) {
    let budget = 3_000;
    const visit = (/** @type {unknown} */ value, /** @type {Path} */ path) => {
      if (value === null || typeof value !== "object") return;
      if (path.length) this.folds.set(JSON.stringify(path), isOpen || path.length < 2);
      for (const [key, item] of Object.entries(value)) {
        if ((budget -= 1) < 0) return;
        visit(item, [...path, Array.isArray(value) ? Number(key) : key]);
      }
    };
    visit(this.value, []);
    this.show(this.value);
    if (budget < 0) announce("Only the first 3,000 values were unfolded.");
  }

  /**
   * Unfolds the way to a path, scrolls there and focuses it.
   * @param {Path} path @param {boolean} [isFocused]
   */
  reveal(path, isFocused = true) {
    for (let length = 1; length < path.length; length += 1) this.folds.set(JSON.stringify(path.slice(0, length)), true);
    let length = path.length;
    while (length > 1 && valueAt(this.value, path.slice(0, length)) === undefined) length -= 1;
    this.revealed = JSON.stringify(path.slice(0, length));
    this.show(this.value);
    const row = this.row(this.revealed);
    row?.scrollIntoView({ block: "center" });
    if (isFocused) row?.focus();
  }

  /**
   * Paths whose key or value has a text.
   * @param {string} text @returns {Path[]}
   */
  find(text) {
    const wanted = text.toLowerCase();
    /** @type {Path[]} */
    const found = [];
    const visit = (/** @type {unknown} */ value, /** @type {Path} */ path) => {
      if (found.length >= 1_000 || path.length > 60) return;
      const key = path[path.length - 1];
      const isLeaf = value === null || typeof value !== "object";
      if ((typeof key === "string" && key.toLowerCase().includes(wanted)) || (isLeaf && String(value).toLowerCase().includes(wanted))) found.push(path);
      if (!isLeaf) for (const [name, item] of Object.entries(value)) visit(item, [...path, Array.isArray(value) ? Number(name) : name]);
    };
    if (wanted) visit(this.value, []);
    this.marked = new Set(found.map((path) => JSON.stringify(path)));
    this.show(this.value);
    return found;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest(".tree-row"));
    if (!row?.dataset.path) return;
    /** @type {Path} */
    const path = JSON.parse(row.dataset.path);
    if (target.closest(".tree-copy")) return void copy(pathText(path), "the path");
    if (target.closest("a")) return;
    if (row.ariaExpanded !== null && !getSelection()?.toString()) this.setOpen(row.dataset.path, row.ariaExpanded !== "true");
    this.options.onPath?.(path);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const rows = /** @type {HTMLElement[]} */ ([...this.rows.querySelectorAll("[role=treeitem]")]);
    const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const row = rows[at];
    if (!row?.dataset.path) return;
    const go = (/** @type {number} */ index) => rows[Math.max(0, Math.min(index, rows.length - 1))].focus();
    const level = Number(row.ariaLevel);
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "c" || getSelection()?.toString()) return;
      copy(textOf(valueAt(this.value, JSON.parse(row.dataset.path))), "the value");
    } else if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(rows.length - 1);
    else if (event.key === "ArrowRight") row.ariaExpanded === "false" ? this.setOpen(row.dataset.path, true) : go(at + 1);
    else if (event.key === "ArrowLeft" && row.ariaExpanded === "true") this.setOpen(row.dataset.path, false);
    else if (event.key === "ArrowLeft") go(rows.indexOf(rows.slice(0, at).reverse().find((other) => Number(other.ariaLevel) < level) ?? row));
    else if (event.key === "c") copy(pathText(JSON.parse(row.dataset.path)), "the path");
    else if ((event.key === "Enter" || event.key === " ") && row.ariaExpanded !== null) this.setOpen(row.dataset.path, row.ariaExpanded !== "true");
    else return;
    event.preventDefault();
  }
}

/** @param {unknown} value */
function size(value) {
  return value !== null && typeof value === "object" ? Object.keys(value).length : 0;
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * The value beside its key.
 * @param {unknown} value @param {boolean} isOpen
 */
function shown(value, isOpen) {
  if (Array.isArray(value)) return h("span", { class: "tree-size" }, value.length ? `[${value.length}]` : "[]");
  if (value !== null && typeof value === "object") return h("span", { class: "tree-size" }, size(value) ? (isOpen ? "" : `{ ${summary(value)} }`) : "{}");
  if (typeof value === "string" && /^https?:\/\/\S+$/.test(value)) {
    return h("a", { class: "tree-string", href: value, target: "_blank", rel: "noopener noreferrer", tabindex: "-1" }, JSON.stringify(value));
  }
  return h("span", { class: `tree-${value === null ? "null" : typeof value}` }, JSON.stringify(value));
}

/**
 * The first plain values of a folded object.
 * @param {object} value
 */
function summary(value) {
  const parts = Object.entries(value).filter(([, item]) => item === null || typeof item !== "object").slice(0, 3)
    .map(([key, item]) => `${key}: ${String(JSON.stringify(item)).slice(0, 40)}`);
  return parts.length ? parts.join(", ") + (size(value) > parts.length ? ", …" : "") : Object.keys(value).slice(0, 4).join(", ");
}
