// @ts-check
/** @typedef {import("../types").Node} Node */
/** @typedef {import("../types").NameNode} NameNode */
/** @typedef {import("../types").SyntaxError} SyntaxError */
/** @typedef {import("../types").ParseResult} ParseResult */
/** @typedef {import("./tokens.js").Token} Token */
import { tokenize } from "./tokens.js";

/** A document nests at most so deep; the server's parser has the same limit. */
const maximumDepth = 64;
const typeSystemKeywords = new Set(["schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend"]);
const operationTypes = new Set(["query", "mutation", "subscription"]);

/**
 * Parses executable documents. The words of errors are the server's; behind the first error the parser goes on as well
 * as it can. Definitions of the type system are only told apart, since no server executes them.
 * @param {string} text
 * @returns {ParseResult}
 */
export function parse(text) {
  const parser = new Parser(text);
  const document = parser.parseDocument();
  return { document, error: parser.error };
}

class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.tokens = tokenize(text).filter((token) => token.kind !== "Comment");
    this.index = -1;
    this.depth = 0;
    /** @type {SyntaxError | null} */
    this.error = null;
    this.token = this.tokens[0];
    this.end = 0;
    this.advance();
  }

  advance() {
    if (this.index >= 0) this.end = this.token.end;
    if (this.index < this.tokens.length - 1) this.index += 1;
    this.token = this.tokens[this.index];
    if (this.token.error && !this.error) this.error = this.token.error;
  }

  /** @param {string} message @param {{ start: number, end: number }} [at] */
  fail(message, at = this.token) {
    this.error ??= { message: `Syntax Error: ${message}`, start: at.start, end: at.end };
  }

  describe() {
    const { kind, value } = this.token;
    if (/^[A-Z]/.test(kind)) return `${kind} "${value}"`;
    return kind === "<EOF>" ? kind : `"${kind}"`;
  }

  unexpected() { this.fail(`Unexpected ${this.describe()}.`); }

  /** @param {string} what */
  expected(what) { this.fail(`Expected ${what}, found ${this.describe()}.`); }

  /** @param {string} kind */
  peek(kind) { return this.token.kind === kind; }

  /** @param {string} word */
  isWord(word) { return this.token.kind === "Name" && this.token.value === word; }

  /** @param {string} kind */
  skip(kind) {
    if (this.token.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** @param {string} kind */
  expect(kind) {
    if (this.skip(kind)) return true;
    this.expected(kind === "<EOF>" ? kind : `"${kind}"`);
    return false;
  }

  /** @param {string} kind @param {number} start @param {Record<string, any>} properties @returns {Node} */
  node(kind, start, properties) { return { kind, start, end: Math.max(this.end, start), ...properties }; }

  /** True where the token looks like the beginning of a definition, at the beginning of its line. */
  looksLikeDefinition() {
    const { kind, value, start } = this.token;
    return kind === "Name" && (operationTypes.has(value) || value === "fragment") && /^[\n\r]?$/.test(this.text.charAt(start - 1))
      && ["Name", "{", "("].includes(this.tokens[this.index + 1].kind);
  }

  /** @param {number} index */
  goBack(index) {
    this.index = index;
    this.token = this.tokens[index];
    this.end = this.tokens[index - 1]?.end ?? 0;
  }

  /**
   * Items up to `close`. Behind an error an item that reads nothing skips one token, unless the token closes something.
   * @param {string} open @param {string} close @param {() => Node} item @param {boolean} [mayBeEmpty]
   * @returns {Node[]}
   */
  items(open, close, item, mayBeEmpty = false) {
    /** @type {Node[]} */
    const items = [];
    if (!this.expect(open)) return items;
    if (!mayBeEmpty && this.peek(close)) {
      item();
      this.skip(close);
      return items;
    }
    for (;;) {
      if (this.skip(close)) return items;
      const mayEnd = this.looksLikeDefinition();
      if (this.peek("<EOF>")) item();
      if (this.peek("<EOF>") || (mayEnd && this.error)) return items;
      const before = this.index;
      const read = item();
      if (mayEnd && this.error) {
        // It was no item, but the next definition behind something that was left open.
        this.goBack(before);
        return items;
      }
      if (this.index > before) {
        items.push(read);
      } else if (")]}".includes(this.token.kind)) {
        // What closes something else is left to it, unless nothing around is open.
        if (this.token.kind === close) continue;
        return items;
      } else {
        this.advance();
      }
    }
  }

  /** @template T @param {() => T} read @returns {T} */
  nested(read) {
    this.depth += 1;
    if (this.depth > maximumDepth) this.fail(`Document nests deeper than ${maximumDepth} levels. Parsing aborted.`);
    if (this.depth > maximumDepth * 4) this.index = this.tokens.length - 2, this.advance();
    const result = read();
    this.depth -= 1;
    return result;
  }

  /**
   * Document : Definition+
   * @returns {import("../types").DocumentNode}
   */
  parseDocument() {
    /** @type {Node[]} */
    const definitions = [];
    do {
      const before = this.index;
      const definition = this.parseDefinition();
      if (definition) definitions.push(definition);
      if (this.index === before) this.advance();
    } while (!this.peek("<EOF>"));
    return { kind: "Document", start: 0, end: this.token.end, definitions };
  }

  /** @returns {Node | null} */
  parseDefinition() {
    const start = this.token.start;
    if (this.peek("{")) return this.parseOperation(start, null);
    const first = this.token;
    const description = this.parseDescription();
    if (!this.peek("Name")) {
      if (description && this.peek("{")) {
        this.fail("Unexpected description, descriptions are not supported on shorthand queries.", first);
      }
      this.unexpected();
      return null;
    }
    if (operationTypes.has(this.token.value)) return this.parseOperation(start, description);
    if (this.token.value === "fragment") return this.parseFragmentDefinition(start, description);
    if (typeSystemKeywords.has(this.token.value)) return this.skipTypeSystem(start);
    if (description) this.fail("Unexpected description, descriptions are supported only on type definitions.", first);
    this.unexpected();
    return null;
  }

  parseDescription() { return this.peek("String") || this.peek("BlockString") ? this.parseValue(true) : null; }

  /**
   * Spec: 2.3 OperationDefinition
   * @param {number} start
   * @param {Node | null} description
   */
  parseOperation(start, description) {
    if (this.peek("{")) {
      const selectionSet = this.parseSelectionSet();
      return this.node("OperationDefinition", start, {
        operation: "query", name: null, description, variableDefinitions: [], directives: [], selectionSet,
      });
    }
    const operation = this.token.value;
    this.advance();
    const name = this.peek("Name") ? this.parseName() : null;
    const variableDefinitions = this.peek("(") ? this.items("(", ")", () => this.parseVariableDefinition()) : [];
    const directives = this.parseDirectives(false), headEnd = this.end;
    const selectionSet = this.parseSelectionSet();
    return this.node("OperationDefinition", start, {
      operation, name, description, variableDefinitions, directives, selectionSet, headEnd,
    });
  }

  /** VariableDefinition : Description? Variable `:` Type DefaultValue? Directives[Const]? */
  parseVariableDefinition() {
    const start = this.token.start;
    const description = this.parseDescription(), variableStart = this.token.start;
    this.expect("$");
    const name = this.parseName();
    const variable = this.node("Variable", variableStart, { name });
    this.expect(":");
    const type = this.parseType();
    const defaultValue = this.skip("=") ? this.parseValue(true) : null;
    const directives = this.parseDirectives(true);
    return this.node("VariableDefinition", start, { description, variable, type, defaultValue, directives });
  }

  /** @returns {Node} */
  parseSelectionSet() {
    const start = this.token.start;
    const selections = this.nested(() => this.items("{", "}", () => this.parseSelection()));
    return this.node("SelectionSet", start, { selections });
  }

  /** @returns {Node} */
  parseSelection() {
    const start = this.token.start;
    if (!this.skip("...")) return this.parseField();
    const hasCondition = this.isWord("on");
    if (hasCondition) this.advance();
    if (!hasCondition && this.peek("Name")) {
      const name = this.parseName();
      return this.node("FragmentSpread", start, { name, directives: this.parseDirectives(false) });
    }
    const typeCondition = hasCondition ? this.parseNamedType() : null;
    const directives = this.parseDirectives(false);
    const selectionSet = this.parseSelectionSet();
    return this.node("InlineFragment", start, { typeCondition, directives, selectionSet });
  }

  /**
   * Field : Alias? Name Arguments? Directives? SelectionSet?
   * @returns {Node}
   */
  parseField() {
    const start = this.token.start;
    const first = this.parseName();
    const second = this.skip(":") ? this.parseName() : null;
    const args = this.parseArguments(false), directives = this.parseDirectives(false);
    const selectionSet = this.peek("{") ? this.parseSelectionSet() : null;
    return this.node("Field", start, {
      alias: second ? first : null, name: second ?? first, arguments: args, directives, selectionSet,
    });
  }

  /** @param {boolean} isConst */
  parseArguments(isConst) { return this.peek("(") ? this.items("(", ")", () => this.parseArgument(isConst, "Argument")) : []; }

  /** @param {boolean} isConst @param {string} kind @returns {Node} */
  parseArgument(isConst, kind) {
    const start = this.token.start;
    const name = this.parseName();
    this.expect(":");
    return this.node(kind, start, { name, value: this.parseValue(isConst) });
  }

  /**
   * FragmentDefinition : Description? `fragment` FragmentName TypeCondition Directives? SelectionSet
   * @param {number} start
   * @param {Node | null} description
   */
  parseFragmentDefinition(start, description) {
    this.advance();
    if (this.isWord("on")) this.unexpected();
    const name = this.parseName();
    if (this.isWord("on")) this.advance(); else this.expected('"on"');
    const typeCondition = this.parseNamedType();
    const directives = this.parseDirectives(false), headEnd = this.end;
    const selectionSet = this.parseSelectionSet();
    return this.node("FragmentDefinition", start, { description, name, typeCondition, directives, selectionSet, headEnd });
  }

  /**
   * Up to the next definition at the same level.
   * @param {number} start
   * @returns {Node}
   */
  skipTypeSystem(start) {
    const isExtension = this.isWord("extend");
    if (isExtension) this.advance();
    const keyword = this.token.value;
    this.advance();
    if (keyword === "directive") this.skip("@");
    const name = keyword !== "schema" && this.peek("Name") ? this.parseName() : null;
    let depth = 0, before = "";
    while (!this.peek("<EOF>")) {
      const { kind, value } = this.token;
      if ("({[".includes(kind)) depth += 1;
      if (")}]".includes(kind)) depth -= 1;
      const isNext = depth <= 0 && this.end > start && kind === "Name" && before !== "@"
        && (typeSystemKeywords.has(value) || operationTypes.has(value) || value === "fragment");
      if (isNext) break;
      before = kind;
      this.advance();
    }
    return this.node("TypeSystemDefinition", start, { keyword, name, isExtension });
  }

  /** @param {boolean} isConst @returns {Node[]} */
  parseDirectives(isConst) {
    const directives = [];
    while (this.peek("@")) {
      const start = this.token.start;
      this.advance();
      const name = this.parseName();
      directives.push(this.node("Directive", start, { name, arguments: this.parseArguments(isConst) }));
    }
    return directives;
  }

  /**
   * A name; an empty one where none stands.
   * @returns {NameNode}
   */
  parseName() {
    if (!this.peek("Name")) {
      this.expected("Name");
      return { kind: "Name", start: this.end, end: this.end, value: "" };
    }
    const { start, end, value } = this.token;
    this.advance();
    return { kind: "Name", start, end, value };
  }

  /** @param {boolean} isConst @returns {Node} */
  parseValue(isConst) {
    const { kind, start, value } = this.token;
    switch (kind) {
      case "$": {
        this.advance();
        if (isConst) {
          if (this.peek("Name")) this.fail(`Unexpected variable "$${this.token.value}" in constant value.`, { start, end: this.token.end });
          else this.fail('Unexpected "$".', { start, end: start + 1 });
        }
        const name = this.parseName();
        return this.node("Variable", start, { name });
      }
      case "Int": case "Float":
        this.advance();
        return this.node(`${kind}Value`, start, { value });
      case "String": case "BlockString":
        this.advance();
        return this.node("StringValue", start, { value, block: kind === "BlockString" });
      case "Name":
        this.advance();
        if (value === "true" || value === "false") return this.node("BooleanValue", start, { value: value === "true" });
        return value === "null" ? this.node("NullValue", start, {}) : this.node("EnumValue", start, { value });
      case "[": {
        const values = this.nested(() => this.items("[", "]", () => this.parseValue(isConst), true));
        return this.node("ListValue", start, { values });
      }
      case "{": {
        const fields = this.nested(() => this.items("{", "}", () => this.parseArgument(isConst, "ObjectField"), true));
        return this.node("ObjectValue", start, { fields });
      }
      default:
        this.unexpected();
        return { kind: "NullValue", start: this.end, end: this.end, isMissing: true };
    }
  }

  /** @returns {Node} */
  parseType() {
    const start = this.token.start;
    /** @type {Node} */
    let type;
    if (this.peek("[")) {
      this.advance();
      const inner = this.nested(() => this.parseType());
      this.expect("]");
      type = this.node("ListType", start, { type: inner });
    } else {
      type = this.parseNamedType();
    }
    return this.skip("!") ? this.node("NonNullType", start, { type }) : type;
  }

  /** @returns {Node} */
  parseNamedType() {
    const start = this.token.start;
    const name = this.parseName();
    return this.node("NamedType", start, { name });
  }
}
