// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").Completion} Completion */

/**
 * What may stand at the offset of a GraphQL document.
 * @param {Schema | null} schema
 * @param {string} text
 * @param {number} offset
 * @returns {Completion | null}
 */
export function complete(schema, text, offset) { void schema; void text; return { from: offset, to: offset, items: [] }; }
