// @ts-check
/** @typedef {import("../schema.js").Schema} Schema */
/** @typedef {import("../../types").Node} Node */
/** @typedef {import("../../types").TypeRef} TypeRef */
/** @typedef {{ node: Node, parentType: string | null }} Member a field, and the type that it is selected from */

/** The greatest number of comparisons of two fields in each search, as in the server's `ValidationOptions`. */
export const maximumComparisons = 10_000;

/** Thrown where a document takes more steps to validate than `maximumComparisons` allows. */
export class ComparisonLimit extends Error {
  constructor() { super(`The document takes more than ${maximumComparisons} field comparisons to validate.`); }
}

/** Counts the steps of a search as the server does, and ends the search where they exceed the maximum. */
export class ComparisonBudget {
  comparisons = 0;
  /** Visits of a field or a fragment, which are far cheaper than comparisons of two fields. */
  visits = 0;

  compare() {
    this.comparisons += 1;
    if (this.comparisons > maximumComparisons) throw new ComparisonLimit();
  }

  visit() {
    this.visits += 1;
    if (this.visits > maximumComparisons * 40) throw new ComparisonLimit();
  }

  /**
   * Ends a search whose recursion, through subselections and fragments, could overflow the stack.
   * @param {number} depth
   */
  enter(depth) { if (depth > 250) throw new ComparisonLimit(); }
}

/** @param {Schema} schema @param {string | null} type */
export function isObject(schema, type) {
  return type !== null && schema.type(type)?.kind === "OBJECT";
}

/**
 * Spec: 5.3.2 SameResponseShape
 * @param {Schema} schema @param {TypeRef} first @param {TypeRef} second @returns {boolean}
 */
export function shapesConflict(schema, first, second) {
  if (first.ofType || second.ofType) {
    return first.kind !== second.kind || !first.ofType || !second.ofType || shapesConflict(schema, first.ofType, second.ofType);
  }
  const [one, other] = [first.name ?? "", second.name ?? ""];
  return one !== other && (!schema.isComposite(one) || !schema.isComposite(other));
}

/** @param {Node} first @param {Node} second */
export function areSameField(first, second) {
  return first.name.value === second.name.value && haveSameArguments(first.arguments, second.arguments) && haveSameStream(first, second);
}

/**
 * Spec: incremental delivery, 5.3.2 SameStreamDirective
 * @param {Node} first @param {Node} second
 */
export function haveSameStream(first, second) {
  const [one, other] = [first, second].map(({ directives }) => directives.find((/** @type {Node} */ directive) => directive.name.value === "stream"));
  return one && other ? haveSameArguments(one.arguments, other.arguments) : !one && !other;
}

/** @param {Node[]} first @param {Node[]} second */
export function haveSameArguments(first, second) {
  return first.length === second.length && first.every((argument) => {
    const other = second.filter(({ name }) => name.value === argument.name.value).at(-1);
    return other !== undefined && areSame(argument.value, other.value);
  });
}

/** @param {Node} first @param {Node} second @returns {boolean} */
function areSame(first, second) {
  if (first.kind !== second.kind) return false;
  if (first.kind === "Variable") return first.name.value === second.name.value;
  if (first.kind === "ListValue") {
    return first.values.length === second.values.length && first.values.every((/** @type {Node} */ value, /** @type {number} */ index) => areSame(value, second.values[index]));
  }
  if (first.kind === "ObjectValue") return haveSameArguments(first.fields, second.fields);
  return first.value === second.value;
}
