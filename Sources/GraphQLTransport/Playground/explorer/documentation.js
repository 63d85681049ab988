// @ts-check
import { copy, debounced, download, fill, h, icon } from "../page/dom.js";
import { openDialog } from "../page/dialog.js";
import { namedType, typeText } from "../schema/schema.js";
import { printSchema, printType } from "../schema/sdl.js";

/** @typedef {import("../types").SchemaLink} SchemaLink */
/** @typedef {import("../types").TypeRef} TypeRef */
/** @typedef {import("../types").InputDefinition} InputDefinition */

/** Uses of a type that are listed. */
const shownUses = 60;

/** The schema's documentation: pages with links between them, their history, and a search over everything. */
export class Documentation {
  /** @param {HTMLElement} host @param {{ schema: () => import("../schema/schema.js").Schema | null, insert: (link: SchemaLink) => void, state: () => string }} sources */
  constructor(host, sources) {
    this.sources = sources;
    /**
     * Pages of the history; an empty link is the start.
     * @type {SchemaLink[]}
     */
    this.pages = [{}];
    this.at = 0;
    this.backButton = h("button", { class: "plain", "aria-label": "Back", onclick: () => this.step(-1) }, icon("back"));
    this.forwardButton = h("button", { class: "plain", "aria-label": "Forward", onclick: () => this.step(1) }, icon("forward"));
    this.search = h("input", { type: "search", placeholder: "Search types, fields, arguments", "aria-label": "Search the schema" });
    this.search.addEventListener("input", debounced(() => this.draw(), 60));
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") /** @type {HTMLElement | null} */ (this.body.querySelector(".entry button"))?.click();
      if (event.key === "ArrowDown") /** @type {HTMLElement | null} */ (this.body.querySelector(".entry button"))?.focus();
    });
    this.body = h("div", { class: "side-body", tabindex: "-1" });
    this.body.addEventListener("keydown", (event) => this.pressed(event));
    host.append(h("div", { class: "side-head" }, this.backButton, this.forwardButton, this.search), this.body);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.altKey && event.key === "ArrowLeft") this.step(-1);
    else if (event.altKey && event.key === "ArrowRight") this.step(1);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const links = /** @type {HTMLElement[]} */ ([...this.body.querySelectorAll("button")]);
      links[links.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    } else return;
    event.preventDefault();
  }

  /** @param {SchemaLink} link */
  show(link) {
    this.search.value = "";
    this.pages = [...this.pages.slice(0, this.at + 1), link];
    this.at = this.pages.length - 1;
    this.draw();
    this.body.scrollTop = 0;
  }

  /** @param {number} step */
  step(step) {
    this.at = Math.max(0, Math.min(this.at + step, this.pages.length - 1));
    this.search.value = "";
    this.draw();
  }

  draw() {
    const schema = this.sources.schema();
    this.backButton.disabled = this.at === 0;
    this.forwardButton.disabled = this.at === this.pages.length - 1;
    if (!schema) return fill(this.body, h("p", { class: "empty" }, this.sources.state()));
    const link = this.pages[this.at];
    if (this.search.value.trim()) return fill(this.body, this.found(schema));
    if (link.directive) return fill(this.body, this.directivePage(schema, link.directive));
    if (link.type && schema.type(link.type)) {
      fill(this.body, link.member ? this.memberPage(schema, link.type, link.member) : this.typePage(schema, link.type));
      return;
    }
    fill(this.body, this.startPage(schema).flat(3));
  }

  /** @param {import("../schema/schema.js").Schema} schema */
  found(schema) {
    const matches = schema.search(this.search.value);
    if (!matches.length) return [h("p", { class: "empty" }, "Nothing in the schema has this name or description.")];
    return matches.map((match) => h("div", { class: "entry" }, h("code", null, this.link(match.label, match)), this.prose(firstSentence(match.description))));
  }

  /** @param {import("../schema/schema.js").Schema} schema */
  startPage(schema) {
    const roots = /** @type {const} */ (["query", "mutation", "subscription"]);
    const types = schema.types.filter((type) => !type.name.startsWith("__") && !Object.values(schema.roots).includes(type.name));
    const groups = /** @type {[string, string][]} */ ([["OBJECT", "Objects"], ["INTERFACE", "Interfaces"], ["UNION", "Unions"], ["ENUM", "Enums"], ["INPUT_OBJECT", "Inputs"], ["SCALAR", "Scalars"]]);
    return [
      h("h2", null, "Schema"), this.prose(schema.description),
      h("p", null, h("button", { class: "link", onclick: () => this.openSDL(schema) }, "Read the SDL"), " ",
        h("button", { class: "link", onclick: () => download("schema.graphql", printSchema(schema), "text/plain") }, "Download it")),
      h("h3", null, "Roots"),
      roots.map((root) => schema.roots[root] ? h("div", { class: "entry" }, h("code", null, `${root}: `, this.link(schema.roots[root] ?? "", { type: schema.roots[root] ?? "" }, "t"))) : null),
      groups.map(([kind, title]) => {
        const members = types.filter((type) => type.kind === kind);
        return members.length ? [h("h3", null, `${title} (${members.length})`), members.map((type) => h("div", { class: "entry" },
          h("code", null, this.link(type.name, { type: type.name }, "t")), this.prose(firstSentence(type.description))))] : [];
      }).flat(2),
      h("h3", null, "Directives"), schema.directives.map((directive) => h("div", { class: "entry" }, h("code", null, this.link(`@${directive.name}`, { directive: directive.name })), this.prose(firstSentence(directive.description)))),
    ];
  }

  /** @param {import("../schema/schema.js").Schema} schema @param {string} name */
  typePage(schema, name) {
    const type = /** @type {import("../types").TypeDefinition} */ (schema.type(name));
    const uses = schema.usedBy(name);
    const related = (/** @type {string} */ title, /** @type {{ name: string }[] | null} */ list) => list?.length
      ? [h("h3", null, title), h("div", { class: "entry" }, h("code", null, list.flatMap((item, index) => [index ? ", " : "", this.link(item.name, { type: item.name }, "t")])))] : [];
    return [
      h("p", { class: "dim" }, type.kind.toLowerCase().replace("_", " "), type.isOneOf ? ", exactly one field is given" : ""),
      h("h2", null, type.name), this.prose(type.description),
      type.specifiedByURL ? h("p", { class: "dim" }, `Specified by ${type.specifiedByURL}`) : null,
      type.fields ? [h("h3", null, `Fields (${type.fields.length})`), ...type.fields.map((field) => this.entry(name, field))] : [],
      type.inputFields ? [h("h3", null, `Input fields (${type.inputFields.length})`), ...type.inputFields.map((field) => this.entry(name, field))] : [],
      type.enumValues ? [h("h3", null, "Values"), ...type.enumValues.map((value) => this.entry(name, value))] : [],
      related("Implements", type.interfaces), related("Possible types", type.possibleTypes),
      uses.length ? [h("h3", null, `Used by (${uses.length})`), ...uses.slice(0, shownUses).map((use) => h("div", { class: "entry" },
        h("code", null, this.link(use.type + (use.member ? `.${use.member}` : "") + (use.argument ? `(${use.argument}:)` : ""), { type: use.type, member: use.member ?? undefined }))))] : [],
      h("h3", null, "SDL"), h("pre", { class: "code-text" }, printType(schema, name)),
      h("button", { onclick: () => copy(printType(schema, name), "the SDL") }, icon("copy"), "Copy"),
    ].flat(2);
  }

  /** @param {import("../schema/schema.js").Schema} schema @param {string} typeName @param {string} memberName */
  memberPage(schema, typeName, memberName) {
    const type = /** @type {import("../types").TypeDefinition} */ (schema.type(typeName));
    const member = /** @type {any} */ (schema.field(typeName, memberName) ?? [...(type.inputFields ?? []), ...(type.enumValues ?? [])].find((item) => item.name === memberName));
    if (!member) return this.typePage(schema, typeName);
    const isRoot = Object.values(schema.roots).includes(typeName);
    const uses = member.type ? schema.type(namedType(member.type)) : null;
    return [
      h("p", { class: "crumbs" }, this.link(typeName, { type: typeName }, "t")),
      h("h2", null, memberName), member.type ? h("p", null, h("code", null, this.typeLink(member.type))) : null,
      this.prose(member.description), this.old(member),
      isRoot ? h("p", null, h("button", { onclick: () => this.sources.insert({ type: typeName, member: memberName }) }, icon("plus"), "Add to the query")) : null,
      member.args?.length ? [h("h3", null, "Arguments"), ...member.args.map((/** @type {InputDefinition} */ argument) => this.entry(typeName, argument, true))] : [],
      member.defaultValue ? [h("h3", null, "Default"), h("code", null, member.defaultValue)] : [],
      uses?.fields?.length ? [h("h3", null, `Fields of ${uses.name}`), ...uses.fields.map((field) => this.entry(uses.name, field))] : [],
    ].flat(2);
  }

  /** @param {import("../schema/schema.js").Schema} schema @param {string} name */
  directivePage(schema, name) {
    const directive = schema.directive(name);
    if (!directive) return this.startPage(schema).flat(2);
    return [
      h("p", { class: "dim" }, directive.isRepeatable ? "repeatable directive" : "directive"), h("h2", null, `@${name}`), this.prose(directive.description),
      directive.args.length ? [h("h3", null, "Arguments"), ...directive.args.map((argument) => this.entry("", argument, true))] : [],
      h("h3", null, "Locations"), h("p", null, directive.locations.join(", ").toLowerCase().replaceAll("_", " ")),
    ].flat(2);
  }

  /**
   * A line for a field, an argument, an input field or a value.
   * @param {string} owner @param {any} item @param {boolean} [isArgument]
   */
  entry(owner, item, isArgument = false) {
    return h("div", { class: `entry${item.isDeprecated ? " old" : ""}` },
      h("code", null, isArgument ? h("span", { class: "a" }, item.name) : this.link(item.name, { type: owner, member: item.name }, "f"),
        item.args?.length ? ["(", item.args.flatMap((/** @type {InputDefinition} */ argument, /** @type {number} */ index) => [
          index ? ", " : "", h("span", { class: "a" }, argument.name), ": ", this.typeLink(argument.type), argument.defaultValue ? ` = ${argument.defaultValue}` : ""]), ")"].flat() : null,
        item.type ? [": ", this.typeLink(item.type)] : null, item.defaultValue ? ` = ${item.defaultValue}` : null),
      this.prose(item.description), this.old(item));
  }

  /** @param {any} item */
  old(item) {
    return item.isDeprecated ? h("p", { class: "old-note" }, `Deprecated: ${item.deprecationReason ?? "no reason given"}`) : null;
  }

  /** @param {string | null | undefined} text */
  prose(text) {
    if (!text) return null;
    return h("p", { class: "prose" }, text.split(/(`[^`]+`)/).map((part) => (part.startsWith("`") ? h("code", null, part.slice(1, -1)) : part)));
  }

  /** @param {string} text @param {SchemaLink} link @param {string} [style] */
  link(text, link, style = "") {
    return h("button", { class: `link ${style}`, onclick: () => this.show(link) }, text);
  }

  /** @param {TypeRef} type */
  typeLink(type) {
    const name = namedType(type);
    const [before, after] = typeText(type).split(name);
    return h("span", { class: "t" }, before, this.link(name, { type: name }, "t"), after);
  }

  /** @param {import("../schema/schema.js").Schema} schema */
  openSDL(schema) {
    const text = printSchema(schema);
    openDialog("SDL", () => [h("pre", { tabindex: "0" }, text), h("div", { class: "actions" },
      h("button", { onclick: () => copy(text, "the SDL") }, "Copy"), h("button", { class: "primary", onclick: () => download("schema.graphql", text, "text/plain") }, "Download"))], { kind: "wide" });
  }
}

/** @param {string | null | undefined} text */
function firstSentence(text) {
  return text ? (/^[^]*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text).slice(0, 200) : null;
}
