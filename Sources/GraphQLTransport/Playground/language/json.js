// @ts-check
/** @typedef {import("../types").JSONNode} JSONNode */
/** @typedef {import("../types").JSONMember} JSONMember */
/** @typedef {import("../types").JSONResult} JSONResult */

/** Groups: space, punctuator, string, number, word; else one character. */
const pattern = /([ \t\n\r]+)|([{}[\]:,])|("(?:\\.|[^"\\\n])*"?)|(-?[\d.eE+-]+)|([A-Za-z_]\w*)|[^]/y;
const validString = /^"(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})|[^"\\\u0000-\u001f])*"$/;
const validNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const constants = new Map(/** @type {[string, boolean | null][]} */ ([["true", true], ["false", false], ["null", null]]));

/**
 * JSON with the place of each value and of the first error; what follows an error is still read.
 * @param {string} text
 * @returns {JSONResult}
 */
export function parseJSON(text) {
  const reader = new Reader(text);
  if (reader.kind === "end") return { root: null, error: null };
  const root = reader.value(0);
  if (!reader.isEnd()) reader.fail("Expected the end of the text.");
  return { root, error: reader.error };
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.source = text;
    this.start = 0;
    this.end = 0;
    /** Where the token before ended. */
    this.before = 0;
    /** @type {"mark" | "string" | "number" | "word" | "other" | "end"} */
    this.kind = "end";
    this.text = "";
    /** @type {JSONResult["error"]} */
    this.error = null;
    this.advance();
  }

  advance() {
    this.before = this.end;
    for (;;) {
      pattern.lastIndex = this.start = this.end;
      const match = pattern.exec(this.source);
      if (!match) {
        this.kind = "end";
        this.text = "";
        return;
      }
      this.end = pattern.lastIndex;
      if (match[1] !== undefined) continue;
      this.text = match[0];
      this.kind = match[2] ? "mark" : match[3] ? "string" : match[4] ? "number" : match[5] ? "word" : "other";
      return;
    }
  }

  /** @param {string} message */
  fail(message) { this.error ??= { start: this.start, end: this.end, message }; }

  isEnd() { return this.kind === "end"; }

  /** @param {string} mark */
  peek(mark) { return this.kind === "mark" && this.text === mark; }

  /** @param {string} mark */
  skip(mark) {
    if (!this.peek(mark)) return false;
    this.advance();
    return true;
  }

  /** @param {number} depth @returns {JSONNode} */
  value(depth) {
    const { start, end, text, kind } = this;
    if (depth > 200) {
      this.fail("The value nests too deep.");
      this.end = this.source.length;
      this.advance();
      return { kind: "missing", start, end: start };
    }
    if (kind === "mark" && text === "{") return this.object(depth);
    if (kind === "mark" && text === "[") return this.list(depth);
    if (kind === "string") {
      const isValid = validString.test(text);
      if (!isValid) this.fail(text.length > 1 && text.endsWith('"') ? "The string has an invalid escape or control character." : "The string is not closed.");
      this.advance();
      return { kind: "string", start, end, value: isValid ? JSON.parse(text) : text.slice(1) };
    }
    if (kind === "number") {
      if (!validNumber.test(text)) this.fail("This is not a number.");
      this.advance();
      return { kind: "number", start, end, value: Number(text) };
    }
    if (kind === "word" && constants.has(text)) {
      this.advance();
      return { kind: text === "null" ? "null" : "boolean", start, end, value: constants.get(text) };
    }
    this.fail(kind === "end" ? "Expected a value, found the end of the text." : `Expected a value, found ${text}.`);
    if (kind !== "mark" && kind !== "end") this.advance();
    return { kind: "missing", start: this.before, end: this.before };
  }

  /** @param {number} depth @returns {JSONNode} */
  object(depth) {
    const { start } = this;
    /** @type {JSONMember[]} */
    const members = [];
    this.advance();
    while (!this.skip("}")) {
      if (this.isEnd() || this.peek("]")) {
        this.fail('Expected "}".');
        break;
      }
      if (this.kind !== "string") {
        this.fail(this.text === "," ? "Expected a name before the comma." : `Expected a name in double quotes, found ${this.text}.`);
        this.advance();
        continue;
      }
      const key = this.value(depth + 1);
      /** @type {JSONNode} */
      let value = { kind: "missing", start: this.before, end: this.before };
      if (this.skip(":")) value = this.value(depth + 1); else this.fail('Expected ":" behind the name.');
      members.push({ key, value });
      if (this.skip(",")) {
        if (this.peek("}")) this.fail("A comma stands before the end of the object.");
      } else if (/^"/.test(this.text)) {
        this.fail("Expected a comma before the next name.");
      } else if (!this.peek("}") && !this.isEnd()) {
        this.fail('Expected a comma or "}".');
        if (!this.peek("]")) this.advance();
      }
    }
    return { kind: "object", start, end: this.before, members };
  }

  /** @param {number} depth @returns {JSONNode} */
  list(depth) {
    const { start } = this;
    /** @type {JSONNode[]} */
    const items = [];
    this.advance();
    while (!this.skip("]")) {
      if (this.isEnd() || this.peek("}") || this.peek(":")) {
        this.fail('Expected "]".');
        break;
      }
      if (this.peek(",")) {
        this.fail("Expected a value before the comma.");
        this.advance();
        continue;
      }
      items.push(this.value(depth + 1));
      if (this.skip(",")) {
        if (this.peek("]")) this.fail("A comma stands before the end of the list.");
      } else if (!this.peek("]") && !this.isEnd()) {
        this.fail("Expected a comma before the next value.");
      }
    }
    return { kind: "list", start, end: this.before, items };
  }
}

/**
 * JSON indented by two spaces, or null where the text is not JSON. Numbers stay as they are written.
 * @param {string} text
 * @returns {string | null}
 */
export function formatJSON(text) {
  const { root, error } = parseJSON(text);
  if (error) return null;
  return root ? `${printJSON(text, root, "")}\n` : "";
}

/**
 * @param {string} text
 * @param {JSONNode} node
 * @param {string} indent
 * @returns {string}
 */
function printJSON(text, node, indent) {
  const inner = `${indent}  `;
  if (node.kind === "object" && node.members?.length) {
    const members = node.members.map(({ key, value }) => `${inner}${text.slice(key.start, key.end)}: ${printJSON(text, value, inner)}`);
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  if (node.kind === "list" && node.items?.length) {
    const flat = `[${node.items.map((item) => printJSON(text, item, "")).join(", ")}]`;
    if (!flat.includes("\n") && flat.length + indent.length <= 80) return flat;
    return `[\n${node.items.map((item) => inner + printJSON(text, item, inner)).join(",\n")}\n${indent}]`;
  }
  return text.slice(node.start, node.end).replace(/\s+(?=[\]}]$)/, "");
}
