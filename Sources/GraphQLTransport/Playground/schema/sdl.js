// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").TypeDefinition} TypeDefinition */
/** @typedef {import("../types").FieldDefinition} FieldDefinition */
/** @typedef {import("../types").InputDefinition} InputDefinition */
/** @typedef {import("../types").DirectiveDefinition} DirectiveDefinition */
import { printBlockString, printString } from "../language/printer.js";
import { typeText } from "./schema.js";

const builtInScalars = new Set(["Int", "Float", "String", "Boolean", "ID"]);
const builtInDirectives = new Set(["skip", "include", "deprecated", "specifiedBy", "oneOf", "defer", "stream"]);
const defaultReason = "No longer supported";

/**
 * The schema in SDL, as introspection tells it: directives that are applied to definitions are not told, but for
 * `@deprecated`, `@specifiedBy` and `@oneOf`.
 * @param {Schema} schema
 * @returns {string}
 */
export function printSchema(schema) {
  const own = schema.types.filter(({ name }) => !name.startsWith("__") && !builtInScalars.has(name));
  const directives = schema.directives.filter(({ name }) => !builtInDirectives.has(name));
  return [...printRoots(schema), ...directives.map(printDirective), ...own.map((type) => printDefinition(type))].join("\n\n") + "\n";
}

/**
 * @param {Schema} schema
 * @param {string} name
 * @returns {string}
 */
export function printType(schema, name) {
  const type = schema.type(name);
  return type ? printDefinition(type) + "\n" : "";
}

/**
 * The schema definition, where it says more than the defaults.
 * @param {Schema} schema
 */
function printRoots({ roots, description, byName }) {
  const kinds = /** @type {const} */ (["query", "mutation", "subscription"]);
  /** @param {string} kind */
  const defaultName = (kind) => kind[0].toUpperCase() + kind.slice(1);
  const isDefault = kinds.every((kind) => (roots[kind] ?? defaultName(kind)) === defaultName(kind) && (roots[kind] !== null || !byName.has(defaultName(kind))));
  if (isDefault && description === null) return [];
  const lines = kinds.filter((kind) => roots[kind]).map((kind) => `  ${kind}: ${roots[kind]}`);
  return [`${describe(description, "")}schema {\n${lines.join("\n")}\n}`];
}

/**
 * @param {string | null} description
 * @param {string} indent
 */
function describe(description, indent) {
  if (description === null) return "";
  const lines = description.split("\n");
  const isBlank = (/** @type {string} */ line) => /^[ \t]*$/.test(line);
  const isPrintable = !/[\u0000-\u0008\u000b-\u001f]/.test(description);
  const keepsEnds = description === "" || (!isBlank(lines[0]) && !isBlank(lines[lines.length - 1]));
  const keepsIndent = lines.length === 1 || !lines.filter((line) => !isBlank(line)).every((line) => /^[ \t]/.test(line));
  const text = isPrintable && keepsEnds && keepsIndent ? printBlockString(description, indent) : printString(description);
  return `${text}\n${indent}`;
}

/** @param {{ isDeprecated: boolean, deprecationReason: string | null }} definition */
function deprecated({ isDeprecated, deprecationReason }) {
  if (!isDeprecated) return "";
  return deprecationReason && deprecationReason !== defaultReason ? ` @deprecated(reason: ${printString(deprecationReason)})` : " @deprecated";
}

/**
 * @param {InputDefinition} input
 * @param {string} indent
 */
function printInput(input, indent) {
  const defaultValue = input.defaultValue === null ? "" : ` = ${input.defaultValue}`;
  return `${describe(input.description, indent)}${input.name}: ${typeText(input.type)}${defaultValue}${deprecated(input)}`;
}

/**
 * @param {InputDefinition[]} args
 * @param {string} indent
 */
function printArguments(args, indent) {
  if (args.length === 0) return "";
  if (args.every((argument) => argument.description === null)) return `(${args.map((argument) => printInput(argument, "")).join(", ")})`;
  const inner = `${indent}  `;
  return `(\n${args.map((argument) => inner + printInput(argument, inner)).join("\n")}\n${indent})`;
}

/** @param {DirectiveDefinition} directive */
function printDirective({ name, description, args, isRepeatable, locations }) {
  return `${describe(description, "")}directive @${name}${printArguments(args, "")}${isRepeatable ? " repeatable" : ""} on ${locations.join(" | ")}`;
}

/** @param {FieldDefinition} field */
function printField(field) {
  return `  ${describe(field.description, "  ")}${field.name}${printArguments(field.args, "  ")}: ${typeText(field.type)}${deprecated(field)}`;
}

/** @param {string[]} lines */
const block = (lines) => (lines.length ? ` {\n${lines.join("\n")}\n}` : "");

/** @param {TypeDefinition} type */
function printDefinition(type) {
  const { name } = type, head = describe(type.description, "");
  const interfaces = type.interfaces?.length ? ` implements ${type.interfaces.map((other) => other.name).join(" & ")}` : "";
  switch (type.kind) {
    case "SCALAR": return `${head}scalar ${name}${type.specifiedByURL ? ` @specifiedBy(url: ${printString(type.specifiedByURL)})` : ""}`;
    case "OBJECT": return `${head}type ${name}${interfaces}${block((type.fields ?? []).map(printField))}`;
    case "INTERFACE": return `${head}interface ${name}${interfaces}${block((type.fields ?? []).map(printField))}`;
    case "UNION": return `${head}union ${name} = ${(type.possibleTypes ?? []).map((member) => member.name).join(" | ")}`;
    case "ENUM": {
      const values = (type.enumValues ?? []).map((value) => `  ${describe(value.description, "  ")}${value.name}${deprecated(value)}`);
      return `${head}enum ${name}${block(values)}`;
    }
    default: {
      const fields = (type.inputFields ?? []).map((field) => `  ${printInput(field, "  ")}`);
      return `${head}input ${name}${type.isOneOf ? " @oneOf" : ""}${block(fields)}`;
    }
  }
}
