// @ts-check
import { byID, fill, h } from "../page/dom.js";

/** How deeply an input's fields are searched for files. */
const inputDepth = 4;

/** @typedef {{ path: string, isList: boolean }} FilePlace */

/**
 * The places of an operation's variables that take a file.
 * @param {import("../types").OperationInfo | null} operation @param {import("../schema/schema.js").Schema | null} schema @returns {FilePlace[]}
 */
export function filePlaces(operation, schema) {
  /** @type {(path: string, text: string, depth: number) => FilePlace[]} */
  const within = (path, text, depth) => {
    const name = text.replace(/[\[\]!\s]/g, "");
    // GraphQL multipart request specification: the scalar is called Upload by all its servers.
    if (name === "Upload") return [{ path, isList: text.includes("[") }];
    const fields = depth < inputDepth && !text.includes("[") ? schema?.type(name)?.inputFields ?? [] : [];
    return fields.flatMap((field) => within(`${path}.${field.name}`, spelled(field.type), depth + 1));
  };
  return (operation?.variables ?? []).flatMap((variable) => within(variable.name, variable.type, 0));
}

/** @param {import("../types").TypeRef} type @returns {string} */
function spelled(type) {
  if (type.kind === "LIST") return `[${type.ofType ? spelled(type.ofType) : ""}]`;
  return type.ofType ? spelled(type.ofType) : type.name ?? "";
}

/** The files of an operation's variables: chosen, or dropped on the place of their variable. */
export class FilePanel {
  constructor() {
    this.host = byID("panel-files");
    /** @type {Map<string, File[]>} */
    this.chosen = new Map();
    /** @type {FilePlace[]} */
    this.places = [];
  }

  /** @param {FilePlace[]} places */
  show(places) {
    const isSame = JSON.stringify(places) === JSON.stringify(this.places);
    this.places = places;
    if (!isSame || !this.host.firstChild) this.draw();
  }

  /**
   * The files by the path of their variable.
   * @returns {Map<string, File>}
   */
  get files() {
    return new Map(this.places.flatMap(({ path, isList }) => (this.chosen.get(path) ?? []).map((file, index) => /** @type {[string, File]} */ ([isList ? `${path}.${index}` : path, file]))));
  }

  draw() {
    const count = this.files.size;
    fill(byID("tab-files"), "Files", count ? h("span", { class: "count" }, count) : null);
    if (!this.places.length) return fill(this.host, h("p", { class: "empty" }, "No variable of this operation takes a file. A variable of the type Upload does."));
    fill(this.host, this.places.map((place) => {
      const input = h("input", { type: "file", hidden: true, multiple: place.isList, onchange: () => this.take(place, [...(input.files ?? [])]) });
      const files = this.chosen.get(place.path) ?? [];
      const zone = h("div", { class: "drop", "data-path": place.path }, h("p", null, h("b", null, `$${place.path}`), place.isList ? " takes files" : " takes a file"),
        files.length ? h("p", null, files.map((file) => `${file.name} (${file.size} bytes)`).join(", ")) : h("p", null, "Drop it here, or"),
        h("button", { onclick: () => input.click() }, files.length ? "Choose another" : "Choose a file"),
        files.length ? h("button", { class: "plain", onclick: () => this.take(place, []) }, "Remove") : null, input);
      zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
      zone.addEventListener("dragleave", () => zone.classList.remove("over"));
      zone.addEventListener("drop", (event) => {
        event.preventDefault();
        this.take(place, [...(event.dataTransfer?.files ?? [])]);
      });
      return zone;
    }));
  }

  /** @param {FilePlace} place @param {File[]} files */
  take(place, files) {
    this.chosen.set(place.path, place.isList ? files : files.slice(0, 1));
    this.draw();
  }
}
