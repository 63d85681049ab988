// @ts-check
import { byID, debounced, fill, h, icon, onFrame } from "../page/dom.js";
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
    /** True while a text is not stored yet. */
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

/** The strip of tabs at the top of the page. */
export class TabStrip {
  /** @param {Workspace} workspace @param {(id: string) => boolean} isRunning @param {(id: string) => void} onClose */
  constructor(workspace, isRunning, onClose) {
    this.workspace = workspace;
    this.isRunning = isRunning;
    this.onClose = onClose;
    this.host = byID("tabs");
    this.drawn = "";
    // Scrolling costs a layout, which is the frame's own when the frame begins with it.
    this.reveal = onFrame(() => this.host.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
    this.host.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step) this.step(step);
      else if (event.key === "Delete") this.close(workspace.activeID);
      else return;
      event.preventDefault();
      /** @type {HTMLElement | null} */ (this.host.querySelector("[aria-selected=true]"))?.focus();
    });
  }

  /** @param {number} step */
  step(step) {
    const { tabs, activeID } = this.workspace;
    this.workspace.activate(tabs[(tabs.findIndex((tab) => tab.id === activeID) + step + tabs.length) % tabs.length].id);
  }

  /** @param {string} id */
  close(id) {
    this.onClose(id);
    this.workspace.close(id);
  }

  draw() {
    const { tabs, activeID } = this.workspace;
    const seen = JSON.stringify([activeID, tabs.map((tab) => [tab.id, titleOf(tab), this.isRunning(tab.id)])]);
    if (seen === this.drawn) return;
    this.drawn = seen;
    fill(this.host, tabs.map((tab) => {
      const isActive = tab.id === activeID;
      const title = titleOf(tab);
      const item = h("div", { class: "tab", role: "presentation" },
        h("button", { role: "tab", "aria-selected": isActive, tabindex: isActive ? "0" : "-1", "aria-keyshortcuts": tabs.length > 1 ? "Delete" : null, onclick: () => this.workspace.activate(tab.id), title },
          this.isRunning(tab.id) ? h("span", { class: "live-dot", "aria-hidden": "true" }) : null, h("span", null, title)),
        // A list of tabs has nothing but tabs for screen readers; Delete and "Close tab" of the palette close one.
        tabs.length > 1 ? h("button", { class: "close", tabindex: "-1", "aria-hidden": "true", title: `Close ${title}`, onclick: () => this.close(tab.id) }, icon("close")) : null);
      return item;
    }));
    this.reveal();
  }
}
