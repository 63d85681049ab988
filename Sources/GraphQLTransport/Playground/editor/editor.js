// @ts-check
/** @typedef {import("../types").EditorOptions} EditorOptions */
import { offsetOf } from "../language/text.js";

/** @typedef {import("../types").EditorAPI} EditorAPI */

/** @implements {EditorAPI} */
export class Editor {
  /** @param {HTMLElement} host @param {EditorOptions} options */
  constructor(host, options) {
    this.options = options;
    this.language = options.language;
    this.area = document.createElement("textarea");
    this.area.className = "editor-text";
    this.area.setAttribute("aria-label", options.label);
    this.area.value = options.value ?? "";
    this.area.addEventListener("input", () => options.onChange?.(this.value));
    host.append(this.area);
    /** @type {HTMLElement} */
    this.element = this.area;
    /** @type {import("../types").Mark[]} */
    this.marks = [];
    /** @type {{ id: string, title: string, keys: string, run: () => void }[]} */
    this.commands = [];
  }
  get value() { return this.area.value; }
  set value(text) { this.area.value = text; this.options.onChange?.(text); }
  get readOnly() { return this.area.readOnly; }
  set readOnly(value) { this.area.readOnly = value; }
  get caret() { return this.area.selectionEnd; }
  get selection() { return { anchor: this.area.selectionStart, head: this.area.selectionEnd }; }
  set selection({ anchor, head }) { this.area.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head)); }
  /** @returns {import("../types").EditorState} */
  get state() { return { text: this.value, selection: this.selection, history: null, folds: [], scroll: { top: 0, left: 0 } }; }
  set state(state) { this.area.value = state.text; this.selection = state.selection; }
  /** @param {number} start @param {number} end @param {string} text */
  replace(start, end, text) { this.value = this.value.slice(0, start) + text + this.value.slice(end); }
  /** @param {import("../types").Mark[]} marks */
  setMarks(marks) { this.marks = marks; }
  /** @param {number | import("../types").Position} place */
  goTo(place) {
    const at = typeof place === "number" ? place : offsetOf(this.value, place);
    this.selection = { anchor: at, head: at };
    this.focus();
  }
  focus() { this.area.focus(); }
  format() { const text = this.options.format?.(this.value); if (text != null) this.value = text; return text != null; }
  undo() {}
  redo() {}
  toggleComment() {}
  openSearch() {}
  openCompletion() {}
  foldAll() {}
  unfoldAll() {}
  dispose() { this.area.remove(); }
}
