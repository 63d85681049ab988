// @ts-check
import { announce, copy, fill, h } from "../page/dom.js";
import { ask, openDialog, openMenu } from "../page/dialog.js";
import { icon } from "../page/icons.js";

/** The bar of sessions: one button each, of which one is pressed. */
export class SessionBar {
  /** @param {HTMLElement} host @param {import("./sessions.js").Sessions} sessions @param {{ compare: () => void }} actions */
  constructor(host, sessions, actions) {
    this.host = host;
    this.sessions = sessions;
    this.actions = actions;
    sessions.addEventListener("change", () => this.draw());
    sessions.addEventListener("problem", (event) => announce(/** @type {CustomEvent} */ (event).detail));
    this.draw();
  }

  draw() {
    const { all, activeID } = this.sessions;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.session;
    fill(this.host, h("span", { class: "bar-label", id: "as-label" }, "As"),
      h("button", { class: "chip", "data-session": "", "aria-pressed": activeID === null, onclick: () => this.sessions.activate(null) }, "Signed out"),
      all.map((session) => h("span", { class: "chip-pair" },
        h("button", { class: "chip", "data-session": session.id, "aria-pressed": session.id === activeID, title: this.about(session), onclick: () => this.sessions.activate(session.id) }, icon("user"), session.name),
        h("button", { class: "chip-more plain", "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": `Session of ${session.name}`, onclick: (/** @type {MouseEvent} */ event) => this.openSession(/** @type {HTMLElement} */ (event.currentTarget), session) }, icon("down")))),
      (this.sessions.description?.open ?? []).map((action) => h("button", { class: "chip add", onclick: () => this.begin(action) }, icon("plus"), action.label)),
      h("button", { class: "chip add", onclick: () => this.pasteToken() }, icon("plus"), "Token"),
      all.length ? h("button", { class: "chip add", title: "Run the operation as each session, and see where the answers differ", onclick: () => this.actions.compare() }, icon("compare"), "Compare") : null);
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.host.querySelector(`[data-session="${focused}"]`))?.focus();
  }

  /** @param {import("./sessions.js").Session} session */
  about(session) {
    if (session.expires === null) return "This token does not say when it ends.";
    const minutes = Math.round((session.expires - Date.now()) / 60_000);
    return `${minutes > 0 ? `The token ends in ${minutes} min` : "The token has ended"}${session.refresh ? "; it is refreshed before." : "."}`;
  }

  /** @param {import("./description.js").SessionAction} action */
  async begin(action) {
    if (!action.fields?.length) {
      const wrong = await this.sessions.open(action, {});
      if (wrong) announce(wrong);
      return;
    }
    ask({
      title: action.label, explanation: action.explanation, action: action.label, fields: action.fields,
      submit: (values) => this.sessions.open(action, values),
    });
  }

  pasteToken() {
    ask({
      title: "Use a token", explanation: "A token as it is, or with Bearer before it. It is kept for this browser tab only.", action: "Use it",
      fields: [{ name: "token", label: "Access token", isSecret: true }],
      submit: ({ token }) => this.sessions.paste(token),
    });
  }

  /** @param {HTMLElement} anchor @param {import("./sessions.js").Session} session */
  openSession(anchor, session) {
    openMenu(anchor, [
      { label: "Copy the token", run: () => copy(session.token, "the token") },
      { label: "Show the token", run: () => this.showToken(session) },
      ...(session.refresh ? [{ label: "Refresh now", run: () => void this.sessions.refresh(session).then(() => announce("Refreshed.")) }] : []),
      null,
      { label: this.sessions.description?.close ? "Sign out" : "Forget", isDangerous: true, run: () => void this.sessions.close(session) },
      { label: "Forget without signing out", isDangerous: true, run: () => this.sessions.forget(session.id) },
    ]);
  }

  /** @param {import("./sessions.js").Session} session */
  showToken(session) {
    openDialog(`Token of ${session.name}`, () => [h("p", { class: "dim" }, this.about(session)), h("pre", { class: "token", tabindex: "0" }, session.token)]);
  }
}
