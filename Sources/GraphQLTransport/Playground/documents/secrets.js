// @ts-check

/** Names of values that nobody wants stored. A false alarm costs typing a value again. */
const secretName = /pass(word|wd|code|phrase)|pwd|secret|token|credential|authori[sz]ation|api[-_]?key|private[-_]?key|cookie|\botp\b|\bpin\b/i;

/** @param {string} name */
export function looksSecret(name) {
  return secretName.test(name);
}

/** A name whose value an environment has. */
export const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** @param {string} text */
export function hasPlaceholder(text) {
  return text.search(placeholder) >= 0;
}

/** A text that is one placeholder. */
export const wholePlaceholder = /^\{\{\s*([\w.-]+)\s*\}\}$/;

/**
 * True for one placeholder, or one after the scheme of an Authorization header: the environment has the whole secret.
 * @param {any} value
 */
const hidesItsSecret = (value) => typeof value === "string" && wholePlaceholder.test(value.trim().replace(/^(?:bearer|basic)\s+/i, ""));

/**
 * A copy of a value in which everything under a secret's name is empty.
 * @param {any} value @returns {any}
 */
export function withoutSecrets(value) {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, looksSecret(name) && !hidesItsSecret(item) ? (typeof item === "string" ? "" : null) : withoutSecrets(item)]));
}

/**
 * A JSON text in which everything under a secret's name is empty. A text that is no JSON loses the strings that follow a
 * secret's name.
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
 * Headers without the values under a secret's name, as a JSON object or as lines `Name: value`.
 * @param {string} text
 */
export function headersWithoutSecrets(text) {
  if (text.trimStart().startsWith("{")) return textWithoutSecrets(text);
  return text.replace(/^([^\S\n]*[\w-]+[^\S\n]*:)(.*)$/gm, (line, name, value) => (looksSecret(name) && !hidesItsSecret(value) ? name : line));
}

/**
 * A document whose strings under a secret's name are empty: `password: "…"`, and the default of `$password`.
 * @param {string} query
 */
export function queryWithoutSecrets(query) {
  return query.replace(/("?[$\w-]+"?)(\s*:\s*(?:[\w!\[\]]+\s*=\s*)?)("""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?)/g,
    (match, name, between) => (looksSecret(name) ? `${name}${between}""` : match));
}
