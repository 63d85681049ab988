// @ts-check
import { placeholder, wholePlaceholder } from "./secrets.js";

/** @typedef {(name: string) => string | null} LookUp the value of a name; null leaves the placeholder as it is */

/**
 * A text with the values of its placeholders, `{{name}}`.
 * @param {string} text
 * @param {LookUp} lookUp
 */
export function filledText(text, lookUp) {
  return text.replace(placeholder, (whole, name) => lookUp(name) ?? whole);
}

/**
 * A value of JSON with those of the placeholders in its strings, at any depth.
 * @param {any} value
 * @param {LookUp} lookUp
 * @returns {any}
 */
export function filledValue(value, lookUp) {
  if (typeof value === "string") return filledText(value, lookUp);
  if (Array.isArray(value)) return value.map((item) => filledValue(item, lookUp));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledValue(item, lookUp)]));
}

/**
 * The variables with the values of their placeholders. A variable of the type Int, Float or Boolean that is one placeholder
 * becomes a number or a boolean. Any other text stays a string, which the server refuses with the name of the variable.
 * @param {Record<string, unknown>} variables
 * @param {import("../types").VariableInfo[]} declared
 * @param {LookUp} lookUp
 * @returns {Record<string, unknown>}
 */
export function filledVariables(variables, declared, lookUp) {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => {
    const filled = filledValue(value, lookUp);
    const type = declared.find((variable) => variable.name === name)?.type.replace("!", "") ?? "";
    return [name, typeof value === "string" && wholePlaceholder.test(value) ? typed(type, filled) : filled];
  }));
}

/** @param {string} type @param {string} text */
function typed(type, text) {
  if (type === "Boolean") return text === "true" ? true : text === "false" ? false : text;
  // RFC 8259, 6: a number has no leading zeros. JSON has no infinity, which 1e999 would become.
  const isNumber = /^(?:Int|Float)$/.test(type) && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}
