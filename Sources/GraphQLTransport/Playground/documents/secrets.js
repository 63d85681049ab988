// @ts-check
import { hasPlaceholder } from "./placeholders.js";

/** Names of values that nobody wants stored. A false alarm costs typing a value again. */
const secretName = /pass(word|wd|code|phrase)|pwd|secret|token|credential|authori[sz]ation|api[-_]?key|private[-_]?key|cookie|\botp\b|\bpin\b/i;

/** @param {string} name */
export function looksSecret(name) {
  return secretName.test(name);
}

/**
 * Whether an environment has the secret itself.
 * @param {any} value
 */
const isPlaceholder = (value) => typeof value === "string" && hasPlaceholder(value);

/**
 * A copy of a value in which everything under a secret's name is empty.
 * @param {any} value @returns {any}
 */
export function withoutSecrets(value) {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, looksSecret(name) && !isPlaceholder(item) ? (typeof item === "string" ? "" : null) : withoutSecrets(item)]));
}

/**
 * The same of a JSON text. A text that is no JSON loses the strings that follow a secret's name.
 * @param {string} text
 */
export function textWithoutSecrets(text) {
  try {
    const value = JSON.parse(text);
    const clean = withoutSecrets(value);
    return JSON.stringify(value) === JSON.stringify(clean) ? text : JSON.stringify(clean, null, 2);
  } catch {
    return queryWithoutSecrets(text);
  }
}

/**
 * The same of headers, as a JSON object or as lines `Name: value`.
 * @param {string} text
 */
export function headersWithoutSecrets(text) {
  if (text.trimStart().startsWith("{")) return textWithoutSecrets(text);
  return text.replace(/^([^\S\n]*[\w-]+[^\S\n]*:)(.*)$/gm, (line, name, value) => (looksSecret(name) && !isPlaceholder(value) ? name : line));
}

/**
 * A document whose strings under a secret's name are empty: `password: "…"`, and the default of `$password`.
 * @param {string} query
 */
export function queryWithoutSecrets(query) {
  return query.replace(/("?[$\w-]+"?)(\s*:\s*(?:[\w!\[\]]+\s*=\s*)?)("""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?)/g,
    (match, name, between) => (looksSecret(name) ? `${name}${between}""` : match));
}
