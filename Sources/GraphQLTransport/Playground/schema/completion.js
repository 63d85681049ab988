// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("./place.js").Frame} Frame */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("../types").Completion} Completion */
/** @typedef {import("../types").CompletionItem} CompletionItem */
/** @typedef {import("../types").InputDefinition} InputDefinition */
/** @typedef {import("../types").FieldDefinition} FieldDefinition */
/** @typedef {import("../types").TypeDefinition} TypeDefinition */
/** @typedef {import("../types").TypeRef} TypeRef */
import { operationsOf } from "../language/operations.js";
import { tokenize } from "../language/tokens.js";
import { PlaceReader, definitionBefore } from "./place.js";
import { isRequired, isVariableAllowed, namedType, typeFromText, typeText } from "./schema.js";

/**
 * The completions at the offset of a GraphQL document; null inside comments and strings.
 * @param {Schema | null} schema
 * @param {string} text
 * @param {number} offset
 * @returns {Completion | null}
 */
export function complete(schema, text, offset) {
  const word = /[$@]?[_A-Za-z]?\w*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0] ?? "";
  const from = offset - word.length, start = definitionBefore(text, from);
  const { before, place } = readBefore(schema, text.slice(start, from));
  const last = before[before.length - 2];
  const isComment = last?.kind === "Comment" && !text.slice(start + last.end, from).includes("\n");
  if (isComment || (last?.kind === "Invalid" && last.error?.message.includes("Unterminated") && start + last.end === from)) return null;
  const to = offset + (/^\w*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0);
  if (!schema) return { from, to, items: [] };
  const completer = new Completer(schema, text, start, to, before, place);
  return { from, to, items: completer.items(word) };
}

/** @type {{ schema: Schema | null, text: string, before: import("../language/tokens.js").Token[], reader: PlaceReader } | null} */
let lastRead = null;

/**
 * The tokens of the beginning of a definition, and the place at its end. What was read the last time is not read again where
 * the text went on from there, as it does while one types.
 * @param {Schema | null} schema
 * @param {string} text
 */
function readBefore(schema, text) {
  const known = lastRead;
  // A token at the very end may become a longer one.
  const isWhole = known !== null && /(?:^|[\s,{}()[\]:$@!=|&])$/.test(known.text) && !/^(?:Comment|Invalid)$/.test(known.before.at(-2)?.kind ?? "");
  const goesOn = known !== null && known.schema === schema && text.startsWith(known.text) && (isWhole || text === known.text);
  const read = goesOn ? known : { schema, text: "", before: tokenize(""), reader: new PlaceReader(schema) };
  const at = read.text.length;
  if (text.length > at) {
    read.before.pop();
    for (const token of tokenize(text.slice(at))) {
      read.before.push({ ...token, start: token.start + at, end: token.end + at });
      read.reader.read(token);
    }
    read.text = text;
  }
  lastRead = read;
  return { before: read.before, place: read.reader.place };
}

class Completer {
  /**
   * @param {Schema} schema
   * @param {string} text
   * @param {number} start
   * @param {number} to
   * @param {import("../language/tokens.js").Token[]} before
   * @param {Place} place
   */
  constructor(schema, text, start, to, before, place) {
    this.schema = schema;
    this.text = text;
    this.start = start;
    this.to = to;
    this.before = before;
    this.place = place;
    this.rest = text.slice(to, to + 4000);
  }

  /** @param {string} word @returns {CompletionItem[]} */
  items(word) {
    const { place, schema } = this, frame = place.stack[place.stack.length - 1];
    if (word.startsWith("@") || place.after === "directive") return this.directives(word.startsWith("@") ? "@" : "");
    switch (frame.kind) {
      case "document": return this.inDocument();
      case "selection":
        if (place.after === "on") return this.conditions(frame.typeName ?? "", "");
        if (place.after === "spread") return [...this.fragments(frame.typeName ?? ""), ...this.conditions(frame.typeName ?? "", "on ")];
        return this.fields(frame.typeName ?? "");
      case "variables": {
        if (frame.awaits !== "type") return [];
        return schema.types.filter(({ kind, name }) => ["SCALAR", "ENUM", "INPUT_OBJECT"].includes(kind) && !name.startsWith("__")).map((type) => this.type(type, ""));
      }
      case "inputs":
        if (frame.awaits === "name" && !word.startsWith("$") && place.after !== "variable") return this.inputs(frame);
        if (frame.awaits === "colon") return [];
        return this.values(frame.type ?? null, word, frame.input ?? null);
      default: return this.values(frame.type ?? null, word, null);
    }
  }

  /** @returns {CompletionItem[]} */
  inDocument() {
    const { place, schema } = this;
    if (place.after === "on") {
      return schema.types.filter(({ name }) => schema.isComposite(name) && !name.startsWith("__")).map((type) => this.type(type, ""));
    }
    if (place.after === "fragmentName") return [{ label: "on", kind: "keyword", insert: "on |" }];
    if (place.operation) return [];
    const kinds = /** @type {const} */ (["query", "mutation", "subscription"]);
    return [
      ...kinds.filter((kind) => schema.roots[kind]).map((kind) => /** @type {CompletionItem} */ ({ label: kind, kind: "keyword", detail: schema.roots[kind] ?? "", insert: `${kind} {\n  |\n}` })),
      { label: "fragment", kind: "keyword", insert: "fragment | on" },
    ];
  }

  /** @param {string} typeName @returns {CompletionItem[]} */
  fields(typeName) {
    const { schema } = this, type = schema.type(typeName);
    if (!type || !schema.isComposite(typeName)) return [];
    const names = (type.fields ?? []).map((field) => field.name);
    names.push("__typename");
    if (typeName === schema.roots.query) names.push("__schema", "__type");
    const isFollowed = /^\s*[({:]/.test(this.rest);
    return names.map((name) => this.field(typeName, /** @type {FieldDefinition} */ (schema.field(typeName, name)), isFollowed));
  }

  /**
   * @param {string} typeName
   * @param {FieldDefinition} field
   * @param {boolean} isFollowed whether arguments or a selection come already
   * @returns {CompletionItem}
   */
  field(typeName, field, isFollowed) {
    const { schema } = this, needed = field.args.filter(isRequired);
    const isComposite = schema.isComposite(namedType(field.type));
    let insert = field.name;
    if (!isFollowed && needed.length) {
      insert += `(${needed.map((argument, index) => `${argument.name}: ${index === 0 ? "|" : ""}`).join(", ")})${isComposite ? " {\n  \n}" : ""}`;
    } else if (!isFollowed && isComposite) {
      insert += " {\n  |\n}";
    }
    return {
      label: field.name, kind: "field", detail: typeText(field.type), description: field.description,
      deprecation: field.isDeprecated ? field.deprecationReason ?? "" : null, insert,
      link: { type: typeName, member: field.name },
    };
  }

  /** @param {Frame} frame @returns {CompletionItem[]} */
  inputs(frame) {
    const used = new Set([...frame.used ?? [], ...this.usedBehind()]);
    const left = (frame.inputs ?? []).filter((input) => !used.has(input.name));
    const ordered = [...left.filter(isRequired), ...left.filter((input) => !isRequired(input))];
    const isFollowed = /^\s*:/.test(this.rest);
    const kind = frame.owner?.member || frame.owner?.directive ? "argument" : "input";
    return ordered.map((input) => ({
      label: input.name, kind, detail: typeText(input.type) + (input.defaultValue === null ? "" : ` = ${input.defaultValue}`),
      description: input.description, deprecation: input.isDeprecated ? input.deprecationReason ?? "" : null,
      insert: isFollowed ? input.name : `${input.name}: |`,
    }));
  }

  /** The names that come behind the caret in the same parentheses or braces. */
  usedBehind() {
    const names = [], tokens = tokenize(this.rest);
    let depth = 0;
    for (let index = 0; index < tokens.length && depth >= 0; index += 1) {
      const { kind, value } = tokens[index];
      if ("([{".includes(kind)) depth += 1;
      else if (")]}".includes(kind)) depth -= 1;
      else if (depth === 0 && kind === "Name" && tokens[index + 1].kind === ":") names.push(value);
    }
    return names;
  }

  /**
   * @param {TypeRef | null} type
   * @param {string} word
   * @param {InputDefinition | null} input
   * @returns {CompletionItem[]}
   */
  values(type, word, input) {
    const { schema } = this, hasDollar = !word.startsWith("$") && this.place.after === "variable";
    const variables = this.variables(type, input, hasDollar ? "" : "$");
    if (word.startsWith("$") || hasDollar || !type) return variables;
    const nullable = type.kind === "NON_NULL" ? /** @type {TypeRef} */ (type.ofType) : type;
    const definition = schema.type(namedType(type));
    /** @type {CompletionItem[]} */
    const items = [];
    if (nullable.kind === "LIST") items.push({ label: "[ ]", kind: "value", detail: typeText(type), insert: "[|]" });
    if (definition?.kind === "ENUM") {
      items.push(...(definition.enumValues ?? []).map((value) => /** @type {CompletionItem} */ ({
        label: value.name, kind: "value", detail: definition.name, description: value.description,
        deprecation: value.isDeprecated ? value.deprecationReason ?? "" : null,
      })));
    } else if (definition?.kind === "INPUT_OBJECT") {
      items.push({ label: "{ }", kind: "value", detail: definition.name, description: definition.description, insert: "{ | }" });
    } else if (definition?.name === "Boolean") {
      items.push({ label: "true", kind: "value", detail: "Boolean" }, { label: "false", kind: "value", detail: "Boolean" });
    } else if (definition?.name === "String" || definition?.name === "ID") {
      items.push({ label: '" "', kind: "value", detail: definition.name, insert: '"|"' });
    }
    if (type.kind !== "NON_NULL") items.push({ label: "null", kind: "value", detail: typeText(type) });
    const fitting = variables.filter((item) => item.description === "");
    return [...fitting, ...items, ...variables.filter((item) => item.description !== "")];
  }

  /**
   * The variables of the operation, those whose types fit first.
   * @param {TypeRef | null} type
   * @param {InputDefinition | null} input
   * @param {string} sign
   * @returns {CompletionItem[]}
   */
  variables(type, input, sign) {
    if (this.place.stack.some((frame) => frame.kind === "variables")) return [];
    const items = this.definedVariables().map((variable) => {
      const hasDefault = variable.hasDefault || (input?.defaultValue ?? null) !== null;
      const fits = !type || isVariableAllowed(typeFromText(variable.type), hasDefault, type);
      return /** @type {CompletionItem} */ ({
        label: `${sign}${variable.name}`, kind: "variable", detail: variable.type, description: fits ? "" : `Expected ${type ? typeText(type) : ""}.`,
      });
    });
    return [...items.filter((item) => item.description === ""), ...items.filter((item) => item.description !== "")];
  }

  definedVariables() {
    if (this.place.operation === "fragment") {
      const all = operationsOf(this.text).flatMap((operation) => operation.variables);
      return [...new Map(all.map((variable) => [variable.name, variable])).values()];
    }
    const end = this.before.findIndex((token) => token.kind === "{");
    const head = this.text.slice(this.start, this.start + (end < 0 ? 0 : this.before[end].end));
    return operationsOf(head)[0]?.variables ?? [];
  }

  /**
   * Types that objects of the selection's type can have.
   * @param {string} typeName
   * @param {string} prefix
   * @returns {CompletionItem[]}
   */
  conditions(typeName, prefix) {
    const { schema } = this, isFollowed = /^\s*[{@]/.test(this.rest);
    return schema.types.filter(({ name }) => schema.isComposite(name) && !name.startsWith("__") && schema.overlap(typeName, name))
      .map((type) => ({ ...this.type(type, prefix), insert: `${prefix}${type.name}${isFollowed ? "" : " {\n  |\n}"}` }));
  }

  /** @param {TypeDefinition} type @param {string} prefix @returns {CompletionItem} */
  type(type, prefix) {
    return {
      label: prefix + type.name, kind: "type", detail: type.kind.toLowerCase().replace("_", " "), description: type.description,
      link: { type: type.name },
    };
  }

  /** @param {string} typeName @returns {CompletionItem[]} */
  fragments(typeName) {
    const found = [...this.text.matchAll(/(?<![^\s}])fragment\s+(\w+)\s+on\s+(\w+)/g)];
    return found.filter((match) => (match.index ?? 0) !== this.start && this.schema.overlap(typeName, match[2]))
      .map((match) => ({ label: match[1], kind: "fragment", detail: `on ${match[2]}` }));
  }

  /** @param {string} sign @returns {CompletionItem[]} */
  directives(sign) {
    return this.schema.directives.filter(({ locations }) => locations.includes(this.place.location)).map((directive) => ({
      label: sign + directive.name, kind: "directive", description: directive.description,
      detail: directive.args.map((argument) => `${argument.name}:`).join(" "),
      insert: sign + directive.name + (directive.args.some(isRequired) ? `(${directive.args.filter(isRequired).map((argument, index) => `${argument.name}: ${index ? "" : "|"}`).join(", ")})` : ""),
      link: { directive: directive.name },
    }));
  }
}
