// @ts-check
/** @typedef {import("../types").LineToken} LineToken */
/** @typedef {import("../types").LexedLine} LexedLine */

/** Groups: comment, block quotes, string, variable, directive, name, number, spread, punctuator; else one character. */
const pattern = /(#.*)|(""")|("(?:\\.|[^"\\])*"?)|(\$\w*)|(@\w*)|([_A-Za-z]\w*)|(-?\d[\w.+-]*)|(\.\.\.)|([!&()|:=[\]{}])|[^\s,\uFEFF]/g;
const blockEnd = /(?:\\"""|\\(?!""")|[^\\])*?"""/y;
const definitionStart = /^(?:query|mutation|subscription|fragment)\b/;
const operationWords = new Set(["query", "mutation", "subscription"]);
const constants = new Set(["true", "false", "null"]);

/*
 * A state is a stack of what is open, one letter each (D document, V variable definitions, S selection set, A arguments,
 * O object, L list), and a flag for what came last: k an operation's keyword, f `fragment`, o `on`, s a spread, c a colon,
 * b inside a block string.
 */
export const initialState = "D ";

/**
 * Lexes a line for its colours; it never fails, since what is typed is seldom whole.
 * @param {string} line
 * @param {string} state
 * @returns {LexedLine}
 */
export function lexLine(line, state) {
  /** @type {LineToken[]} */
  const tokens = [];
  let stack = state.slice(0, -1), flag = state.slice(-1), at = 0;
  if (flag === "b") {
    blockEnd.lastIndex = 0;
    const isClosed = blockEnd.test(line);
    at = isClosed ? blockEnd.lastIndex : line.length;
    tokens.push({ start: 0, end: at, style: "string" });
    if (!isClosed) return { tokens, state };
    flag = " ";
  } else if (definitionStart.test(line)) {
    // A definition that begins its line ends what was left open before it.
    stack = "D";
    flag = " ";
  }
  pattern.lastIndex = at;
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    const start = match.index, text = match[0];
    let end = start + text.length, style = "invalid";
    const top = stack[stack.length - 1];
    if (match[1] !== undefined) {
      style = "comment";
      tokens.push({ start, end, style });
      continue;
    } else if (match[2] !== undefined) {
      blockEnd.lastIndex = end;
      style = "string";
      if (!blockEnd.test(line)) {
        tokens.push({ start, end: line.length, style });
        return { tokens, state: stack + "b" };
      }
      end = pattern.lastIndex = blockEnd.lastIndex;
      flag = " ";
    } else if (match[3] !== undefined) {
      style = "string";
      flag = " ";
    } else if (match[4] !== undefined) {
      style = "variable";
      flag = " ";
    } else if (match[5] !== undefined) {
      style = "directive";
      flag = top === "S" ? flag : " ";
    } else if (match[7] !== undefined) {
      style = "number";
      flag = " ";
    } else if (match[8] !== undefined) {
      style = "punctuation";
      flag = "s";
    } else if (match[9] !== undefined) {
      style = "punctuation";
      [stack, flag] = afterPunctuator(text, stack, flag);
    } else if (match[6] !== undefined) {
      [style, flag] = nameStyle(text, line, end, top, flag);
    }
    tokens.push({ start, end, style });
  }
  return { tokens, state: stack + flag };
}

/**
 * @param {string} text
 * @param {string} stack
 * @param {string} flag
 * @returns {[string, string]}
 */
function afterPunctuator(text, stack, flag) {
  const top = stack[stack.length - 1];
  switch (text) {
    case "{": return [stack + (top === "D" || top === "S" ? "S" : "O"), " "];
    case "(": return [stack + (top === "D" ? "V" : "A"), " "];
    case "[": return [stack + "L", top === "V" || (top === "L" && flag === "c") ? "c" : " "];
    case "}": case ")": case "]": return [stack.length > 1 ? stack.slice(0, -1) : stack, " "];
    case ":": return [stack, "c"];
    default: return [stack, " "];
  }
}

/**
 * The style of a name and the flag behind it.
 * @param {string} name
 * @param {string} line
 * @param {number} end
 * @param {string} top
 * @param {string} flag
 * @returns {[string, string]}
 */
function nameStyle(name, line, end, top, flag) {
  if (flag === "o") return ["type", " "];
  if (top === "D") {
    if (flag === "k" || flag === "f") return ["definition", " "];
    if (operationWords.has(name)) return ["keyword", "k"];
    if (name === "fragment") return ["keyword", "f"];
    return name === "on" ? ["keyword", "o"] : ["invalid", " "];
  }
  if (top === "S") {
    if (flag === "s") return name === "on" ? ["keyword", "o"] : ["definition", " "];
    return [/^[\s,]*:/.test(line.slice(end)) ? "alias" : "field", " "];
  }
  if (top === "V" && flag === "c") return ["type", " "];
  if (top === "L" && flag === "c") return ["type", " "];
  if ((top === "A" || top === "O") && flag !== "c") return ["argument", " "];
  return [constants.has(name) ? "keyword" : "value", " "];
}

/** Groups: string, the colon behind a key, number, word, punctuator; else one character. */
const jsonPattern = /("(?:\\.|[^"\\])*"?)(?=(\s*:)?)|(-?\d[\d.eE+-]*)|([A-Za-z]+)|([{}[\]:,])|\S/g;

/**
 * Lexes a line of JSON. No token of JSON spans lines.
 * @param {string} line
 * @param {string} state
 * @returns {LexedLine}
 */
export function lexJSONLine(line, state) {
  /** @type {LineToken[]} */
  const tokens = [];
  for (const match of line.matchAll(jsonPattern)) {
    const start = match.index ?? 0, end = start + match[0].length;
    let style = "invalid";
    if (match[1] !== undefined) style = match[2] !== undefined ? "argument" : "string";
    else if (match[3] !== undefined) style = "number";
    else if (match[4] !== undefined) style = constants.has(match[4]) ? "keyword" : "invalid";
    else if (match[5] !== undefined) style = "punctuation";
    tokens.push({ start, end, style });
  }
  return { tokens, state };
}

/**
 * @param {string} line
 * @param {string} state
 * @returns {LexedLine}
 */
export function lexNothing(line, state) { void line; return { tokens: [], state }; }
