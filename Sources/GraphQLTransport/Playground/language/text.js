// @ts-check
/** @typedef {import("../types").Position} Position */

/**
 * The line and column of an offset, both from 1.
 * @param {string} text
 * @param {number} offset
 * @returns {Position}
 */
export function positionOf(text, offset) {
  const lineEnd = /\r\n|[\n\r]/g;
  let line = 1, start = 0;
  for (let match = lineEnd.exec(text); match && match.index < offset; match = lineEnd.exec(text)) {
    line += 1;
    start = match.index + match[0].length;
  }
  return { line, column: offset - start + 1 };
}

/**
 * The offset of a line and column; a place behind the end of its line is the line's end.
 * @param {string} text
 * @param {Position} position
 */
export function offsetOf(text, { line, column }) {
  const lineEnd = /\r\n|[\n\r]/g;
  let start = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const match = lineEnd.exec(text);
    if (!match) return text.length;
    start = match.index + match[0].length;
  }
  lineEnd.lastIndex = start;
  const end = lineEnd.exec(text)?.index ?? text.length;
  return Math.min(start + Math.max(column, 1) - 1, end);
}
