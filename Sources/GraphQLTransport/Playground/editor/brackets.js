// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./lines.js").Line} Line */
/** @typedef {import("./lines.js").Lines} Lines */

/** @type {Record<string, string>} */
export const closing = { "(": ")", "[": "]", "{": "}" };
/** @type {Record<string, string>} */
const opening = { ")": "(", "]": "[", "}": "{" };
/** The number of lines in which the other bracket is looked for. */
const maximumLines = 2000;

/**
 * The brackets of a line, without those in strings and comments.
 * @param {Lines} lines
 * @param {number} index
 * @returns {{ column: number, text: string }[]}
 */
export function bracketsOf(lines, index) {
  const { text } = lines.all[index], found = [];
  for (const token of lines.tokensOf(index)) {
    const bracket = text[token.start];
    if (token.style === "punctuation" && (bracket in closing || bracket in opening)) found.push({ column: token.start, text: bracket });
  }
  return found;
}

/**
 * The bracket beside the caret and the one that belongs to it.
 * @param {Lines} lines
 * @param {number} offset
 * @returns {{ start: number, end: number }[]}
 */
export function bracketsAt(lines, offset) {
  const { line, column } = lines.at(offset);
  const near = bracketsOf(lines, line).filter((bracket) => bracket.column === column || bracket.column === column - 1).at(-1);
  if (!near) return [];
  const start = lines.startOf(line) + near.column, other = partner(lines, line, near);
  return other === null ? [] : [{ start, end: start + 1 }, { start: other, end: other + 1 }];
}

/**
 * @param {Lines} lines
 * @param {number} line
 * @param {{ column: number, text: string }} bracket
 * @returns {number | null}
 */
export function partner(lines, line, bracket) {
  const isOpening = bracket.text in closing, step = isOpening ? 1 : -1;
  let depth = 0;
  for (let index = line, left = maximumLines; left > 0 && index >= 0 && index < lines.count; index += step, left -= 1) {
    const brackets = bracketsOf(lines, index);
    if (!isOpening) brackets.reverse();
    for (const { column, text } of brackets) {
      if (index === line && (isOpening ? column < bracket.column : column > bracket.column)) continue;
      depth += text in closing === isOpening ? 1 : -1;
      if (depth === 0) return lines.startOf(index) + column;
    }
  }
  return null;
}

/** Folds what is between the brackets of a line and their end. */
export class Folding {
  /** @param {Editor} editor */
  constructor(editor) { this.editor = editor; }

  /**
   * The last bracket of a line that the line leaves open.
   * @param {number} index
   */
  openBracket(index) {
    const open = [];
    for (const bracket of bracketsOf(this.editor.lines, index)) {
      if (bracket.text in closing) open.push(bracket); else open.pop();
    }
    return open[0] ?? null;
  }

  /** @param {number} index */
  canFold(index) {
    const { lines } = this.editor;
    return index + 2 < lines.count && this.openBracket(index) !== null;
  }

  /**
   * The last line that folding hides; null where there is nothing to fold.
   * @param {number} index
   */
  lastHidden(index) {
    const { lines } = this.editor, bracket = this.openBracket(index);
    const end = bracket ? partner(lines, index, bracket) : null;
    if (end === null) return null;
    const last = lines.at(end).line - 1;
    return last > index ? last : null;
  }

  /** @param {number} index @returns {boolean} whether the line could be folded or unfolded */
  toggle(index) {
    const line = this.editor.lines.all[index];
    if (line.isFolded) return this.set(index, false);
    return this.lastHidden(index) !== null && this.set(index, true);
  }

  /** @param {number} index @param {boolean} isFolded @returns {boolean} */
  set(index, isFolded) {
    const { lines } = this.editor;
    lines.all[index].isFolded = isFolded;
    this.refresh();
    const { line } = lines.at(this.editor.caret);
    if (isFolded && lines.all[line].isHidden) {
      const end = lines.startOf(index) + lines.all[index].text.length;
      this.editor.selection = { anchor: end, head: end };
    }
    return true;
  }

  /** Hides and shows lines as the folds say. */
  refresh() {
    const { lines, view } = this.editor;
    let hiddenUpTo = -1, hasFolds = false;
    lines.all.forEach((line, index) => {
      const isHidden = index <= hiddenUpTo;
      if (line.isFolded) {
        const last = this.lastHidden(index);
        if (last === null) line.isFolded = false; else hiddenUpTo = Math.max(hiddenUpTo, last);
        hasFolds ||= line.isFolded;
      }
      line.element?.classList.toggle("is-folded", line.isFolded);
      if (line.isHidden !== isHidden) {
        line.isHidden = isHidden;
        if (line.element) line.element.hidden = isHidden;
      }
    });
    view.hasFolds = hasFolds;
    view.shown = null;
    view.sizeBlocks();
    this.editor.paint();
  }

  /** @param {{ first: number, removed: Line[], added: Line[] }} change */
  afterChange({ first, removed }) {
    const { lines, view } = this.editor;
    if (!view.hasFolds) return;
    const line = lines.all[first];
    if (line.isFolded || line.isHidden || removed.some((other) => other.isFolded || other.isHidden)) {
      line.isFolded = false;
      for (let index = first; index >= 0 && line.isHidden; index -= 1) {
        lines.all[index].isFolded = false;
        if (!lines.all[index].isHidden) break;
      }
      queueMicrotask(() => this.refresh());
    }
  }

  /**
   * Unfolds what hides a place.
   * @param {number} offset
   */
  uncover(offset) {
    const { lines, view } = this.editor;
    if (!view.hasFolds) return;
    const { line } = lines.at(offset);
    if (!lines.all[line].isHidden) return;
    for (let index = line - 1; index >= 0; index -= 1) {
      if (lines.all[index].isFolded && (this.lastHidden(index) ?? -1) >= line) lines.all[index].isFolded = false;
    }
    this.refresh();
  }

  /** Folds the selections inside each definition. */
  foldAll() {
    const { lines } = this.editor;
    lines.all.forEach((line, index) => {
      const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
      line.isFolded = indent <= 2 && indent > 0 && this.lastHidden(index) !== null;
    });
    if (!lines.all.some((line) => line.isFolded)) {
      lines.all.forEach((line, index) => { line.isFolded = this.lastHidden(index) !== null; });
    }
    this.refresh();
    this.editor.selection = this.editor.selection;
  }

  unfoldAll() {
    for (const line of this.editor.lines.all) line.isFolded = false;
    this.refresh();
  }

  list() { return this.editor.lines.all.flatMap((line, index) => (line.isFolded ? [index] : [])); }

  /** @param {number[]} folds */
  restore(folds) {
    if (folds.length === 0) return;
    for (const index of folds) if (this.editor.lines.all[index]) this.editor.lines.all[index].isFolded = true;
    this.refresh();
  }
}
