// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").Hover} Hover */

/**
 * The documentation of what stands at the offset.
 * @param {Schema | null} schema
 * @param {string} text
 * @param {number} offset
 * @returns {Hover | null}
 */
export function hoverAt(schema, text, offset) { void schema; void text; void offset; return null; }
