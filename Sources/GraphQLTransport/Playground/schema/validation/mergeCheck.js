// @ts-check
/** @typedef {import("./traversal.js").Traversal} Traversal */
/** @typedef {import("../../types").Node} Node */
/** @typedef {import("./fieldComparison.js").Member} Member */
/** @typedef {{ sets: Node[], isOfShapes: boolean }} Task */
import { areSameField, isObject, shapesConflict } from "./fieldComparison.js";

/**
 * Finds out whether all fields of a document can be merged, without comparing all pairs, by the steps of the server's
 * MergeCheck: the fields of a response name are compared with the first of them, and their selection sets are then checked
 * as one. Selection sets that were checked together are not checked again.
 * Spec: 5.3.2 FieldsInSetCanMerge, SameResponseShape
 */
export class MergeCheck {
  /** @param {Traversal} context @param {import("./fieldComparison.js").ComparisonBudget} budget */
  constructor(context, budget) {
    this.context = context;
    this.budget = budget;
    /** @type {Task[]} */
    this.pending = [];
    /** @type {Set<Node>} sets that were checked alone */
    this.checked = new Set();
    /** @type {Set<string>} groups of sets that were checked as one */
    this.checkedTogether = new Set();
    /** @type {Set<Node>} */
    this.coveredFragments = new Set();
    /** @type {Map<Node, number>} */
    this.numbers = new Map([...context.parentTypes.keys()].map((set, number) => [set, number]));
  }

  canMergeAll() {
    const { operations, fragments, fragmentsByName } = this.context;
    if (!operations.every(({ node }) => this.canMergeFrom(node.selectionSet))) return false;
    // Checking a fragment also checks the fragments that it spreads. So the first pass takes the fragments that are not
    // spread, and the second those that are left, such as cycles.
    const spread = new Set([...operations, ...fragments].flatMap(({ spreads }) => spreads.map(({ name }) => fragmentsByName.get(name.value))));
    return [false, true].every((isSpread) => fragments.every(({ node }) =>
      spread.has(node) !== isSpread || this.coveredFragments.has(node) || this.canMergeFrom(node.selectionSet)));
  }

  /** @param {Node} set */
  canMergeFrom(set) {
    this.pending.push({ sets: [set], isOfShapes: false });
    for (let task = this.pending.pop(); task; task = this.pending.pop()) if (!this.canMerge(task)) return false;
    return true;
  }

  /** @param {Task} task */
  canMerge(task) {
    for (const members of this.collect(task).values()) {
      if (members.length === 1) {
        const set = members[0].node.selectionSet;
        if (set) this.enqueueOne(set);
      } else if (!this.canMergeGroup(members, task.isOfShapes)) {
        return false;
      }
    }
    return true;
  }

  /** @param {Task} task */
  collect({ sets, isOfShapes }) {
    /** @type {Map<string, Member[]>} */
    const groups = new Map();
    const open = [...sets], { parentTypes, fragmentsByName } = this.context;
    /** @type {Set<Node>} */
    const spread = new Set();
    for (let set = open.pop(); set; set = open.pop()) {
      const parentType = parentTypes.get(set) ?? null;
      for (const node of set.selections) {
        this.budget.visit();
        if (node.kind === "Field") {
          const name = (node.alias ?? node.name).value, group = groups.get(name);
          if (group) group.push({ node, parentType }); else groups.set(name, [{ node, parentType }]);
        } else if (node.kind === "InlineFragment") {
          open.push(node.selectionSet);
        } else {
          const fragment = fragmentsByName.get(node.name.value);
          if (!fragment || spread.has(fragment)) continue;
          spread.add(fragment);
          if (!isOfShapes) this.coveredFragments.add(fragment);
          open.push(fragment.selectionSet);
        }
      }
    }
    return groups;
  }

  /** @param {Member[]} members @param {boolean} isOfShapes */
  canMergeGroup(members, isOfShapes) {
    const { schema } = this.context;
    if (!this.haveSameShape(members)) return false;
    if (isOfShapes) return this.enqueue(members, true);
    const objectTypes = new Set(members.map(({ parentType }) => parentType).filter((type) => isObject(schema, type)));
    if (objectTypes.size < 2) return this.areSameField(members) && this.enqueue(members, false);
    // No object is of two object types, so their fields need not be the same, but must have the same shape.
    for (const objectType of objectTypes) {
      const part = members.filter(({ parentType }) => parentType === objectType || !isObject(schema, parentType));
      if (!this.areSameField(part)) return false;
      this.enqueue(part, false);
    }
    return this.enqueue(members, true);
  }

  /** @param {Member[]} members */
  haveSameShape(members) {
    const { schema, fieldDefinitions } = this.context;
    let first = null;
    for (const { node } of members) {
      this.budget.compare();
      const type = fieldDefinitions.get(node)?.type;
      if (first && type && shapesConflict(schema, first, type)) return false;
      first ??= type;
    }
    return true;
  }

  /** @param {Member[]} members */
  areSameField(members) {
    return members.every(({ node }) => areSameField(node, members[0].node));
  }

  /**
   * Queues the selection sets of fields, to be checked as one.
   * @param {Member[]} members @param {boolean} isOfShapes @returns {true}
   */
  enqueue(members, isOfShapes) {
    /** @type {Node[]} */
    const sets = members.map(({ node }) => node.selectionSet).filter(Boolean);
    if (sets.length === 1) this.enqueueOne(sets[0]);
    if (sets.length < 2) return true;
    const numbered = sets.map((set) => ({ set, number: this.numbers.get(set) ?? -1 })).sort((one, other) => one.number - other.number);
    const key = numbered.map(({ number }) => number).join(" ");
    if (this.checkedTogether.has(key)) return true;
    const known = isOfShapes ? `shapes ${key}` : key;
    if (!this.checkedTogether.has(known)) this.pending.push({ sets: numbered.map(({ set }) => set), isOfShapes });
    this.checkedTogether.add(known);
    return true;
  }

  /**
   * Queues a selection set; the check of a set alone covers its shapes, too.
   * @param {Node} set
   */
  enqueueOne(set) {
    if (this.checked.has(set)) return;
    this.checked.add(set);
    this.pending.push({ sets: [set], isOfShapes: false });
  }
}
