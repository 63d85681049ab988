// @ts-check

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;
const wholePlaceholder = /^\{\{\s*([\w.-]+)\s*\}\}$/;

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
 * becomes a number or a boolean.
 * @param {Record<string, unknown>} variables
 * @param {import("../types").VariableInfo[]} declared
 * @param {LookUp} lookUp
 * @returns {Record<string, unknown>}
 */
export function filledVariables(variables, declared, lookUp) {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => {
    const filled = filledValue(value, lookUp);
    const type = declared.find((variable) => variable.name === name)?.type.replace("!", "") ?? "";
    const isWhole = typeof value === "string" && wholePlaceholder.test(value);
    if (isWhole && (type === "Boolean" ? /^(?:true|false)$/ : /^(?:Int|Float)$/.test(type) ? /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/ : /^(?!)/).test(filled)) return [name, JSON.parse(filled)];
    return [name, filled];
  }));
}

/** @param {string} text */
export function hasPlaceholder(text) {
  return text.search(placeholder) >= 0;
}
