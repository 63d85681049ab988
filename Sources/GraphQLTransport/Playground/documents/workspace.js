// @ts-check
import { debounced } from "../page/dom.js";
import { headersWithoutSecrets, queryWithoutSecrets, textWithoutSecrets } from "./secrets.js";

/**
 * One tab of the page. Nothing of it is ever written to the address.
 * @typedef {{ id: string, title: string, query: string, variables: string, headers: string, transport: "websocket" | "sse", choice?: string }} Tab
 */

const stored = "playground.tabs";
/** Milliseconds after the last change of a text until it is stored; a page that goes stores at once. */
const storeDelay = 400;

/** The tabs of the page, of which one is shown. They outlive a reload: they are kept for the browser's tab, without secrets. */
export class Workspace extends EventTarget {
  /** @param {Omit<Tab, "id">} first the tab of a page that has none */
  constructor(first) {
    super();
    this.number = 0;
    /** Whether a text is not stored yet. */
    this.isStale = false;
    this.storeSoon = debounced(() => this.store(), storeDelay);
    for (const type of ["pagehide", "visibilitychange"]) addEventListener(type, () => { if (this.isStale) this.store(); });
    /** @type {WeakMap<Tab, { of: string[], clean: string[] }>} what was stored of a tab last, since most tabs stay as they are */
    this.cleaned = new WeakMap();
    /** @type {Tab[]} */
    this.tabs = [];
    this.activeID = "";
    try {
      const { tabs, activeID } = JSON.parse(sessionStorage.getItem(stored) ?? "{}");
      if (Array.isArray(tabs)) this.tabs = tabs;
      this.activeID = activeID;
    } catch {
      // The storage is closed to this page, or holds something else.
    }
    this.number = Math.max(0, ...this.tabs.map((tab) => Number(tab.id) || 0));
    if (!this.tabs.length) this.open(first);
    if (!this.tabs.some((tab) => tab.id === this.activeID)) this.activeID = this.tabs[0].id;
  }

  /** @returns {Tab} */
  get active() {
    return /** @type {Tab} */ (this.tabs.find((tab) => tab.id === this.activeID) ?? this.tabs[0]);
  }

  /** @param {Partial<Tab>} tab */
  open(tab) {
    this.number += 1;
    const opened = { title: "", query: "", variables: "", headers: "", transport: /** @type {"websocket"} */ ("websocket"), ...tab, id: String(this.number) };
    this.tabs.push(opened);
    this.activeID = opened.id;
    this.changed();
    return opened;
  }

  /** @param {string} id */
  activate(id) {
    this.activeID = id;
    this.changed();
  }

  /** @param {string} id */
  close(id) {
    const at = this.tabs.findIndex((tab) => tab.id === id);
    this.tabs = this.tabs.filter((tab) => tab.id !== id);
    if (!this.tabs.length) return void this.open({});
    if (this.activeID === id) this.activeID = this.tabs[Math.min(at, this.tabs.length - 1)].id;
    this.changed();
  }

  /** @param {Partial<Tab>} change */
  update(change) {
    Object.assign(this.active, change);
    this.isStale = true;
    this.storeSoon();
  }

  changed() {
    this.store();
    this.dispatchEvent(new Event("change"));
  }

  store() {
    this.isStale = false;
    try {
      sessionStorage.setItem(stored, JSON.stringify({ activeID: this.activeID, tabs: this.tabs.map((tab) => this.withoutSecrets(tab)) }));
    } catch {
      // The storage is closed or full: the tabs last as long as the page.
    }
  }

  /** @param {Tab} tab @returns {Tab} */
  withoutSecrets(tab) {
    const of = [tab.query, tab.variables, tab.headers];
    let known = this.cleaned.get(tab);
    if (!known || known.of.some((text, index) => text !== of[index])) {
      known = { of, clean: [queryWithoutSecrets(tab.query), textWithoutSecrets(tab.variables), headersWithoutSecrets(tab.headers)] };
      this.cleaned.set(tab, known);
    }
    const [query, variables, headers] = known.clean;
    return { ...tab, query, variables, headers };
  }
}

/**
 * The name of a tab: its own, its first operation's, or its first field's.
 * @param {Tab} tab
 */
export function titleOf(tab) {
  if (tab.title) return tab.title;
  const text = tab.query.replace(/#.*$/gm, "");
  const named = /\b(?:query|mutation|subscription)\s+(\w+)/.exec(text)?.[1];
  return named ?? /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(text)?.[1] ?? "New";
}
