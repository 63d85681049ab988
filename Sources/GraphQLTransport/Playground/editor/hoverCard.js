// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("../types").Mark} Mark */
/** @typedef {import("../types").Hover} Hover */
import { make } from "./view.js";
import { placeCard, showCard } from "./card.js";

/** How long the pointer rests before the card comes. In milliseconds. */
const delay = 350;

/** Shows the errors and the documentation of what is under the pointer, or on request at the caret. */
export class HoverCard {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.element = make("div", "editor-card editor-hover", { popover: "manual", role: "tooltip" });
    editor.view.root.append(this.element);
    this.isOpen = false;
    this.timer = 0;
    /** @type {import("../types").Span | null} */
    this.span = null;
    const { content } = editor.view;
    content.addEventListener("mousemove", (event) => this.pointerMoved(event));
    content.addEventListener("mouseleave", () => this.leave());
    // Captured, and so before the key of a command that opens the card.
    content.addEventListener("keydown", (event) => { if (event.key !== "Escape") this.close(); }, true);
    this.element.addEventListener("mouseenter", () => clearTimeout(this.timer));
    this.element.addEventListener("mouseleave", () => this.close());
  }

  /** @param {MouseEvent} event */
  pointerMoved(event) {
    clearTimeout(this.timer);
    this.editor.view.content.classList.toggle("is-linking", event.ctrlKey || event.metaKey);
    if (event.buttons) return;
    const { clientX, clientY } = event;
    this.timer = window.setTimeout(() => {
      const offset = this.offsetAt(clientX, clientY);
      if (offset === null) this.close();
      else if (!this.isOpen || !this.span || offset < this.span.start || offset > this.span.end) this.show(offset);
    }, delay);
  }

  leave() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.close(), 200);
  }

  /**
   * The character under a point.
   * @param {number} x
   * @param {number} y
   */
  offsetAt(x, y) {
    const { view } = this.editor;
    const range = document.caretRangeFromPoint?.(x, y);
    const position = range ? null : /** @type {any} */ (document).caretPositionFromPoint?.(x, y);
    const node = range?.startContainer ?? position?.offsetNode ?? null;
    const offset = view.offsetAt(node, range?.startOffset ?? position?.offset ?? 0);
    if (offset === null) return null;
    const rectangle = view.rectangleAt(offset);
    const isNear = y >= rectangle.top - 2 && y <= rectangle.bottom + 2 && Math.abs(x - rectangle.left) < 20;
    return isNear ? (x < rectangle.left ? Math.max(0, offset - 1) : offset) : null;
  }

  /** @param {number} offset @returns {boolean} whether there was something to show */
  show(offset) {
    const { editor } = this, marks = editor.marksAt(offset);
    const hover = editor.options.hover?.(editor.value, offset) ?? null;
    if (marks.length === 0 && !hover) {
      this.close();
      return false;
    }
    this.fill(marks, hover);
    const start = hover?.start ?? Math.min(...marks.map((mark) => mark.start));
    this.span = { start, end: hover?.end ?? Math.max(...marks.map((mark) => mark.end)) };
    this.open(start);
    return true;
  }

  showAtCaret() {
    if (!this.show(this.editor.caret)) this.editor.announce("No documentation here.");
    else this.editor.announce(this.element.textContent ?? "");
  }

  /**
   * @param {Mark[]} marks
   * @param {number} offset
   */
  showMessages(marks, offset) {
    this.fill(marks, null);
    this.span = { start: offset, end: offset };
    this.open(offset);
  }

  /**
   * @param {Mark[]} marks
   * @param {Hover | null} hover
   */
  fill(marks, hover) {
    const parts = marks.map((mark) => {
      const part = make("p", `is-${mark.severity}`);
      part.textContent = mark.message;
      return part;
    });
    if (hover) {
      const signature = make("button", "editor-signature", { type: "button" });
      signature.textContent = hover.signature;
      signature.addEventListener("click", () => {
        this.close();
        this.editor.options.onLink?.(hover.link);
      });
      parts.push(signature);
      for (const [className, text] of [["is-warning", hover.deprecation != null ? `Deprecated: ${hover.deprecation}` : ""], ["", hover.description ?? ""]]) {
        if (!text) continue;
        const part = make("p", className);
        part.textContent = text;
        parts.push(part);
      }
    }
    this.element.replaceChildren(...parts);
  }

  /** @param {number} offset */
  open(offset) {
    if (!this.isOpen) showCard(this.element, true);
    this.isOpen = true;
    placeCard(this.element, this.editor.view.rectangleAt(offset));
  }

  /** @returns {boolean} whether it was open */
  close() {
    clearTimeout(this.timer);
    if (!this.isOpen) return false;
    this.isOpen = false;
    showCard(this.element, false);
    return true;
  }

  /**
   * Goes to the documentation of what stands at an offset.
   * @param {number} offset
   */
  follow(offset) {
    const { editor } = this, hover = editor.options.hover?.(editor.value, offset);
    if (!hover) return;
    this.close();
    editor.options.onLink?.(hover.link);
  }

  dispose() {
    clearTimeout(this.timer);
    this.element.remove();
  }
}
