// @ts-check
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {{ id: string, title: string, keys: string, run: () => void }} Command */
import { partner, bracketsOf, closing } from "./brackets.js";

/**
 * What can be done by keyboard. `Mod` is Control, or Command on a Mac.
 * @param {Editor} editor
 * @returns {Command[]}
 */
export function commandsOf(editor) {
  /** @type {[string, string, string, () => void][]} */
  const all = [
    ["undo", "Undo", "Mod-Z", () => editor.undo()],
    ["redo", "Redo", "Mod-Shift-Z", () => editor.redo()],
    ["redoAlso", "Redo", "Mod-Y", () => editor.redo()],
    ["format", "Format", "Shift-Alt-F", () => { editor.format(); }],
    ["comment", "Comment or uncomment lines", "Mod-/", () => toggleComment(editor)],
    ["complete", "Complete", "Mod-Space", () => editor.completion?.open(true)],
    ["documentation", "Show documentation", "Mod-I", () => editor.hoverCard?.showAtCaret()],
    ["definition", "Go to the type", "F12", () => editor.hoverCard?.follow(editor.caret)],
    ["search", "Search", "Mod-F", () => editor.search?.open()],
    ["replace", "Search and replace", "Mod-Alt-F", () => editor.search?.open(true)],
    ["searchNext", "Next match", "F3", () => editor.search?.go(1)],
    ["searchPrevious", "Previous match", "Shift-F3", () => editor.search?.go(-1)],
    ["nextMark", "Next error", "F8", () => editor.goToMark(1)],
    ["previousMark", "Previous error", "Shift-F8", () => editor.goToMark(-1)],
    ["fold", "Fold", "Mod-Shift-[", () => foldAtCaret(editor, true)],
    ["unfold", "Unfold", "Mod-Shift-]", () => foldAtCaret(editor, false)],
    ["foldAll", "Fold all", "Mod-Alt-[", () => editor.foldAll()],
    ["unfoldAll", "Unfold all", "Mod-Alt-]", () => editor.unfoldAll()],
    ["bracket", "Go to the other bracket", "Mod-Shift-\\", () => goToBracket(editor)],
    ["moveUp", "Move lines up", "Alt-ArrowUp", () => moveLines(editor, -1)],
    ["moveDown", "Move lines down", "Alt-ArrowDown", () => moveLines(editor, 1)],
    ["duplicate", "Duplicate lines", "Shift-Alt-ArrowDown", () => duplicateLines(editor)],
    ["deleteLines", "Delete lines", "Mod-Shift-K", () => deleteLines(editor)],
    ["addOccurrence", "Select the word, then its next occurrence too", "Mod-D", () => editor.carets.addOccurrence()],
    ["addAllOccurrences", "Select all occurrences", "Mod-Shift-L", () => editor.carets.addAllOccurrences()],
    ["addAbove", "Add a caret above", "Mod-Alt-ArrowUp", () => editor.carets.addBeside(-1)],
    ["addBelow", "Add a caret below", "Mod-Alt-ArrowDown", () => editor.carets.addBeside(1)],
    ["indent", "Indent", "Tab", () => indent(editor)],
    ["outdent", "Outdent", "Shift-Tab", () => outdent(editor)],
    ["newLine", "New line", "Enter", () => newLine(editor)],
  ];
  return all.map(([id, title, keys, run]) => ({ id, title, keys, run }));
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
/** Commands that come as input, not as keys. */
const comesAsInput = new Set(["indent", "outdent", "newLine"]);
const readOnlyCommands = new Set(["search", "searchNext", "searchPrevious", "fold", "unfold", "foldAll", "unfoldAll", "bracket", "documentation", "definition", "nextMark", "previousMark"]);

/**
 * Runs the command of a key, if there is one.
 * @param {Editor} editor
 * @param {KeyboardEvent} event
 */
export function runKey(editor, event) {
  const isMod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.code === "Space" ? "Space" : event.code === "BracketLeft" ? "[" : event.code === "BracketRight" ? "]"
    : event.code === "Backslash" ? "\\" : event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3)
    : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const pressed = `${isMod ? "Mod-" : ""}${event.shiftKey && key !== "/" ? "Shift-" : ""}${event.altKey ? "Alt-" : ""}${key}`;
  const command = editor.commands.find(({ keys }) => keys === pressed);
  if (!command || comesAsInput.has(command.id) || (editor.readOnly && !readOnlyCommands.has(command.id))) return false;
  event.preventDefault();
  command.run();
  return true;
}

/**
 * The lines that the selection touches.
 * @param {Editor} editor
 */
function selectedLines({ lines, current: { anchor, head } }) {
  const first = lines.at(Math.min(anchor, head)).line, end = lines.at(Math.max(anchor, head));
  return { first, last: end.line > first && end.column === 0 ? end.line - 1 : end.line };
}

/**
 * Changes the beginnings of lines, from the last to the first, and keeps the selection on the same text.
 * @param {Editor} editor
 * @param {number} first
 * @param {number} last
 * @param {(text: string, index: number) => { column: number, removed: string, inserted: string } | null} change
 */
function changeLines(editor, first, last, change) {
  const { lines } = editor, changes = [];
  let { anchor, head } = editor.current;
  for (let index = last; index >= first; index -= 1) {
    const made = change(lines.all[index].text, index);
    if (!made) continue;
    const { column, removed, inserted } = made, start = lines.startOf(index) + column;
    changes.push({ start, removed, inserted });
    /** @param {number} at */
    const moved = (at) => (at < start ? at : Math.max(start, at + inserted.length - removed.length));
    [anchor, head] = [moved(anchor), moved(head)];
  }
  if (changes.length) editor.apply(changes, { selection: { anchor, head } });
}

/** @param {Editor} editor */
function toggleComment(editor) {
  if (editor.language !== "graphql") return;
  const { first, last } = selectedLines(editor);
  const texts = editor.lines.all.slice(first, last + 1).map((line) => line.text).filter((text) => text.trim());
  const isCommented = texts.length > 0 && texts.every((text) => /^\s*#/.test(text));
  const column = Math.min(...texts.map((text) => text.search(/\S/)));
  changeLines(editor, first, last, (text) => {
    if (!text.trim()) return null;
    if (!isCommented) return { column, removed: "", inserted: "# " };
    const start = text.indexOf("#");
    return { column: start, removed: text[start + 1] === " " ? "# " : "#", inserted: "" };
  });
}

/** @param {Editor} editor */
function indent(editor) {
  const { anchor, head } = editor.current;
  if (anchor === head) {
    const { column } = editor.lines.at(head);
    editor.insert(column % 2 ? " " : "  ");
    return;
  }
  const { first, last } = selectedLines(editor);
  changeLines(editor, first, last, (text) => (text ? { column: 0, removed: "", inserted: "  " } : null));
}

/** @param {Editor} editor */
function outdent(editor) {
  const { first, last } = selectedLines(editor);
  changeLines(editor, first, last, (text) => {
    const removed = /^(?: {1,2}|\t)/.exec(text)?.[0];
    return removed ? { column: 0, removed, inserted: "" } : null;
  });
}

/** @param {Editor} editor */
function newLine(editor) {
  const { lines, current: { anchor, head } } = editor;
  const start = Math.min(anchor, head), end = Math.max(anchor, head);
  const from = lines.at(start), to = lines.at(end);
  const before = lines.all[from.line].text.slice(0, from.column), after = lines.all[to.line].text.slice(to.column);
  const margin = /^\s*/.exec(before)?.[0] ?? "", open = before.trimEnd().at(-1) ?? "";
  const isInside = editor.language !== "text" && open in closing;
  const inner = margin + (isInside ? "  " : "");
  const closes = isInside && after.trimStart().startsWith(closing[open]);
  const inserted = "\n" + inner + (closes ? "\n" + margin : "");
  const caret = start + 1 + inner.length;
  const spare = /^[ \t]*/.exec(after)?.[0].length ?? 0;
  editor.apply([{ start, removed: lines.slice(start, end + spare), inserted }], { selection: { anchor: caret, head: caret } });
}

/**
 * @param {Editor} editor
 * @param {1 | -1} direction
 */
function moveLines(editor, direction) {
  const { lines, current: { anchor, head } } = editor, { first, last } = selectedLines(editor);
  const other = direction < 0 ? first - 1 : last + 1;
  if (other < 0 || other >= lines.count) return;
  const from = Math.min(first, other), to = Math.max(last, other);
  const texts = lines.all.slice(from, to + 1).map((line) => line.text);
  const moved = direction < 0 ? [...texts.slice(1), texts[0]] : [texts[texts.length - 1], ...texts.slice(0, -1)];
  const shift = (lines.all[other].text.length + 1) * direction;
  const selection = { anchor: anchor + shift, head: head + shift };
  editor.apply([{ start: lines.startOf(from), removed: texts.join("\n"), inserted: moved.join("\n") }], { selection });
}

/** @param {Editor} editor */
function duplicateLines(editor) {
  const { lines, current: { anchor, head } } = editor, { first, last } = selectedLines(editor);
  const text = lines.all.slice(first, last + 1).map((line) => line.text).join("\n") + "\n";
  const selection = { anchor: anchor + text.length, head: head + text.length };
  editor.apply([{ start: lines.startOf(first), removed: "", inserted: text }], { selection });
}

/** @param {Editor} editor */
function deleteLines(editor) {
  const { lines } = editor, { first, last } = selectedLines(editor);
  const isLast = last === lines.count - 1;
  const start = Math.max(0, lines.startOf(first) - (isLast && first > 0 ? 1 : 0));
  const end = isLast ? lines.length : lines.startOf(last + 1);
  if (end > start) editor.apply([{ start, removed: lines.slice(start, end), inserted: "" }]);
}

/** @param {Editor} editor */
function goToBracket(editor) {
  const { lines, caret } = editor, { line, column } = lines.at(caret);
  const near = bracketsOf(lines, line).filter((bracket) => bracket.column === column || bracket.column === column - 1).at(-1);
  const other = near ? partner(lines, line, near) : null;
  if (other !== null) editor.selection = { anchor: other, head: other };
}

/**
 * Folds or unfolds the nearest line around the caret that can be.
 * @param {Editor} editor
 * @param {boolean} isFolded
 */
function foldAtCaret(editor, isFolded) {
  const { lines, folding, caret } = editor, { line } = lines.at(caret);
  for (let index = line; index >= 0; index -= 1) {
    const last = folding.lastHidden(index);
    const surrounds = last !== null && last + 1 >= line;
    if (surrounds && lines.all[index].isFolded !== isFolded) {
      folding.set(index, isFolded);
      return;
    }
  }
}
