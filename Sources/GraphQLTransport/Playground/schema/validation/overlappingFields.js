// @ts-check
/** @typedef {import("./traversal.js").Traversal} Traversal */
/** @typedef {import("./traversal.js").Rule} Rule */
/** @typedef {import("../../types").Node} Node */
/** @typedef {import("./fieldComparison.js").Member} Member */
import { typeText } from "../schema.js";
import { ComparisonBudget, ComparisonLimit, haveSameArguments, haveSameStream, isObject, shapesConflict } from "./fieldComparison.js";
import { MergeCheck } from "./mergeCheck.js";
import { maximumErrors } from "./traversal.js";

/**
 * @typedef {{ groups: Map<string, Member[]>, fragments: string[] }} Collected
 * @typedef {{ name: string, reason: string, first: Node[], second: Node[] }} Conflict
 */

/**
 * `MergeCheck` finds out whether all fields can be merged. Only where they cannot, `ConflictSearch` compares pairs of fields
 * to report each conflict. Where either takes too many steps, that is the only error, as at the server.
 * Spec: 5.3.2 Field Selection Merging
 * @param {Traversal} context
 * @returns {Rule}
 */
export function OverlappingFieldsCanBeMerged(context) {
  /** @type {{ set: Node, ordinal: number }[]} */
  const sets = [];
  /** The fields of an inline fragment are compared with those of the set around it. */
  const nested = new Set();
  return {
    selectionSet(node) { sets.push({ set: node, ordinal: context.reserve() }); },
    inlineFragment(node) { nested.add(node.selectionSet); },
    leaveDocument() {
      try {
        if (new MergeCheck(context, new ComparisonBudget()).canMergeAll()) return;
        const search = new ConflictSearch(context);
        /** @type {{ conflict: Conflict, ordinal: number }[]} */
        const found = [];
        for (const { set, ordinal } of sets) {
          if (nested.has(set) || found.length > maximumErrors) continue;
          for (const conflict of search.within(set, maximumErrors + 1 - found.length)) found.push({ conflict, ordinal });
        }
        for (const { conflict: { name, reason, first, second }, ordinal } of found) {
          context.reportAt(
            ordinal,
            `Fields "${name}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`,
            ...first, ...second);
        }
      } catch (error) {
        if (!(error instanceof ComparisonLimit)) throw error;
        context.reportAt(sets[0]?.ordinal ?? 0, error.message);
      }
    },
  };
}

/** Finds each conflict between two fields, in the order of graphql-js. */
class ConflictSearch {
  /** @param {Traversal} context */
  constructor(context) {
    this.context = context;
    this.budget = new ComparisonBudget();
    /** @type {Map<Node, Collected>} */
    this.collected = new Map();
    /** @type {Map<Node, Map<string, boolean>>} whether compared only as exclusive */
    this.comparedWithFragment = new Map();
    /** @type {Map<string, boolean>} */
    this.comparedFragments = new Map();
  }

  /** @param {Node} set @param {number} wanted the number of conflicts at which the search of the set stops @returns {Conflict[]} */
  within(set, wanted) {
    /** @type {Conflict[]} */
    const conflicts = [];
    const { groups, fragments } = this.collect(set);
    for (const [name, members] of groups) {
      for (const [index, first] of members.entries()) {
        for (const second of members.slice(index + 1)) {
          if (conflicts.length >= wanted) return conflicts;
          this.compare(name, first, second, false, 0, conflicts);
        }
      }
    }
    fragments.forEach((fragment, index) => {
      this.compareWithFragment(set, fragment, false, 0, conflicts);
      for (const other of fragments.slice(index + 1)) this.compareFragments(fragment, other, false, 0, conflicts);
    });
    return conflicts;
  }

  /** @param {Node} set @param {string} fragment @param {boolean} isExclusive @param {number} depth @param {Conflict[]} conflicts */
  compareWithFragment(set, fragment, isExclusive, depth, conflicts) {
    this.budget.visit();
    let known = this.comparedWithFragment.get(set);
    if (!known) this.comparedWithFragment.set(set, known = new Map());
    const other = this.context.fragmentsByName.get(fragment)?.selectionSet;
    if (!note(known, fragment, isExclusive) || !other || other === set) return;
    this.budget.enter(depth);
    this.compareSets(set, other, isExclusive, depth, conflicts);
    for (const spread of this.collect(other).fragments) this.compareWithFragment(set, spread, isExclusive, depth + 1, conflicts);
  }

  /** @param {string} first @param {string} second @param {boolean} isExclusive @param {number} depth @param {Conflict[]} conflicts */
  compareFragments(first, second, isExclusive, depth, conflicts) {
    this.budget.visit();
    if (first === second || !note(this.comparedFragments, [first, second].sort().join(" "), isExclusive)) return;
    const { fragmentsByName } = this.context;
    const firstSet = fragmentsByName.get(first)?.selectionSet, secondSet = fragmentsByName.get(second)?.selectionSet;
    if (!firstSet || !secondSet) return;
    this.budget.enter(depth);
    this.compareSets(firstSet, secondSet, isExclusive, depth, conflicts);
    for (const spread of this.collect(secondSet).fragments) this.compareFragments(first, spread, isExclusive, depth + 1, conflicts);
    for (const spread of this.collect(firstSet).fragments) this.compareFragments(spread, second, isExclusive, depth + 1, conflicts);
  }

  /** @param {Node} first @param {Node} second @param {boolean} isExclusive @param {number} depth @param {Conflict[]} conflicts */
  compareSets(first, second, isExclusive, depth, conflicts) {
    const others = this.collect(second).groups;
    for (const [name, members] of this.collect(first).groups) {
      this.budget.visit();
      for (const member of members) for (const other of others.get(name) ?? []) this.compare(name, member, other, isExclusive, depth, conflicts);
    }
  }

  /** @param {Node} first @param {Node} second @param {boolean} isExclusive @param {number} depth */
  compareSubselections(first, second, isExclusive, depth) {
    /** @type {Conflict[]} */
    const conflicts = [];
    this.compareSets(first, second, isExclusive, depth, conflicts);
    const own = this.collect(first).fragments, others = this.collect(second).fragments;
    for (const fragment of others) this.compareWithFragment(first, fragment, isExclusive, depth, conflicts);
    for (const fragment of own) this.compareWithFragment(second, fragment, isExclusive, depth, conflicts);
    for (const fragment of own) for (const other of others) this.compareFragments(fragment, other, isExclusive, depth, conflicts);
    return conflicts;
  }

  /** @param {string} name @param {Member} first @param {Member} second @param {boolean} isExclusive @param {number} depth @param {Conflict[]} conflicts */
  compare(name, first, second, isExclusive, depth, conflicts) {
    this.budget.compare();
    this.budget.enter(depth);
    const areExclusive = isExclusive || this.areExclusive(first.parentType, second.parentType);
    const reason = this.difference(first.node, second.node, areExclusive);
    if (reason) {
      conflicts.push({ name, reason, first: [first.node], second: [second.node] });
      return;
    }
    if (!first.node.selectionSet || !second.node.selectionSet) return;
    const inner = this.compareSubselections(first.node.selectionSet, second.node.selectionSet, areExclusive, depth + 1);
    if (inner.length === 0) return;
    conflicts.push({
      name, reason: inner.map((conflict) => `subfields "${conflict.name}" conflict because ${conflict.reason}`).join(" and "),
      first: [first.node, ...inner.flatMap((conflict) => conflict.first)],
      second: [second.node, ...inner.flatMap((conflict) => conflict.second)],
    });
  }

  /**
   * No object is of two object types.
   * @param {string | null} first
   * @param {string | null} second
   */
  areExclusive(first, second) {
    const { schema } = this.context;
    return first !== second && isObject(schema, first) && isObject(schema, second);
  }

  /** @param {Node} first @param {Node} second @param {boolean} isExclusive @returns {string | null} */
  difference(first, second, isExclusive) {
    if (!isExclusive) {
      if (first.name.value !== second.name.value) return `"${first.name.value}" and "${second.name.value}" are different fields`;
      if (!haveSameArguments(first.arguments, second.arguments)) return "they have differing arguments";
      if (!haveSameStream(first, second)) return "they have differing stream directives";
    }
    const firstType = this.context.fieldDefinitions.get(first)?.type, secondType = this.context.fieldDefinitions.get(second)?.type;
    if (!firstType || !secondType || !shapesConflict(this.context.schema, firstType, secondType)) return null;
    return `they return conflicting types "${typeText(firstType)}" and "${typeText(secondType)}"`;
  }

  /** @param {Node} set @returns {Collected} */
  collect(set) {
    let found = this.collected.get(set);
    if (!found) {
      found = { groups: new Map(), fragments: [] };
      this.add(set, found);
      this.collected.set(set, found);
    }
    return found;
  }

  /** @param {Node} set @param {Collected} result */
  add(set, result) {
    const parentType = this.context.parentTypes.get(set) ?? null;
    for (const node of set.selections) {
      if (node.kind === "Field") {
        const name = (node.alias ?? node.name).value, group = result.groups.get(name);
        if (group) group.push({ node, parentType }); else result.groups.set(name, [{ node, parentType }]);
      } else if (node.kind === "InlineFragment") {
        this.add(node.selectionSet, result);
      } else if (!result.fragments.includes(node.name.value)) {
        result.fragments.push(node.name.value);
      }
    }
  }
}

/**
 * Notes a comparison, and tells whether it is still to be made: one that was not exclusive covers the exclusive one.
 * @param {Map<string, boolean>} known
 * @param {string} key
 * @param {boolean} isExclusive
 */
function note(known, key, isExclusive) {
  const before = known.get(key);
  if (before !== undefined && (isExclusive || !before)) return false;
  known.set(key, isExclusive);
  return true;
}
