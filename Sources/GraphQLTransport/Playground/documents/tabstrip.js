// @ts-check
import { byID, fill, h } from "../page/dom.js";
import { icon } from "../page/icons.js";
import { titleOf } from "./workspace.js";

/** The strip of tabs at the top of the page. */
export class TabStrip {
  /** @param {import("./workspace.js").Workspace} workspace @param {(id: string) => boolean} isRunning @param {(id: string) => void} onClose */
  constructor(workspace, isRunning, onClose) {
    this.workspace = workspace;
    this.isRunning = isRunning;
    this.onClose = onClose;
    this.host = byID("tabs");
    this.drawn = "";
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
    this.host.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
