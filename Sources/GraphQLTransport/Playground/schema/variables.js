// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").Completion} Completion */
/** @typedef {import("../types").Mark} Mark */
/** @typedef {import("../types").OperationInfo} OperationInfo */

/**
 * What may stand at the offset of the variables' JSON.
 * @param {Schema | null} schema
 * @param {OperationInfo | null} operation
 * @param {string} json
 * @param {number} offset
 * @returns {Completion | null}
 */
export function completeVariables(schema, operation, json, offset) {
  void schema; void operation; void json;
  return { from: offset, to: offset, items: [] };
}

/**
 * Errors of the JSON, unknown and missing variables, values of the wrong type.
 * @param {Schema | null} schema
 * @param {OperationInfo | null} operation
 * @param {string} json
 * @returns {Mark[]}
 */
export function validateVariables(schema, operation, json) { void schema; void operation; void json; return []; }

/**
 * JSON with a value to fill in for each variable of the operation; values that the given JSON has stay.
 * @param {Schema | null} schema
 * @param {OperationInfo} operation
 * @param {string} json
 * @returns {string}
 */
export function fillVariables(schema, operation, json) { void schema; void operation; return json; }
