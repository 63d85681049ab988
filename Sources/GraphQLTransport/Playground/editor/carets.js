// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./lines.js").Selection} Selection */
import { make } from "./view.js";

/** More occurrences are not taken at once. */
const maximumCarets = 1000;

/** @param {Selection} selection */
const startOf = ({ anchor, head }) => Math.min(anchor, head);
/** @param {Selection} selection */
const endOf = ({ anchor, head }) => Math.max(anchor, head);

/**
 * The carets and selections beside the editor's own, which the browser shows and moves. These are drawn and moved here;
 * each does what is typed. A click or a command that knows one caret alone takes them away.
 */
export class Carets {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Selection[]} */
    this.others = [];
    this.layer = make("div", "editor-carets", { "aria-hidden": "true" });
    editor.view.scroller.append(this.layer);
  }

  get isMany() { return this.others.length > 0; }

  /** All selections in the order of the text. */
  get all() { return [this.editor.current, ...this.others].sort((first, second) => startOf(first) - startOf(second)); }

  /** @returns {boolean} whether there were others */
  clear() {
    if (!this.isMany) return false;
    this.others = [];
    this.draw();
    return true;
  }

  /**
   * Takes selections, of which those that overlap or touch at a caret become one.
   * @param {Selection[]} selections
   * @param {Selection} main the editor's own among them
   */
  set(selections, main) {
    const { editor } = this, sorted = [...selections].sort((first, second) => startOf(first) - startOf(second) || endOf(first) - endOf(second));
    /** @type {Selection[]} */
    const kept = [];
    let own = main;
    for (const selection of sorted) {
      const last = kept[kept.length - 1];
      const isApart = !last || startOf(selection) > endOf(last) || (startOf(selection) === endOf(last) && startOf(selection) < endOf(selection) && startOf(last) < endOf(last));
      if (isApart) {
        kept.push(selection);
        continue;
      }
      const isForward = selection.head >= selection.anchor, end = Math.max(endOf(last), endOf(selection));
      const merged = isForward ? { anchor: startOf(last), head: end } : { anchor: end, head: startOf(last) };
      if (own === last || own === selection) own = merged;
      kept[kept.length - 1] = merged;
    }
    editor.current = { anchor: own.anchor, head: own.head };
    this.others = kept.filter((selection) => selection !== own);
  }

  /** Shows what was set, and scrolls to the editor's own caret. */
  show() {
    const { editor } = this;
    editor.showSelection(true);
    this.draw();
    editor.options.onCaret?.(editor.caret);
  }

  /**
   * Does something at each caret, as one step of the history. The carets are taken from the last to the first, so that no
   * change moves a caret that is still to come.
   * @param {() => void} action
   * @param {string} [kind] steps of one kind are undone together
   */
  each(action, kind = "") {
    const { editor } = this, main = editor.current, { all } = this, before = { ...main, others: this.others };
    /** @type {import("./lines.js").Change[]} */
    const changes = [];
    /** @type {Selection[]} */
    const after = [];
    let own = main;
    editor.batch = changes;
    for (const selection of all.reverse()) {
      const { length } = editor.lines;
      editor.current = selection;
      action();
      const shift = editor.lines.length - length, moved = { ...editor.current };
      for (const later of after) {
        later.anchor += shift;
        later.head += shift;
      }
      after.push(moved);
      if (selection === main) own = moved;
    }
    editor.batch = null;
    this.set(after, own);
    if (changes.length) editor.changed(changes, before, kind); else this.show();
  }

  /**
   * Moves each caret as an arrow key does.
   * @param {KeyboardEvent} event
   * @param {(text: string, isFirst: boolean) => number} characterLength
   * @returns {boolean} whether the key moves carets
   */
  move(event, characterLength) {
    if (!/^(?:Arrow(?:Left|Right|Up|Down)|Home|End)$/.test(event.key) || event.altKey) return false;
    const { lines } = this.editor, isWord = event.ctrlKey || event.metaKey;
    /** @param {Selection} selection */
    const moved = (selection) => {
      const { line, column } = lines.at(selection.head), { text } = lines.all[line], isCollapsing = !event.shiftKey && selection.anchor !== selection.head;
      switch (event.key) {
        case "Home": return selection.head - column;
        case "End": return selection.head - column + text.length;
        case "ArrowLeft":
          if (isCollapsing) return startOf(selection);
          return Math.max(0, selection.head - (column === 0 ? 1 : isWord ? /(?:\w+|[^\w\s]+)?\s*$/.exec(text.slice(0, column))?.[0].length ?? 1 : characterLength(text.slice(0, column), false)));
        case "ArrowRight":
          if (isCollapsing) return endOf(selection);
          return Math.min(lines.length, selection.head + (column === text.length ? 1 : isWord ? /^\s*(?:\w+|[^\w\s]+)?/.exec(text.slice(column))?.[0].length ?? 1 : characterLength(text.slice(column), true)));
        default: return this.beside(selection.head, event.key === "ArrowUp" ? -1 : 1);
      }
    };
    const { current } = this.editor;
    /** @type {Selection | null} */
    let own = null;
    const all = this.all.map((selection) => {
      const head = moved(selection), next = { anchor: event.shiftKey ? selection.anchor : head, head };
      if (selection === current) own = next;
      return next;
    });
    this.set(all, own ?? all[0]);
    this.show();
    return true;
  }

  /**
   * The place above or below another, in the same column where the line is long enough.
   * @param {number} offset
   * @param {1 | -1} direction
   * @param {number} [wanted] another column
   */
  beside(offset, direction, wanted) {
    const { lines } = this.editor, { line, column } = lines.at(offset);
    let to = line + direction;
    while (lines.all[to]?.isHidden) to += direction;
    if (!lines.all[to]) return direction < 0 ? 0 : lines.length;
    return lines.startOf(to) + Math.min(wanted ?? column, lines.all[to].text.length);
  }

  /**
   * Adds a caret above the first or below the last.
   * @param {1 | -1} direction
   */
  addBeside(direction) {
    const { all } = this, from = (direction < 0 ? all[0] : all[all.length - 1]).head;
    // Past a shorter line the carets go on below each other.
    const at = this.beside(from, direction, Math.max(...all.map(({ head }) => this.editor.lines.at(head).column)));
    if (this.editor.lines.at(at).line === this.editor.lines.at(from).line) return;
    const added = { anchor: at, head: at };
    this.set([...all, added], added);
    this.tell();
  }

  /** Selects the word at the caret; where something is selected, its next occurrence too. */
  addOccurrence() {
    const { editor } = this, { all } = this, text = this.selectWord();
    if (text === null) return;
    const value = editor.value, taken = new Set(all.map(startOf));
    const last = endOf(editor.current);
    let at = value.indexOf(text, last);
    if (at < 0) at = value.indexOf(text);
    while (at >= 0 && taken.has(at)) at = at < last ? value.indexOf(text, at + text.length) : -1;
    if (at < 0) return;
    const added = { anchor: at, head: at + text.length };
    this.set([...all, added], added);
    this.tell();
  }

  /** Selects each occurrence of what is selected, or of the word at the caret. */
  addAllOccurrences() {
    const { editor } = this;
    const text = this.selectWord() ?? editor.lines.slice(startOf(editor.current), endOf(editor.current));
    if (!text) return;
    const value = editor.value, found = [];
    for (let at = value.indexOf(text); at >= 0 && found.length < maximumCarets; at = value.indexOf(text, at + text.length)) found.push({ anchor: at, head: at + text.length });
    this.set(found, found.find(({ anchor }) => anchor === startOf(editor.current)) ?? found[0]);
    this.tell();
  }

  /** Selects the word at the caret and answers null, or answers what is selected already. */
  selectWord() {
    const { editor } = this, { anchor, head } = editor.current;
    if (anchor !== head) return editor.lines.slice(startOf(editor.current), endOf(editor.current));
    const { line, column } = editor.lines.at(head), { text } = editor.lines.all[line];
    const before = /\w*$/.exec(text.slice(0, column))?.[0].length ?? 0, behind = /^\w*/.exec(text.slice(column))?.[0].length ?? 0;
    if (before + behind > 0) editor.selection = { anchor: head - before, head: head + behind };
    return null;
  }

  tell() {
    this.show();
    this.editor.announce(`${this.others.length + 1} carets.`);
  }

  /** The selected texts, a line each. */
  get text() {
    return this.all.map((selection) => this.editor.lines.slice(startOf(selection), endOf(selection))).join("\n");
  }

  /**
   * Pastes a text at each caret, or one of its lines where it has as many.
   * @param {string} text
   */
  paste(text) {
    const parts = text.replace(/\r\n?/g, "\n").split("\n"), count = this.others.length + 1;
    let index = count;
    this.each(() => this.editor.insert(parts.length === count ? parts[index -= 1] : text));
  }

  /** Draws the carets and selections that are in view. */
  draw() {
    const { editor, layer } = this, { view, lines } = editor;
    if (!this.isMany && !layer.firstChild) return;
    const { first, last } = view.viewport(), shown = view.visibleLines;
    const from = lines.startOf(shown ? shown[first] : first), end = shown ? shown[last] : last, to = lines.startOf(end) + lines.all[end].text.length;
    const inView = this.others.filter((selection) => endOf(selection) >= from && startOf(selection) <= to);
    view.decorate("editor-selection", inView.filter(({ anchor, head }) => anchor !== head).map((selection) => ({ start: startOf(selection), end: endOf(selection) })));
    const outer = view.scroller.getBoundingClientRect();
    layer.replaceChildren(...inView.filter(({ head }) => head >= from && head <= to).map(({ head }) => {
      const caret = make("div", "editor-caret"), { left, top } = view.rectangleAt(head);
      caret.style.left = `${left - outer.left + view.scroller.scrollLeft}px`;
      caret.style.top = `${top - outer.top + view.scroller.scrollTop}px`;
      return caret;
    }));
  }
}
