// @ts-check
/** @typedef {import("../schema.js").Schema} Schema */
/** @typedef {import("../../types").Node} Node */
/** @typedef {import("../../types").Mark} Mark */
import { parse } from "../../language/parser.js";
import { optionalRules, specifiedRules } from "./rules.js";
import { Traversal } from "./traversal.js";

/**
 * The errors of a document, in the server's order and words. Only the server knows the values that its own scalars
 * accept.
 * @param {Schema} schema
 * @param {Node} document
 * @param {((traversal: Traversal) => import("./traversal.js").Rule)[]} [rules]
 * @param {boolean} [suggests]
 * @returns {{ message: string, nodes: Node[] }[]}
 */
export function validate(schema, document, rules = Object.values(specifiedRules), suggests = true) {
  const traversal = new Traversal(schema, document, rules, suggests);
  traversal.run();
  return traversal.errors;
}

/**
 * The marks of a text: its first syntax error, or else the errors of its validation and what is deprecated. Without a
 * schema only the syntax is checked.
 * @param {Schema | null} schema
 * @param {string} text
 * @returns {Mark[]}
 */
export function marksOf(schema, text) {
  if (/^(?:[\s,\uFEFF]|#.*)*$/.test(text)) return [];
  const { document, error } = parse(text);
  return marksIn(schema, document, error);
}

/**
 * @param {Schema | null} schema
 * @param {Node} document
 * @param {import("../../types").SyntaxError | null} error
 * @returns {Mark[]}
 */
export function marksIn(schema, document, error) {
  if (error) return [{ start: error.start, end: error.end, message: error.message, severity: "error" }];
  if (!schema) return [];
  const errors = validate(schema, document), deprecations = validate(schema, document, Object.values(optionalRules));
  return [...errors.flatMap((found) => marks(found, document, "error")), ...deprecations.flatMap((found) => marks(found, document, "warning"))];
}

/**
 * The marks of an error; one that has no place is shown at the first definition.
 * @param {{ message: string, nodes: Node[] }} error
 * @param {Node} document
 * @param {"error" | "warning"} severity
 * @returns {Mark[]}
 */
function marks({ message, nodes }, document, severity) {
  if (nodes.length === 0) return document.definitions.slice(0, 1).map((/** @type {Node} */ node) => ({ ...spanOf(node), message, severity }));
  // The operation of a variable is no place to look at, unless the error is about it alone.
  const places = nodes.filter((node, index) => index === 0 || node.kind !== "OperationDefinition");
  return places.map((node) => ({ ...spanOf(node), message, severity }));
}

/**
 * The part of a node that is underlined: its name and what comes before it.
 * @param {Node} node
 */
function spanOf(node) {
  const { start, end } = node;
  switch (node.kind) {
    case "Field": case "FragmentSpread": case "Argument": case "ObjectField": case "Directive": case "FragmentDefinition":
      return { start, end: node.name.end };
    case "OperationDefinition": return { start, end: node.name?.end ?? Math.min(end, start + node.operation.length) };
    case "InlineFragment": return { start, end: node.typeCondition?.end ?? start + 3 };
    case "SelectionSet": return { start, end: start + 1 };
    case "TypeSystemDefinition": return { start, end: node.name?.end ?? start + node.keyword.length };
    default: return { start, end };
  }
}
