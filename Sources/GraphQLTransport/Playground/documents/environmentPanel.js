// @ts-check
import { ask } from "../page/dialog.js";
import { byID, fill, h, icon } from "../page/dom.js";

/** Chooses an environment and edits its values, in a panel beside the variables. */
export class EnvironmentPanel {
  /** @param {import("./environments.js").Environments} environments */
  constructor(environments) {
    this.environments = environments;
    this.host = byID("panel-environment");
    this.drawn = "";
    environments.addEventListener("change", () => this.draw());
    this.draw();
  }

  draw() {
    const { environments } = this, { active, all, values } = environments;
    fill(byID("tab-environment"), "Environment", active ? h("span", { class: "count" }, active.name) : null);
    // A panel that somebody writes in is not drawn anew.
    const seen = JSON.stringify([environments.activeID, all.map(({ id, name }) => [id, name])]);
    if (seen === this.drawn && this.host.contains(document.activeElement)) return;
    this.drawn = seen;
    const picker = h("select", { "aria-label": "Environment in use", onchange: () => environments.choose(picker.value) },
      h("option", { value: "" }, "No environment"), all.map(({ id, name }) => h("option", { value: id, selected: id === active?.id }, name)));
    const head = h("div", { class: "environment-head" }, picker, h("button", { onclick: () => this.create() }, "New environment"),
      active ? h("button", { onclick: () => environments.remove(active.id) }, "Delete it") : null);
    if (!active) {
      fill(this.host, head, h("p", { class: "empty" }, "The values of an environment take the place of {{name}} in variables and headers."));
      return;
    }
    const body = h("tbody", null, [...values, { name: "", value: "", isSecret: false }].map((item) => this.row(item)));
    fill(this.host, head, h("table", { class: "environment" },
      h("thead", null, h("tr", null, ["Name", "Value", "Secret", ""].map((title) => h("th", { scope: "col" }, title || h("span", { class: "unseen" }, "Remove"))))), body),
    h("p", { class: "dim" }, "Secrets are kept for this browser tab alone, the other values in this browser."));
  }

  create() {
    ask({ title: "New environment", action: "Create", fields: [{ name: "name", label: "Name of the environment" }],
      submit: ({ name }) => {
        this.environments.add(name.trim());
        return null;
      } });
  }

  /** @param {{ name: string, value: string, isSecret: boolean }} item @returns {HTMLTableRowElement} */
  row(item) {
    const name = h("input", { value: item.name, "aria-label": "Name", placeholder: "name", spellcheck: "false", oninput: () => this.changed(row) });
    const value = h("input", { value: item.value, "aria-label": `Value of ${item.name || "a new name"}`, type: item.isSecret ? "password" : "text", autocomplete: "off", spellcheck: "false", oninput: () => this.changed(row) });
    const secret = h("input", { type: "checkbox", "aria-label": `${item.name || "A new name"} is secret`, checked: item.isSecret, onchange: () => this.changed(row) });
    const row = h("tr", null, h("td", null, name), h("td", null, value), h("td", null, secret),
      h("td", null, h("button", { class: "plain", "aria-label": `Remove ${item.name || "this value"}`, onclick: () => { row.remove(); this.take(); this.draw(); } }, icon("close"))));
    return row;
  }

  /** @param {HTMLTableRowElement} row */
  changed(row) {
    const body = /** @type {HTMLElement} */ (row.parentElement);
    if (row === body.lastElementChild) body.append(this.row({ name: "", value: "", isSecret: false }));
    this.take();
    const [name, value, secret] = row.querySelectorAll("input"), known = this.environments.values.find((item) => item.name === name.value.trim());
    // A value whose name looks secret becomes a secret.
    secret.checked = known?.isSecret ?? secret.checked;
    value.type = secret.checked ? "password" : "text";
    value.setAttribute("aria-label", `Value of ${name.value || "a new name"}`);
    secret.setAttribute("aria-label", `${name.value || "A new name"} is secret`);
  }

  take() {
    this.environments.setValues([...this.host.querySelectorAll("tbody tr")].map((row) => {
      const [name, value, secret] = row.querySelectorAll("input");
      return { name: name.value.trim(), value: value.value, isSecret: secret.checked };
    }));
  }
}
