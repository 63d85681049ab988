// @ts-check
import { Later, byID, fill, h, icon } from "./dom.js";

/** @typedef {{ id: string, title: string, icon: import("./dom.js").IconName, host: HTMLElement, draw?: () => void }} Panel */

const stored = "playground.layout";

/** Dialogs and menus. */
export const dialogs = new Later(() => import("./dialog.js"));

/** @returns {Record<string, string>} */
function sizes() {
  try { return JSON.parse(localStorage.getItem(stored) ?? "{}"); } catch { return {}; }
}

/** @param {Record<string, string>} change */
function keep(change) {
  try { localStorage.setItem(stored, JSON.stringify({ ...sizes(), ...change })); } catch { /* closed storage: sizes last as long as the page */ }
}

/** Grips between panes, that a pointer or the arrow keys move. */
export function setUpGrips() {
  const root = document.documentElement;
  for (const [name, value] of Object.entries(sizes())) if (name.startsWith("--")) root.style.setProperty(name, value);
  /** @param {string} id @param {string} property @param {boolean} isAcross @param {HTMLElement} pane @param {number} sign */
  const grip = (id, property, isAcross, pane, sign) => {
    const size = () => isAcross ? pane.offsetHeight : pane.offsetWidth;
    const element = byID(id);
    const least = isAcross ? 90 : 200;
    const most = () => Math.round((isAcross ? innerHeight : innerWidth) * 0.7);
    const tell = () => {
      for (const [name, pixels] of [["min", least], ["max", most()], ["now", size()]]) element.setAttribute(`aria-value${name}`, String(pixels));
    };
    new ResizeObserver(tell).observe(pane);
    const set = (/** @type {number} */ pixels) => {
      const value = `${Math.round(Math.max(least, Math.min(pixels, most())))}px`;
      root.style.setProperty(property, value);
      keep({ [property]: value });
    };
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      element.classList.add("dragging");
      const from = isAcross ? event.clientY : event.clientX;
      const before = size();
      element.onpointermove = (move) => set(before + sign * ((isAcross ? move.clientY : move.clientX) - from));
      element.onpointerup = () => {
        element.onpointermove = null;
        element.classList.remove("dragging");
      };
    });
    element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -24, ArrowUp: -24, ArrowRight: 24, ArrowDown: 24 }[event.key];
      if (!step) return;
      event.preventDefault();
      set(size() + sign * step);
    });
  };
  grip("side-grip", "--side", false, byID("side"), 1);
  grip("answer-grip", "--answer", false, byID("answer"), -1);
  grip("request-grip", "--lower", true, /** @type {HTMLElement} */ (byID("request-grip").nextElementSibling), -1);
}

/** The bar below a narrow screen's panes: it follows a swipe, and a press scrolls to its pane. */
export function setUpPaneNavigation() {
  const buttons = /** @type {HTMLElement[]} */ ([...byID("pane-nav").querySelectorAll("button")]);
  for (const button of buttons) button.addEventListener("click", () => showPane(button.dataset.pane ?? ""));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.intersectionRatio < 0.6) continue;
      for (const button of buttons) button.toggleAttribute("aria-current", button.dataset.pane === entry.target.id);
      for (const button of buttons) if (button.hasAttribute("aria-current")) button.setAttribute("aria-current", "true");
    }
  }, { root: byID("panes"), threshold: 0.6 });
  for (const button of buttons) observer.observe(byID(button.dataset.pane ?? ""));
  if (isNarrow()) byID("panes").scrollLeft = innerWidth;
}

export function isNarrow() {
  return matchMedia("(max-width: 760px)").matches;
}

/**
 * Brings a pane into view where the screen shows one at a time.
 * @param {string} id
 */
export function showPane(id) {
  if (!isNarrow()) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  byID("panes").scrollTo({ left: byID(id).offsetLeft, behavior });
}

/** Light, dark, or as the system has it. */
export function setUpTheme() {
  const apply = (/** @type {string} */ theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  apply(sizes().theme ?? "");
  const button = byID("theme");
  fill(button, icon("sun"));
  const choose = (/** @type {string} */ theme) => { apply(theme); keep({ theme }); };
  button.addEventListener("click", () => dialogs.use(({ openMenu }) => openMenu(button, [["", "As the system"], ["light", "Light"], ["dark", "Dark"]].map(([theme, label]) => ({
    label, isChecked: (sizes().theme ?? "") === theme, run: () => choose(theme),
  })))));
  return choose;
}

/** The side panel: one of several contents, chosen by the rail. On a wide screen, pressing the chosen one closes the panel. */
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

  /**
   * Says how a panel is drawn, where that was not known before.
   * @param {string} id @param {() => void} draw
   */
  drawWith(id, draw) {
    for (const panel of this.panels) if (panel.id === id) panel.draw = draw;
    if (id === this.chosen) draw();
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
    this.panels.find((panel) => panel.id === this.chosen)?.draw?.();
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
