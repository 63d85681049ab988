// @ts-check
/** @typedef {import("../schema.js").Schema} Schema */
/** @typedef {import("../../types").Node} Node */
/** @typedef {import("../../types").TypeRef} TypeRef */
/** @typedef {import("../../types").FieldDefinition} FieldDefinition */
/** @typedef {import("../../types").InputDefinition} InputDefinition */
/** @typedef {import("../../types").DirectiveDefinition} DirectiveDefinition */
/** @typedef {import("../../types").TypeDefinition} TypeDefinition */
import { itemType } from "../place.js";
import { namedType, typeFromText, typeText } from "../schema.js";
import { print } from "../../language/printer.js";
import { didYouMean } from "./suggestions.js";

/**
 * @typedef {{ ordinal: number, message: string, nodes: Node[] }} Report
 * @typedef {{ type: string, isWrapped: boolean }} OneOfPosition
 * @typedef {{ name: string, node: Node, type: TypeRef | null, hasDefault: boolean, oneOf: OneOfPosition | null }} Usage
 * @typedef {{ node: Node, usages: Usage[], spreads: Node[] }} Definition an operation or a fragment with what is in it
 * @typedef {Record<string, (node: any, extra?: any) => void>} Rule functions by the name of what they are called at
 */

/** The greatest number of errors, as in the server's `ValidationOptions`. Where there are more, the last one says so. */
export const maximumErrors = 50;

/**
 * Walks through a document, resolves the types at each node and calls the rules there. The order of nodes, of rules at a
 * node and of errors is the server's.
 */
export class Traversal {
  /**
   * @param {Schema} schema
   * @param {Node} document
   * @param {((traversal: Traversal) => Rule)[]} rules
   * @param {boolean} suggests whether messages suggest names
   */
  constructor(schema, document, rules, suggests) {
    this.schema = schema;
    this.document = document;
    this.suggests = suggests;
    /** @type {Report[]} */
    this.reports = [];
    this.ordinal = 0;
    /** @type {Definition[]} */
    this.operations = [];
    /** @type {Definition[]} */
    this.fragments = [];
    /** @type {Map<string, Node>} where several share a name, the last */
    this.fragmentsByName = new Map();
    for (const node of document.definitions) if (node.kind === "FragmentDefinition") this.fragmentsByName.set(node.name.value, node);
    /** @type {Map<Node, string | null>} the types that selection sets select from */
    this.parentTypes = new Map();
    /** @type {Map<Node, FieldDefinition | null>} */
    this.fieldDefinitions = new Map();
    /** @type {Map<Node, number>} the places of selection sets in the order of errors */
    this.setOrdinals = new Map();

    /** @type {string | null} the type of the enclosing selection set */
    this.parentType = null;
    /** @type {FieldDefinition | null} */
    this.field = null;
    /** @type {string | null} */
    this.fragmentType = null;
    /** @type {DirectiveDefinition | null} */
    this.directive = null;
    /** @type {InputDefinition | null} */
    this.argument = null;
    /** @type {TypeRef | null} */
    this.inputType = null;
    /** @type {TypeDefinition | null} */
    this.inputObject = null;
    /** @type {Definition} */
    this.definition = { node: document, usages: [], spreads: [] };

    /** @type {Map<string, ((node: any, extra?: any) => void)[]>} */
    this.hooks = new Map();
    for (const make of rules) {
      for (const [name, hook] of Object.entries(make(this))) this.hooks.set(name, [...this.hooks.get(name) ?? [], hook]);
    }
  }

  /**
   * @param {string} name
   * @param {Node} node
   * @param {any} [extra]
   */
  call(name, node, extra) {
    const hooks = this.hooks.get(name);
    if (hooks) for (const hook of hooks) hook(node, extra);
  }

  // Errors

  /**
   * @param {string} message
   * @param {...Node} nodes
   */
  report(message, ...nodes) {
    if (this.reports.length <= maximumErrors) this.reports.push({ ordinal: this.ordinal, message, nodes });
  }

  /** A place in the order of errors, for one that can be reported only once the document has been read. */
  reserve() {
    this.ordinal += 2;
    return this.ordinal - 1;
  }

  /**
   * @param {number} ordinal
   * @param {string} message
   * @param {...Node} nodes
   */
  reportAt(ordinal, message, ...nodes) { this.reports.push({ ordinal, message, nodes }); }

  /**
   * @param {() => string[]} suggestions
   * @param {string} [subject]
   */
  didYouMean(suggestions, subject) {
    return this.suggests && this.reports.length <= maximumErrors ? didYouMean(suggestions(), subject) : "";
  }

  /** The errors in document order. */
  get errors() {
    const ordered = this.reports.map((report, index) => ({ report, index }))
      .sort((first, second) => first.report.ordinal - second.report.ordinal || first.index - second.index)
      .map(({ report: { message, nodes } }) => ({ message, nodes }));
    if (ordered.length <= maximumErrors) return ordered;
    return [...ordered.slice(0, maximumErrors - 1), { message: "Too many validation errors, error limit reached. Validation aborted.", nodes: [] }];
  }

  // The walk

  run() {
    this.call("document", this.document);
    for (const node of this.document.definitions) {
      if (node.kind === "OperationDefinition") this.visitOperation(node);
      else if (node.kind === "FragmentDefinition") this.visitFragmentDefinition(node);
    }
    this.call("leaveDocument", this.document);
  }

  /** @param {Node} node */
  visitOperation(node) {
    this.parentType = this.schema.roots[/** @type {"query"} */ (node.operation)];
    this.definition = { node, usages: [], spreads: [] };
    this.operations.push(this.definition);
    this.call("operation", node);
    for (const variable of node.variableDefinitions) this.visitVariableDefinition(variable);
    this.definition.usages = [];
    this.visitDirectives(node.directives, node.operation.toUpperCase());
    this.visitSelectionSet(node.selectionSet, this.parentType);
    this.definition.spreads = spreadsIn(node.selectionSet);
    this.call("leaveOperation", node);
  }

  /** @param {Node} node */
  visitFragmentDefinition(node) {
    this.parentType = this.compositeType(node.typeCondition.name.value);
    this.definition = { node, usages: [], spreads: [] };
    this.fragments.push(this.definition);
    this.call("fragment", node);
    this.call("namedType", node.typeCondition);
    this.visitDirectives(node.directives, "FRAGMENT_DEFINITION");
    this.visitSelectionSet(node.selectionSet, this.parentType);
    this.definition.spreads = spreadsIn(node.selectionSet);
  }

  /** @param {Node} node */
  visitVariableDefinition(node) {
    this.call("variableDefinition", node);
    for (let type = node.type; type; type = type.type) if (type.kind === "NamedType") this.call("namedType", type);
    if (node.defaultValue) {
      const type = this.typeOf(node.type);
      this.visitValue(node.defaultValue, type && this.schema.isInput(namedType(type)) ? type : null, false, null);
    }
    this.visitDirectives(node.directives, "VARIABLE_DEFINITION");
  }

  /** @param {Node} node @param {string | null} parentType */
  visitSelectionSet(node, parentType) {
    const outer = this.parentType;
    this.parentType = parentType;
    this.parentTypes.set(node, parentType);
    this.call("selectionSet", node);
    for (const selection of node.selections) {
      if (selection.kind === "Field") this.visitField(selection);
      else if (selection.kind === "FragmentSpread") this.visitSpread(selection);
      else this.visitInlineFragment(selection);
    }
    this.parentType = outer;
  }

  /** @param {Node} node */
  visitField(node) {
    const outer = this.field;
    const definition = this.parentType ? this.schema.field(this.parentType, node.name.value) : null;
    this.field = definition;
    this.fieldDefinitions.set(node, definition);
    this.call("field", node);
    for (const argument of node.arguments) {
      this.visitArgument(argument, definition?.args.find(({ name }) => name === argument.name.value) ?? null);
    }
    this.visitDirectives(node.directives, "FIELD");
    if (node.selectionSet) {
      this.visitSelectionSet(node.selectionSet, definition ? this.compositeType(namedType(definition.type)) : null);
      this.field = definition;
    }
    this.call("leaveField", node);
    this.field = outer;
  }

  /** @param {Node} node */
  visitSpread(node) {
    this.call("spread", node);
    this.visitDirectives(node.directives, "FRAGMENT_SPREAD");
  }

  /** @param {Node} node */
  visitInlineFragment(node) {
    this.fragmentType = node.typeCondition ? this.compositeType(node.typeCondition.name.value) : this.parentType;
    const type = this.fragmentType;
    this.call("inlineFragment", node);
    if (node.typeCondition) this.call("namedType", node.typeCondition);
    this.visitDirectives(node.directives, "INLINE_FRAGMENT");
    this.visitSelectionSet(node.selectionSet, type);
  }

  /** @param {Node[]} directives @param {string} location */
  visitDirectives(directives, location) {
    for (const node of directives) {
      this.directive = this.schema.directive(node.name.value);
      this.call("directive", node, location);
      // A directive's arguments never belong to the field, even if the directive is unknown.
      const { field } = this;
      this.field = null;
      for (const argument of node.arguments) {
        this.visitArgument(argument, this.directive?.args.find(({ name }) => name === argument.name.value) ?? null);
      }
      this.field = field;
      this.call("leaveDirective", node);
      this.directive = null;
    }
  }

  /** @param {Node} node @param {InputDefinition | null} definition */
  visitArgument(node, definition) {
    this.argument = definition;
    this.call("argument", node);
    this.visitValue(node.value, definition?.type ?? null, (definition?.defaultValue ?? null) !== null, null);
    this.argument = null;
  }

  /** @param {Node} node @param {TypeRef | null} type @param {boolean} hasDefault @param {OneOfPosition | null} oneOf */
  visitValue(node, type, hasDefault, oneOf) {
    this.inputType = type;
    if (node.kind === "Variable") {
      this.definition.usages.push({ name: node.name.value, node, type, hasDefault, oneOf });
      return;
    }
    this.call("value", node);
    if (node.kind === "ListValue") {
      const item = itemType(type);
      for (const value of node.values) this.visitValue(value, item, false, null);
    } else if (node.kind === "ObjectValue") {
      this.visitObjectFields(node.fields, type);
    } else {
      return;
    }
    this.inputType = type;
    this.call("leaveValue", node);
  }

  /** @param {Node[]} fields @param {TypeRef | null} type */
  visitObjectFields(fields, type) {
    const named = type ? this.schema.type(namedType(type)) : null;
    const object = named?.kind === "INPUT_OBJECT" ? named : null;
    const oneOf = object?.isOneOf ? { type: object.name, isWrapped: type?.kind === "LIST" || type?.kind === "NON_NULL" } : null;
    for (const field of fields) {
      const definition = object?.inputFields?.find(({ name }) => name === field.name.value) ?? null;
      this.inputObject = object;
      this.inputType = definition?.type ?? null;
      this.call("objectField", field);
      this.visitValue(field.value, definition?.type ?? null, (definition?.defaultValue ?? null) !== null, oneOf);
    }
  }

  // The schema and the document

  /** @param {string} name */
  compositeType(name) { return this.schema.isComposite(name) ? name : null; }

  /**
   * The type that a node names; null where the schema has none such.
   * @param {Node} node
   * @returns {TypeRef | null}
   */
  typeOf(node) {
    const type = typeFromText(print(node));
    return type && this.schema.type(namedType(type)) ? type : null;
  }

  /** @param {TypeRef} type */
  text(type) { return typeText(type); }

  /**
   * The fragments that a definition spreads, transitively, each once.
   * @param {Definition} definition
   * @returns {Definition[]}
   */
  reachable(definition) {
    /** @type {Definition[]} */
    const found = [];
    const seen = new Set(), pending = [definition.spreads];
    for (let spreads = pending.pop(); spreads; spreads = pending.pop()) {
      for (const spread of spreads) {
        const node = this.fragmentsByName.get(spread.name.value);
        const fragment = node && !seen.has(node) ? this.fragments.find((candidate) => candidate.node === node) : null;
        if (!fragment) continue;
        seen.add(node);
        found.push(fragment);
        pending.push(fragment.spreads);
      }
    }
    return found;
  }

  /**
   * The operation's own usages of variables, then those of the fragments that it spreads.
   * @param {Definition} operation
   * @returns {{ usage: Usage, isInFragment: boolean }[]}
   */
  usagesIn(operation) {
    return [
      ...operation.usages.map((usage) => ({ usage, isInFragment: false })),
      ...this.reachable(operation).flatMap((fragment) => fragment.usages.map((usage) => ({ usage, isInFragment: true }))),
    ];
  }
}

/**
 * The spreads in a selection set, in the order of graphql-js: those of a set before those of the sets in it, the last of
 * these first.
 * @param {Node} selectionSet
 * @returns {Node[]}
 */
function spreadsIn(selectionSet) {
  const spreads = [], pending = [selectionSet];
  for (let set = pending.pop(); set; set = pending.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === "FragmentSpread") spreads.push(selection);
      else if (selection.selectionSet) pending.push(selection.selectionSet);
    }
  }
  return spreads;
}
