// @ts-check
/** @typedef {import("./traversal.js").Traversal} Traversal */
/** @typedef {import("./traversal.js").Rule} Rule */
/** @typedef {import("../../types").Node} Node */
/** @typedef {(context: Traversal) => Rule} RuleMaker */
import { isRequired, namedType } from "../schema.js";
import { DeferStreamDirectiveLabel, DeferStreamDirectiveOnRootField, DeferStreamDirectiveOnValidOperations, StreamDirectiveOnListField } from "./incremental.js";
import { OverlappingFieldsCanBeMerged } from "./overlappingFields.js";
import { naturalOrder, suggestionList, didYouMean } from "./suggestions.js";
import { ValuesOfCorrectType, VariablesInAllowedPosition } from "./values.js";

/** @type {RuleMaker} Spec: 5.1.1 */
const ExecutableDefinitions = (context) => ({
  document(node) {
    for (const definition of node.definitions) {
      if (definition.kind !== "TypeSystemDefinition") continue;
      context.report(`The ${definition.name ? `"${definition.name.value}"` : "schema"} definition is not executable.`, definition);
    }
  },
});

/** @type {RuleMaker} Spec: 5.2.1.1 */
const KnownOperationTypes = (context) => ({
  operation(node) {
    if (!context.schema.roots[/** @type {"query"} */ (node.operation)]) {
      context.report(`The ${node.operation} operation is not supported by the schema.`, node);
    }
  },
});

/**
 * @param {Traversal} context
 * @param {string} what
 */
function uniqueNames(context, what) {
  const known = new Map();
  return (/** @type {Node} */ node) => {
    const { name } = node;
    if (!name) return;
    const first = known.get(name.value);
    if (first) context.report(`There can be only one ${what} named "${name.value}".`, first, name);
    else known.set(name.value, name);
  };
}

/** @type {RuleMaker} Spec: 5.2.2.1 */
const UniqueOperationNames = (context) => ({ operation: uniqueNames(context, "operation") });

/** @type {RuleMaker} Spec: 5.2.3.1 */
const LoneAnonymousOperation = (context) => ({
  operation(node) {
    const count = context.document.definitions.filter((/** @type {Node} */ other) => other.kind === "OperationDefinition").length;
    if (!node.name && count > 1) context.report("This anonymous operation must be the only defined operation.", node);
  },
});

/** @type {RuleMaker} Spec: 5.2.4.1 */
const SingleFieldSubscriptions = (context) => ({
  operation(node) {
    const root = context.schema.roots.subscription;
    if (node.operation !== "subscription" || !root) return;
    const subject = node.name ? `Subscription "${node.name.value}"` : "Anonymous Subscription";
    /** @type {Map<string, Node[]>} */
    const groups = new Map();
    /** @type {Node[]} */
    const conditions = [];
    const visited = new Set();
    /** @param {Node | null} condition */
    const applies = (condition) => !condition || context.schema.possibleTypes(condition.name.value).has(root);
    const pending = [...node.selectionSet.selections].reverse();
    for (let selection = pending.pop(); selection; selection = pending.pop()) {
      conditions.push(...selection.directives.filter((/** @type {Node} */ directive) => ["skip", "include"].includes(directive.name.value)));
      if (selection.kind === "Field") {
        const name = (selection.alias ?? selection.name).value;
        groups.set(name, [...groups.get(name) ?? [], selection]);
        continue;
      }
      let fragment = selection;
      if (selection.kind === "FragmentSpread") {
        const name = selection.name.value;
        fragment = visited.has(name) ? null : context.fragmentsByName.get(name) ?? null;
        visited.add(name);
      }
      if (fragment && applies(fragment.typeCondition)) pending.push(...[...fragment.selectionSet.selections].reverse());
    }
    for (const condition of conditions) {
      context.report(`${subject} must not use \`@skip\` or \`@include\` directives in the top level selection.`, condition);
    }
    if (groups.size > 1) context.report(`${subject} must select only one top level field.`, ...[...groups.values()].slice(1).flat());
    for (const group of groups.values()) {
      if (group[0].name.value.startsWith("__")) context.report(`${subject} must not select an introspection top level field.`, ...group);
    }
  },
});

/** @type {RuleMaker} Spec: 5.5.1.2 */
const KnownTypeNames = (context) => ({
  namedType(node) {
    const { value } = node.name;
    const defined = context.document.definitions.filter((/** @type {Node} */ definition) => definition.kind === "TypeSystemDefinition"
      && definition.name && !definition.isExtension && definition.keyword !== "directive").map((/** @type {Node} */ definition) => definition.name.value);
    if (context.schema.type(value) || defined.includes(value)) return;
    const names = [...context.schema.byName.keys(), ...defined];
    context.report(`Unknown type "${value}".${context.didYouMean(() => suggestionList(value, names))}`, node);
  },
});

/** @type {RuleMaker} Spec: 5.5.1.3 */
const FragmentsOnCompositeTypes = (context) => {
  /** @param {Node} condition */
  const isWrong = (condition) => context.schema.type(condition.name.value) !== null && !context.schema.isComposite(condition.name.value);
  return {
    inlineFragment({ typeCondition }) {
      if (typeCondition && isWrong(typeCondition)) {
        context.report(`Fragment cannot condition on non composite type "${typeCondition.name.value}".`, typeCondition);
      }
    },
    fragment({ name, typeCondition }) {
      if (isWrong(typeCondition)) {
        context.report(`Fragment "${name.value}" cannot condition on non composite type "${typeCondition.name.value}".`, typeCondition);
      }
    },
  };
};

/** @type {RuleMaker} Spec: 5.8.2 */
const VariablesAreInputTypes = (context) => ({
  variableDefinition(node) {
    const type = context.typeOf(node.type);
    if (!type || context.schema.isInput(namedType(type))) return;
    context.report(`Variable "$${node.variable.name.value}" cannot be non-input type "${context.text(type)}".`, node.type);
  },
});

/** @type {RuleMaker} Spec: 5.3.3 */
const ScalarLeafs = (context) => ({
  field(node) {
    if (!context.field) return;
    const isLeaf = !context.schema.isComposite(namedType(context.field.type)), name = node.name.value, type = context.text(context.field.type);
    if (isLeaf && node.selectionSet) {
      context.report(`Field "${name}" must not have a selection since type "${type}" has no subfields.`, node.selectionSet);
    } else if (!isLeaf && !node.selectionSet) {
      const suggestion = context.didYouMean(() => [`${name} { ... }`]);
      context.report(`Field "${name}" of type "${type}" must have a selection of subfields.${suggestion}`, node);
    }
  },
});

/** @type {RuleMaker} Spec: 5.3.1 */
const FieldsOnCorrectType = (context) => ({
  field(node) {
    const { parentType, schema } = context;
    if (context.field || !parentType) return;
    const name = node.name.value;
    const suggestion = !context.suggests ? "" : didYouMean(typesWithField(context, parentType, name), "to use an inline fragment on")
      || didYouMean(suggestionList(name, (schema.type(parentType)?.fields ?? []).map((field) => field.name)));
    context.report(`Cannot query field "${name}" on type "${parentType}".${suggestion}`, node);
  },
});

/**
 * The possible types that have the field, and those of their interfaces that have it, the most frequent first.
 * @param {Traversal} context
 * @param {string} parentType
 * @param {string} field
 */
function typesWithField({ schema }, parentType, field) {
  if (!schema.isAbstract(parentType)) return [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  const count = (/** @type {string} */ name) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const possible of schema.possibleTypes(parentType)) {
    if (!schema.field(possible, field)) continue;
    count(possible);
    for (const { name } of schema.type(possible)?.interfaces ?? []) if (schema.field(name, field)) count(name);
  }
  const implementations = (/** @type {string} */ name) => (schema.type(name)?.interfaces ?? []).map((type) => type.name);
  return [...counts.keys()].sort((first, second) => {
    const difference = (counts.get(second) ?? 0) - (counts.get(first) ?? 0);
    if (difference) return difference;
    if (implementations(second).includes(first)) return -1;
    if (implementations(first).includes(second)) return 1;
    return naturalOrder(first, second);
  });
}

/** @type {RuleMaker} Spec: 5.5.1.1 */
const UniqueFragmentNames = (context) => ({ fragment: uniqueNames(context, "fragment") });

/** @type {RuleMaker} Spec: 5.5.2.1 */
const KnownFragmentNames = (context) => ({
  spread({ name }) {
    if (!context.fragmentsByName.has(name.value)) context.report(`Unknown fragment "${name.value}".`, name);
  },
});

/** @type {RuleMaker} Spec: 5.5.1.4 */
const NoUnusedFragments = (context) => ({
  leaveDocument() {
    const used = new Set(context.operations.flatMap((operation) => context.reachable(operation).map(({ node }) => node.name.value)));
    for (const { node } of context.fragments) {
      if (!used.has(node.name.value)) context.report(`Fragment "${node.name.value}" is never used.`, node);
    }
  },
});

/** @type {RuleMaker} Spec: 5.5.2.3 */
const PossibleFragmentSpreads = (context) => {
  /** @param {string} type @param {string} parentType */
  const isImpossible = (type, parentType) => type !== parentType && !context.schema.overlap(type, parentType);
  /** @param {string} type @param {string} parentType */
  const reason = (type, parentType) => `cannot be spread here as objects of type "${parentType}" can never be of type "${type}".`;
  return {
    inlineFragment(node) {
      const { fragmentType, parentType } = context;
      if (fragmentType && parentType && isImpossible(fragmentType, parentType)) context.report(`Fragment ${reason(fragmentType, parentType)}`, node);
    },
    spread(node) {
      const fragment = context.fragmentsByName.get(node.name.value), { parentType } = context;
      const type = fragment ? context.compositeType(fragment.typeCondition.name.value) : null;
      if (type && parentType && isImpossible(type, parentType)) context.report(`Fragment "${node.name.value}" ${reason(type, parentType)}`, node);
    },
  };
};

/** @type {RuleMaker} Spec: 5.5.2.2 */
const NoFragmentCycles = (context) => {
  /** @type {number[]} */
  const ordinals = [];
  return {
    fragment() { ordinals.push(context.reserve()); },
    leaveDocument() {
      const visited = new Set();
      /** @type {Map<Node, number>} by fragment, its place on the path */
      const depths = new Map();
      context.fragments.forEach((root, index) => {
        /** @type {{ fragment: import("./traversal.js").Definition, next: number }[]} */
        const path = [];
        /** @type {Node[]} */
        const spreads = [];
        /** @param {import("./traversal.js").Definition} fragment */
        const enter = (fragment) => {
          const name = fragment.node.name.value;
          if (visited.has(name)) return false;
          visited.add(name);
          depths.set(fragment.node, path.length);
          path.push({ fragment, next: 0 });
          return true;
        };
        enter(root);
        while (path.length) {
          const top = path[path.length - 1];
          if (top.next >= top.fragment.spreads.length) {
            depths.delete(top.fragment.node);
            path.pop();
            spreads.pop();
            continue;
          }
          const spread = top.fragment.spreads[top.next];
          top.next += 1;
          const target = context.fragments.find(({ node }) => node === context.fragmentsByName.get(spread.name.value));
          if (!target) continue;
          spreads.push(spread);
          const depth = depths.get(target.node);
          if (depth !== undefined) {
            const cycle = spreads.slice(depth), names = cycle.map(({ name }) => `"${name.value}"`);
            const via = cycle.length > 1 ? ` via ${names.slice(0, -1).join(", ")}.` : ".";
            context.reportAt(ordinals[index], `Cannot spread fragment ${names[names.length - 1]} within itself${via}`, ...cycle);
            spreads.pop();
          } else if (!enter(target)) {
            spreads.pop();
          }
        }
      });
    },
  };
};

/**
 * Nodes that share a name with others, grouped.
 * @param {Node[]} nodes
 * @param {(node: Node) => string} nameOf
 */
function repeated(nodes, nameOf) {
  /** @type {Map<string, Node[]>} */
  const groups = new Map();
  for (const node of nodes) groups.set(nameOf(node), [...groups.get(nameOf(node)) ?? [], node]);
  return [...groups.values()].filter((group) => group.length > 1);
}

/** @type {RuleMaker} Spec: 5.8.1 */
const UniqueVariableNames = (context) => ({
  operation(node) {
    for (const group of repeated(node.variableDefinitions, (definition) => definition.variable.name.value)) {
      const names = group.map((definition) => definition.variable.name);
      context.report(`There can be only one variable named "$${names[0].value}".`, ...names);
    }
  },
});

/** @type {RuleMaker} Spec: 5.8.3 */
const NoUndefinedVariables = (context) => {
  /** @type {number[]} */
  const ordinals = [];
  return {
    leaveOperation() { ordinals.push(context.reserve()); },
    leaveDocument() {
      context.operations.forEach((operation, index) => {
        const { node } = operation, subject = node.name ? ` by operation "${node.name.value}"` : "";
        const defined = new Set(node.variableDefinitions.map((/** @type {Node} */ definition) => definition.variable.name.value));
        for (const { usage } of context.usagesIn(operation)) {
          if (!defined.has(usage.name)) context.reportAt(ordinals[index], `Variable "$${usage.name}" is not defined${subject}.`, usage.node, node);
        }
      });
    },
  };
};

/** @type {RuleMaker} Spec: 5.8.4 */
const NoUnusedVariables = (context) => {
  /** @type {number[]} */
  const ordinals = [];
  return {
    leaveOperation() { ordinals.push(context.reserve()); },
    leaveDocument() {
      context.operations.forEach((operation, index) => {
        const { node } = operation, subject = node.name ? ` in operation "${node.name.value}"` : "";
        const used = new Set(context.usagesIn(operation).map(({ usage }) => usage.name));
        for (const definition of node.variableDefinitions) {
          const name = definition.variable.name.value;
          if (!used.has(name)) context.reportAt(ordinals[index], `Variable "$${name}" is never used${subject}.`, definition);
        }
      });
    },
  };
};

/** @type {RuleMaker} Spec: 5.7.1, 5.7.2 */
const KnownDirectives = (context) => ({
  directive(node, location) {
    const name = node.name.value;
    if (!context.directive) context.report(`Unknown directive "@${name}".`, node);
    else if (!context.directive.locations.includes(location)) context.report(`Directive "@${name}" may not be used on ${location}.`, node);
  },
});

/** @type {RuleMaker} Spec: 5.7.3 */
const UniqueDirectivesPerLocation = (context) => {
  /** @param {Node} node */
  const check = ({ directives }) => {
    const first = new Map();
    for (const node of directives) {
      const name = node.name.value, definition = context.schema.directive(name);
      if (!definition || definition.isRepeatable) continue;
      if (first.has(name)) context.report(`The directive "@${name}" can only be used once at this location.`, first.get(name), node);
      else first.set(name, node);
    }
  };
  return { operation: check, fragment: check, variableDefinition: check, field: check, spread: check, inlineFragment: check };
};

/** @type {RuleMaker} Spec: 5.4.1 */
const KnownArgumentNames = (context) => ({
  argument(node) {
    const { field, parentType } = context;
    if (context.argument || !field || !parentType) return;
    const name = node.name.value, suggestion = context.didYouMean(() => suggestionList(name, field.args.map((argument) => argument.name)));
    context.report(`Unknown argument "${name}" on field "${parentType}.${field.name}".${suggestion}`, node);
  },
  directive(node) {
    const { directive } = context;
    if (!directive) return;
    const names = directive.args.map((argument) => argument.name);
    for (const argument of node.arguments) {
      const name = argument.name.value;
      if (names.includes(name)) continue;
      context.report(`Unknown argument "${name}" on directive "@${directive.name}".${context.didYouMean(() => suggestionList(name, names))}`, argument);
    }
  },
});

/** @type {RuleMaker} Spec: 5.4.2 */
const UniqueArgumentNames = (context) => {
  /** @param {Node} node */
  const check = (node) => {
    for (const group of repeated(node.arguments, (argument) => argument.name.value)) {
      context.report(`There can be only one argument named "${group[0].name.value}".`, ...group.map(({ name }) => name));
    }
  };
  return { field: check, directive: check };
};

/** @type {RuleMaker} Spec: 5.4.3 */
const ProvidedRequiredArguments = (context) => {
  /** @param {import("../../types").InputDefinition[]} definitions @param {Node} node */
  const missing = (definitions, node) => definitions.filter((definition) => isRequired(definition)
    && !node.arguments.some((/** @type {Node} */ argument) => argument.name.value === definition.name));
  return {
    leaveField(node) {
      for (const { name, type } of missing(context.field?.args ?? [], node)) {
        context.report(`Field "${context.field?.name}" argument "${name}" of type "${context.text(type)}" is required, but it was not provided.`, node);
      }
    },
    leaveDirective(node) {
      for (const { name, type } of missing(context.directive?.args ?? [], node)) {
        context.report(`Directive "@${context.directive?.name}" argument "${name}" of type "${context.text(type)}" is required, but it was not provided.`, node);
      }
    },
  };
};

/** @type {RuleMaker} Spec: 5.6.3 */
const UniqueInputFieldNames = (context) => {
  /** @type {Map<string, Node>[]} */
  const known = [];
  return {
    value(node) { if (node.kind === "ObjectValue") known.push(new Map()); },
    leaveValue(node) { if (node.kind === "ObjectValue") known.pop(); },
    objectField({ name }) {
      const fields = known[known.length - 1], first = fields.get(name.value);
      if (first) context.report(`There can be only one input field named "${name.value}".`, first, name);
      else fields.set(name.value, name);
    },
  };
};

/** @type {RuleMaker} Not of the specification: tells what is deprecated. Spec: 3.13.3 */
const NoDeprecated = (context) => ({
  field(node) {
    if (!context.field?.isDeprecated) return;
    context.report(`The field ${context.parentType}.${context.field.name} is deprecated. ${context.field.deprecationReason}`, node);
  },
  argument(node) {
    const { argument, directive, field, parentType } = context;
    if (!argument?.isDeprecated) return;
    const of = directive ? `Directive "@${directive.name}"` : `Field "${parentType}.${field?.name}"`;
    context.report(`${of} argument "${argument.name}" is deprecated. ${argument.deprecationReason}`, node);
  },
  objectField(node) {
    const definition = context.inputObject?.inputFields?.find(({ name }) => name === node.name.value);
    if (definition?.isDeprecated) context.report(`The input field ${context.inputObject?.name}.${definition.name} is deprecated. ${definition.deprecationReason}`, node);
  },
  value(node) {
    if (node.kind !== "EnumValue" || !context.inputType) return;
    const type = context.schema.type(namedType(context.inputType));
    const value = type?.enumValues?.find(({ name }) => name === node.value);
    if (value?.isDeprecated) context.report(`The enum value "${type?.name}.${value.name}" is deprecated. ${value.deprecationReason}`, node);
  },
});

/** The rules of the server, in the server's order, which is also the order of the errors at one node. */
export const specifiedRules = {
  ExecutableDefinitions, KnownOperationTypes, UniqueOperationNames, LoneAnonymousOperation, SingleFieldSubscriptions, KnownTypeNames,
  FragmentsOnCompositeTypes, VariablesAreInputTypes, ScalarLeafs, FieldsOnCorrectType, UniqueFragmentNames, KnownFragmentNames,
  NoUnusedFragments, PossibleFragmentSpreads, NoFragmentCycles, UniqueVariableNames, NoUndefinedVariables, NoUnusedVariables,
  KnownDirectives, UniqueDirectivesPerLocation, DeferStreamDirectiveOnRootField, DeferStreamDirectiveOnValidOperations,
  DeferStreamDirectiveLabel, StreamDirectiveOnListField, KnownArgumentNames, UniqueArgumentNames, ValuesOfCorrectType,
  ProvidedRequiredArguments, VariablesInAllowedPosition, OverlappingFieldsCanBeMerged, UniqueInputFieldNames,
};

export const optionalRules = { NoDeprecated };
