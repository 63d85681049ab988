// @ts-check
import { valueAt } from "./operation.js";

/** @typedef {import("./operation.js").Answer} Answer */

/**
 * Puts the parts of a response together (incremental delivery: `pending`, `incremental`, `completed`, `hasNext`).
 */
export class IncrementalAnswer {
  constructor() {
    /** @type {Answer} */
    this.answer = {};
    /** @type {Map<string, { path: (string | number)[], label?: string }>} */
    this.pending = new Map();
    this.hasNext = true;
  }

  /** @param {any} part @returns {Answer} the answer so far */
  add(part) {
    if ("data" in part) this.answer.data = part.data;
    this.note(part.errors);
    for (const item of part.pending ?? []) this.pending.set(item.id, { path: item.path, label: item.label });
    for (const item of part.incremental ?? []) this.apply(item);
    for (const item of part.completed ?? []) {
      this.note(item.errors);
      this.pending.delete(item.id);
    }
    if (part.extensions) this.answer.extensions = { ...this.answer.extensions, ...part.extensions };
    this.hasNext = part.hasNext === true;
    return { ...this.answer };
  }

  /** @param {any} item */
  apply(item) {
    const path = [...(this.pending.get(item.id)?.path ?? []), ...(item.subPath ?? [])];
    const place = valueAt(this.answer.data, path);
    if (Array.isArray(item.items) && Array.isArray(place)) place.push(...item.items);
    if (item.data && place && typeof place === "object") merge(place, item.data);
    this.note(item.errors);
  }

  /** @param {import("./operation.js").GraphQLError[] | undefined} errors */
  note(errors) {
    if (errors?.length) this.answer.errors = [...(this.answer.errors ?? []), ...errors];
  }

  /** Paths that are still to come, for display. */
  get waiting() {
    return [...this.pending.values()];
  }
}

/** @param {any} into @param {any} from */
function merge(into, from) {
  for (const [key, value] of Object.entries(from)) {
    const present = into[key];
    if (present && value && typeof present === "object" && typeof value === "object") merge(present, value);
    else into[key] = value;
  }
}
