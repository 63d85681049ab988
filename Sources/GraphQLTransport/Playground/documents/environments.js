// @ts-check
import { looksSecret } from "./secrets.js";

/**
 * A named set of values. The value of a secret is kept elsewhere, for as long as the browser's tab lasts.
 * @typedef {{ id: string, name: string, values: { name: string, value: string, isSecret: boolean }[] }} Environment
 */

const stored = "playground.environments", storedSecrets = "playground.environment.secrets", storedChoice = "playground.environment";

/** @param {Storage} storage @param {string} key @param {any} otherwise @returns {any} */
function read(storage, key, otherwise) {
  try { return JSON.parse(storage.getItem(key) ?? "null") ?? otherwise; } catch { return otherwise; }
}

/** @param {Storage} storage @param {string} key @param {unknown} value */
function write(storage, key, value) {
  try { storage.setItem(key, JSON.stringify(value)); } catch { /* closed or full: the values last as long as the page */ }
}

/** Environments, of which one may be chosen: its values take the places of `{{name}}` in variables and headers. */
export class Environments extends EventTarget {
  constructor() {
    super();
    /** @type {Environment[]} */
    this.all = [];
    /** @type {Record<string, string>} by the environment's identity and the value's name */
    this.secrets = read(sessionStorage, storedSecrets, {});
    /** @type {string} */
    this.activeID = read(sessionStorage, storedChoice, "");
    this.load();
    addEventListener("storage", (event) => {
      if (event.key !== stored) return;
      this.load();
      this.dispatchEvent(new Event("change"));
    });
  }

  load() {
    const all = read(localStorage, stored, []);
    this.all = Array.isArray(all) ? all : [];
  }

  get active() { return this.all.find(({ id }) => id === this.activeID) ?? null; }

  /** @param {string} id the environment that is chosen from now on; none where it is empty */
  choose(id) {
    this.activeID = id;
    write(sessionStorage, storedChoice, id);
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string} name */
  add(name) {
    const id = `${Date.now()}-${Math.round(performance.now() * 1_000)}`;
    this.all.push({ id, name, values: [] });
    this.store();
    this.choose(id);
  }

  /** @param {string} id */
  remove(id) {
    this.all = this.all.filter((environment) => environment.id !== id);
    for (const key of Object.keys(this.secrets)) if (key.startsWith(`${id}/`)) delete this.secrets[key];
    this.store();
    this.choose("");
  }

  /**
   * Takes the values of the chosen environment. A value whose name looks secret becomes a secret.
   * @param {{ name: string, value: string, isSecret: boolean }[]} values
   */
  setValues(values) {
    const environment = this.active;
    if (!environment) return;
    for (const key of Object.keys(this.secrets)) if (key.startsWith(`${environment.id}/`)) delete this.secrets[key];
    environment.values = values.filter(({ name }) => name).map(({ name, value, isSecret }) => {
      const hides = isSecret || looksSecret(name);
      if (hides) this.secrets[`${environment.id}/${name}`] = value;
      return { name, value: hides ? "" : value, isSecret: hides };
    });
    this.store();
    this.dispatchEvent(new Event("change"));
  }

  /** The values of the chosen environment, with its secrets as far as this tab knows them. */
  get values() {
    const { active } = this;
    return (active?.values ?? []).map((item) => ({ ...item, value: item.isSecret ? this.secrets[`${active?.id}/${item.name}`] ?? "" : item.value }));
  }

  /**
   * A look-up of the chosen environment's values.
   * @param {Set<string>} missing takes the names without a value
   * @param {boolean} [showsSecrets] without it a secret's placeholder stays
   * @returns {import("./placeholders.js").LookUp}
   */
  lookUp(missing, showsSecrets = true) {
    const { values } = this;
    return (name) => {
      const found = values.find((item) => item.name === name);
      if (found?.isSecret && !showsSecrets) return null;
      if (!found || (found.isSecret && !found.value)) {
        missing.add(name);
        return null;
      }
      return found.value;
    };
  }

  /** @param {Set<string>} missing names that have no value */
  problem(missing) {
    const names = [...missing].map((name) => `{{${name}}}`).join(", ");
    return this.active ? `The environment “${this.active.name}” has no value for ${names}. A secret lasts as long as its browser tab.`
      : `No environment is chosen that has values for ${names}.`;
  }

  store() {
    write(localStorage, stored, this.all);
    write(sessionStorage, storedSecrets, this.secrets);
  }
}
