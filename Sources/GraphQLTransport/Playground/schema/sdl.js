// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */

/** @param {Schema} schema @returns {string} */
export function printSchema(schema) { return schema.types.map((type) => printType(schema, type.name)).join("\n"); }

/** @param {Schema} schema @param {string} name @returns {string} */
export function printType(schema, name) { void schema; return `type ${name}\n`; }
