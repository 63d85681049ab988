// @ts-check
import { queryWithoutSecrets, textWithoutSecrets } from "./secrets.js";

/** @typedef {{ id: string, at: number, name: string, type: string, query: string, variables: string, status?: number, time?: number }} Entry */

/** Entries of a list that the browser keeps. */
const kept = 200;

/** A list of operations in the browser's storage, the newest first. Values under names that look secret are not stored. */
export class Library extends EventTarget {
  /** @param {string} key */
  constructor(key) {
    super();
    this.key = key;
    /** @type {Entry[]} */
    this.entries = this.read();
    addEventListener("storage", (event) => {
      if (event.key !== key) return;
      this.entries = this.read();
      this.dispatchEvent(new Event("change"));
    });
  }

  /** @returns {Entry[]} */
  read() {
    try {
      const value = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(value) ? value : [];
    } catch {
      return [];
    }
  }

  /**
   * An entry with the same query, variables and name takes the earlier one's place.
   * @param {Omit<Entry, "id" | "at">} entry
   */
  add(entry) {
    const clean = { ...entry, query: queryWithoutSecrets(entry.query), variables: textWithoutSecrets(entry.variables), at: Date.now(), id: `${Date.now()}-${Math.round(performance.now() * 1_000)}` };
    this.entries = [clean, ...this.read().filter((other) => other.query !== clean.query || other.variables !== clean.variables || other.name !== clean.name)].slice(0, kept);
    this.store();
  }

  /** @param {string} id */
  remove(id) {
    this.entries = this.read().filter((entry) => entry.id !== id);
    this.store();
  }

  clear() {
    this.entries = [];
    this.store();
  }

  /** @param {string} text */
  search(text) {
    const wanted = text.toLowerCase();
    return this.entries.filter((entry) => !wanted || `${entry.name} ${entry.query} ${entry.variables}`.toLowerCase().includes(wanted));
  }

  store() {
    try { localStorage.setItem(this.key, JSON.stringify(this.entries)); } catch { /* closed or full: the list lasts as long as the page */ }
    this.dispatchEvent(new Event("change"));
  }
}
