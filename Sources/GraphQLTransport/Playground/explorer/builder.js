// @ts-check
import { announce, debounced, fill, h } from "../page/dom.js";
import { icon } from "../page/icons.js";
import { namedType, typeText } from "../schema/schema.js";
import { operationNode, selected, typeAfter, withSelection } from "./selection.js";

/** @typedef {import("../types").OperationType} OperationType */

/** The schema as a tree with a box a field: ticking one writes it into the operation at the caret. */
export class Builder {
  /** @param {HTMLElement} host @param {{ schema: () => import("../schema/schema.js").Schema | null, text: () => string, caret: () => number, write: (text: string) => void, state: () => string }} sources */
  constructor(host, sources) {
    this.sources = sources;
    /** @type {OperationType} */
    this.type = "query";
    /** @type {Set<string>} */
    this.open = new Set();
    this.text = "";
    /**
     * The offset of the operation that is drawn.
     * @type {number | undefined}
     */
    this.place = undefined;
    this.picker = h("select", { "aria-label": "Kind of operation", onchange: () => { this.type = /** @type {OperationType} */ (this.picker.value); this.draw(); } });
    this.search = h("input", { type: "search", placeholder: "Filter fields", "aria-label": "Filter fields" });
    this.search.addEventListener("input", debounced(() => this.draw(), 80));
    this.body = h("div", { class: "side-body builder" });
    host.append(h("div", { class: "side-head" }, this.picker, this.search), this.body);
  }

  /** Draws anew where the text, or the operation at the caret, is another: a press that began on a box must end on it. */
  follow() {
    const text = this.sources.text();
    if (text !== this.text || operationNode(text, this.sources.caret())?.start !== this.place) this.draw();
  }

  draw() {
    const schema = this.sources.schema();
    if (!schema) return fill(this.body, h("p", { class: "empty" }, this.sources.state()));
    const text = this.sources.text();
    const node = operationNode(text, this.sources.caret());
    if (text !== this.text && node && text.trim()) this.type = node.operation;
    this.text = text;
    this.place = node?.start;
    fill(this.picker, /** @type {OperationType[]} */ (["query", "mutation", "subscription"]).filter((type) => schema.roots[type])
      .map((type) => h("option", { value: type, selected: type === this.type }, type)));
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.step;
    const top = this.body.scrollTop;
    fill(this.body, this.level(schema, schema.roots[this.type] ?? "", [], node?.operation === this.type ? node : null));
    this.body.scrollTop = top;
    if (focused) /** @type {HTMLElement | null} */ (this.body.querySelector(`[data-step="${CSS.escape(focused)}"]`))?.focus();
  }

  /** @param {import("../schema/schema.js").Schema} schema @param {string} typeName @param {string[]} path @param {import("../types").Node | null} node @returns {HTMLElement} */
  level(schema, typeName, path, node) {
    const type = schema.type(typeName);
    const wanted = path.length ? "" : this.search.value.trim().toLowerCase();
    const fields = (type?.fields ?? []).filter((field) => !wanted || field.name.toLowerCase().includes(wanted));
    const fragments = schema.isAbstract(typeName) ? [...schema.possibleTypes(typeName)] : [];
    return h("ul", null, fields.map((field) => this.leaf(schema, typeName, field.name, typeText(field.type), field.description, path, node)),
      fragments.map((name) => this.leaf(schema, typeName, `...${name}`, "", null, path, node)));
  }

  /** @param {import("../schema/schema.js").Schema} schema @param {string} typeName @param {string} step @param {string} detail @param {string | null} description @param {string[]} path @param {import("../types").Node | null} node */
  leaf(schema, typeName, step, detail, description, path, node) {
    const here = [...path, step];
    const id = here.join("/");
    const chosen = node ? selected(node, step) : null;
    const inner = typeAfter(schema, typeName, step);
    const hasFields = schema.isComposite(inner);
    const isOpen = hasFields && here.length < 12 && (this.open.has(id) || (chosen !== null && !this.open.has(`-${id}`)));
    const box = h("input", { type: "checkbox", "data-step": id, onchange: () => this.tick(schema, here, box.checked) });
    box.checked = chosen !== null;
    return h("li", null, h("div", { class: "leaf", title: description },
      hasFields ? h("button", { class: "plain", "aria-expanded": isOpen, "aria-label": `${isOpen ? "Fold" : "Unfold"} ${step}`, "data-step": `>${id}`,
        onclick: () => { this.open.delete(isOpen ? id : `-${id}`); this.open.add(isOpen ? `-${id}` : id); this.draw(); } }, icon(isOpen ? "down" : "forward")) : h("span", { class: "tree-fold" }),
      h("label", null, box, step.startsWith("...") ? `… on ${step.slice(3)}` : step, " ", detail ? h("span", { class: "a-type" }, namedType(schema.field(typeName, step)?.type) && detail) : null)),
    isOpen ? this.level(schema, inner, here, chosen) : null);
  }

  /** @param {import("../schema/schema.js").Schema} schema @param {string[]} path @param {boolean} isSelected */
  tick(schema, path, isSelected) {
    const text = withSelection(schema, this.sources.text(), this.sources.caret(), this.type, path, isSelected);
    if (text === null) announce("The query has an error; it must parse before fields can be ticked.");
    else {
      this.text = text;
      this.sources.write(text);
    }
    this.draw();
  }
}
