// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
import { closing } from "./brackets.js";
import { runKey } from "./commands.js";

/** @type {Record<string, string>} */
const pairs = { ...closing, '"': '"' };
/** The text behind the caret, where a typed bracket or quote gets its closing one. */
const beforeClosing = /^(?:[\s)\]},]|$)/;

/** Turns what the browser reports as input into changes of the text. */
export class Input {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.isComposing = false;
    /** Escape lets the next Tab leave the editor. */
    this.tabLeaves = false;
    this.isPointing = false;
    /** @type {import("./lines.js").Selection[]} what stays selected beside what is pointed at */
    this.kept = [];
    const { content } = editor.view;
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => content.addEventListener(type, listener);
    on("beforeinput", (event) => this.beforeInput(event));
    on("input", () => this.reconcile());
    on("compositionstart", () => this.composing(true));
    on("compositionend", () => this.composing(false));
    on("keydown", (event) => this.keyDown(event));
    on("copy", (event) => this.copy(event));
    on("cut", (event) => { if (this.copy(event)) this.atEach(() => editor.insert("")); });
    on("mousedown", (event) => {
      this.isPointing = true;
      editor.view.lostSelection = false;
      this.kept = event.altKey && !editor.readOnly ? editor.carets.all : [];
    });
    on("mouseup", (event) => this.mouseUp(event));
    on("focus", () => this.focused());
    on("blur", () => this.blurred());
    on("drop", (event) => this.drop(event));
    this.selectionChanged = () => {
      if (!editor.isFocused || this.isComposing) return;
      const before = editor.caret;
      editor.readSelection();
      if (editor.caret !== before) editor.completion?.caretMoved();
    };
    document.addEventListener("selectionchange", this.selectionChanged);
  }

  /** @param {InputEvent} event */
  beforeInput(event) {
    const { editor } = this;
    if (event.inputType === "insertCompositionText" || this.isComposing) return;
    event.preventDefault();
    if (editor.readOnly) return;
    editor.readSelection();
    const data = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    switch (event.inputType) {
      case "insertText":
        this.atEach(() => this.type(data), "type");
        editor.completion?.afterTyping(data);
        break;
      case "insertReplacementText": this.replaceTarget(event, data); break;
      case "insertLineBreak": case "insertParagraph": this.atEach(() => editor.run("newLine")); break;
      case "insertFromPaste": case "insertFromYank": if (editor.carets.isMany) editor.carets.paste(data); else editor.insert(data); break;
      case "historyUndo": editor.undo(); break;
      case "historyRedo": editor.redo(); break;
      default: if (event.inputType.startsWith("delete")) {
        this.atEach(() => this.remove(event.inputType), event.inputType.endsWith("Forward") ? "deleteForward" : "delete");
        editor.completion?.afterDeleting();
      }
    }
  }

  /**
   * @param {() => void} action
   * @param {string} [kind] steps of one kind are undone together
   */
  atEach(action, kind) {
    const { carets } = this.editor;
    if (carets.isMany) carets.each(action, kind); else action();
  }

  /**
   * Replaces a text by the one that a spelling correction or a keyboard's suggestion gives.
   * @param {InputEvent} event
   * @param {string} text
   */
  replaceTarget(event, text) {
    const { editor } = this, [range] = event.getTargetRanges();
    const start = range ? editor.view.offsetAt(range.startContainer, range.startOffset) : null;
    const end = range ? editor.view.offsetAt(range.endContainer, range.endOffset) : null;
    if (start !== null && end !== null) editor.replace(start, end, text); else editor.insert(text);
  }

  /** @param {string} text */
  type(text) {
    const { editor } = this, { anchor, head } = editor.current;
    const start = Math.min(anchor, head), end = Math.max(anchor, head);
    const { line, column } = editor.lines.at(head), full = editor.lines.all[line].text;
    const next = full[column] ?? "";
    const style = editor.lines.tokensOf(line).find((token) => token.start < column && column < token.end)?.style;
    const isInString = style === "string" || style === "comment";
    const pair = editor.language === "text" || (isInString && text !== '"') ? undefined : pairs[text];
    if (anchor === head && text === next && ")]}\"".includes(text) && text.length === 1) {
      editor.selection = { anchor: head + 1, head: head + 1 };
    } else if (pair && anchor !== head) {
      const inner = editor.lines.slice(start, end);
      editor.apply([{ start, removed: inner, inserted: text + inner + pair }], { selection: { anchor: start + 1, head: end + 1 } });
    } else if (pair && !isInString && beforeClosing.test(full.slice(column)) && !(text === '"' && /["\w]/.test(full[column - 1] ?? ""))) {
      editor.apply([{ start: head, removed: "", inserted: text + pair }], { selection: { anchor: head + 1, head: head + 1 } });
    } else if (text === "}" && /^\s+$/.test(full.slice(0, column)) && anchor === head) {
      const indent = Math.max(0, column - 2);
      const lineStart = editor.lines.startOf(line);
      editor.apply([{ start: lineStart + indent, removed: full.slice(indent, column), inserted: "}" }]);
    } else {
      editor.insert(text, "type");
    }
  }

  /** @param {string} type */
  remove(type) {
    const { editor } = this, { anchor, head } = editor.current;
    if (anchor !== head) {
      editor.insert("");
      return;
    }
    const { line, column } = editor.lines.at(head), { text } = editor.lines.all[line];
    const isForward = type.endsWith("Forward");
    const rest = isForward ? text.slice(column) : text.slice(0, column);
    let length = 1;
    if (rest !== "") {
      if (type.startsWith("deleteWord")) length = (isForward ? /^\s*(?:\w+|[^\w\s]+)?/ : /(?:\w+|[^\w\s]+)?\s*$/).exec(rest)?.[0].length ?? 1;
      else if (type.includes("Line")) length = rest.length;
      else length = characterLength(rest, isForward);
    }
    let start = isForward ? head : head - length, end = isForward ? head + length : head;
    const isPair = !isForward && length === 1 && pairs[text[column - 1]] === text[column] && text[column] !== undefined;
    if (isPair) end += 1;
    start = Math.max(0, start);
    end = Math.min(editor.lines.length, end);
    if (start === end) return;
    editor.apply([{ start, removed: editor.lines.slice(start, end), inserted: "" }], { kind: isForward ? "deleteForward" : "delete" });
  }

  // What the browser changes by itself: compositions, which cannot be prevented.

  /** @param {boolean} isComposing */
  composing(isComposing) {
    const { editor } = this;
    if (isComposing) {
      editor.readSelection();
      editor.carets.clear();
      this.isComposing = true;
      return;
    }
    this.reconcile();
    this.isComposing = false;
    editor.view.frozen = null;
    const { line } = editor.lines.at(editor.caret);
    editor.lines.all[line].painted = null;
    editor.paint();
    editor.view.writeSelection(editor.current);
  }

  /** Takes over what the elements say where they differ from the text. */
  reconcile() {
    const { editor } = this, { view, lines } = editor;
    const nodes = [...view.content.childNodes].flatMap((block) => (/** @type {Element} */ (block).className === "editor-block" ? [...block.childNodes] : [block]));
    const texts = nodes.map((node) => node.textContent ?? "");
    const isSame = texts.length === lines.count && lines.all.every((line, index) => line.element === nodes[index]);
    const changed = isSame ? texts.findIndex((text, index) => text !== lines.all[index].text) : -1;
    if (isSame && changed < 0) return;
    const selection = isSame ? view.readSelection() : null;
    if (isSame && this.isComposing) view.frozen = lines.all[changed];
    const caret = selection ?? editor.current;
    const before = lines.value, after = texts.join("\n");
    let start = 0, end = 0;
    const least = Math.min(before.length, after.length);
    while (start < least && before[start] === after[start]) start += 1;
    while (end < least - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
    const inserted = after.slice(start, after.length - end);
    const change = { start, removed: before.slice(start, before.length - end), inserted };
    if (!isSame) view.reset(lines);
    const head = isSame ? Math.min(caret.head, after.length) : start + inserted.length;
    editor.apply([change], { selection: { anchor: head, head }, kind: "type", reveals: false });
    if (inserted) editor.completion?.afterTyping(inserted);
  }

  // Keys, focus and the clipboard

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const { editor } = this;
    if (event.isComposing) return;
    editor.readSelection();
    if (editor.completion?.keyDown(event)) return;
    const leaves = this.tabLeaves;
    if (event.key !== "Shift") this.tabLeaves = false;
    if (event.key === "Escape") {
      if (editor.hoverCard?.close() || editor.carets.clear() || editor.search?.close()) event.preventDefault();
      this.tabLeaves = true;
    } else if (editor.carets.isMany && editor.carets.move(event, characterLength)) {
      event.preventDefault();
    } else if (event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (leaves || editor.readOnly) return;
      event.preventDefault();
      this.atEach(() => editor.run(event.shiftKey ? "outdent" : "indent"));
    } else {
      runKey(editor, event);
    }
  }

  /** @param {ClipboardEvent} event @returns {boolean} whether something was copied */
  copy(event) {
    const { editor } = this;
    editor.readSelection();
    const { text } = editor.carets;
    if (!text.trim() && editor.carets.all.every(({ anchor, head }) => anchor === head)) return false;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    return !editor.readOnly;
  }

  /** @param {DragEvent} event */
  drop(event) {
    const { editor } = this, text = event.dataTransfer?.getData("text/plain");
    event.preventDefault();
    if (!text || editor.readOnly || event.dataTransfer?.files.length) return;
    const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const at = range ? editor.view.offsetAt(range.startContainer, range.startOffset) : null;
    if (at !== null) editor.replace(at, at, text);
  }

  /** @param {MouseEvent} event */
  mouseUp(event) {
    const { editor } = this;
    this.isPointing = false;
    editor.readSelection();
    if (this.kept.length) {
      editor.carets.set([...this.kept, editor.current], editor.current);
      editor.carets.tell();
      this.kept = [];
      return;
    }
    if ((event.ctrlKey || event.metaKey) && editor.current.anchor === editor.current.head) editor.hoverCard?.follow(editor.caret);
  }

  focused() {
    const { editor } = this;
    editor.view.root.classList.add("is-focused");
    if (!this.isPointing) queueMicrotask(() => { if (editor.isFocused) editor.view.writeSelection(editor.current); });
    editor.decorateCaret();
  }

  blurred() {
    const { editor } = this;
    this.isPointing = false;
    this.tabLeaves = false;
    editor.view.root.classList.remove("is-focused");
    editor.completion?.close();
    editor.decorateCaret();
  }

  dispose() { document.removeEventListener("selectionchange", this.selectionChanged); }
}

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/**
 * The length of the first or last character as people count them.
 * @param {string} text
 * @param {boolean} isFirst
 */
function characterLength(text, isFirst) {
  const part = isFirst ? text.slice(0, 40) : text.slice(-40);
  if (!segmenter) return 1;
  const characters = [...segmenter.segment(part)];
  return characters[isFirst ? 0 : characters.length - 1].segment.length;
}
