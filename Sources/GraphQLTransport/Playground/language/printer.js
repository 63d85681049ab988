// @ts-check
/** @typedef {import("../types").Node} Node */
/** @typedef {import("./tokens.js").Token} Token */
import { parse } from "./parser.js";
import { tokenize } from "./tokens.js";

const width = 80;

/**
 * The node in the canonical form of graphql-js, without comments.
 * @param {Node} node
 * @returns {string}
 */
export function print(node) { return new Printer("", []).print(node); }

/**
 * The document in its usual layout with its comments and single empty lines, or null where it has a syntax error or
 * defines types.
 * @param {string} text
 * @returns {string | null}
 */
export function format(text) {
  const { document, error } = parse(text);
  if (error || document.definitions.some((definition) => definition.kind === "TypeSystemDefinition")) return null;
  const comments = tokenize(text).filter((token) => token.kind === "Comment");
  return new Printer(text, comments).format(document);
}

class Printer {
  /**
   * @param {string} source the text whose empty lines are kept
   * @param {Token[]} comments
   */
  constructor(source, comments) {
    this.source = source;
    this.comments = comments;
    this.nextComment = 0;
    this.keeps = source !== "";
  }

  /** @param {Node} document */
  format(document) {
    /** @type {Node[]} */
    const definitions = document.definitions;
    const parts = definitions.map((definition) => this.commentsBefore(definition.start, "") + this.print(definition) + this.trailing(definition.end));
    const rest = this.commentsBefore(Infinity, "").trimEnd();
    return [...parts, ...(rest ? [rest] : [])].join("\n\n") + "\n";
  }

  /**
   * The comments that come before an offset, each on a line of its own.
   * @param {number} offset
   * @param {string} indent
   */
  commentsBefore(offset, indent) {
    let text = "";
    while (this.nextComment < this.comments.length && this.comments[this.nextComment].start < offset) {
      const comment = this.comments[this.nextComment];
      this.nextComment += 1;
      text += comment.value.trimEnd() + "\n";
      const next = Math.min(offset, this.comments[this.nextComment]?.start ?? Infinity, this.source.length);
      if (/\n\s*\n/.test(this.source.slice(comment.end, next).replace(/\r\n?/g, "\n"))) text += "\n";
      text += indent;
    }
    return text;
  }

  /**
   * A comment behind an item on its line stays there.
   * @param {number} end
   */
  trailing(end) {
    const comment = this.comments[this.nextComment];
    if (!comment || comment.start < end || !/^[ \t,]*$/.test(this.source.slice(end, comment.start))) return "";
    this.nextComment += 1;
    return ` ${comment.value.trimEnd()}`;
  }

  /**
   * Items, one a line.
   * @param {string} open
   * @param {Node[]} items
   * @param {string} close
   * @param {string} indent
   * @param {number} end where `close` stands in the source
   */
  lines(open, items, close, indent, end) {
    const inner = indent + "  ";
    let text = open;
    items.forEach((item, index) => {
      const gap = index > 0 && this.keeps ? this.source.slice(items[index - 1].end, item.start).replace(/\r\n?/g, "\n").replace(/^[ \t,]*#[^\n]*/, "").split("#")[0] : "";
      if (/\n[ \t,]*\n/.test(gap)) text += "\n";
      text += "\n" + inner + this.commentsBefore(item.start, inner) + this.print(item, inner) + this.trailing(item.end);
    });
    const last = items.length ? items[items.length - 1].end : 0;
    const rest = this.keeps && end > last ? this.commentsBefore(end, inner).trimEnd() : "";
    return text + (rest ? "\n" + inner + rest : "") + "\n" + indent + close;
  }

  /**
   * Items on one line, or one a line where that is too long or has comments.
   * @param {string} open
   * @param {Node[]} items
   * @param {string} close
   * @param {string} indent
   * @param {Node} owner
   * @param {{ used: number, mayBreak: boolean }} layout
   */
  group(open, items, close, indent, owner, { used, mayBreak }) {
    if (items.length === 0) return open + close;
    const end = items[items.length - 1].end + 1;
    const comment = this.comments[this.nextComment];
    const commented = comment !== undefined && comment.start > owner.start && comment.start < end;
    if (!commented || !mayBreak) {
      const flat = open + items.map((item) => this.print(item, indent)).join(", ") + close;
      const length = flat.includes("\n") ? flat.split("\n").reduce((longest, line) => Math.max(longest, line.length), 0) : flat.length;
      if (!mayBreak || used + length <= width) return flat;
    }
    return this.lines(open, items, close, indent, end);
  }

  /**
   * @param {Node} node
   * @param {string} [indent]
   * @returns {string}
   */
  print(node, indent = "") {
    switch (node.kind) {
      case "Document": return node.definitions.map((/** @type {Node} */ definition) => this.print(definition)).join("\n\n");
      case "OperationDefinition": return this.printOperation(node);
      case "FragmentDefinition":
        return `${this.description(node, indent)}fragment ${node.name.value} on ${node.typeCondition.name.value}${this.directives(node, indent)} ${this.print(node.selectionSet)}`;
      case "VariableDefinition": {
        const defaultValue = node.defaultValue ? ` = ${this.print(node.defaultValue, indent)}` : "";
        return `${this.description(node, indent)}$${node.variable.name.value}: ${this.print(node.type)}${defaultValue}${this.directives(node, indent)}`;
      }
      case "SelectionSet": return this.lines("{", node.selections, "}", indent, node.end);
      case "Field": return this.printField(node, indent);
      case "FragmentSpread": return `...${node.name.value}${this.directives(node, indent)}`;
      case "InlineFragment": {
        const condition = node.typeCondition ? ` on ${node.typeCondition.name.value}` : "";
        return `...${condition}${this.directives(node, indent)} ${this.print(node.selectionSet, indent)}`;
      }
      case "Argument": case "ObjectField": return `${node.name.value}: ${this.print(node.value, indent)}`;
      case "Name": return node.value;
      case "NamedType": return node.name.value;
      case "ListType": return `[${this.print(node.type)}]`;
      case "NonNullType": return `${this.print(node.type)}!`;
      default: return this.printValue(node, indent);
    }
  }

  /** @param {Node} node */
  printOperation(node) {
    const isShort = node.operation === "query" && !node.name && !node.description && node.variableDefinitions.length === 0 && node.directives.length === 0;
    if (isShort && !(this.keeps && this.source.startsWith("query", node.start))) return this.print(node.selectionSet);
    let text = this.description(node, "") + node.operation;
    if (node.name || node.variableDefinitions.length) text += " ";
    if (node.name) text += node.name.value;
    const variables = node.variableDefinitions;
    if (variables.length) {
      const hasLines = variables.some((/** @type {Node} */ variable) => variable.description);
      const used = hasLines ? Infinity : this.keeps ? text.length : -Infinity;
      text += this.group("(", variables, ")", "", node, { used, mayBreak: true });
    }
    return `${text}${this.directives(node, "")} ${this.print(node.selectionSet)}`;
  }

  /** @param {Node} node @param {string} indent */
  printField(node, indent) {
    let text = (node.alias ? `${node.alias.value}: ` : "") + node.name.value;
    if (node.arguments.length) {
      const used = text.length + (this.keeps ? indent.length : 0);
      text += this.group("(", node.arguments, ")", indent, node, { used, mayBreak: true });
    }
    text += this.directives(node, indent);
    return node.selectionSet ? `${text} ${this.print(node.selectionSet, indent)}` : text;
  }

  /** @param {Node} node @param {string} indent */
  directives(node, indent) {
    return node.directives.map((/** @type {Node} */ directive) => {
      const name = ` @${directive.name.value}`;
      if (directive.arguments.length === 0) return name;
      return name + this.group("(", directive.arguments, ")", indent, directive, { used: -Infinity, mayBreak: this.keeps });
    }).join("");
  }

  /** @param {Node} node @param {string} indent */
  description(node, indent) { return node.description ? `${this.print(node.description, indent)}\n${indent}` : ""; }

  /** @param {Node} node @param {string} indent @returns {string} */
  printValue(node, indent) {
    const layout = { used: this.keeps ? indent.length + 12 : 0, mayBreak: this.keeps };
    switch (node.kind) {
      case "Variable": return `$${node.name.value}`;
      case "StringValue": return node.block ? printBlockString(node.value, indent) : printString(node.value);
      case "BooleanValue": return String(node.value);
      case "NullValue": return "null";
      case "ListValue": return this.group("[", node.values, "]", indent, node, layout);
      case "ObjectValue": return this.group("{", node.fields, "}", indent, node, layout);
      default: return node.value;
    }
  }
}

/**
 * A string literal.
 * @param {string} value
 */
export function printString(value) {
  return JSON.stringify(value).replace(/[\u007f-\u009f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)
    .replace(/\\u([0-9a-f]{4})/g, (_, digits) => `\\u${digits.toUpperCase()}`);
}

/**
 * A block string as graphql-js prints it.
 * @param {string} value
 * @param {string} indent
 */
export function printBlockString(value, indent) {
  const escaped = value.replaceAll('"""', '\\"""');
  const lines = escaped.split(/\r\n|[\n\r]/);
  const isOneLine = lines.length === 1;
  const forcesLeading = lines.length > 1 && lines.slice(1).every((line) => line.length === 0 || /^[ \t]/.test(line));
  const endsWithTriple = escaped.endsWith('\\"""');
  const forcesTrailing = (value.endsWith('"') && !endsWithTriple) || value.endsWith("\\");
  const printsLines = !isOneLine || value.length > 70 || forcesTrailing || forcesLeading || endsWithTriple;
  let text = "";
  const skipsLeading = isOneLine && /^[ \t]/.test(value);
  if ((printsLines && !skipsLeading) || forcesLeading) text += "\n" + indent;
  text += lines.map((line, index) => (index > 0 && line ? indent + line : line)).join("\n");
  if (printsLines || forcesTrailing) text += "\n" + indent;
  return `"""${text}"""`;
}
