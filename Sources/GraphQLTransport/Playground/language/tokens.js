// @ts-check
/** @typedef {import("../types").SyntaxError} SyntaxError */

/**
 * A token; `kind` is the punctuator itself or a name of the specification's lexical grammar. A token of the kind
 * "Invalid" has an error.
 * @typedef {{ kind: string, start: number, end: number, value: string, error?: SyntaxError }} Token
 */

const lineEnd = /[\n\r]/;
const loneSurrogate = /\p{Surrogate}/u;
/** Groups: name, ignored, punctuator, comment, quotes, number. */
const beginning = /([_A-Za-z][_0-9A-Za-z]*)|([ \t\n\r,\uFEFF]+)|([!$&():=@[\]{|}]|\.\.\.)|(#[^\n\r]*)|("""|")|(-|[0-9])/y;

/**
 * All tokens with the comments, the last of the kind "<EOF>". Lexing goes on behind errors.
 * Spec: 2.1 Source Text
 * @param {string} text
 * @returns {Token[]}
 */
export function tokenize(text) {
  /** @type {Token[]} */
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    beginning.lastIndex = at;
    const match = beginning.exec(text);
    if (!match) {
      tokens.push(unexpectedCharacter(text, at));
    } else if (match[2] !== undefined) {
      at = beginning.lastIndex;
      continue;
    } else if (match[5] !== undefined) {
      tokens.push(match[5] === '"' ? readString(text, at) : readBlockString(text, at));
    } else if (match[6] !== undefined) {
      tokens.push(readNumber(text, at));
    } else {
      const value = match[0];
      const kind = match[1] !== undefined ? "Name" : match[4] !== undefined ? "Comment" : value;
      tokens.push({ kind, start: at, end: at + value.length, value });
      if (kind === "Comment" && loneSurrogate.test(value)) {
        tokens[tokens.length - 1] = surrogate(text, at, at + value.length, "");
      }
    }
    at = tokens[tokens.length - 1].end;
  }
  tokens.push({ kind: "<EOF>", start: text.length, end: text.length, value: "" });
  return tokens;
}

/** @param {number} start @param {number} end @param {string} message @param {number} at @returns {Token} */
function invalid(start, end, message, at) {
  return { kind: "Invalid", start, end, value: "", error: { message: `Syntax Error: ${message}`, start: at, end: Math.max(end, at) } };
}

/** @param {string} text @param {number} at @returns {Token} */
function unexpectedCharacter(text, at) {
  const code = text.codePointAt(at) ?? 0, end = at + (code > 0xffff ? 2 : 1);
  if (code === 0x27) {
    return invalid(at, end, "Unexpected single quote character ('), did you mean to use a double quote (\")?", at);
  }
  if (code >= 0xd800 && code <= 0xdfff) return invalid(at, end, `Invalid character: ${codePoint(code)}.`, at);
  return invalid(at, end, `Unexpected character: ${character(text, at)}.`, at);
}

/** @param {string} text @param {number} from @param {number} to @param {string} place @returns {Token} */
function surrogate(text, from, to, place) {
  const at = from + text.slice(from, to).search(loneSurrogate);
  return invalid(from, to, `Invalid character${place}: ${codePoint(text.charCodeAt(at))}.`, at);
}

/** @param {number} code */
const codePoint = (code) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * The character as an error shows it.
 * @param {string} text
 * @param {number} at
 */
function character(text, at) {
  if (at >= text.length) return "<EOF>";
  const code = text.codePointAt(at) ?? 0;
  if (code === 0x22) return "'\"'";
  return code >= 0x20 && code <= 0x7e ? `"${text[at]}"` : codePoint(code);
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const numberStart = /-?(?:0(?=[0-9])|(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?)?)?|[eE][+-]?)?)?/y;

/**
 * Spec: 2.9.1 IntValue, 2.9.2 FloatValue
 * @param {string} text
 * @param {number} start
 * @returns {Token}
 */
function readNumber(text, start) {
  numberPattern.lastIndex = start;
  const match = numberPattern.exec(text);
  const end = match ? numberPattern.lastIndex : start;
  if (match && !/[._0-9A-Za-z]/.test(text[end] ?? " ")) {
    return { kind: match[1] || match[2] ? "Float" : "Int", start, end, value: match[0] };
  }
  const behind = /[-+._0-9A-Za-z]*/y;
  behind.lastIndex = start + 1;
  behind.exec(text);
  const stop = Math.max(behind.lastIndex, start + 1);
  if (match && match[0].replace("-", "") === "0" && /[0-9]/.test(text[end])) {
    return invalid(start, stop, `Invalid number, unexpected digit after 0: ${character(text, end)}.`, end);
  }
  numberStart.lastIndex = start;
  numberStart.exec(text);
  const at = match ? Math.max(numberStart.lastIndex, end) : numberStart.lastIndex;
  return invalid(start, stop, `Invalid number, expected digit but got: ${character(text, at)}.`, at);
}

/** @type {Record<string, string>} */
const escapes = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * Spec: 2.9.4 StringValue
 * @param {string} text
 * @param {number} start
 * @returns {Token}
 */
function readString(text, start) {
  let value = "", at = start + 1, chunk = at;
  /** @type {Token | null} */
  let fault = null;
  for (; at < text.length && !lineEnd.test(text[at]); ) {
    const unit = text[at];
    if (unit === '"') {
      if (fault) return { ...fault, end: at + 1 };
      return { kind: "String", start, end: at + 1, value: value + text.slice(chunk, at) };
    }
    if (unit === "\\") {
      const escape = readEscape(text, at);
      value += text.slice(chunk, at) + escape.value;
      if (escape.message && !fault) fault = invalid(start, at, escape.message, at);
      at = Math.min(at + escape.length, text.length);
      chunk = at;
    } else {
      const code = text.codePointAt(at) ?? 0;
      if (code >= 0xd800 && code <= 0xdfff && !fault) {
        fault = invalid(start, at + 1, `Invalid character within String: ${codePoint(code)}.`, at);
      }
      at += code > 0xffff ? 2 : 1;
    }
  }
  return fault ? { ...fault, end: at } : invalid(start, at, "Unterminated string.", at);
}

/** @param {string} text @param {number} at @returns {{ value: string, length: number, message?: string }} */
function readEscape(text, at) {
  const letter = text[at + 1] ?? "";
  if (letter in escapes) return { value: escapes[letter], length: 2 };
  if (letter !== "u") {
    const escape = text.slice(at, at + 2);
    return { value: "", length: lineEnd.test(letter) || !letter ? 1 : 2, message: `Invalid character escape sequence: "${escape}".` };
  }
  if (text[at + 2] === "{") return readWideEscape(text, at);
  const code = hexadecimal(text.slice(at + 2, at + 6));
  const low = text.slice(at + 6, at + 8) === "\\u" ? hexadecimal(text.slice(at + 8, at + 12)) : -1;
  if (code >= 0xd800 && code < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
    return { value: String.fromCharCode(code, low), length: 12 };
  }
  if (code < 0 || (code >= 0xd800 && code < 0xe000)) {
    return { value: "", length: 2, message: `Invalid Unicode escape sequence: "${text.slice(at, at + 6)}".` };
  }
  return { value: String.fromCharCode(code), length: 6 };
}

/** @param {string} text @param {number} at @returns {{ value: string, length: number, message?: string }} */
function readWideEscape(text, at) {
  let point = 0, size = 3;
  while (size < 12) {
    const unit = text[at + size] ?? "";
    size += 1;
    if (unit === "}") {
      if (size < 5 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) break;
      return { value: String.fromCodePoint(point), length: size };
    }
    if (!/[0-9A-Fa-f]/.test(unit)) break;
    point = point * 16 + parseInt(unit, 16);
  }
  return { value: "", length: 2, message: `Invalid Unicode escape sequence: "${text.slice(at, at + size)}".` };
}

/** @param {string} digits */
const hexadecimal = (digits) => (/^[0-9A-Fa-f]{4}$/.test(digits) ? parseInt(digits, 16) : -1);

/**
 * Spec: 2.9.4 BlockStringValue
 * @param {string} text
 * @param {number} start
 * @returns {Token}
 */
function readBlockString(text, start) {
  const stop = /\\"""|"""/g;
  stop.lastIndex = start + 3;
  let match = stop.exec(text);
  while (match && match[0] !== '"""') match = stop.exec(text);
  const end = match ? match.index : text.length;
  const raw = text.slice(start + 3, end);
  if (loneSurrogate.test(raw)) return surrogate(text, start, end, " within String");
  if (!match) return invalid(start, end, "Unterminated string.", end);
  return { kind: "BlockString", start, end: end + 3, value: blockStringValue(raw.replaceAll('\\"""', '"""')) };
}

/**
 * Spec: 2.9.4 BlockStringValue(rawValue)
 * @param {string} raw
 */
export function blockStringValue(raw) {
  const lines = raw.split(/\r\n|[\n\r]/);
  let common = Infinity, first = -1, last = -1;
  lines.forEach((line, index) => {
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (indent === line.length) return;
    if (first < 0) first = index;
    last = index;
    if (index > 0) common = Math.min(common, indent);
  });
  if (first < 0) return "";
  return lines.slice(first, last + 1).map((line, index) => (first + index === 0 ? line : line.slice(common))).join("\n");
}
