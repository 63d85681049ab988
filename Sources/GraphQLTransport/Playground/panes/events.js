// @ts-check
import { fill, h, icon, onFrame } from "../page/dom.js";
import { changeIn, kindClass } from "./livelist.js";

/** Rows that are shown at once; the newest. */
const shownRows = 300;

/** The events of a subscription as a log: newest first, with pause, filter and replay. */
export class EventLog {
  /**
   * @param {HTMLElement} host @param {import("./livelist.js").ChangeFormat | null} format
   * @param {{ onReplay: (events: import("../run/run.js").ReceivedEvent[]) => void, onPause: (isPaused: boolean) => void }} actions
   */
  constructor(host, format, actions) {
    this.format = format;
    this.actions = actions;
    this.isPaused = false;
    this.kind = "";
    this.text = "";
    /** @type {import("../run/run.js").ReceivedEvent[]} */
    this.events = [];
    this.frozen = this.events;
    this.total = 0;
    /** @type {Set<number>} */
    this.open = new Set();
    this.pauseButton = h("button", { "aria-pressed": "false", onclick: () => this.setPaused(!this.isPaused) }, icon("pause"), "Pause");
    this.kindPicker = h("select", { "aria-label": "Kind of change", onchange: () => { this.kind = this.kindPicker.value; this.draw(); } },
      h("option", { value: "" }, "All kinds"), (format ? [format.added, format.changed, format.removed] : []).map((kind) => h("option", { value: kind }, kind)));
    this.kindPicker.hidden = !format;
    const filter = h("input", { type: "search", placeholder: "Filter events", "aria-label": "Filter events" });
    filter.addEventListener("input", () => { this.text = filter.value.toLowerCase(); this.draw(); });
    this.count = h("span", { class: "dim", role: "status" });
    this.list = h("ol", { class: "events", "aria-label": "Events, the newest first" });
    host.append(h("div", { class: "pane-tools" }, this.pauseButton,
      h("button", { onclick: () => actions.onReplay(this.shown().reverse()), title: "Apply the events shown to the list once more, one by one" }, icon("repeat"), "Replay"),
      this.kindPicker, filter, this.count), this.list);
    this.redraw = onFrame(() => this.draw());
  }

  /** @param {import("../run/run.js").ReceivedEvent[]} events @param {number} total */
  show(events, total) {
    this.events = events;
    this.total = total;
    this.redraw();
  }

  /** @param {boolean} isPaused */
  setPaused(isPaused) {
    this.isPaused = isPaused;
    this.frozen = [...this.events];
    this.pauseButton.setAttribute("aria-pressed", String(isPaused));
    fill(this.pauseButton, icon(isPaused ? "play" : "pause"), isPaused ? "Resume" : "Pause");
    this.actions.onPause(isPaused);
    this.draw();
  }

  /** The events that pass the filter, the newest first. */
  shown() {
    return (this.isPaused ? this.frozen : this.events).filter((event) => {
      const change = changeIn(event.answer, this.format);
      return (!this.kind || change?.kind === this.kind) && (!this.text || JSON.stringify(event.answer).toLowerCase().includes(this.text));
    }).reverse();
  }

  draw() {
    const shown = this.shown();
    const waiting = this.isPaused ? this.events.length - this.frozen.length : 0;
    fill(this.count, `${shown.length} of ${this.total}${waiting > 0 ? `, ${waiting} new while paused` : ""}`);
    fill(this.list, shown.length ? shown.slice(0, shownRows).map((event) => this.row(event)) : h("li", { class: "empty" }, this.total ? "No event passes the filter." : "No event yet."));
  }

  /** @param {import("../run/run.js").ReceivedEvent} event */
  row(event) {
    const change = changeIn(event.answer, this.format);
    const isOpen = this.open.has(event.number);
    const text = JSON.stringify(event.answer.data ?? event.answer.errors);
    const time = new Date(event.at);
    return h("li", { class: change ? kindClass(change.kind, this.format) : event.answer.errors ? "kind-removed" : "kind-other" },
      h("button", {
        class: "plain event-head", "aria-expanded": isOpen,
        onclick: () => { isOpen ? this.open.delete(event.number) : this.open.add(event.number); this.draw(); },
      },
      h("span", { class: "dim" }, `${event.number}`),
      h("time", { datetime: time.toISOString() }, `${time.toLocaleTimeString([], { hour12: false })}.${String(time.getMilliseconds()).padStart(3, "0")}`),
      change ? h("span", { class: "badge" }, change.kind) : null,
      h("span", { class: "event-text" }, change ? change.id : text.slice(0, 160))),
      change?.cursor ? h("code", { class: "cursor", title: "The cursor of this change: a subscription after it receives what follows" }, change.cursor) : null,
      isOpen ? h("pre", null, JSON.stringify(event.answer, null, 2)) : null);
  }
}
