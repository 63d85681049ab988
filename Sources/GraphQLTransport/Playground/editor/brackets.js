// @ts-check
/** @typedef {import("./lines.js").Lines} Lines */

/** @type {Record<string, string>} */
export const closing = { "(": ")", "[": "]", "{": "}" };
/** @type {Record<string, string>} */
const opening = { ")": "(", "]": "[", "}": "{" };
/** How far the other bracket is looked for. */
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
