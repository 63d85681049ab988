// @ts-check
/** @typedef {import("./traversal.js").Traversal} Traversal */
/** @typedef {import("./traversal.js").Rule} Rule */
/** @typedef {import("../../types").Node} Node */
/** @typedef {import("../../types").TypeRef} TypeRef */
/** @typedef {import("../../types").TypeDefinition} TypeDefinition */
import { print } from "../../language/printer.js";
import { isRequired, isVariableAllowed, namedType } from "../schema.js";
import { suggestionList } from "./suggestions.js";

/**
 * Why a literal is no value of a scalar of the specification; null where it is one. Only the server knows the
 * values that other scalars accept.
 * @param {string} scalar
 * @param {Node} value
 * @returns {string | null}
 */
export function scalarError(scalar, value) {
  const text = print(value), { kind } = value;
  switch (scalar) {
    case "Int":
      if (kind !== "IntValue") return `Int cannot represent non-integer value: ${text}`;
      return Math.abs(Number(value.value) + 0.5) < 2 ** 31 ? null : `Int cannot represent non 32-bit signed integer value: ${value.value}`;
    case "Float":
      if ((kind === "IntValue" || kind === "FloatValue") && Number.isFinite(Number(value.value))) return null;
      return `Float cannot represent non numeric value: ${text}`;
    case "String": return kind === "StringValue" ? null : `String cannot represent a non string value: ${text}`;
    case "Boolean": return kind === "BooleanValue" ? null : `Boolean cannot represent a non boolean value: ${text}`;
    case "ID":
      return kind === "StringValue" || kind === "IntValue" ? null : `ID cannot represent a non-string and non-integer value: ${text}`;
    default: return null;
  }
}

/**
 * Spec: 5.6.1 Values of Correct Type, 5.6.2 Input Object Field Names, 5.6.4 Input Object Required Fields
 * @param {Traversal} context
 * @returns {Rule}
 */
export function ValuesOfCorrectType(context) {
  /** @type {Node | null} */
  let operation = null;
  /** The depth within a list or object that is wrong as a whole, whose contents are not checked. */
  let ignored = 0;

  /** @param {Node} value @param {TypeRef | null | undefined} type */
  function checkLeaf(value, type) {
    if (!type) return;
    const definition = context.schema.type(namedType(type));
    let message = null;
    if (definition?.kind === "SCALAR") message = scalarError(definition.name, value);
    else if (definition?.kind === "ENUM") message = enumError(definition, value);
    else message = `Expected value of type "${context.text(type)}", found ${print(value)}.`;
    if (message) context.report(message, value);
  }

  /** @param {TypeDefinition} type @param {Node} value */
  function enumError(type, value) {
    const names = (type.enumValues ?? []).map(({ name }) => name);
    if (value.kind === "EnumValue" && names.includes(value.value)) return null;
    const text = print(value), suggestion = context.didYouMean(() => suggestionList(text, names), "the enum value");
    if (value.kind === "EnumValue") return `Value "${text}" does not exist in "${type.name}" enum.${suggestion}`;
    return `Enum "${type.name}" cannot represent non-enum value: ${text}.${suggestion}`;
  }

  /** @param {TypeDefinition} object @param {Node} value */
  function checkOneOf(object, value) {
    const { fields } = value;
    const names = new Set(fields.map((/** @type {Node} */ field) => field.name.value));
    if (names.size !== 1) {
      context.report(`OneOf Input Object "${object.name}" must specify exactly one key.`, value);
      return;
    }
    const field = fields[fields.length - 1];
    if (field.value.kind === "NullValue") {
      context.report(`Field "${object.name}.${field.name.value}" must be non-null.`, value);
    } else if (field.value.kind === "Variable") {
      const name = field.value.name.value;
      const definition = operation?.variableDefinitions.filter((/** @type {Node} */ variable) => variable.variable.name.value === name).at(-1);
      if (definition && definition.type.kind !== "NonNullType") {
        context.report(`Variable "${name}" must be non-nullable to be used for OneOf Input Object "${object.name}".`, value);
      }
    }
  }

  return {
    operation(node) { operation = node; },
    leaveOperation() { operation = null; },
    value(/** @type {Node} */ node) {
      const isWhole = node.kind === "ListValue" || node.kind === "ObjectValue";
      if (ignored > 0) {
        if (isWhole) ignored += 1;
        return;
      }
      const type = context.inputType;
      const nullable = type?.kind === "NON_NULL" ? type.ofType : type;
      if (node.kind === "ListValue") {
        if (nullable?.kind === "LIST") return;
        checkLeaf(node, nullable);
        ignored = 1;
      } else if (node.kind === "ObjectValue") {
        const object = type ? context.schema.type(namedType(type)) : null;
        if (object?.kind !== "INPUT_OBJECT") {
          checkLeaf(node, type);
          ignored = 1;
          return;
        }
        for (const field of (object.inputFields ?? []).filter(isRequired)) {
          if (node.fields.some((/** @type {Node} */ given) => given.name.value === field.name)) continue;
          context.report(`Field "${object.name}.${field.name}" of required type "${context.text(field.type)}" was not provided.`, node);
        }
        if (object.isOneOf) checkOneOf(object, node);
      } else if (node.kind === "NullValue") {
        if (type?.kind === "NON_NULL") context.report(`Expected value of type "${context.text(type)}", found null.`, node);
      } else {
        checkLeaf(node, type);
      }
    },
    leaveValue() { if (ignored > 0) ignored -= 1; },
    objectField(node) {
      const object = context.inputObject;
      if (ignored > 0 || context.inputType || !object) return;
      const names = (object.inputFields ?? []).map(({ name }) => name), name = node.name.value;
      context.report(`Field "${name}" is not defined by type "${object.name}".${context.didYouMean(() => suggestionList(name, names))}`, node);
    },
  };
}

/**
 * Spec: 5.8.5 All Variable Usages Are Allowed
 * @param {Traversal} context
 * @returns {Rule}
 */
export function VariablesInAllowedPosition(context) {
  /** @type {number[]} */
  const ordinals = [];
  return {
    leaveOperation() { ordinals.push(context.reserve()); },
    leaveDocument() {
      context.operations.forEach((operation, index) => {
        const definitions = new Map();
        for (const node of operation.node.variableDefinitions) {
          const type = context.typeOf(node.type);
          if (type) definitions.set(node.variable.name.value, { node, type });
        }
        if (definitions.size === 0) return;
        for (const { usage, isInFragment } of context.usagesIn(operation)) {
          const found = definitions.get(usage.name);
          if (!found || !usage.type) continue;
          const { node, type } = found, text = context.text(type);
          const hasDefault = (node.defaultValue && node.defaultValue.kind !== "NullValue") || usage.hasDefault;
          if (!isVariableAllowed(type, hasDefault, usage.type)) {
            context.reportAt(
              ordinals[index],
              `Variable "$${usage.name}" of type "${text}" used in position expecting type "${context.text(usage.type)}".`,
              node, usage.node);
          }
          if (usage.oneOf && type.kind !== "NON_NULL" && (isInFragment || !usage.oneOf.isWrapped)) {
            context.reportAt(
              ordinals[index],
              `Variable "$${usage.name}" is of type "${text}" but must be non-nullable to be used for OneOf Input Object "${usage.oneOf.type}".`,
              node, usage.node);
          }
        }
      });
    },
  };
}
