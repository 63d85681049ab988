// @ts-check
import { format } from "../language/printer.js";
import { parse } from "../language/parser.js";
import { namedType, typeText } from "../schema/schema.js";

/** @typedef {import("../types").Node} Node */
/** @typedef {import("../schema/schema.js").Schema} Schema */

/**
 * The name of a field, or a fragment on a type: `...User`.
 * @typedef {string} Step
 */

/** @param {Node} selection @returns {Step | null} */
function stepOf(selection) {
  if (selection.kind === "Field") return selection.name.value;
  if (selection.kind === "InlineFragment" && selection.typeCondition) return `...${selection.typeCondition.name.value}`;
  return null;
}

/** @param {string} text @param {number} offset the place of the operation @returns {Node | null} */
export function operationNode(text, offset) {
  const operations = parse(text).document.definitions.filter((node) => node.kind === "OperationDefinition");
  return operations.filter((node) => node.start <= offset).at(-1) ?? operations[0] ?? null;
}

/**
 * The selection that a node has for a step, or null.
 * @param {Node} node @param {Step} step @returns {Node | null}
 */
export function selected(node, step) {
  return node.selectionSet?.selections.find((/** @type {Node} */ selection) => stepOf(selection) === step) ?? null;
}

/**
 * The place of a response's path in a query: by aliases and names, through fragments.
 * @param {string} text @param {number} offset @param {(string | number)[]} path @returns {number | null}
 */
export function placeOfPath(text, offset, path) {
  const definitions = parse(text).document.definitions;
  /** @type {Node | null} */
  let node = operationNode(text, offset);
  /** @type {(set: Node | undefined, key: string, depth: number) => Node | null} */
  const find = (set, key, depth) => {
    for (const selection of depth < 20 ? set?.selections ?? [] : []) {
      if (selection.kind === "Field" && (selection.alias ?? selection.name).value === key) return selection;
      const inner = selection.kind === "FragmentSpread"
        ? definitions.find((one) => one.kind === "FragmentDefinition" && one.name.value === selection.name.value)?.selectionSet : selection.kind === "InlineFragment" ? selection.selectionSet : undefined;
      const found = inner ? find(inner, key, depth + 1) : null;
      if (found) return found;
    }
    return null;
  };
  let place = null;
  for (const key of path) {
    if (typeof key === "number") continue;
    node = node ? find(node.selectionSet, key, 0) : null;
    if (!node) break;
    place = node.start;
  }
  return place;
}

/**
 * The document with one selection more or less; null where the text cannot be changed so.
 * @param {Schema} schema @param {string} text @param {number} offset
 * @param {import("../types").OperationType} type the kind of the operation, where the path begins
 * @param {Step[]} path @param {boolean} isSelected
 */
export function withSelection(schema, text, offset, type, path, isSelected) {
  let document = text;
  let operation = operationNode(text, offset);
  if (!operation || operation.operation !== type) {
    if (!isSelected) return null;
    const before = document.trim() ? `${document.trimEnd()}\n\n` : "";
    document = `${before}${type} {\n  __typename\n}\n`;
    operation = operationNode(document, before.length);
    if (!operation) return null;
    const changed = add(schema, document, operation, schema.roots[type] ?? "", path);
    return tidy(changed.slice(0, before.length) + changed.slice(before.length).replace(/\{\s*__typename(?=\s)/, "{"));
  }
  return tidy(isSelected ? add(schema, document, operation, schema.roots[type] ?? "", path) : remove(document, operation, path));
}

/** @param {string | null} text */
function tidy(text) {
  return text === null ? null : format(text) ?? text;
}

/** @param {Schema} schema @param {string} text @param {Node} operation @param {string} root @param {Step[]} path */
function add(schema, text, operation, root, path) {
  let node = operation, typeName = root;
  let at = 0;
  for (; at < path.length; at += 1) {
    const next = selected(node, path[at]);
    typeName = typeAfter(schema, typeName, path[at]);
    if (!next) break;
    node = next;
  }
  if (at === path.length) return text;
  /** @type {string[]} */
  const variables = [];
  const written = spelled(schema, at ? typeBefore(schema, root, path, at) : root, path.slice(at), variables);
  const set = node.selectionSet;
  let result = set ? `${text.slice(0, set.end - 1)} ${written} ${text.slice(set.end - 1)}` : `${text.slice(0, node.end)} { ${written} }${text.slice(node.end)}`;
  const declared = new Set((operation.variableDefinitions ?? []).map((/** @type {Node} */ definition) => definition.variable.name.value));
  const missing = variables.filter((variable) => !declared.has(/^\$(\w+)/.exec(variable)?.[1]));
  if (missing.length) {
    const last = operation.variableDefinitions?.at(-1);
    const isShort = text[operation.start] === "{";
    const place = last ? last.end : isShort ? operation.start : (operation.name?.end ?? operation.start + operation.operation.length);
    result = result.slice(0, place) + (last ? `, ${missing.join(", ")}` : `${isShort ? "query " : ""}(${missing.join(", ")})`) + result.slice(place);
  }
  return result;
}

/** @param {Schema} schema @param {string} root @param {Step[]} path @param {number} length */
function typeBefore(schema, root, path, length) {
  return path.slice(0, length).reduce((type, step) => typeAfter(schema, type, step), root);
}

/** @param {Schema} schema @param {string} typeName @param {Step} step */
export function typeAfter(schema, typeName, step) {
  return step.startsWith("...") ? step.slice(3) : namedType(schema.field(typeName, step)?.type);
}

/**
 * A path in a document's words, with what it needs: required arguments, and a first field of an object.
 * @param {Schema} schema @param {string} typeName @param {Step[]} path @param {string[]} variables @returns {string}
 */
function spelled(schema, typeName, path, variables) {
  const [step, ...rest] = path;
  if (step === undefined) return firstField(schema, typeName);
  const inner = typeAfter(schema, typeName, step);
  const selection = rest.length || schema.isComposite(inner) ? ` { ${spelled(schema, inner, rest, variables)} }` : "";
  if (step.startsWith("...")) return `... on ${inner}${selection}`;
  const needed = (schema.field(typeName, step)?.args ?? []).filter((argument) => argument.type.kind === "NON_NULL" && argument.defaultValue === null);
  for (const argument of needed) variables.push(`$${argument.name}: ${typeText(argument.type)}`);
  return `${step}${needed.length ? `(${needed.map(({ name }) => `${name}: $${name}`).join(", ")})` : ""}${selection}`;
}

/** @param {Schema} schema @param {string} typeName */
function firstField(schema, typeName) {
  const fields = schema.type(typeName)?.fields ?? [];
  const plain = fields.filter((field) => !schema.isComposite(namedType(field.type)) && !field.isDeprecated && field.args.every((argument) => argument.type.kind !== "NON_NULL"));
  return (plain.find((field) => field.name === "id") ?? plain[0])?.name ?? "__typename";
}

/** @param {string} text @param {Node} operation @param {Step[]} path @returns {string | null} */
function remove(text, operation, path) {
  /** @type {Node[]} */
  const way = [operation];
  for (const step of path) {
    const next = selected(way[way.length - 1], step);
    if (!next) return null;
    way.push(next);
  }
  // An object without a field is no selection: it goes with its last field.
  let last = way.length - 1;
  while (last > 1 && way[last - 1].selectionSet.selections.length === 1) last -= 1;
  if (last === 1 && operation.selectionSet.selections.length === 1) {
    return text.slice(0, way[1].start) + "__typename" + text.slice(way[1].end);
  }
  return text.slice(0, way[last].start) + text.slice(way[last].end);
}
