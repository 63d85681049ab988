// @ts-check
/** @typedef {import("../types").EditorAPI} EditorAPI */
/** @typedef {import("../types").EditorOptions} EditorOptions */
/** @typedef {import("../types").EditorState} EditorState */
/** @typedef {import("../types").Mark} Mark */
/** @typedef {import("../types").Position} Position */
/** @typedef {import("./lines.js").Selection} Selection */
import { Folding, bracketsAt } from "./brackets.js";
import { Carets } from "./carets.js";
import { commandsOf } from "./commands.js";
import { Input } from "./input.js";
import { History, Lines } from "./lines.js";
import { View, make } from "./view.js";

let editors = 0;

/**
 * An editor for GraphQL, JSON or plain text.
 * @implements {EditorAPI}
 */
export class Editor {
  /**
   * @param {HTMLElement} host
   * @param {EditorOptions} options
   */
  constructor(host, options) {
    this.options = options;
    this.id = `editor-${(editors += 1)}`;
    this.lines = new Lines(options.value ?? "", options.language);
    this.view = new View(host, options.label);
    this.history = new History();
    this.folding = new Folding(this);
    this.view.canFold = (index) => this.folding.canFold(index);
    /** @type {Selection} */
    this.current = { anchor: 0, head: 0 };
    /** @type {Mark[]} */
    this.shownMarks = [];
    this.status = make("div", "editor-status", { role: "status", "aria-live": "polite" });
    const hint = make("div", "editor-hint", { id: `${this.id}-hint` });
    hint.textContent = "Tab indents. Press Escape, then Tab, to leave the editor.";
    this.placeholder = make("div", "editor-placeholder", { "aria-hidden": "true" });
    this.placeholder.textContent = options.placeholder ?? "";
    this.view.content.setAttribute("aria-describedby", hint.id);
    this.view.content.id = `${this.id}-text`;
    this.view.root.append(this.placeholder, this.status, hint);
    this.view.reset(this.lines);
    this.carets = new Carets(this);
    this.commands = commandsOf(this);
    this.input = new Input(this);
    this.observe();
    this.readOnly = options.readOnly ?? false;
    this.showPlaceholder();
  }

  observe() {
    const { view } = this;
    let isWaiting = false;
    view.scroller.addEventListener("scroll", () => {
      const { scrollTop, scrollLeft } = view.scroller;
      // A scroll by the editor itself is noted already.
      if (Math.abs(scrollTop - view.scrollTop) > 1 || Math.abs(scrollLeft - view.scrollLeft) > 1) this.completion?.close();
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        view.scrollTop = view.scroller.scrollTop;
        view.scrollLeft = view.scroller.scrollLeft;
        this.paint();
      });
    }, { passive: true });
    this.resizing = new ResizeObserver(([entry]) => {
      view.height = entry.contentRect.height;
      view.scrollTop = view.scroller.scrollTop;
      this.paint();
    });
    this.resizing.observe(view.scroller);
    view.gutter.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const line = Number(/** @type {HTMLElement} */ (event.target).dataset?.line);
      if (!line) return;
      if (this.folding.toggle(line - 1)) return;
      this.selection = { anchor: this.lines.startOf(line - 1), head: this.lines.startOf(line - 1) };
      this.focus();
    });
  }

  get element() { return this.view.root; }
  get language() { return /** @type {EditorOptions["language"]} */ (this.lines.language); }
  set language(language) {
    this.lines.language = language;
    this.lines.relex();
    this.paint();
  }

  get readOnly() { return this.view.content.getAttribute("aria-readonly") === "true"; }
  set readOnly(isReadOnly) {
    const { content } = this.view;
    content.setAttribute("contenteditable", String(!isReadOnly));
    content.setAttribute("aria-readonly", String(isReadOnly));
    content.tabIndex = 0;
  }

  // What assistance.js brings

  /** @type {import("./completionList.js").CompletionList | null} */
  completion = null;
  /** @type {import("./hoverCard.js").HoverCard | null} */
  hoverCard = null;
  /** @type {import("./searchPanel.js").SearchPanel | null} */
  search = null;

  // Text

  get value() { return this.lines.value; }
  set value(text) {
    const before = this.value, wanted = text.replace(/\r\n?/g, "\n");
    if (wanted === before) return;
    let start = 0, end = 0;
    const least = Math.min(before.length, wanted.length);
    while (start < least && before[start] === wanted[start]) start += 1;
    while (end < least - start && before[before.length - 1 - end] === wanted[wanted.length - 1 - end]) end += 1;
    const { anchor, head } = this.current;
    const selection = { anchor: Math.min(anchor, wanted.length), head: Math.min(head, wanted.length) };
    const change = { start, removed: before.slice(start, before.length - end), inserted: wanted.slice(start, wanted.length - end) };
    this.apply([change], { selection, reveals: false });
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {string} text
   */
  replace(start, end, text) {
    this.apply([{ start, removed: this.lines.slice(start, end), inserted: text.replace(/\r\n?/g, "\n") }]);
  }

  /**
   * Replaces the selection.
   * @param {string} text
   * @param {string} [kind] steps of one kind are undone together
   */
  insert(text, kind = "") {
    const start = Math.min(this.current.anchor, this.current.head), end = Math.max(this.current.anchor, this.current.head);
    this.apply([{ start, removed: this.lines.slice(start, end), inserted: text.replace(/\r\n?/g, "\n") }], { kind });
  }

  /**
   * Makes changes, each on the text that those before it left, as one step.
   * @param {import("./lines.js").Change[]} changes
   * @param {{ selection?: Selection, kind?: string, reveals?: boolean, noted?: boolean }} [how]
   */
  apply(changes, how = {}) {
    const { selection, kind = "", reveals = true, noted = true } = how;
    const before = this.current;
    for (const { start, removed, inserted } of changes) {
      const result = this.lines.replace(start, start + removed.length, inserted);
      this.moveMarks(start, removed.length, inserted);
      this.folding.afterChange(result);
      this.view.update(result.first, result.removed, result.added);
    }
    const last = changes[changes.length - 1];
    const end = last.start + last.inserted.length;
    this.current = selection ? { anchor: selection.anchor, head: selection.head } : { anchor: end, head: end };
    if (this.batch) {
      this.batch.push(...changes);
      return;
    }
    this.carets.others = selection?.others ?? [];
    this.changed(changes, before, noted ? kind : null, reveals);
  }

  /** @type {import("./lines.js").Change[] | null} the changes of several carets so far, which are one step */
  batch = null;

  /**
   * Shows and notes changes that the lines have already.
   * @param {import("./lines.js").Change[]} changes
   * @param {Selection} before
   * @param {string | null} kind null where the history has the step
   * @param {boolean} [reveals]
   */
  changed(changes, before, kind, reveals = true) {
    const after = this.carets.isMany ? { ...this.current, others: this.carets.others } : this.current;
    if (kind !== null) this.history.add({ changes: [...changes], before, after, kind, time: performance.now() });
    this.isApplying = true;
    this.paint();
    this.isApplying = false;
    this.showSelection(reveals);
    this.carets.draw();
    this.showPlaceholder();
    this.options.onChange?.(this.value);
    this.options.onCaret?.(this.current.head);
  }

  undo() {
    const step = this.history.undo();
    if (!step) return;
    const inverse = [...step.changes].reverse().map(({ start, removed, inserted }) => ({ start, removed: inserted, inserted: removed }));
    this.completion?.close();
    this.apply(inverse, { selection: step.before, noted: false });
  }

  redo() {
    const step = this.history.redo();
    if (!step) return;
    this.completion?.close();
    this.apply(step.changes, { selection: step.after, noted: false });
  }

  format() {
    const text = this.options.format?.(this.value);
    if (text == null) {
      this.announce("The text has an error, so it cannot be formatted.");
      return false;
    }
    this.value = text;
    return true;
  }

  // Selection

  get caret() { return this.current.head; }
  get selection() { return { ...this.current }; }
  set selection({ anchor, head }) {
    const { length } = this.lines;
    this.current = { anchor: Math.max(0, Math.min(anchor, length)), head: Math.max(0, Math.min(head, length)) };
    if (this.batch) return;
    this.carets.clear();
    this.showSelection(true);
    this.options.onCaret?.(this.current.head);
  }

  get isFocused() { return document.activeElement === this.view.content; }

  /** Takes over where the browser has put the selection. */
  readSelection() {
    const selection = this.view.readSelection();
    if (!selection) return;
    const { anchor, head } = this.current;
    if (selection.anchor === anchor && selection.head === head) return;
    this.current = selection;
    this.carets.clear();
    this.decorateCaret();
    this.options.onCaret?.(selection.head);
  }

  /** @param {boolean} reveals */
  showSelection(reveals) {
    this.folding.uncover(this.current.head);
    if (this.isFocused) this.view.writeSelection(this.current);
    this.decorateCaret();
    if (!reveals) return;
    this.view.reveal(this.current.head);
    this.keepSelection();
  }

  /** Writes the selection again where painting has taken it away. An editor without the focus has no selection to keep. */
  keepSelection() {
    const { view } = this;
    if (!view.lostSelection) return;
    if (this.isFocused) view.writeSelection(this.current); else view.lostSelection = false;
  }

  decorateCaret() {
    const { line } = this.lines.at(this.current.head);
    this.view.setCurrent(this.isFocused ? this.lines.all[line] : null);
    this.view.decorate("editor-bracket", this.isFocused ? bracketsAt(this.lines, this.current.head) : []);
  }

  focus() {
    this.view.content.focus({ preventScroll: true });
    this.view.writeSelection(this.current);
    this.decorateCaret();
  }

  /** True while lines are painted whose selection is written right after. */
  isApplying = false;

  /** @param {number | Position} place */
  goTo(place) {
    const at = typeof place === "number" ? place : this.offsetOf(place);
    this.selection = { anchor: at, head: at };
    this.focus();
    this.view.reveal(at);
  }

  /** @param {Position} position */
  offsetOf({ line, column }) {
    const index = Math.max(0, Math.min(line - 1, this.lines.count - 1));
    return this.lines.startOf(index) + Math.max(0, Math.min(column - 1, this.lines.all[index].text.length));
  }

  // Marks

  get marks() { return this.shownMarks; }

  /** @param {Mark[]} marks */
  setMarks(marks) {
    if (JSON.stringify(marks) === JSON.stringify(this.shownMarks)) return;
    this.shownMarks = marks.map((mark) => ({ ...mark }));
    this.paint();
  }

  /**
   * A mark grows with the name at whose end somebody types, so that the next check seldom finds another place.
   * @param {number} start
   * @param {number} removed
   * @param {string} inserted
   */
  moveMarks(start, removed, inserted) {
    const end = start + removed, shift = inserted.length - removed;
    const grows = removed === 0 && /^\w+$/.test(inserted) && /\w/.test(this.lines.slice(start - 1, start));
    /** @param {number} at */
    const moved = (at) => (at <= start ? at : at >= end ? at + shift : start);
    for (const mark of this.shownMarks) {
      const wasEmpty = mark.start === mark.end;
      const isGrowing = grows && !wasEmpty && mark.end === start;
      [mark.start, mark.end] = [moved(mark.start), isGrowing ? start + inserted.length : moved(mark.end)];
      if (!wasEmpty && mark.start === mark.end) mark.end = mark.start - 1;
    }
    // A mark whose text is gone is gone, until the text is checked again.
    if (removed > 0) this.shownMarks = this.shownMarks.filter((mark) => mark.end >= mark.start);
  }

  /** Colours what is in view, and the marks in it. */
  paint() {
    const { view, lines } = this;
    const { first, last } = view.viewport(), shown = view.visibleLines;
    const from = lines.startOf(shown ? shown[first] : first);
    const to = lines.startOf(shown ? shown[last] : last) + lines.all[shown ? shown[last] : last].text.length;
    view.markedLines = new Map();
    const empty = [];
    /** @type {Record<string, import("../types").Span[]>} */
    const spans = { error: [], warning: [] };
    for (const mark of this.shownMarks) {
      const { line } = lines.at(mark.start);
      if (mark.severity === "error" || !view.markedLines.has(line)) view.markedLines.set(line, mark.severity);
      if (mark.end < from || mark.start > to) continue;
      const span = this.visibleSpan(mark, line);
      if (span.start === span.end) empty.push(lines.all[line]); else spans[mark.severity].push(span);
    }
    view.markEmptyLines(empty);
    view.paint();
    if (!this.isApplying) this.keepSelection();
    view.decorate("editor-error", spans.error);
    view.decorate("editor-warning", spans.warning);
    this.search?.decorate(from, to);
    if (!this.isApplying) this.carets?.draw();
  }

  /**
   * An empty span marks the character behind it, or at the end of a line the one before it.
   * @param {Mark} mark
   * @param {number} line
   */
  visibleSpan(mark, line) {
    if (mark.end > mark.start) return mark;
    const start = this.lines.startOf(line), end = start + this.lines.all[line].text.length;
    return mark.start < end ? { start: mark.start, end: mark.start + 1 } : { start: Math.max(start, end - 1), end };
  }

  /** @param {number} offset */
  marksAt(offset) {
    const { line } = this.lines.at(offset);
    return this.shownMarks.filter((mark) => {
      const { start, end } = this.visibleSpan(mark, this.lines.at(mark.start).line);
      return (offset >= start && offset < end) || (start === end && this.lines.at(start).line === line);
    });
  }

  /** @param {1 | -1} direction */
  goToMark(direction) {
    const marks = [...this.shownMarks].sort((first, second) => first.start - second.start);
    if (marks.length === 0) return this.announce("There are no errors.");
    const next = direction > 0
      ? marks.find((mark) => mark.start > this.caret) ?? marks[0]
      : marks.filter((mark) => mark.start < this.caret).at(-1) ?? marks[marks.length - 1];
    this.goTo(next.start);
    this.hoverCard?.showMessages([next], next.start);
    return this.announce(next.message);
  }

  // The rest

  showPlaceholder() {
    const isEmpty = this.lines.count === 1 && this.lines.all[0].text === "";
    if (this.placeholder.hidden !== !isEmpty) this.placeholder.hidden = !isEmpty;
  }

  /** @param {string} text for screen readers */
  announce(text) { this.status.textContent = text; }

  /** @param {string} id */
  run(id) { this.commands.find((command) => command.id === id)?.run(); }

  toggleComment() { this.run("comment"); }
  openSearch() { this.search?.open(); }
  openCompletion() { this.completion?.open(true); }
  foldAll() { this.folding.foldAll(); }
  unfoldAll() { this.folding.unfoldAll(); }

  /** @returns {EditorState} */
  get state() {
    return {
      text: this.value, selection: this.selection, history: this.history, folds: this.folding.list(),
      scroll: { top: this.view.scroller.scrollTop, left: this.view.scroller.scrollLeft },
    };
  }

  set state({ text, selection, history, folds, scroll }) {
    this.completion?.close();
    this.lines = new Lines(text, this.lines.language);
    this.history = history instanceof History ? history : new History();
    this.shownMarks = [];
    this.view.hasFolds = false;
    this.view.reset(this.lines);
    this.folding.restore(folds ?? []);
    this.carets.clear();
    this.current = selection;
    this.showSelection(false);
    this.view.scroller.scrollTop = scroll?.top ?? 0;
    this.view.scroller.scrollLeft = scroll?.left ?? 0;
    this.view.scrollTop = this.view.scroller.scrollTop;
    this.paint();
    this.showPlaceholder();
    this.options.onChange?.(this.value);
  }

  dispose() {
    this.resizing?.disconnect();
    this.input.dispose();
    this.completion?.dispose();
    this.hoverCard?.dispose();
    this.view.dispose();
  }
}
