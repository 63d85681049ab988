// @ts-check
import { byID, fill } from "./dom.js";
import { icon } from "./icons.js";
import { openMenu } from "./dialog.js";

const stored = "playground.layout";

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
  button.addEventListener("click", () => openMenu(button, [["", "As the system"], ["light", "Light"], ["dark", "Dark"]].map(([theme, label]) => ({
    label, isChecked: (sizes().theme ?? "") === theme, run: () => choose(theme),
  }))));
  return choose;
}
