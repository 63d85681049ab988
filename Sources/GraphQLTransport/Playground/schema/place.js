// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").InputDefinition} InputDefinition */
/** @typedef {import("../types").FieldDefinition} FieldDefinition */
/** @typedef {import("../types").DirectiveDefinition} DirectiveDefinition */
/** @typedef {import("../types").TypeRef} TypeRef */
/** @typedef {import("../language/tokens.js").Token} Token */
import { tokenize } from "../language/tokens.js";
import { namedType } from "./schema.js";

/**
 * Something that is open at a place of a document, with what the schema says of it.
 * - selection: `typeName` is the type of the fields
 * - variables: the variable definitions of an operation; `awaits` tells what comes next
 * - inputs: arguments or input fields; `owner` for documentation
 * - list: the items of a list value or type
 * @typedef {object} Frame
 * @property {"document" | "selection" | "variables" | "inputs" | "list"} kind
 * @property {string} [typeName]
 * @property {InputDefinition[]} [inputs]
 * @property {Set<string>} [used] names of inputs or fields already there
 * @property {InputDefinition | null} [input] the input whose value is open
 * @property {TypeRef | null} [type] the type of a list's items, or of the value awaited
 * @property {"name" | "colon" | "value" | "type" | "default" | "next"} awaits
 * @property {{ type: string, member?: string, directive?: string } | null} [owner]
 */

/**
 * A place in a document: what is open around it and what came just before.
 * @typedef {object} Place
 * @property {Frame[]} stack
 * @property {"none" | "operation" | "fragment" | "fragmentName" | "spread" | "on" | "variable" | "directive"} after
 * @property {FieldDefinition | null} field the field that came last in the innermost selection
 * @property {string} parentType the type of that field's parent
 * @property {string} location where a directive would be, as in DirectiveLocation
 * @property {string} operation the kind of the definition: query, mutation, subscription, fragment, or "" outside
 */

/** @param {Frame[]} stack */
const top = (stack) => stack[stack.length - 1];

/**
 * Reads a document from its start, or from the beginning of the definition, up to a place. Never fails.
 */
export class PlaceReader {
  /** @param {Schema | null} schema */
  constructor(schema) {
    this.schema = schema;
    /** @type {Frame[]} */
    this.stack = [{ kind: "document", awaits: "name" }];
    /** @type {Place["after"]} */
    this.after = "none";
    /** @type {FieldDefinition | null} */
    this.field = null;
    this.parentType = "";
    this.operation = "";
    this.rootType = schema?.roots.query ?? "";
    /** @type {string} the type that the next selection set selects from */
    this.nextType = "";
    this.location = "QUERY";
    /** @type {DirectiveDefinition | null} */
    this.directive = null;
    /** @type {InputDefinition[]} */
    this.nextInputs = [];
    /** @type {Frame["owner"]} */
    this.nextOwner = null;
  }

  /** @returns {Place} */
  get place() {
    return {
      stack: this.stack, after: this.after, field: this.field, parentType: this.parentType, location: this.location,
      operation: this.operation,
    };
  }

  /** @param {Token} token */
  read(token) {
    const frame = top(this.stack);
    if (token.kind === "Comment" || token.kind === "<EOF>") return;
    if (token.kind === "@") {
      this.after = "directive";
    } else if (this.after === "directive" && token.kind === "Name") {
      this.directive = this.schema?.directive(token.value) ?? null;
      this.nextInputs = this.directive?.args ?? [];
      this.nextOwner = { type: "", directive: token.value };
      this.after = "none";
    } else {
      this[frame.kind](token, frame);
    }
  }

  /**
   * @param {Token} token
   * @param {Frame} frame
   */
  document({ kind, value }, frame) {
    if (kind === "Name") {
      if (this.after === "on") {
        this.rootType = value;
        this.after = "none";
      } else if (value === "query" || value === "mutation" || value === "subscription") {
        if (this.after === "operation") this.after = "none";
        else this.startDefinition(value);
      } else if (value === "fragment" && this.after === "none") {
        this.startDefinition(value);
      } else if (this.after === "fragment") {
        this.after = "fragmentName";
      } else if (this.after === "fragmentName" && value === "on") {
        this.after = "on";
      } else {
        this.after = "none";
      }
    } else if (kind === "{") {
      if (!this.operation) this.startDefinition("query");
      this.push({ kind: "selection", typeName: this.rootType, used: new Set(), awaits: "name" });
    } else if (kind === "(") {
      const isDirective = this.nextOwner !== null;
      this.push(isDirective ? this.inputsFrame() : { kind: "variables", awaits: "name", type: null });
    }
    void frame;
  }

  /** @param {string} keyword */
  startDefinition(keyword) {
    this.operation = keyword;
    this.after = keyword === "fragment" ? "fragment" : "operation";
    this.location = keyword === "fragment" ? "FRAGMENT_DEFINITION" : keyword.toUpperCase();
    const root = keyword === "fragment" ? "" : this.schema?.roots[/** @type {"query"} */ (keyword)];
    this.rootType = root ?? "";
    this.nextOwner = null;
  }

  /** @param {Frame} frame */
  push(frame) {
    this.stack.push(frame);
    this.after = "none";
    this.nextOwner = null;
  }

  /** @returns {Frame} */
  inputsFrame() {
    return { kind: "inputs", inputs: this.nextInputs, used: new Set(), input: null, type: null, owner: this.nextOwner, awaits: "name" };
  }

  /**
   * @param {Token} token
   * @param {Frame} frame
   */
  selection({ kind, value }, frame) {
    if (kind === "...") {
      this.after = "spread";
      this.field = null;
      this.nextType = frame.typeName ?? "";
      this.location = "INLINE_FRAGMENT";
      this.nextInputs = [];
    } else if (kind === "Name") {
      if (this.after === "spread" && value === "on") {
        this.after = "on";
      } else if (this.after === "on") {
        this.nextType = value;
        this.after = "none";
      } else if (this.after === "spread") {
        this.location = "FRAGMENT_SPREAD";
        this.after = "none";
      } else {
        this.parentType = frame.typeName ?? "";
        this.field = this.schema?.field(this.parentType, value) ?? null;
        this.nextType = namedType(this.field?.type);
        this.nextInputs = this.field?.args ?? [];
        this.nextOwner = { type: this.parentType, member: value };
        this.location = "FIELD";
        frame.used?.add(value);
      }
    } else if (kind === ":") {
      this.field = null;
    } else if (kind === "(") {
      this.push(this.inputsFrame());
    } else if (kind === "{") {
      this.push({ kind: "selection", typeName: this.nextType, used: new Set(), awaits: "name" });
      this.field = null;
    } else if (kind === "}") {
      this.pop();
    }
  }

  pop() {
    if (this.stack.length > 1) this.stack.pop();
    this.after = "none";
    this.field = null;
    const frame = top(this.stack);
    if (frame.kind === "inputs") this.closeValue(frame);
    if (frame.kind === "document") {
      this.operation = "";
      this.rootType = this.schema?.roots.query ?? "";
    }
  }

  /**
   * @param {Token} token
   * @param {Frame} frame
   */
  variables({ kind }, frame) {
    if (kind === "$") frame.awaits = "name";
    else if (kind === ":") frame.awaits = "type";
    else if (kind === "=") frame.awaits = "default";
    else if (kind === ")") {
      this.stack.pop();
      this.after = "none";
    } else if (kind === "{") this.push({ kind: "inputs", inputs: [], used: new Set(), input: null, awaits: "name", owner: null });
    else if (kind === "[" && frame.awaits === "default") this.push({ kind: "list", type: null, awaits: "value" });
    else if (kind === "Name" && frame.awaits === "type") frame.awaits = "next";
    else if (kind === "Name") frame.awaits = "colon";
    this.location = "VARIABLE_DEFINITION";
  }

  /**
   * @param {Token} token
   * @param {Frame} frame
   */
  inputs({ kind, value }, frame) {
    if (kind === ")" || kind === "}") {
      const isArguments = kind === ")";
      const { field, nextType } = this;
      this.stack.pop();
      const below = top(this.stack);
      this.after = "none";
      if (isArguments) {
        this.nextOwner = null;
        this.field = field;
        this.nextType = nextType;
      } else if (below.kind === "inputs") this.closeValue(below);
    } else if (frame.awaits === "name" && kind === "Name") {
      frame.input = frame.inputs?.find((input) => input.name === value) ?? null;
      frame.type = frame.input?.type ?? null;
      frame.used?.add(value);
      frame.awaits = "colon";
    } else if (kind === ":") {
      frame.awaits = "value";
    } else if (kind === "$") {
      this.after = "variable";
    } else if (frame.awaits === "value" || this.after === "variable") {
      if (kind === "{") this.openObject(frame.type ?? null);
      else if (kind === "[") this.push({ kind: "list", type: itemType(frame.type ?? null), awaits: "value" });
      else this.closeValue(frame);
    } else if (frame.awaits === "colon" && kind === "Name") {
      frame.input = frame.inputs?.find((input) => input.name === value) ?? null;
      frame.type = frame.input?.type ?? null;
    }
  }

  /** @param {TypeRef | null} type */
  openObject(type) {
    const name = namedType(type);
    const inputs = this.schema?.type(name)?.inputFields ?? [];
    this.push({ kind: "inputs", inputs, used: new Set(), input: null, type: null, owner: { type: name }, awaits: "name" });
  }

  /** @param {Frame} frame */
  closeValue(frame) {
    frame.awaits = "name";
    frame.input = null;
    frame.type = null;
    this.after = "none";
  }

  /**
   * @param {Token} token
   * @param {Frame} frame
   */
  list({ kind }, frame) {
    if (kind === "]") {
      this.stack.pop();
      const below = top(this.stack);
      this.after = "none";
      if (below.kind === "inputs") this.closeValue(below);
    } else if (kind === "{") this.openObject(frame.type ?? null);
    else if (kind === "[") this.push({ kind: "list", type: itemType(frame.type ?? null), awaits: "value" });
    else if (kind === ")") this.stack.pop();
    else if (kind === "$") this.after = "variable";
    else this.after = "none";
  }
}

/**
 * The type of a list's items; the type itself where it is no list.
 * @param {TypeRef | null} type
 * @returns {TypeRef | null}
 */
export function itemType(type) {
  const nullable = type?.kind === "NON_NULL" ? type.ofType : type;
  return nullable?.kind === "LIST" ? nullable.ofType : nullable;
}

/**
 * Where the definition around an offset begins, as far as lines tell: a definition begins its line, and nothing inside
 * one does.
 * @param {string} text
 * @param {number} offset
 */
export function definitionBefore(text, offset) {
  for (let at = offset > 0 ? text.lastIndexOf("\n", offset - 1) : -1; at > 0; at = text.lastIndexOf("\n", at - 1)) {
    if (/^(?:(?:query|mutation|subscription|fragment)\b|\{)/.test(text.slice(at + 1, at + 15)) && !insideBlockString(text, at)) return at + 1;
  }
  return 0;
}

/**
 * @param {string} text
 * @param {number} offset
 */
function insideBlockString(text, offset) {
  const quotes = text.slice(0, offset).match(/(?<!\\)"""/g);
  return (quotes?.length ?? 0) % 2 === 1;
}

/**
 * The place at an offset, and the tokens before it in its definition.
 * @param {Schema | null} schema
 * @param {string} text
 * @param {number} offset
 */
export function placeAt(schema, text, offset) {
  const start = definitionBefore(text, offset);
  const reader = new PlaceReader(schema);
  for (const token of tokenize(text.slice(start, offset))) reader.read(token);
  return reader.place;
}
