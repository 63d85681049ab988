// @ts-check
import { byID, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { isNarrow, showPane } from "./layout.js";

/** @typedef {{ id: string, title: string, icon: import("./icons.js").IconName, host: HTMLElement, draw: () => void }} Panel */

/** The side panel: one of several contents, chosen by the rail; pressing the chosen one closes the panel. */
export class SidePanel {
  /** @param {Omit<Panel, "host">[]} panels each is given its host by `host(id)` */
  constructor(panels) {
    const side = byID("side");
    const copy = h("div", { class: "rail-copy" });
    side.append(copy);
    /** @type {Panel[]} */
    this.panels = panels.map((panel) => {
      const host = h("div", { class: "pane", id: `side-${panel.id}`, hidden: true });
      host.style.flex = "1";
      side.append(host);
      return { ...panel, host };
    });
    for (const rail of [byID("rail"), copy]) {
      rail.append(...this.panels.map((panel) => h("button", {
        class: "plain", "data-panel": panel.id, "aria-pressed": "false", title: panel.title, "aria-label": panel.title, onclick: () => this.toggle(panel.id),
      }, icon(panel.icon))));
    }
    this.chosen = "";
  }

  /** @param {string} id @returns {HTMLElement} */
  host(id) {
    return byID(`side-${id}`);
  }

  /** @param {string} id */
  toggle(id) {
    if (id === this.chosen && !isNarrow()) this.show("");
    else this.show(id);
  }

  /** @param {string} id the empty string closes the panel */
  show(id) {
    this.chosen = id;
    byID("panes").classList.toggle("no-side", !id);
    for (const panel of this.panels) panel.host.hidden = panel.id !== id;
    for (const button of document.querySelectorAll("[data-panel]")) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.panel === id));
    this.draw();
    if (id) showPane("side");
  }

  /** Draws what is shown, after its source has changed. */
  draw() {
    this.panels.find((panel) => panel.id === this.chosen)?.draw();
  }
}

/**
 * A list of cards, each of which opens something.
 * @param {HTMLElement} host @param {string} title @param {string} empty
 * @param {{ title: string, detail: string, run: () => void, remove?: () => void }[]} cards
 * @param {{ search?: HTMLElement, tools?: HTMLElement[] }} [head]
 */
export function showCards(host, title, empty, cards, head = {}) {
  const { search, tools = [] } = head;
  // The search keeps its element, and so its focus, while the list below it changes.
  if (!host.firstChild) host.append(h("div", { class: "side-head" }, h("h2", { class: search ? "unseen" : null }, title), search, tools), h("div", { class: "side-body" }));
  fill(/** @type {Element} */ (host.lastChild), cards.length ? h("ul", { class: "cards", "aria-label": title }, cards.map((card) => h("li", { class: "card" },
    h("button", { onclick: card.run }, h("b", null, card.title), h("small", null, card.detail)),
    card.remove ? h("button", { class: "plain", "aria-label": `Remove ${card.title}`, onclick: card.remove }, icon("close")) : null))) : h("p", { class: "empty" }, empty));
}
