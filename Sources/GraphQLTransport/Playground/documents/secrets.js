// @ts-check

/** Names of values that nobody wants stored. A false alarm costs typing a value again. */
const secretName = /pass(word|wd|code|phrase)|pwd|secret|token|credential|authori[sz]ation|api[-_]?key|private[-_]?key|cookie|\botp\b|\bpin\b/i;

/** @param {string} name */
export function looksSecret(name) {
  return secretName.test(name);
}

/**
 * A copy of a value in which everything under a secret's name is empty.
 * @param {any} value @returns {any}
 */
export function withoutSecrets(value) {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, looksSecret(name) ? (typeof item === "string" ? "" : null) : withoutSecrets(item)]));
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
 * A document whose strings under a secret's name are empty: `password: "…"`, and the default of `$password`.
 * @param {string} query
 */
export function queryWithoutSecrets(query) {
  return query.replace(/("?[$\w-]+"?)(\s*:\s*(?:[\w!\[\]]+\s*=\s*)?)("""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?)/g,
    (match, name, between) => (looksSecret(name) ? `${name}${between}""` : match));
}
