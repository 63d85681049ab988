// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").Hover} Hover */
/** @typedef {import("../types").SchemaLink} SchemaLink */
/** @typedef {import("../types").FieldDefinition} FieldDefinition */
/** @typedef {import("../types").InputDefinition} InputDefinition */
import { operationsOf } from "../language/operations.js";
import { tokenize } from "../language/tokens.js";
import { PlaceReader, definitionBefore } from "./place.js";
import { namedType, typeText } from "./schema.js";

/**
 * The documentation of what stands at the offset.
 * @param {Schema | null} schema
 * @param {string} text
 * @param {number} offset
 * @returns {Hover | null}
 */
export function hoverAt(schema, text, offset) {
  if (!schema) return null;
  const start = definitionBefore(text, Math.min(offset + 1, text.length));
  const rest = /^\w*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0;
  const tokens = tokenize(text.slice(start, offset + rest));
  const at = offset - start;
  const index = tokens.findIndex((token) => token.kind === "Name" && token.start <= at && token.end >= at);
  if (index < 0) return null;
  const reader = new PlaceReader(schema);
  for (const token of tokens.slice(0, index)) reader.read(token);
  const { place } = reader, name = tokens[index].value, frame = place.stack[place.stack.length - 1];
  const span = { start: start + tokens[index].start, end: start + tokens[index].end };
  const before = tokens[index - 1]?.kind;
  if (place.after === "directive") return directiveHover(schema, name, span);
  if (before === "$") return variableHover(text, name, span);
  const isType = place.after === "on" || (frame.kind === "variables" && frame.awaits === "type");
  if (isType) return typeHover(schema, name, span);
  if (frame.kind === "selection" && place.after !== "spread") return fieldHover(schema, frame.typeName ?? "", name, span);
  if (frame.kind === "inputs" && frame.awaits === "name") {
    const input = frame.inputs?.find((candidate) => candidate.name === name);
    return input ? inputHover(input, frame.owner ?? null, span) : null;
  }
  if (frame.kind === "inputs" || frame.kind === "list") return valueHover(schema, namedType(frame.type), name, span);
  return null;
}

/** @typedef {{ start: number, end: number }} Span */

/**
 * @param {Schema} schema
 * @param {string} typeName
 * @param {string} name
 * @param {Span} span
 * @returns {Hover | null}
 */
function fieldHover(schema, typeName, name, span) {
  const field = schema.field(typeName, name);
  if (!field) return null;
  const link = name.startsWith("__") ? { type: namedType(field.type) } : { type: typeName, member: name };
  return { ...span, signature: `${typeName}.${signatureOf(field)}`, description: field.description, deprecation: deprecationOf(field), link };
}

/** @param {FieldDefinition} field */
export function signatureOf(field) {
  const args = field.args.map(inputText);
  const oneLine = args.join(", ");
  const list = args.length === 0 ? "" : oneLine.length < 60 ? `(${oneLine})` : `(\n  ${args.join("\n  ")}\n)`;
  return `${field.name}${list}: ${typeText(field.type)}`;
}

/** @param {InputDefinition} input */
function inputText(input) { return `${input.name}: ${typeText(input.type)}${input.defaultValue === null ? "" : ` = ${input.defaultValue}`}`; }

/** @param {{ isDeprecated: boolean, deprecationReason: string | null }} definition */
function deprecationOf({ isDeprecated, deprecationReason }) { return isDeprecated ? deprecationReason ?? "" : null; }

/**
 * @param {InputDefinition} input
 * @param {{ type: string, member?: string, directive?: string } | null} owner
 * @param {Span} span
 * @returns {Hover}
 */
function inputHover(input, owner, span) {
  /** @type {SchemaLink} */
  let link = { type: namedType(input.type) }, of = "";
  if (owner?.directive) {
    link = { directive: owner.directive, argument: input.name };
    of = `@${owner.directive}`;
  } else if (owner?.member) {
    link = { type: owner.type, member: owner.member, argument: input.name };
    of = `${owner.type}.${owner.member}`;
  } else if (owner) {
    link = { type: owner.type, member: input.name };
    return { ...span, signature: `${owner.type}.${inputText(input)}`, description: input.description, deprecation: deprecationOf(input), link };
  }
  return { ...span, signature: `${of}(${inputText(input)})`, description: input.description, deprecation: deprecationOf(input), link };
}

/**
 * @param {Schema} schema
 * @param {string} name
 * @param {Span} span
 * @returns {Hover | null}
 */
function typeHover(schema, name, span) {
  const type = schema.type(name);
  if (!type) return null;
  const kind = type.kind.toLowerCase().replace("_", " ").replace("object", type.kind === "OBJECT" ? "type" : "object");
  return { ...span, signature: `${kind} ${name}`, description: type.description, deprecation: null, link: { type: name } };
}

/**
 * @param {Schema} schema
 * @param {string} typeName
 * @param {string} name
 * @param {Span} span
 * @returns {Hover | null}
 */
function valueHover(schema, typeName, name, span) {
  const value = schema.type(typeName)?.enumValues?.find((candidate) => candidate.name === name);
  if (!value) return null;
  return { ...span, signature: `${typeName}.${name}`, description: value.description, deprecation: deprecationOf(value), link: { type: typeName, member: name } };
}

/**
 * @param {Schema} schema
 * @param {string} name
 * @param {Span} span
 * @returns {Hover | null}
 */
function directiveHover(schema, name, span) {
  const directive = schema.directive(name);
  if (!directive) return null;
  const args = directive.args.map(inputText).join(", ");
  return { ...span, signature: `@${name}${args ? `(${args})` : ""}`, description: directive.description, deprecation: null, link: { directive: name } };
}

/**
 * @param {string} text
 * @param {string} name
 * @param {Span} span
 * @returns {Hover | null}
 */
function variableHover(text, name, span) {
  const variable = operationsOf(text).flatMap((operation) => operation.variables).find((candidate) => candidate.name === name);
  if (!variable) return null;
  return { ...span, signature: `$${name}: ${variable.type}`, description: null, deprecation: null, link: { type: variable.type.replace(/[[\]!]/g, "") } };
}
