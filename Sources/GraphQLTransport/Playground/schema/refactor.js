// @ts-check
/** @typedef {import("../types").Node} Node */
/** @typedef {import("./schema.js").Schema} Schema */
import { namedType, typeText } from "./schema.js";
import { parse } from "../language/parser.js";
import { format } from "../language/printer.js";

/** @typedef {{ start: number, end: number, text: string }} Edit */

/** @param {string} text @param {Edit[]} edits */
function edited(text, edits) {
  return [...edits].sort((first, second) => second.start - first.start).reduce((result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end), text);
}

/** @param {string} wanted @param {Set<string>} taken */
function freeName(wanted, taken) {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`;
  taken.add(name);
  return name;
}

/** @param {Node} value @returns {any} undefined where the value has a variable in it */
function jsonOf(value) {
  switch (value.kind) {
    case "Variable": return undefined;
    case "NullValue": return null;
    case "IntValue": case "FloatValue": return Number(value.value);
    case "ListValue": {
      const items = value.values.map(jsonOf);
      return items.includes(undefined) ? undefined : items;
    }
    case "ObjectValue": {
      const fields = value.fields.map((/** @type {Node} */ field) => [field.name.value, jsonOf(field.value)]);
      return fields.some((/** @type {[string, any]} */ [, item]) => item === undefined) ? undefined : Object.fromEntries(fields);
    }
    default: return value.value;
  }
}

/** @param {string} text @returns {Node[] | null} the definitions of a text without syntax errors */
function definitionsOf(text) {
  const { document, error } = parse(text);
  return error ? null : document.definitions;
}

/**
 * Makes variables of the values that the arguments of the operation at an offset have. Null where there is none, or a syntax
 * error.
 * @param {Schema} schema @param {string} text @param {number} offset
 * @returns {{ text: string, variables: Record<string, unknown> } | null}
 */
export function extractVariables(schema, text, offset) {
  const operations = (definitionsOf(text) ?? []).filter(({ kind }) => kind === "OperationDefinition");
  const operation = operations.filter(({ start }) => start <= offset).at(-1) ?? operations[0];
  if (!operation) return null;
  const taken = new Set(operation.variableDefinitions.map((/** @type {Node} */ { variable }) => variable.name.value));
  /** @type {Edit[]} */
  const edits = [];
  /** @type {string[]} */
  const defined = [];
  /** @type {Record<string, unknown>} */
  const variables = {};
  /** @param {Node} set @param {string} typeName */
  const visit = (set, typeName) => {
    for (const selection of set.selections) {
      const field = selection.kind === "Field" ? schema.field(typeName, selection.name.value) : null;
      for (const { name, value } of field ? selection.arguments : []) {
        const type = field?.args.find((argument) => argument.name === name.value)?.type, json = jsonOf(value);
        if (!type || json === undefined) continue;
        const variable = freeName(name.value, taken);
        variables[variable] = json;
        defined.push(`$${variable}: ${typeText(type)}`);
        edits.push({ start: value.start, end: value.end, text: `$${variable}` });
      }
      if (selection.selectionSet) visit(selection.selectionSet, selection.kind === "Field" ? namedType(field?.type) : selection.typeCondition?.name?.value ?? selection.typeCondition?.value ?? typeName);
    }
  };
  visit(operation.selectionSet, schema.roots[/** @type {"query"} */ (operation.operation)] ?? "");
  if (!defined.length) return null;
  const last = operation.variableDefinitions.at(-1), isShort = text[operation.start] === "{";
  const at = last?.end ?? operation.name?.end ?? operation.start + (isShort ? 0 : operation.operation.length);
  edits.push({ start: at, end: at, text: last ? `, ${defined.join(", ")}` : `${isShort ? "query " : ""}(${defined.join(", ")})${isShort ? " " : ""}` });
  return { text: edited(text, edits), variables };
}

/** @param {Node[]} definitions */
const fragmentsIn = (definitions) => definitions.filter(({ kind }) => kind === "FragmentDefinition");

/**
 * Every selection set below a definition, outer ones first, with the type that it selects from.
 * @param {Schema} schema @param {Node} definition @returns {{ set: Node, typeName: string }[]}
 */
function setsOf(schema, definition) {
  /** @type {{ set: Node, typeName: string }[]} */
  const found = [];
  /** @param {Node} set @param {string} typeName */
  const visit = (set, typeName) => {
    found.push({ set, typeName });
    for (const selection of set.selections) {
      if (!selection.selectionSet) continue;
      visit(selection.selectionSet, selection.kind === "Field" ? namedType(schema.field(typeName, selection.name.value)?.type) : conditionOf(selection) ?? typeName);
    }
  };
  visit(definition.selectionSet, definition.kind === "FragmentDefinition" ? conditionOf(definition) ?? "" : schema.roots[/** @type {"query"} */ (definition.operation)] ?? "");
  return found;
}

/** @param {Node} node @returns {string | null} */
const conditionOf = ({ typeCondition }) => typeCondition?.name?.value ?? typeCondition?.value ?? null;

/**
 * Makes a fragment of the innermost selection set around an offset. Null where there is none, its type is unknown, or the
 * text has a syntax error.
 * @param {Schema} schema @param {string} text @param {number} offset @returns {string | null}
 */
export function extractFragment(schema, text, offset) {
  const definitions = definitionsOf(text) ?? [];
  const definition = definitions.find(({ selectionSet, start, end }) => selectionSet && start <= offset && offset <= end);
  const around = definition ? setsOf(schema, definition).filter(({ set }) => set.start < offset && offset <= set.end).at(-1) : null;
  if (!around || !schema.type(around.typeName)) return null;
  const { set, typeName } = around, name = freeName(`${typeName}Fields`, new Set(fragmentsIn(definitions).map((fragment) => fragment.name.value)));
  return format(`${edited(text, [{ start: set.start, end: set.end, text: `{ ...${name} }` }])}\n\nfragment ${name} on ${typeName} ${text.slice(set.start, set.end)}\n`);
}

/**
 * Puts the fields of the fragment whose spread is at an offset in its place, and takes the fragment away with its last use.
 * Null where there is none, or a syntax error.
 * @param {Schema} schema @param {string} text @param {number} offset @returns {string | null}
 */
export function inlineFragment(schema, text, offset) {
  const definitions = definitionsOf(text) ?? [];
  const spreads = definitions.filter(({ selectionSet }) => selectionSet).flatMap((definition) => setsOf(schema, definition))
    .flatMap(({ set, typeName }) => set.selections.filter((/** @type {Node} */ { kind }) => kind === "FragmentSpread").map((/** @type {Node} */ node) => ({ node, typeName })));
  const spread = spreads.find(({ node }) => node.start <= offset && offset <= node.end);
  const fragment = spread && fragmentsIn(definitions).find(({ name }) => name.value === spread.node.name.value);
  // A fragment within itself has no end.
  if (!spread || !fragment || (spread.node.start > fragment.start && spread.node.end <= fragment.end)) return null;
  const { node, typeName } = spread, condition = conditionOf(fragment);
  const body = text.slice(fragment.selectionSet.start, fragment.selectionSet.end);
  const directives = text.slice(node.name.end, node.end);
  const edits = [{ start: node.start, end: node.end, text: typeName === condition && !directives.trim() ? body.slice(1, -1) : `... on ${condition}${directives} ${body}` }];
  if (spreads.filter((other) => other.node.name.value === fragment.name.value).length === 1) edits.push({ start: fragment.start, end: fragment.end, text: "" });
  return format(edited(text, edits));
}
