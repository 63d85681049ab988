// @ts-check
import { queryWithoutSecrets, textWithoutSecrets } from "./secrets.js";

/**
 * One tab of the page. Nothing of it is ever written to the address.
 * @typedef {{ id: string, title: string, query: string, variables: string, headers: string, transport: "websocket" | "sse", choice?: string }} Tab
 */

const stored = "playground.tabs";

/** The tabs of the page, of which one is shown. They outlive a reload: they are kept for the browser's tab, without secrets. */
export class Workspace extends EventTarget {
  /** @param {Omit<Tab, "id">} first the tab of a page that has none */
  constructor(first) {
    super();
    this.number = 0;
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
    this.store();
  }

  changed() {
    this.store();
    this.dispatchEvent(new Event("change"));
  }

  store() {
    try {
      sessionStorage.setItem(stored, JSON.stringify({ activeID: this.activeID, tabs: this.tabs.map((tab) => ({
        ...tab, query: queryWithoutSecrets(tab.query), variables: textWithoutSecrets(tab.variables), headers: textWithoutSecrets(tab.headers),
      })) }));
    } catch {
      // The storage is closed or full: the tabs last as long as the page.
    }
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
