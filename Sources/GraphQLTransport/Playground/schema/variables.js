// @ts-check
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("../types").Completion} Completion */
/** @typedef {import("../types").CompletionItem} CompletionItem */
/** @typedef {import("../types").JSONNode} JSONNode */
/** @typedef {import("../types").Mark} Mark */
/** @typedef {import("../types").OperationInfo} OperationInfo */
/** @typedef {import("../types").TypeRef} TypeRef */
/** @typedef {import("../types").InputDefinition} InputDefinition */
import { formatJSON, parseJSON } from "../language/json.js";
import { isRequired, namedType, typeFromText, typeText } from "./schema.js";

/** How deep a value to fill in goes into input objects. */
const maximumDepth = 3;

/**
 * The variables of an operation as the fields of an input object.
 * @param {OperationInfo | null} operation
 * @returns {InputDefinition[]}
 */
function inputsOf(operation) {
  return (operation?.variables ?? []).flatMap(({ name, type: text, hasDefault }) => {
    const type = typeFromText(text);
    const defaultValue = hasDefault ? "" : null;
    return type ? [{ name, type, description: null, defaultValue, isDeprecated: false, deprecationReason: null }] : [];
  });
}

/** @param {Schema | null} schema @param {TypeRef | null} type */
const fieldsOf = (schema, type) => schema?.type(namedType(type))?.inputFields ?? null;

/** @param {TypeRef | null} type */
const nullableOf = (type) => (type?.kind === "NON_NULL" ? type.ofType : type);

/**
 * The completions at the offset of the variables' JSON.
 * @param {Schema | null} schema
 * @param {OperationInfo | null} operation
 * @param {string} json
 * @param {number} offset
 * @returns {Completion | null}
 */
export function completeVariables(schema, operation, json, offset) {
  const quoted = /"(?:\\.|[^"\\\n])*$/.exec(lineBefore(json, offset));
  const isInString = quoted !== null && (lineBefore(json, offset).match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
  const word = isInString ? quoted[0] : /[\w.+-]*$/.exec(lineBefore(json, offset))?.[0] ?? "";
  const from = offset - word.length;
  const behind = isInString ? /^[\w.+-]*"?/ : /^[\w.+-]*/;
  const to = offset + (behind.exec(json.slice(offset))?.[0].length ?? 0);
  // Without the word at the caret the text tells what may stand there.
  const { root } = parseJSON(`${json.slice(0, from)}${json.slice(to)}`);
  if (!root) return { from, to, items: [{ label: "{ }", kind: "value", detail: "variables", insert: "{\n  |\n}" }] };
  const place = placeIn(schema, root, inputsOf(operation), null, from, json.slice(0, from));
  const isFollowed = /^\s*:/.test(json.slice(to));
  return { from, to, items: place ? itemsAt(schema, place, isFollowed) : [] };
}

/** @param {string} text @param {number} offset */
const lineBefore = (text, offset) => text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);

/**
 * @typedef {{ inputs: InputDefinition[], used: Set<string> } | { type: TypeRef }} JSONPlace
 */

/**
 * @param {Schema | null} schema
 * @param {JSONNode} node
 * @param {InputDefinition[] | null} inputs the fields of an object
 * @param {TypeRef | null} type the type of a value that is no object of variables
 * @param {number} offset
 * @param {string} before
 * @returns {JSONPlace | null}
 */
function placeIn(schema, node, inputs, type, offset, before) {
  if (node.kind === "object" && offset > node.start) {
    const fields = inputs ?? fieldsOf(schema, type) ?? [];
    const previous = before.trimEnd().at(-1);
    for (const { key, value } of node.members ?? []) {
      const field = fields.find(({ name }) => name === key.value);
      const isInside = offset > value.start && offset <= value.end && value.kind !== "missing";
      if (isInside && field) return placeIn(schema, value, null, field.type, offset, before);
      if (value.kind === "missing" && previous === ":" && before.trimEnd().length - 1 >= key.end && offset <= Math.max(value.end, offset) && isLastKey(node, key, offset)) {
        return field ? { type: field.type } : null;
      }
    }
    if (previous !== "{" && previous !== ",") return null;
    return { inputs: fields, used: new Set((node.members ?? []).map(({ key }) => String(key.value))) };
  }
  if (node.kind === "list" && offset > node.start) {
    const list = nullableOf(type);
    const item = list?.kind === "LIST" ? list.ofType : list;
    for (const value of node.items ?? []) {
      if (offset > value.start && offset <= value.end && value.kind !== "missing") return placeIn(schema, value, null, item ?? null, offset, before);
    }
    return item ? { type: item } : null;
  }
  return null;
}

/**
 * True where a key is the last one before the offset.
 * @param {JSONNode} node
 * @param {JSONNode} key
 * @param {number} offset
 */
function isLastKey(node, key, offset) {
  return (node.members ?? []).filter((member) => member.key.end <= offset).at(-1)?.key === key;
}

/**
 * @param {Schema | null} schema
 * @param {JSONPlace} place
 * @param {boolean} isFollowed
 * @returns {CompletionItem[]}
 */
function itemsAt(schema, place, isFollowed) {
  if ("inputs" in place) {
    const left = place.inputs.filter(({ name }) => !place.used.has(name));
    return [...left.filter(isRequired), ...left.filter((input) => !isRequired(input))].map((input) => ({
      label: `"${input.name}"`, kind: "input", detail: typeText(input.type), description: input.description,
      deprecation: input.isDeprecated ? input.deprecationReason ?? "" : null,
      insert: isFollowed ? `"${input.name}"` : `"${input.name}": ${opening(schema, input.type)}`,
    }));
  }
  const { type } = place, definition = schema?.type(namedType(type)), nullable = nullableOf(type);
  /** @type {CompletionItem[]} */
  const items = [];
  if (nullable?.kind === "LIST") items.push({ label: "[ ]", kind: "value", detail: typeText(type), insert: "[|]" });
  if (definition?.kind === "ENUM") {
    items.push(...(definition.enumValues ?? []).map((value) => /** @type {CompletionItem} */ ({
      label: `"${value.name}"`, kind: "value", detail: definition.name, description: value.description,
      deprecation: value.isDeprecated ? value.deprecationReason ?? "" : null,
    })));
  } else if (definition?.kind === "INPUT_OBJECT") {
    items.push({ label: "{ }", kind: "value", detail: definition.name, insert: "{\n  |\n}" });
  } else if (definition?.name === "Boolean") {
    items.push({ label: "true", kind: "value" }, { label: "false", kind: "value" });
  } else if (definition && !["Int", "Float"].includes(definition.name)) {
    items.push({ label: '" "', kind: "value", detail: definition.name, insert: '"|"' });
  }
  if (type.kind !== "NON_NULL") items.push({ label: "null", kind: "value" });
  return items;
}

/** @param {Schema | null} schema @param {TypeRef} type */
function opening(schema, type) {
  if (nullableOf(type)?.kind === "LIST") return "[|]";
  return schema?.type(namedType(type))?.kind === "INPUT_OBJECT" ? "{\n  |\n}" : "|";
}

/**
 * Errors of the JSON, unknown and missing variables, values of the wrong type.
 * @param {Schema | null} schema
 * @param {OperationInfo | null} operation
 * @param {string} json
 * @returns {Mark[]}
 */
export function validateVariables(schema, operation, json) {
  const { root, error } = parseJSON(json);
  if (error) return [{ ...error, severity: "error" }];
  if (!operation) return [];
  if (root && root.kind !== "object") return [{ start: root.start, end: root.end, message: "Variables are a JSON object.", severity: "error" }];
  const inputs = inputsOf(operation);
  /** @type {Mark[]} */
  const marks = [];
  const place = root ?? { start: 0, end: 0, kind: "object", members: [] };
  for (const input of inputs) {
    if (!isRequired(input) || place.members?.some(({ key }) => key.value === input.name)) continue;
    marks.push({ start: place.start, end: Math.min(place.start + 1, place.end), message: `Variable "$${input.name}" of required type "${typeText(input.type)}" was not provided.`, severity: "error" });
  }
  for (const { key, value } of place.members ?? []) {
    const input = inputs.find(({ name }) => name === key.value);
    if (input) checkValue(schema, input.type, value, marks);
    else marks.push({ start: key.start, end: key.end, message: `The operation has no variable "$${key.value}".`, severity: "warning" });
  }
  return marks;
}

/**
 * @param {Schema | null} schema
 * @param {TypeRef} type
 * @param {JSONNode} node
 * @param {Mark[]} marks
 */
function checkValue(schema, type, node, marks) {
  /** @param {string} message @param {JSONNode} [at] */
  const fail = (message, at = node) => marks.push({ start: at.start, end: at.end, message, severity: "error" });
  if (node.kind === "null") {
    if (type.kind === "NON_NULL") fail(`Expected non-nullable type "${typeText(type)}" not to be null.`);
    return;
  }
  const nullable = /** @type {TypeRef} */ (nullableOf(type));
  if (nullable.kind === "LIST") {
    const item = /** @type {TypeRef} */ (nullable.ofType);
    if (node.kind === "list") for (const value of node.items ?? []) checkValue(schema, item, value, marks);
    else checkValue(schema, item, node, marks);
    return;
  }
  const definition = schema?.type(nullable.name ?? "");
  if (!definition) return;
  if (definition.kind === "INPUT_OBJECT") {
    if (node.kind !== "object") return void fail(`Expected type "${definition.name}" to be an object.`);
    const fields = definition.inputFields ?? [], members = node.members ?? [];
    for (const field of fields.filter(isRequired)) {
      if (!members.some(({ key }) => key.value === field.name)) fail(`Field "${field.name}" of required type "${typeText(field.type)}" was not provided.`, { ...node, end: node.start + 1 });
    }
    for (const { key, value } of members) {
      const field = fields.find(({ name }) => name === key.value);
      if (field) checkValue(schema, field.type, value, marks);
      else fail(`Field "${key.value}" is not defined by type "${definition.name}".`, key);
    }
    if (definition.isOneOf && members.length !== 1) fail(`Exactly one key must be specified for OneOf type "${definition.name}".`, { ...node, end: node.start + 1 });
  } else if (definition.kind === "ENUM") {
    if (node.kind !== "string") fail(`Enum "${definition.name}" cannot represent non-string value.`);
    else if (!definition.enumValues?.some(({ name }) => name === node.value)) fail(`Value "${node.value}" does not exist in "${definition.name}" enum.`);
  } else if (!scalarFits(definition.name, node)) {
    fail(`Expected a value of type ${definition.name}.`);
  }
}

/**
 * Spec: 3.5, "Input Coercion"
 * @param {string} scalar
 * @param {JSONNode} node
 */
function scalarFits(scalar, { kind, value }) {
  switch (scalar) {
    case "Int": return kind === "number" && Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31;
    case "Float": return kind === "number";
    case "String": return kind === "string";
    case "Boolean": return kind === "boolean";
    case "ID": return kind === "string" || (kind === "number" && Number.isInteger(value));
    default: return true;
  }
}

/**
 * JSON with a value to fill in for each variable of the operation; values that the given JSON has stay.
 * @param {Schema | null} schema
 * @param {OperationInfo} operation
 * @param {string} json
 * @returns {string}
 */
export function fillVariables(schema, operation, json) {
  const { root, error } = parseJSON(json);
  if (error || (root && root.kind !== "object")) return json;
  const given = new Set((root?.members ?? []).map(({ key }) => key.value));
  const kept = (root?.members ?? []).map(({ key, value }) => json.slice(key.start, value.end));
  const added = inputsOf(operation).filter(({ name, defaultValue }) => !given.has(name) && defaultValue === null)
    .map(({ name, type }) => `${JSON.stringify(name)}: ${JSON.stringify(exampleOf(schema, type, 0))}`);
  return formatJSON(`{${[...kept, ...added].join(",")}}`) ?? json;
}

/** @param {Schema | null} schema @param {TypeRef} type @param {number} depth @returns {any} */
function exampleOf(schema, type, depth) {
  const nullable = /** @type {TypeRef} */ (nullableOf(type));
  if (nullable.kind === "LIST") return [];
  const definition = schema?.type(nullable.name ?? "");
  switch (definition?.kind) {
    case "ENUM": return definition.enumValues?.find(({ isDeprecated }) => !isDeprecated)?.name ?? "";
    case "INPUT_OBJECT": {
      if (depth >= maximumDepth) return {};
      const fields = definition.inputFields ?? [];
      const wanted = definition.isOneOf ? fields.slice(0, 1) : fields.filter(isRequired);
      return Object.fromEntries(wanted.map((field) => [field.name, exampleOf(schema, field.type, depth + 1)]));
    }
    default: return ({ Int: 0, Float: 0, Boolean: false })[definition?.name ?? ""] ?? "";
  }
}
