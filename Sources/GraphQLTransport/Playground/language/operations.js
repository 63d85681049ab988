// @ts-check
/** @typedef {import("../types").Node} Node */
/** @typedef {import("../types").OperationInfo} OperationInfo */
import { parse } from "./parser.js";
import { print } from "./printer.js";
import { tokenize } from "./tokens.js";

/**
 * The operations of a document, in order. Syntax errors elsewhere hide none.
 * @param {string} text
 * @returns {OperationInfo[]}
 */
export function operationsOf(text) { return operationsIn(parse(text).document); }

/**
 * @param {import("../types").DocumentNode} document
 * @returns {OperationInfo[]}
 */
export function operationsIn(document) {
  return document.definitions.filter(({ kind }) => kind === "OperationDefinition").map((node) => ({
    type: node.operation, name: node.name?.value ?? null, start: node.start, end: node.end,
    variables: node.variableDefinitions.map((/** @type {Node} */ definition) => ({
      name: definition.variable.name.value, type: print(definition.type), hasDefault: definition.defaultValue !== null,
    })),
  }));
}

/**
 * The operation around the offset, else the nearest before it, else the first.
 * @param {OperationInfo[]} operations
 * @param {number} offset
 * @returns {OperationInfo | null}
 */
export function operationAt(operations, offset) {
  return operations.filter((operation) => operation.start <= offset).at(-1) ?? operations[0] ?? null;
}

/**
 * One operation with the fragments that it needs, without comments and spare spaces.
 * @param {string} text
 * @param {OperationInfo} operation
 * @returns {string}
 */
export function documentFor(text, operation) {
  const { definitions } = parse(text).document;
  const wanted = definitions.find(({ kind, start }) => kind === "OperationDefinition" && start === operation.start);
  if (!wanted) return text;
  const fragments = new Map(definitions.filter(({ kind }) => kind === "FragmentDefinition").map((node) => [node.name.value, node]));
  const parts = [wanted], pending = [wanted.selectionSet];
  for (let set = pending.pop(); set; set = pending.pop()) {
    for (const selection of set.selections) {
      if (selection.selectionSet) pending.push(selection.selectionSet);
      const fragment = selection.kind === "FragmentSpread" ? fragments.get(selection.name.value) : null;
      if (fragment && !parts.includes(fragment)) {
        parts.push(fragment);
        pending.push(fragment.selectionSet);
      }
    }
  }
  return parts.map(({ start, end }) => minify(text.slice(start, end))).join(" ");
}

/**
 * The tokens of a text with the fewest spaces between them.
 * @param {string} text
 */
export function minify(text) {
  const isWord = /^(Name|Int|Float|String|BlockString|Invalid)$/;
  let result = "", before = "";
  for (const { kind, start, end } of tokenize(text)) {
    if (kind === "Comment" || kind === "<EOF>") continue;
    if (isWord.test(before) && (isWord.test(kind) || kind === "...")) result += " ";
    result += text.slice(start, end);
    before = kind;
  }
  return result;
}
