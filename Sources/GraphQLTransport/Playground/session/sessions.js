// @ts-check
import { announce, copy, fill, h, icon } from "../page/dom.js";
import { dialogs } from "../page/layout.js";

/** @typedef {{ id: string, name: string, token: string, expires: number | null, refresh: string | null }} Session */

/** How long before its end a token is replaced, in milliseconds; a token that ends within `shortest` is not used. */
const ahead = 60_000, shortest = 5_000;
const stored = "playground.sessions";

/**
 * The sessions of this tab, of which one is active or none. They are kept in the tab's storage. A duplicated tab copies that
 * storage, and a refresh token works once: so one holder a session, by a Web Lock, refreshes it and tells the others.
 */
export class Sessions extends EventTarget {
  /** @param {string} endpoint @param {import("../types").SessionDescription | null} description */
  constructor(endpoint, description) {
    super();
    this.endpoint = endpoint;
    this.description = description;
    /** @type {Session[]} */
    this.all = [];
    /** @type {string | null} */
    this.activeID = null;
    /**
     * Ends the holding of a session's lock.
     * @type {Map<string, AbortController>}
     */
    this.holdings = new Map();
    /** @type {Set<string>} */
    this.held = new Set();
    this.channel = new BroadcastChannel("playground-sessions");
    this.channel.onmessage = ({ data }) => this.hear(data);
    this.restore();
  }

  get active() {
    return this.all.find((session) => session.id === this.activeID) ?? null;
  }

  restore() {
    try {
      const { all, activeID } = JSON.parse(sessionStorage.getItem(stored) ?? "{}");
      if (Array.isArray(all)) this.all = all;
      this.activeID = activeID ?? null;
    } catch {
      // The storage is closed to this page, or holds something else.
    }
    for (const session of this.all) {
      this.hold(session);
      // The holder may have refreshed the session after this tab's storage was copied.
      this.channel.postMessage({ kind: "asked", id: session.id });
    }
  }

  changed() {
    try { sessionStorage.setItem(stored, JSON.stringify({ all: this.all, activeID: this.activeID })); } catch { /* closed storage: the sessions last as long as the page */ }
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string | null} id */
  activate(id) {
    this.activeID = id;
    this.changed();
  }

  /** @param {Omit<Session, "id">} session */
  add(session) {
    const taken = new Set(this.all.map((other) => other.name));
    let name = session.name;
    for (let number = 2; taken.has(name); number += 1) name = `${session.name} ${number}`;
    const added = { ...session, name, id: crypto.randomUUID?.() ?? String(Math.random()).slice(2) };
    this.all.push(added);
    this.activeID = added.id;
    this.hold(added);
    this.changed();
    return added;
  }

  /**
   * Opens a session with an operation of the description.
   * @param {import("../types").SessionAction} action @param {Record<string, string>} values @returns {Promise<string | null>} what is wrong
   */
  async open(action, values) {
    const answer = await this.send(action.query, values, null);
    const found = await this.sessionIn(answer);
    if (typeof found === "string") return found;
    this.add({ ...found, name: found.name ?? action.label });
    return null;
  }

  /**
   * A token that was pasted, with or without its scheme.
   * @param {string} text @returns {string | null} what is wrong
   */
  paste(text) {
    const token = text.trim().replace(/^authorization:\s*/i, "").replace(/^bearer\s+/i, "").trim();
    if (!/^[\w.~+/=-]+$/.test(token)) return "A token is one word, with or without Bearer before it.";
    this.add({ name: "token", token, expires: expiry(token), refresh: null });
    return null;
  }

  /**
   * Signs out at the server, and forgets the session.
   * @param {Session} session
   */
  async close(session) {
    const close = this.description?.close;
    if (close) {
      await this.fresh(session).catch(() => {});
      await this.send(close.query, {}, session.token);
    }
    this.forget(session.id);
    this.channel.postMessage({ kind: "ended", id: session.id });
  }

  /** @param {string} id */
  forget(id) {
    this.holdings.get(id)?.abort();
    this.holdings.delete(id);
    this.held.delete(id);
    this.all = this.all.filter((session) => session.id !== id);
    if (this.activeID === id) this.activeID = this.all[this.all.length - 1]?.id ?? null;
    this.changed();
  }

  /**
   * A session's token, replaced before if it is about to end.
   * @param {Session} session
   */
  async fresh(session) {
    if (session.expires === null || session.refresh === null || session.expires - Date.now() > shortest) return session.token;
    if (this.held.has(session.id)) await this.refresh(session);
    else {
      // The holder is another tab: it refreshes, and tells.
      this.channel.postMessage({ kind: "wanted", id: session.id });
      for (let tries = 0; tries < 30 && session.expires - Date.now() < shortest; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return session.token;
  }

  /**
   * Becomes the holder of a session, at once or when the present one goes, and refreshes it while it has a refresh token.
   * @param {Session} session
   */
  hold(session) {
    if (session.refresh === null || !this.description?.refresh) return;
    const ending = new AbortController();
    this.holdings.set(session.id, ending);
    const keep = async () => {
      this.held.add(session.id);
      while (!ending.signal.aborted && session.refresh !== null) {
        await elapsed(Math.max(1_000, (session.expires ?? Infinity) - Date.now() - ahead), ending.signal);
        if (!ending.signal.aborted && (session.expires ?? Infinity) - Date.now() <= ahead) await this.refresh(session);
      }
      this.held.delete(session.id);
    };
    // Web Locks exist on https and on this machine only; elsewhere each tab refreshes for itself.
    if (!navigator.locks) return void keep();
    navigator.locks.request(`playground-session-${session.id}`, { signal: ending.signal }, keep).catch(() => {});
  }

  /** @param {Session} session */
  async refresh(session) {
    const refresh = this.description?.refresh, sent = session.refresh;
    if (!refresh || sent === null) return;
    const answer = await this.send(refresh.query, { [refresh.variable]: sent }, null);
    const found = await this.sessionIn(answer);
    if (typeof found === "string") {
      // Tried again by the holder's loop where the server was not reached; a refused token is worth nothing.
      if (answer.data !== undefined) {
        this.hear({ ...session, kind: "refused", refresh: sent });
        this.channel.postMessage({ kind: "refused", id: session.id, refresh: sent });
      }
      this.dispatchEvent(new CustomEvent("problem", { detail: `${session.name}: ${found}` }));
    } else {
      Object.assign(session, { token: found.token, expires: found.expires, refresh: found.refresh });
      this.tell(session);
    }
    this.changed();
  }

  /**
   * Gives the other tabs a session as it is now.
   * @param {Session} session
   */
  tell({ id, token, expires, refresh }) {
    this.channel.postMessage({ kind: "refreshed", id, token, expires, refresh });
  }

  /** @param {{ kind: string, id: string, token: string, expires: number | null, refresh: string | null }} message */
  hear({ kind, id, token, expires, refresh }) {
    const session = this.all.find((other) => other.id === id);
    if (!session) return;
    if (kind === "refreshed") {
      Object.assign(session, { token, expires, refresh });
      this.changed();
    } else if (kind === "refused" && session.refresh === refresh) {
      // Another tab may have a newer token than the refused one.
      session.refresh = null;
      this.changed();
    } else if (kind === "ended") this.forget(id);
    else if (kind === "wanted" && this.held.has(id)) this.refresh(session);
    else if (kind === "asked" && this.held.has(id)) this.tell(session);
  }

  /** @param {string} query @param {Record<string, unknown>} variables @param {string | null} token @returns {Promise<import("../run/operation.js").Answer>} */
  async send(query, variables, token) {
    try {
      const response = await fetch(this.endpoint, {
        method: "POST", body: JSON.stringify({ query, variables }),
        headers: { "Content-Type": "application/json", Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      });
      return await response.json();
    } catch {
      return { errors: [{ message: "The server cannot be reached." }] };
    }
  }

  /** @param {import("../run/operation.js").Answer} answer @returns {Promise<{ token: string, expires: number | null, refresh: string | null, name: string | null } | string>} the session, or what is wrong */
  async sessionIn(answer) {
    const paths = this.description?.result;
    if (!paths) return "The server describes no sessions.";
    const { valueAt } = await import("../run/operation.js");
    const read = (/** @type {string | undefined} */ path) => path ? valueAt(answer.data, path.split(".")) : undefined;
    const wrong = /** @type {{ message: string }[]} */ (read(paths.errors) ?? []).concat(answer.errors ?? []);
    const token = read(paths.token);
    if (typeof token !== "string") return wrong.map((error) => error.message).join(" ") || "The server gave no token.";
    const expires = read(paths.expires);
    return {
      token, expires: typeof expires === "string" ? Date.parse(expires) : expiry(token), refresh: /** @type {string | undefined} */ (read(paths.refresh)) ?? null,
      name: /** @type {string | undefined} */ ((paths.names ?? []).map(read).find((name) => typeof name === "string" && name)) ?? null,
    };
  }
}

/**
 * Waits for some milliseconds, or until the signal is aborted.
 * @param {number} delay @param {AbortSignal} signal
 */
function elapsed(delay, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(undefined);
    };
    // A timer's delay has 31 bits.
    const timer = setTimeout(end, Math.min(delay, 1 << 30));
    signal.addEventListener("abort", end);
  });
}

/**
 * When a JWT ends, in milliseconds; null for any other token. RFC 7519, 4.1.4 "exp"
 * @param {string} token
 */
function expiry(token) {
  try {
    const claims = JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims.exp === "number" ? claims.exp * 1_000 : null;
  } catch {
    return null;
  }
}

/** The bar of sessions: one button each, of which one is pressed. */
export class SessionBar {
  /** @param {HTMLElement} host @param {Sessions} sessions @param {{ compare: () => void }} actions */
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

  /** @param {Session} session */
  about(session) {
    if (session.expires === null) return "This token does not say when it ends.";
    const minutes = Math.round((session.expires - Date.now()) / 60_000);
    return `${minutes > 0 ? `The token ends in ${minutes} min` : "The token has ended"}${session.refresh ? "; it is refreshed before." : "."}`;
  }

  /** @param {import("../types").SessionAction} action */
  async begin(action) {
    if (!action.fields?.length) {
      const wrong = await this.sessions.open(action, {});
      if (wrong) announce(wrong);
      return;
    }
    const { label, explanation, fields } = action;
    dialogs.use(({ ask }) => ask({ title: label, explanation, action: label, fields, submit: (values) => this.sessions.open(action, values) }));
  }

  pasteToken() {
    dialogs.use(({ ask }) => ask({
      title: "Use a token", explanation: "A token as it is, or with Bearer before it. It is kept for this browser tab only.", action: "Use it",
      fields: [{ name: "token", label: "Access token", isSecret: true }],
      submit: ({ token }) => this.sessions.paste(token),
    }));
  }

  /** @param {HTMLElement} anchor @param {Session} session */
  openSession(anchor, session) {
    dialogs.use(({ openMenu }) => openMenu(anchor, [
      { label: "Copy the token", run: () => copy(session.token, "the token") },
      { label: "Show the token", run: () => this.showToken(session) },
      ...(session.refresh ? [{ label: "Refresh now", run: () => void this.sessions.refresh(session).then(() => announce("Refreshed.")) }] : []),
      null,
      { label: this.sessions.description?.close ? "Sign out" : "Forget", isDangerous: true, run: () => void this.sessions.close(session) },
      { label: "Forget without signing out", isDangerous: true, run: () => this.sessions.forget(session.id) },
    ]));
  }

  /** @param {Session} session */
  showToken(session) {
    dialogs.use(({ openDialog }) => openDialog(`Token of ${session.name}`, () => [h("p", { class: "dim" }, this.about(session)), h("pre", { class: "token", tabindex: "0" }, session.token)]));
  }
}
