// @ts-check
import { fill, h, icon } from "./dom.js";

/**
 * Opens a modal dialog; Escape and a click beside it close it.
 * @param {string} title
 * @param {(close: () => void) => (Node | string)[]} content
 * @param {{ kind?: string, onClose?: () => void }} [options]
 */
export function openDialog(title, content, options = {}) {
  const { kind = "", onClose } = options;
  const dialog = h("dialog", { class: `dialog ${kind}`, "aria-label": title });
  const close = () => dialog.close();
  dialog.append(
    h("header", { class: "dialog-head" }, h("h2", null, title),
      h("button", { class: "plain", "aria-label": "Close", onclick: close }, icon("close"))),
    ...content(close));
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  dialog.addEventListener("mousedown", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks for values, one text field each.
 * @param {{ title: string, explanation?: string, action: string,
 *   fields: { name: string, label: string, value?: string, isSecret?: boolean, autocomplete?: string }[],
 *   submit: (values: Record<string, string>) => Promise<string | null> | string | null }} form
 *   `submit` answers what is wrong, or null when the dialog may close.
 */
export function ask({ title, explanation, action, fields, submit }) {
  openDialog(title, (close) => {
    const problem = h("p", { class: "problem", role: "alert" });
    const button = h("button", { class: "primary", type: "submit" }, action);
    const inputs = fields.map((field) => h("input", {
      name: field.name, value: field.value ?? "", type: field.isSecret ? "password" : "text", spellcheck: "false",
      autocapitalize: "off", autocomplete: field.autocomplete ?? "off", required: true,
    }));
    const form = h("form", {
      class: "form",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        button.disabled = true;
        fill(problem);
        const wrong = await submit(Object.fromEntries(inputs.map((input) => [input.name, input.value])));
        button.disabled = false;
        if (wrong === null) close(); else fill(problem, wrong);
      },
    },
    explanation ? h("p", { class: "dim" }, explanation) : null,
    fields.map((field, index) => h("label", null, field.label, inputs[index])),
    problem,
    h("div", { class: "actions" }, h("button", { type: "button", onclick: close }, "Cancel"), button));
    return [form];
  });
}

/**
 * Opens a menu below a button.
 * @param {HTMLElement} anchor
 * @param {({ label: string, detail?: string, isChecked?: boolean, isDangerous?: boolean, run: () => void } | null)[]} items
 *   null is a line between items.
 */
export function openMenu(anchor, items) {
  document.querySelector(".menu")?.remove();
  const close = () => {
    menu.remove();
    document.removeEventListener("mousedown", away, true);
    anchor.setAttribute("aria-expanded", "false");
  };
  const away = (/** @type {Event} */ event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) close();
  };
  const menu = h("div", { class: "menu", role: "menu", "aria-label": anchor.getAttribute("aria-label") ?? anchor.textContent },
    items.map((item) => item === null ? h("hr") : h("button", {
      role: item.isChecked === undefined ? "menuitem" : "menuitemradio", "aria-checked": item.isChecked, tabindex: "-1",
      class: item.isDangerous ? "dangerous" : null,
      onclick: () => {
        close();
        item.run();
      },
    }, h("span", null, item.label), item.detail ? h("i", null, item.detail) : null)));
  menu.addEventListener("keydown", (event) => {
    const buttons = [...menu.querySelectorAll("button")];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length].focus();
    else if (event.key === "ArrowUp") buttons[(at + buttons.length - 1) % buttons.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") { close(); anchor.focus(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(menu);
  const place = anchor.getBoundingClientRect();
  menu.style.top = `${Math.max(4, Math.min(place.bottom + 4, innerHeight - menu.offsetHeight - 8))}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - menu.offsetWidth - 8))}px`;
  document.addEventListener("mousedown", away, true);
  anchor.setAttribute("aria-expanded", "true");
  menu.querySelector("button")?.focus();
}
