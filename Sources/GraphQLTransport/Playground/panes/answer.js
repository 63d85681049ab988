// @ts-check
import { byID, copy, debounced, download, fill, h, onFrame } from "../page/dom.js";
import { showComparison } from "./compare.js";
import { showErrors } from "./errors.js";
import { EventLog } from "./events.js";
import { showPlan, showResponse } from "./figures.js";
import { LiveList, changeIn } from "./livelist.js";
import { TableView } from "./table.js";
import { TreeView } from "./tree.js";

/** @typedef {import("../run/run.js").Run} Run */

const views = /** @type {const} */ ([["tree", "Tree"], ["text", "Text"], ["table", "Table"], ["list", "List"], ["events", "Events"], ["compare", "Compare"], ["plan", "Plan"], ["response", "Response"]]);
/** @typedef {typeof views[number][0]} View */

/** Milliseconds between two replayed events. */
const replayStep = 400;

/** The answer's side of the page: what came back, in the view that is chosen. */
export class AnswerPane {
  /**
   * @param {import("./livelist.js").ChangeFormat | null} format
   * @param {{ goToQuery: (location: { line: number, column: number }, message: string) => void,
   *   goToField: (path: (string | number)[]) => void,
   *   explain: ((error: import("../run/operation.js").GraphQLError) => void) | null,
   *   onErrors: (errors: import("../run/operation.js").GraphQLError[]) => void }} actions
   */
  constructor(format, actions) {
    this.format = format;
    this.actions = actions;
    /** @type {Run | null} */
    this.run = null;
    /** @type {Run[]} */
    this.compared = [];
    /** @type {View} */
    this.view = "tree";
    this.isPaused = false;
    /** @type {Map<View, HTMLElement>} */
    this.panels = new Map();
    this.tabs = byID("answer-views");
    const body = byID("answer-body");
    for (const [view, label] of views) {
      const tab = h("button", { role: "tab", id: `view-${view}`, "aria-controls": `panel-${view}`, onclick: () => this.choose(view) }, label);
      const panel = h("div", { role: "tabpanel", id: `panel-${view}`, class: `answer-panel is-${view}`, "aria-labelledby": `view-${view}`, tabindex: view === "response" || view === "compare" ? "0" : null });
      this.tabs.append(tab);
      this.panels.set(view, panel);
      body.append(panel);
    }
    this.tabs.addEventListener("keydown", (event) => this.pressed(event));
    this.tree = new TreeView(this.searchable(), { onPath: (path) => path[0] === "data" && actions.goToField(path.slice(1)) });
    this.text = h("pre", { class: "code-text", tabindex: "0", "aria-label": "Answer as text" });
    this.panel("text").append(h("div", { class: "pane-tools" },
      h("button", { onclick: () => copy(this.text.textContent ?? "", "the answer") }, "Copy"),
      h("button", { onclick: () => download("answer.json", this.text.textContent ?? "", "application/json") }, "Download")), this.text);
    this.table = new TableView(this.panel("table"));
    this.list = new LiveList(this.panel("list"), format);
    this.log = new EventLog(this.panel("events"), format, {
      onReplay: (events) => this.replay(events),
      onPause: (isPaused) => { this.isPaused = isPaused; if (!isPaused) this.catchUp(); },
    });
    this.redraw = onFrame(() => this.draw());
    this.empty = h("p", { class: "empty" }, "The answer appears here. Ctrl-Enter runs the operation at the caret.");
    body.append(this.empty);
    this.choose("tree");
  }

  /** @param {View} view @returns {HTMLElement} */
  panel(view) {
    return /** @type {HTMLElement} */ (this.panels.get(view));
  }

  /** The tree's panel, with its search. */
  searchable() {
    const found = h("span", { class: "dim", role: "status" });
    const input = h("input", { type: "search", placeholder: "Search the answer", "aria-label": "Search the answer" });
    /** @type {(string | number)[][]} */
    let paths = [];
    let at = 0;
    const go = (/** @type {number} */ step) => {
      if (!paths.length) return;
      at = (at + step + paths.length) % paths.length;
      fill(found, `${at + 1} of ${paths.length}`);
      this.tree.reveal(paths[at], false);
    };
    input.addEventListener("input", debounced(() => {
      paths = this.tree.find(input.value);
      at = 0;
      fill(found, input.value && !paths.length ? "not found" : "");
      go(0);
    }, 120));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    });
    const host = h("div", { class: "tree-scroll" });
    this.panel("tree").append(h("div", { class: "pane-tools" }, input, found,
      h("button", { onclick: () => this.tree.setAll(true) }, "Unfold all"), h("button", { onclick: () => this.tree.setAll(false) }, "Fold all")), host);
    return host;
  }

  /** @param {View} view */
  choose(view) {
    this.view = view;
    for (const [name] of views) {
      const isChosen = name === view;
      this.panel(name).hidden = !isChosen || !this.run;
      const tab = byID(`view-${name}`);
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    this.redraw?.();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const shown = views.filter(([view]) => !byID(`view-${view}`).hidden).map(([view]) => view);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = shown[(shown.indexOf(this.view) + step + shown.length) % shown.length];
    this.choose(next);
    byID(`view-${next}`).focus();
  }

  /**
   * Follows a run, in place of the one before; null shows none.
   * @param {Run | null} run @param {{ listFrom?: import("../run/operation.js").Answer | null, compared?: Run[] }} [options]
   */
  follow(run, options = {}) {
    const { listFrom = null, compared = [] } = options;
    this.run = run;
    this.compared = compared;
    const isLive = run?.operation.type === "subscription";
    const isLog = isLive && !compared.length;
    byID("view-list").hidden = !isLive || !this.format;
    byID("view-events").hidden = !isLog;
    byID("view-table").hidden = isLive;
    byID("view-compare").hidden = !compared.length;
    byID("view-plan").hidden = !run?.operation.extensions.plan;
    if (run?.operation.type === "subscription") {
      this.log.open.clear();
      this.list.begin(listFrom);
      for (const event of run.events) this.applyToList(event);
      run.addEventListener("event", (event) => {
        if (this.run === run && !this.isPaused) this.applyToList(/** @type {CustomEvent} */ (event).detail);
      });
      if (this.log.isPaused) this.log.setPaused(false);
    }
    for (const one of [run, ...compared]) one?.addEventListener("change", () => { if (this.run === run) this.redraw(); });
    if (compared.length) this.choose("compare");
    else if (isLive) this.choose(this.format && listFrom ? "list" : "events");
    else if (byID(`view-${this.view}`).hidden || this.view === "list" || this.view === "events") this.choose("tree");
    else this.choose(this.view);
  }

  /** @param {import("../run/run.js").ReceivedEvent} event */
  applyToList(event) {
    const change = changeIn(event.answer, this.format);
    if (change) this.list.apply(change);
  }

  /** Applies what arrived during a pause. */
  catchUp() {
    const last = this.log.frozen[this.log.frozen.length - 1]?.number ?? 0;
    for (const event of this.run?.events ?? []) if (event.number > last) this.applyToList(event);
    this.redraw();
  }

  /** @param {import("../run/run.js").ReceivedEvent[]} events */
  replay(events) {
    const run = this.run;
    this.choose("list");
    events.forEach((event, index) => setTimeout(() => {
      if (this.run !== run) return;
      this.applyToList(event);
      this.redraw();
    }, index * replayStep));
  }

  draw() {
    const run = this.run;
    this.empty.hidden = run !== null;
    byID("answer-status").hidden = !run;
    if (!run) return showErrors(byID("errors"), [], { goToQuery() {}, goToAnswer() {} });
    this.drawStatus(run);
    const errors = run.answer?.errors ?? [];
    showErrors(byID("errors"), errors, {
      goToQuery: this.actions.goToQuery, explain: this.actions.explain,
      goToAnswer: (path) => { this.choose("tree"); this.draw(); this.tree.reveal(["data", ...path]); },
    });
    this.actions.onErrors(errors);
    const { extensions, ...shown } = run.answer ?? {};
    const answer = extensions && Object.keys(extensions).some((name) => name !== "cost" && name !== "plan") ? run.answer : shown;
    switch (this.view) {
      case "tree": return this.tree.show(run.answer ? answer : undefined);
      case "text": return void (this.text.textContent = run.answer ? JSON.stringify(answer, null, 2) : "");
      case "table": return this.table.show(run.answer?.data);
      case "list": return this.list.show();
      case "events": return this.log.show(run.events, run.eventCount);
      case "compare": return showComparison(this.panel("compare"), this.compared);
      case "plan": return showPlan(this.panel("plan"), extensions?.plan);
      case "response": return showResponse(this.panel("response"), run);
    }
  }

  /** @param {Run} run */
  drawStatus(run) {
    const isRunning = run.phase === "running";
    const isBad = run.status >= 400 || Boolean(run.answer?.errors?.length) || (!isRunning && !run.answer && run.operation.type !== "subscription");
    fill(byID("answer-status"),
      h("span", { class: `status-dot ${isRunning ? "running" : isBad ? "bad" : "good"}` }),
      h("span", null, run.status ? `${run.status} ${run.statusText}` : isRunning ? "Sending" : "No answer"),
      h("span", null, milliseconds(run.times.first || run.elapsed)),
      h("span", null, size(run.bytes)),
      run.operation.type === "subscription" ? h("span", null, `${run.eventCount} ${run.eventCount === 1 ? "event" : "events"}`) : null,
      run.parts > 1 ? h("span", null, `${run.parts} parts${run.isWhole ? "" : ", more to come"}`) : null,
      h("span", { class: "as" }, run.way.sessionName ? `as ${run.way.sessionName}` : "signed out"),
      run.reason ? h("span", { class: "reason" }, run.reason) : isRunning && run.operation.type === "subscription" ? h("span", { class: "reason" }, run.status ? "Live" : "Connecting") : null);
  }
}

/** @param {number} time */
function milliseconds(time) {
  return time < 10 ? `${time.toFixed(1)} ms` : time < 10_000 ? `${Math.round(time)} ms` : `${(time / 1_000).toFixed(1)} s`;
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < 1_024 ? `${bytes} B` : bytes < 1 << 20 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}
