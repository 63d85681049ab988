// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("../types").Span} Span */
import { make } from "./view.js";

/** More matches are not counted. */
const maximumMatches = 10_000;

/**
 * The text that replaces a match of a pattern. The pattern reads the whole text, since it may look at what is around the match.
 * @param {string} text @param {number} start @param {number} end @param {RegExp} pattern @param {string} wanted
 */
export function replacement(text, start, end, pattern, wanted) {
  // Spec: ECMAScript, RegExp.prototype[Symbol.replace]: a sticky pattern replaces the match at `lastIndex` alone.
  const only = new RegExp(pattern.source, pattern.flags.replace("g", "y"));
  only.lastIndex = start;
  return text.replace(only, wanted).slice(start, end - text.length || undefined);
}

/** Searches the text, and replaces. */
export class SearchPanel {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.isOpen = false;
    /** @type {Span[]} */
    this.matches = [];
    /** The text that the matches are of. */
    this.searched = "";
    this.wanted = "";
    /** @type {HTMLElement | null} */
    this.element = null;
    this.options = { caseMatters: false, isExpression: false };
  }

  build() {
    const element = make("div", "editor-search", { role: "search", "aria-label": "Search in the text" });
    this.find = /** @type {HTMLInputElement} */ (make("input", "", { type: "text", "aria-label": "Search for", placeholder: "Search", spellcheck: "false" }));
    this.replacement = /** @type {HTMLInputElement} */ (make("input", "", { type: "text", "aria-label": "Replace with", placeholder: "Replace", spellcheck: "false" }));
    this.count = make("span", "editor-count", { "aria-live": "polite" });
    this.replaceRow = make("div", "editor-search-row");
    const searchRow = make("div", "editor-search-row");
    searchRow.append(
      this.find, this.count, this.toggle("Aa", "Match case", "caseMatters"), this.toggle(".*", "Regular expression", "isExpression"),
      this.button("↑", "Previous match", () => this.go(-1)), this.button("↓", "Next match", () => this.go(1)),
      this.button("✕", "Close the search", () => this.close()));
    this.replaceRow.append(
      this.replacement, this.button("Replace", "Replace this match", () => this.replaceOne()),
      this.button("All", "Replace all matches", () => this.replaceAll()));
    element.append(searchRow, this.replaceRow);
    this.find.addEventListener("input", () => this.search(true));
    element.addEventListener("keydown", (event) => this.keyDown(event));
    this.editor.view.root.prepend(element);
    return element;
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {() => void} action
   */
  button(text, label, action) {
    const button = make("button", "", { type: "button", "aria-label": label, title: label });
    button.textContent = text;
    button.addEventListener("click", action);
    return button;
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {"caseMatters" | "isExpression"} option
   */
  toggle(text, label, option) {
    const button = this.button(text, label, () => {
      this.options[option] = !this.options[option];
      button.setAttribute("aria-pressed", String(this.options[option]));
      this.search(true);
    });
    button.setAttribute("aria-pressed", String(this.options[option]));
    return button;
  }

  /** @param {boolean} [replaces] */
  open(replaces = false) {
    const { editor } = this, { anchor, head } = editor.current;
    this.element ??= this.build();
    this.isOpen = true;
    this.element.hidden = false;
    const find = /** @type {HTMLInputElement} */ (this.find);
    /** @type {HTMLElement} */ (this.replaceRow).hidden = editor.readOnly;
    const selected = editor.lines.slice(Math.min(anchor, head), Math.max(anchor, head));
    if (selected && !selected.includes("\n")) find.value = selected;
    (replaces && find.value ? /** @type {HTMLInputElement} */ (this.replacement) : find).focus();
    find.select();
    this.search(false);
  }

  /** @returns {boolean} whether it was open */
  close() {
    if (!this.isOpen || !this.element) return false;
    this.isOpen = false;
    this.element.hidden = true;
    this.matches = [];
    this.editor.paint();
    this.editor.focus();
    return true;
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.target === this.find) this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === this.replacement) this.replaceOne();
    else if (event.key === "F3") this.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns {RegExp | null} */
  get pattern() {
    const wanted = this.find?.value ?? "";
    if (!wanted) return null;
    const source = this.options.isExpression ? wanted : wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    try { return new RegExp(source, this.options.caseMatters ? "gm" : "gim"); } catch { return null; }
  }

  /** @param {boolean} moves whether the selection goes to the nearest match */
  search(moves) {
    const { editor } = this, text = editor.value, { pattern } = this;
    this.matches = [];
    this.searched = text;
    if (pattern) {
      for (const match of text.matchAll(pattern)) {
        if (match[0] && this.matches.push({ start: match.index ?? 0, end: (match.index ?? 0) + match[0].length }) >= maximumMatches) break;
      }
    }
    const from = Math.min(editor.current.anchor, editor.current.head);
    if (moves && this.matches.length) this.selectMatch(this.matches.find(({ start }) => start >= from) ?? this.matches[0]);
    else editor.paint();
    this.showCount();
  }

  showCount() {
    const { anchor, head } = this.editor.current, { count } = this;
    if (!count) return;
    const index = this.matches.findIndex(({ start, end }) => start === Math.min(anchor, head) && end === Math.max(anchor, head));
    const total = this.matches.length >= maximumMatches ? `${maximumMatches}+` : String(this.matches.length);
    count.textContent = !this.find?.value ? "" : !this.pattern ? "Not an expression" : index < 0 ? `${total} found` : `${index + 1} of ${total}`;
  }

  /** @param {Span} match */
  selectMatch({ start, end }) {
    this.editor.selection = { anchor: start, head: end };
    this.editor.paint();
  }

  /** @param {1 | -1} direction */
  go(direction) {
    if (!this.isOpen) return this.open();
    if (this.searched !== this.editor.value) this.search(false);
    const { anchor, head } = this.editor.current, start = Math.min(anchor, head);
    const next = direction > 0
      ? this.matches.find((match) => match.start > start) ?? this.matches[0]
      : this.matches.filter((match) => match.start < start).at(-1) ?? this.matches[this.matches.length - 1];
    if (next) this.selectMatch(next);
    return this.showCount();
  }

  /**
   * The text that replaces a match; where a regular expression is searched for, `$1` stands for a group.
   * @param {Span} match
   */
  replacementFor({ start, end }) {
    const wanted = this.replacement?.value ?? "", { pattern } = this;
    return this.options.isExpression && pattern ? replacement(this.searched, start, end, pattern, wanted) : wanted;
  }

  replaceOne() {
    const { editor } = this, { anchor, head } = editor.current;
    const start = Math.min(anchor, head), end = Math.max(anchor, head);
    const match = this.matches.find((candidate) => candidate.start === start && candidate.end === end);
    if (match) {
      editor.replace(start, end, this.replacementFor(match));
      this.search(false);
    }
    this.go(1);
  }

  replaceAll() {
    const { editor } = this;
    if (this.searched !== editor.value) this.search(false);
    const changes = [...this.matches].reverse().map((match) => ({
      start: match.start, removed: editor.lines.slice(match.start, match.end), inserted: this.replacementFor(match),
    }));
    if (changes.length) editor.apply(changes);
    this.search(false);
    if (this.count) this.count.textContent = `${changes.length} replaced`;
  }

  /**
   * Marks the matches in view.
   * @param {number} from
   * @param {number} to
   */
  decorate(from, to) {
    const { editor } = this;
    if (!this.isOpen) {
      if (this.wasShown) editor.view.decorate("editor-match", []);
      this.wasShown = false;
      return;
    }
    if (this.searched !== editor.value) {
      this.matches = [];
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.isOpen && this.search(false), 300);
    }
    editor.view.decorate("editor-match", this.matches.filter(({ start, end }) => end >= from && start <= to));
    this.wasShown = true;
  }

  wasShown = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
}
