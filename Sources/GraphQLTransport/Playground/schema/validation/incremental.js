// @ts-check
/** @typedef {import("./traversal.js").Traversal} Traversal */
/** @typedef {import("./traversal.js").Rule} Rule */
/** @typedef {import("../../types").Node} Node */
/** @typedef {(context: Traversal) => Rule} RuleMaker */

/** @param {Node} directive */
const isIncremental = ({ name }) => name.value === "defer" || name.value === "stream";
/** @param {Node} directive */
const capitalized = ({ name }) => (name.value === "defer" ? "Defer" : "Stream");

/** @type {RuleMaker} Spec: incremental delivery, 5.7.4 */
export const DeferStreamDirectiveOnRootField = (context) => {
  const roots = /** @type {const} */ (["mutation", "subscription"]).flatMap((operation) => {
    const type = context.schema.roots[operation];
    return type ? [{ operation, type }] : [];
  });
  /** @type {Map<Node, number>} directives within selections of an abstract type, with their places in the order of errors */
  const withinAbstractTypes = new Map();
  /** @param {Node} directive @param {{ operation: string, type: string }} root */
  const message = (directive, root) => `${capitalized(directive)} directive cannot be used on root ${root.operation} type "${root.type}".`;
  /** @param {string} operation */
  const directivesAtRoot = (operation) => {
    const found = [], visited = new Set();
    const pending = context.operations.filter(({ node }) => node.operation === operation).map(({ node }) => node.selectionSet);
    for (let set = pending.pop(); set; set = pending.pop()) {
      for (const selection of set.selections) {
        found.push(...selection.directives);
        if (selection.kind === "InlineFragment") pending.push(selection.selectionSet);
        if (selection.kind !== "FragmentSpread" || visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
        const fragment = context.fragmentsByName.get(selection.name.value);
        if (fragment) pending.push(fragment.selectionSet);
      }
    }
    return found;
  };
  return {
    directive(node) {
      const { parentType } = context;
      if (!isIncremental(node) || !parentType) return;
      for (const root of roots) if (root.type === parentType) context.report(message(node, root), node);
      if (context.schema.isAbstract(parentType)) withinAbstractTypes.set(node, context.reserve());
    },
    leaveDocument() {
      if (withinAbstractTypes.size === 0) return;
      for (const root of roots) {
        for (const directive of directivesAtRoot(root.operation)) {
          const ordinal = withinAbstractTypes.get(directive);
          if (ordinal === undefined) continue;
          withinAbstractTypes.delete(directive);
          context.reportAt(ordinal, message(directive, root), directive);
        }
      }
    },
  };
};

/** @type {RuleMaker} Spec: incremental delivery, 5.7.5 */
export const DeferStreamDirectiveOnValidOperations = (context) => {
  /** @type {{ directive: Node, ordinal: number, definition: import("./traversal.js").Definition }[]} */
  const usages = [];
  return {
    directive(node) {
      if (!isIncremental(node)) return;
      const condition = node.arguments.find((/** @type {Node} */ argument) => argument.name.value === "if")?.value;
      if (condition?.kind === "Variable" || (condition?.kind === "BooleanValue" && condition.value === false)) return;
      usages.push({ directive: node, ordinal: context.reserve(), definition: context.definition });
    },
    leaveDocument() {
      const reached = new Set(context.operations.filter(({ node }) => node.operation === "subscription")
        .flatMap((operation) => [operation, ...context.reachable(operation)]));
      for (const { directive, ordinal, definition } of usages) {
        if (!reached.has(definition)) continue;
        context.reportAt(
          ordinal,
          `${capitalized(directive)} directive not supported on subscription operations. Disable \`@${directive.name.value}\` by setting the \`if\` argument to \`false\`.`,
          directive);
      }
    },
  };
};

/** @type {RuleMaker} Spec: incremental delivery, 5.7.6 */
export const DeferStreamDirectiveLabel = (context) => {
  const known = new Map();
  return {
    directive(node) {
      const label = isIncremental(node) ? node.arguments.find((/** @type {Node} */ argument) => argument.name.value === "label")?.value : null;
      if (!label || label.kind === "NullValue") return;
      if (label.kind !== "StringValue") {
        context.report(`Argument "@${node.name.value}(label:)" must be a static string.`, node);
      } else if (known.has(label.value)) {
        context.report('Value for arguments "defer(label:)" and "stream(label:)" must be unique across all Defer/Stream directive usages.', known.get(label.value), node);
      } else {
        known.set(label.value, node);
      }
    },
  };
};

/** @type {RuleMaker} Spec: incremental delivery, 5.7.7 */
export const StreamDirectiveOnListField = (context) => ({
  directive(node, location) {
    const { field, parentType } = context;
    if (node.name.value !== "stream" || location !== "FIELD" || !field || !parentType) return;
    const type = field.type.kind === "NON_NULL" ? field.type.ofType : field.type;
    if (type?.kind !== "LIST") context.report(`Directive "@stream" cannot be used on non-list field "${parentType}.${field.name}".`, node);
  },
});
