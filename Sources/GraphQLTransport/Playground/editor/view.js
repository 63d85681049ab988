// @ts-check
/** @typedef {import("./lines.js").Line} Line */
/** @typedef {import("./lines.js").Lines} Lines */
/** @typedef {{ start: number, end: number }} Span */

/** The height of a line in pixels, as editor.css has it. */
export const lineHeight = 20;
/** Lines above and below the visible ones that are coloured, too. */
const margin = 20;
/** Lines are laid out in blocks of about as many, so that a change costs its block, not the text. */
const blockSize = 50;

/** @type {Map<string, any>} highlights are the document's, not an editor's */
const highlights = new Map();

/** @param {string} name */
function highlight(name) {
  const registry = /** @type {any} */ (CSS).highlights;
  if (!registry) return null;
  let found = highlights.get(name);
  if (!found) {
    found = new (/** @type {any} */ (globalThis).Highlight)();
    highlights.set(name, found);
    registry.set(name, found);
  }
  return found;
}

/** @param {StaticRangeInit} first @param {StaticRangeInit} second */
const isSameRange = (first, second) => first.startContainer === second.startContainer && first.startOffset === second.startOffset
  && first.endContainer === second.endContainer && first.endOffset === second.endOffset;

/**
 * @param {string} tag
 * @param {string} className
 * @param {Record<string, string>} [attributes]
 */
export function make(tag, className, attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/**
 * The text as elements: one a line, coloured when it comes near the visible part. The browser lays out only what is
 * visible (`content-visibility`), moves the caret and selects.
 */
export class View {
  /**
   * @param {HTMLElement} host
   * @param {string} label
   */
  constructor(host, label) {
    this.root = make("div", "editor");
    this.scroller = make("div", "editor-scroller");
    this.gutter = make("div", "editor-gutter", { "aria-hidden": "true" });
    this.content = make("div", "editor-content", {
      role: "textbox", "aria-multiline": "true", "aria-label": label, contenteditable: "true", spellcheck: "false",
      autocapitalize: "off", autocorrect: "off", autocomplete: "off", translate: "no", "data-gramm": "false",
    });
    this.scroller.append(this.gutter, this.content);
    this.root.append(this.scroller);
    host.append(this.root);
    /** @type {Map<string, any[]>} */
    this.decorations = new Map();
    /** @type {WeakMap<Node, Line>} */
    this.lineOfElement = new WeakMap();
    /** @type {number[] | null} indices of the lines that no fold hides; null where all are shown */
    this.shown = null;
    this.hasFolds = false;
    /** @type {Map<number, HTMLElement>} gutter entries by line */
    this.entries = new Map();
    this.gutterDigits = 0;
    /** @type {Map<number, string>} lines with an error or a warning */
    this.markedLines = new Map();
    /** @type {HTMLElement | null} */
    this.current = null;
  }

  /** @param {Lines} lines */
  reset(lines) {
    this.lines = lines;
    const fragment = document.createDocumentFragment();
    for (let start = 0; start < lines.count; start += blockSize) {
      const block = make("div", "editor-block");
      for (const line of lines.all.slice(start, start + blockSize)) block.append(this.elementOf(line));
      this.sizeBlock(block);
      fragment.append(block);
    }
    this.content.replaceChildren(fragment);
    this.shown = null;
    this.paint();
  }

  /**
   * Tells the browser how high the block will be, so that it need not lay it out while it is not visible.
   * @param {Element} block
   */
  sizeBlock(block) {
    let count = 0;
    for (const child of block.children) if (!(/** @type {HTMLElement} */ (child).hidden)) count += 1;
    /** @type {HTMLElement} */ (block).style.setProperty("contain-intrinsic-height", `${count * lineHeight}px`);
  }

  sizeBlocks() { for (const block of this.content.children) this.sizeBlock(block); }

  /** @param {Line} line */
  elementOf(line) {
    const element = make("div", "editor-line");
    line.element = element;
    line.painted = null;
    element.append(line.text === "" ? document.createElement("br") : line.text);
    this.lineOfElement.set(element, line);
    return element;
  }

  /**
   * After a change of the lines.
   * @param {number} first
   * @param {Line[]} removed
   * @param {Line[]} added
   */
  update(first, removed, added) {
    const lines = /** @type {Lines} */ (this.lines);
    const touched = new Set();
    for (const line of removed) {
      const block = line.element?.parentElement;
      line.element?.remove();
      if (block) touched.add(block);
    }
    const line = lines.all[first];
    line.painted = null;
    const block = /** @type {HTMLElement} */ (line.element?.parentElement);
    if (added.length) {
      const fragment = document.createDocumentFragment();
      for (const other of added) fragment.append(this.elementOf(other));
      /** @type {HTMLElement} */ (line.element).after(fragment);
      touched.add(block);
    }
    for (const other of touched) {
      if (other.childElementCount === 0) other.remove(); else this.splitBlock(other);
    }
    if (removed.length || added.length) this.shown = null;
    this.paintLine(first);
  }

  /** @param {Element} block */
  splitBlock(block) {
    while (block.childElementCount > 2 * blockSize) {
      const rest = make("div", "editor-block");
      rest.append(...[...block.children].slice(-blockSize));
      block.after(rest);
      this.sizeBlock(rest);
    }
    this.sizeBlock(block);
  }

  /** The indices of the lines that are shown, in order. */
  get visibleLines() {
    if (!this.hasFolds) return null;
    const lines = /** @type {Lines} */ (this.lines);
    return (this.shown ??= lines.all.flatMap((line, index) => (line.isHidden ? [] : [index])));
  }

  /** The range of lines within the visible part and its margin, as places among the lines that are shown. */
  viewport() {
    const count = this.visibleLines?.length ?? /** @type {Lines} */ (this.lines).count;
    // The text may have become shorter than what was scrolled to.
    const first = Math.max(0, Math.min(Math.floor(this.scrollTop / lineHeight), count - 1) - margin);
    return { first, last: Math.min(count - 1, Math.ceil((this.scrollTop + this.height) / lineHeight) + margin) };
  }

  /** Kept from the last scroll or resize, since reading them may cost a layout. */
  scrollTop = 0;
  height = 600;

  /** Colours the lines in view and writes their numbers. */
  paint() {
    const { first, last } = this.viewport(), shown = this.visibleLines;
    for (let place = first; place <= last; place += 1) this.paintLine(shown ? shown[place] : place);
    this.paintGutter(first, last);
  }

  /** @param {number} index */
  paintLine(index) {
    const lines = /** @type {Lines} */ (this.lines);
    const line = lines.all[index], tokens = lines.tokensOf(index);
    if (line.painted === tokens || !line.element || line === this.frozen) return;
    line.painted = tokens;
    if (this.selected.includes(line)) this.lostSelection = true;
    const { text, element } = line;
    if (text === "") {
      element.replaceChildren(document.createElement("br"));
      return;
    }
    const fragment = document.createDocumentFragment();
    let at = 0;
    for (const token of tokens) {
      if (token.start > at) fragment.append(text.slice(at, token.start));
      const span = document.createElement("span");
      span.className = `tok-${token.style}`;
      span.textContent = text.slice(token.start, token.end);
      fragment.append(span);
      at = token.end;
    }
    if (at < text.length) fragment.append(text.slice(at));
    element.replaceChildren(fragment);
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  paintGutter(first, last) {
    const lines = /** @type {Lines} */ (this.lines), shown = this.visibleLines;
    const digits = Math.max(2, String(lines.count).length);
    if (digits !== this.gutterDigits) {
      this.gutterDigits = digits;
      this.root.style.setProperty("--editor-digits", String(digits));
    }
    const wanted = new Set();
    for (let place = first; place <= last; place += 1) {
      const index = shown ? shown[place] : place;
      wanted.add(place);
      let entry = this.entries.get(place);
      if (!entry) {
        entry = make("div", "editor-number");
        entry.style.top = `${place * lineHeight}px`;
        this.entries.set(place, entry);
        this.gutter.append(entry);
      }
      const label = String(index + 1);
      if (entry.textContent !== label) {
        entry.textContent = label;
        entry.dataset.line = label;
      }
      const line = lines.all[index];
      const fold = line.isFolded ? " is-folded" : this.canFold?.(index) ? " can-fold" : "";
      const mark = this.markedLines.get(index);
      const className = `editor-number${fold}${mark ? ` has-${mark}` : ""}`;
      if (entry.className !== className) entry.className = className;
    }
    for (const [place, entry] of this.entries) {
      if (!wanted.has(place)) {
        entry.remove();
        this.entries.delete(place);
      }
    }
  }

  /** @type {((index: number) => boolean) | null} */
  canFold = null;

  /** @type {Line | null} a line in which the browser composes, and which must not be painted meanwhile */
  frozen = null;

  // Places

  /**
   * The node and offset of a place in the text.
   * @param {number} index
   * @param {number} column
   * @returns {[Node, number]}
   */
  nodeAt(index, column) {
    const { element } = /** @type {Lines} */ (this.lines).all[index];
    let left = column;
    for (let child = element?.firstChild ?? null; child; child = child.nextSibling) {
      const text = /** @type {Text | null} */ (child.nodeType === 3 ? child : child.firstChild);
      if (!text) continue;
      if (left <= text.data.length) return [text, left];
      left -= text.data.length;
    }
    return [/** @type {Node} */ (element), 0];
  }

  /**
   * The offset in the text of a node and an offset in it; null outside of the text.
   * @param {Node | null} node
   * @param {number} offset
   * @returns {number | null}
   */
  offsetAt(node, offset) {
    const lines = /** @type {Lines} */ (this.lines);
    if (!node || !this.content.contains(node)) return null;
    if (node === this.content || node.parentNode === this.content) {
      const child = node.childNodes[offset], next = node === this.content ? child?.firstChild : child ?? node.nextSibling?.firstChild;
      const line = next ? this.lineOfElement.get(next) : null;
      return line ? lines.startOf(this.indexOf(line)) : lines.length;
    }
    let element = node;
    while (element.parentNode && element.parentNode.parentNode !== this.content) element = element.parentNode;
    const line = this.lineOfElement.get(element);
    if (!line) return null;
    let column = 0;
    if (node === element) {
      for (let index = 0; index < offset; index += 1) column += element.childNodes[index]?.textContent?.length ?? 0;
    } else {
      const child = node.parentNode === element ? node : /** @type {Node} */ (node.parentNode);
      column = node.nodeType === 3 ? offset : offset > 0 ? node.textContent?.length ?? 0 : 0;
      for (let before = child.previousSibling; before; before = before.previousSibling) column += before.textContent?.length ?? 0;
    }
    return lines.startOf(this.indexOf(line)) + Math.min(column, line.text.length);
  }

  /**
   * The index of a line; near the last place asked for, since the caret seldom moves far.
   * @param {Line} line
   */
  indexOf(line) {
    const { all } = /** @type {Lines} */ (this.lines);
    for (let distance = 0; distance < 50; distance += 1) {
      if (all[this.near + distance] === line) return (this.near += distance);
      if (all[this.near - distance] === line) return (this.near -= distance);
    }
    return (this.near = all.indexOf(line));
  }

  near = 0;

  /** @type {Line[]} the lines in which the selection that was written last begins and ends */
  selected = [];
  /** True once one of the lines in `selected` was painted, which takes the browser's selection away. */
  lostSelection = false;

  /** @returns {{ anchor: number, head: number } | null} */
  readSelection() {
    const selection = document.getSelection();
    if (!selection || this.lostSelection) return null;
    const head = this.offsetAt(selection.focusNode, selection.focusOffset);
    if (head === null) return null;
    const anchor = selection.isCollapsed ? head : this.offsetAt(selection.anchorNode, selection.anchorOffset);
    if (anchor === null) return null;
    const { all } = /** @type {Lines} */ (this.lines);
    this.selected = [all[/** @type {Lines} */ (this.lines).at(head).line], all[/** @type {Lines} */ (this.lines).at(anchor).line]];
    return { anchor, head };
  }

  /** @param {{ anchor: number, head: number }} selection */
  writeSelection({ anchor, head }) {
    const lines = /** @type {Lines} */ (this.lines);
    const to = lines.at(head), [node, offset] = this.nodeAt(to.line, to.column);
    this.near = to.line;
    this.lostSelection = false;
    this.selected = [lines.all[to.line]];
    const selection = document.getSelection();
    if (anchor === head) {
      selection?.collapse(node, offset);
      return;
    }
    const from = lines.at(anchor), [start, startOffset] = this.nodeAt(from.line, from.column);
    this.selected.push(lines.all[from.line]);
    selection?.setBaseAndExtent(start, startOffset, node, offset);
  }

  /**
   * Marks parts of the text in view, by the name of a highlight in editor.css.
   * @param {string} name
   * @param {Span[]} spans
   */
  decorate(name, spans) {
    const registry = highlight(name);
    if (!registry) return;
    const before = this.decorations.get(name) ?? [];
    if (before.length === 0 && spans.length === 0) return;
    const lines = /** @type {Lines} */ (this.lines);
    const ranges = [];
    for (const span of spans) {
      const from = lines.at(span.start), to = lines.at(span.end);
      for (let index = from.line; index <= to.line; index += 1) {
        const start = index === from.line ? from.column : 0;
        const end = index === to.line ? to.column : lines.all[index].text.length;
        if (end <= start) continue;
        const [startContainer, startOffset] = this.nodeAt(index, start), [endContainer, endOffset] = this.nodeAt(index, end);
        ranges.push({ startContainer, startOffset, endContainer, endOffset });
      }
    }
    // Marks that stay as they are need not be painted again.
    if (ranges.length === before.length && ranges.every((range, index) => isSameRange(range, before[index]))) return;
    for (const range of before) registry.delete(range);
    const made = ranges.map((range) => new StaticRange(range));
    for (const range of made) registry.add(range);
    this.decorations.set(name, made);
  }

  /**
   * Marks lines without a character that could be underlined.
   * @param {Line[]} lines
   */
  markEmptyLines(lines) {
    for (const line of this.emptyMarked) line.element?.classList.remove("has-mark");
    for (const line of lines) line.element?.classList.add("has-mark");
    this.emptyMarked = lines;
  }

  /** @type {Line[]} */
  emptyMarked = [];

  /**
   * The rectangle of a place, relative to the window. Costs a layout.
   * @param {number} offset
   */
  rectangleAt(offset) {
    const lines = /** @type {Lines} */ (this.lines);
    const { line, column } = lines.at(offset);
    const [node, nodeOffset] = this.nodeAt(line, column);
    if (node.nodeType === 3) {
      const range = document.createRange();
      range.setStart(node, nodeOffset);
      const rectangle = range.getClientRects()[0];
      if (rectangle) return rectangle;
    }
    return /** @type {HTMLElement} */ (lines.all[line].element).getBoundingClientRect();
  }

  /**
   * Scrolls so that a place is visible; to the middle where it was far away.
   * @param {number} offset
   */
  reveal(offset) {
    const lines = /** @type {Lines} */ (this.lines);
    const { line, column } = lines.at(offset), shown = this.visibleLines;
    const top = (shown ? shown.indexOf(line) : line) * lineHeight;
    const { scroller } = this;
    if (top < this.scrollTop || top + 2 * lineHeight > this.scrollTop + this.height) {
      const isFar = top < this.scrollTop - this.height || top > this.scrollTop + 2 * this.height;
      const to = isFar ? top - this.height / 2 : top < this.scrollTop ? top : top + 2 * lineHeight - this.height;
      scroller.scrollTop = Math.max(0, to);
      this.scrollTop = scroller.scrollTop;
      this.paint();
    }
    if (column < 40 && this.scrollLeft === 0) return;
    const rectangle = this.rectangleAt(offset), outer = scroller.getBoundingClientRect();
    const left = outer.left + this.gutter.offsetWidth + 8;
    if (rectangle.left < left) scroller.scrollLeft -= left - rectangle.left + 40;
    else if (rectangle.left > outer.right - 24) scroller.scrollLeft += rectangle.left - outer.right + 64;
    this.scrollLeft = scroller.scrollLeft;
  }

  scrollLeft = 0;

  /** @param {Line | null} line */
  setCurrent(line) {
    const element = line?.element ?? null;
    if (this.current === element) return;
    this.current?.classList.remove("is-current");
    element?.classList.add("is-current");
    this.current = element;
  }

  dispose() {
    for (const [name, ranges] of this.decorations) for (const range of ranges) highlights.get(name)?.delete(range);
    this.root.remove();
  }
}
