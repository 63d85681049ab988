// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("../types").Completion} Completion */
/** @typedef {import("../types").CompletionItem} CompletionItem */
import { make } from "./view.js";
import { placeCard, showCard } from "./card.js";

/** The list has elements for as many items. Typing narrows it. */
const maximumItems = 120;
const opensList = /^[\w$@]$/;

/** The list of completions at the caret, above everything else, so that nothing cuts it off. */
export class CompletionList {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.element = make("div", "editor-card editor-completion", { popover: "manual" });
    this.list = make("ul", "", { role: "listbox", id: `${editor.id}-list`, "aria-label": "Completions" });
    this.details = make("div", "editor-details");
    this.element.append(this.list, this.details);
    this.element.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const item = /** @type {HTMLElement} */ (event.target).closest("li");
      if (item) this.accept(Number(item.dataset.index));
    });
    editor.view.root.append(this.element);
    const { content } = editor.view;
    content.setAttribute("aria-autocomplete", "list");
    content.setAttribute("aria-controls", this.list.id);
    content.setAttribute("aria-haspopup", "listbox");
    /** @type {CompletionItem[]} */
    this.items = [];
    this.from = 0;
    this.to = 0;
    this.chosen = 0;
    this.isOpen = false;
  }

  /**
   * @param {boolean} isAsked whether somebody asked for it; else nothing is shown for what is already whole
   */
  open(isAsked) {
    const { editor } = this;
    const completion = editor.options.complete?.(editor.value, editor.caret);
    const typed = completion ? editor.lines.slice(completion.from, editor.caret) : "";
    const items = completion ? rank(completion.items, typed) : [];
    const isWhole = items.length === 1 && items[0].label === typed;
    if (!completion || items.length === 0 || (isWhole && !isAsked)) {
      if (isAsked && completion && items.length === 0) editor.announce("No completions.");
      return this.close();
    }
    this.items = items;
    this.from = completion.from;
    this.to = completion.to;
    this.show();
  }

  show() {
    const { editor, element } = this;
    const fragment = document.createDocumentFragment();
    this.items.forEach((item, index) => {
      const row = make("li", `is-${item.kind}${item.deprecation != null ? " is-deprecated" : ""}`, { role: "option", id: `${this.list.id}-${index}` });
      row.dataset.index = String(index);
      const label = make("span", "editor-item-label"), detail = make("span", "editor-item-detail");
      label.textContent = item.label;
      detail.textContent = item.detail ?? "";
      row.append(label, detail);
      fragment.append(row);
    });
    this.list.replaceChildren(fragment);
    this.select(0);
    const wasOpen = this.isOpen;
    this.isOpen = true;
    if (!wasOpen) {
      showCard(element, true);
      editor.announce(`${this.items.length} completions.`);
    }
    placeCard(element, editor.view.rectangleAt(this.from));
    this.list.scrollTop = 0;
  }

  /** @param {number} index */
  select(index) {
    const count = this.items.length;
    this.list.children[this.chosen]?.setAttribute("aria-selected", "false");
    this.chosen = (index + count) % count;
    const row = /** @type {HTMLElement} */ (this.list.children[this.chosen]);
    row.setAttribute("aria-selected", "true");
    this.editor.view.content.setAttribute("aria-activedescendant", row.id);
    const item = this.items[this.chosen];
    const texts = [item.deprecation != null ? `Deprecated: ${item.deprecation}` : "", item.description ?? ""].filter(Boolean);
    this.details.textContent = texts.join("\n");
    this.details.hidden = texts.length === 0;
    if (this.isOpen) row.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  accept(index) {
    const { editor } = this, item = this.items[index];
    const inserted = item.insert ?? item.label, caret = inserted.indexOf("|");
    let text = caret < 0 ? inserted : inserted.slice(0, caret) + inserted.slice(caret + 1);
    const end = Math.max(this.to, editor.caret);
    const { line } = editor.lines.at(this.from);
    const margin = /^\s*/.exec(editor.lines.all[line].text)?.[0] ?? "";
    const head = caret < 0 ? text : text.slice(0, caret);
    const indented = text.replaceAll("\n", "\n" + margin), indentedHead = head.replaceAll("\n", "\n" + margin);
    text = indented;
    const before = editor.caret - this.from, behind = end - editor.caret;
    this.close();
    editor.input.atEach(() => {
      const start = editor.caret - before, at = start + indentedHead.length;
      editor.apply([{ start, removed: editor.lines.slice(start, editor.caret + behind), inserted: text }], { selection: { anchor: at, head: at } });
    });
    if (caret >= 0) this.open(false);
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    showCard(this.element, false);
    this.editor.view.content.removeAttribute("aria-activedescendant");
  }

  /** @param {string} text */
  afterTyping(text) {
    if (this.editor.options.complete && (opensList.test(text.slice(-1)) || (this.isOpen && text === ""))) this.open(false);
    else this.close();
  }

  afterDeleting() {
    if (this.isOpen) this.open(false);
  }

  /** The caret went elsewhere by a key or the mouse. */
  caretMoved() {
    if (this.isOpen && (this.editor.caret < this.from || this.editor.caret > this.to)) this.close();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was the list's */
  keyDown(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => this.select(this.chosen + 1),
      ArrowUp: () => this.select(this.chosen - 1),
      PageDown: () => this.select(Math.min(this.chosen + 8, this.items.length - 1)),
      PageUp: () => this.select(Math.max(this.chosen - 8, 0)),
      Enter: () => this.accept(this.chosen),
      Tab: () => this.accept(this.chosen),
      Escape: () => this.close(),
    };
    const action = event.shiftKey ? undefined : actions[event.key];
    if (!action) return false;
    event.preventDefault();
    event.stopPropagation();
    action();
    return true;
  }

  dispose() { this.element.remove(); }
}

/**
 * The items that fit what is typed: beginnings before beginnings of later words, then other parts, then letters in their
 * order. Each group keeps its order. Deprecated items come last, unless nothing is typed.
 * @param {CompletionItem[]} items
 * @param {string} typed
 */
export function rank(items, typed) {
  const wanted = typed.toLowerCase();
  /** @type {{ item: CompletionItem, rank: number }[]} */
  const found = [];
  for (const item of items) {
    const label = item.label.toLowerCase(), at = label.indexOf(wanted);
    const isSubsequence = at < 0 && wanted.length > 1 && inOrder(label, wanted);
    if (at < 0 && !isSubsequence) continue;
    const startsWord = at > 0 && /[A-Z_@$]/.test(item.label[at]);
    const place = label === wanted ? 0 : at === 0 ? 1 : startsWord ? 2 : at > 0 ? 3 : 4;
    found.push({ item, rank: wanted === "" ? 0 : place + (item.deprecation != null ? 5 : 0) });
  }
  found.sort((first, second) => first.rank - second.rank);
  return found.slice(0, maximumItems).map(({ item }) => item);
}

/**
 * @param {string} text
 * @param {string} letters
 */
function inOrder(text, letters) {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
