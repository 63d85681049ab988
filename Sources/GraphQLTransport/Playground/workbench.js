// @ts-check
// The part of the page that runs and checks operations, and shows their answers. It is fetched as soon as the first page,
// which main.js makes, is shown.
import { EnvironmentPanel } from "./documents/environmentPanel.js";
import { Environments } from "./documents/environments.js";
import { Library } from "./documents/library.js";
import { hasPlaceholder } from "./documents/secrets.js";
import { titleOf } from "./documents/workspace.js";
import { assist } from "./editor/assistance.js";
import { refactorings } from "./explorer/refactorings.js";
import { SchemaSource } from "./explorer/source.js";
import { formatJSON } from "./language/json.js";
import { format } from "./language/printer.js";
import { offsetOf } from "./language/text.js";
import {
  bar, chooseTheme, description, drawRun, endpoint, examples, headersEditor, parts, queryEditor, sessions, showPart, side, strip, variablesEditor, variablesText, workspace,
} from "./main.js";
import { dialogs, showCards, showPane } from "./page/layout.js";
import { ask } from "./page/dialog.js";
import { Later, announce, byID, debounced, fetchWhileIdle, fill, h, keyNames } from "./page/dom.js";
import { AnswerPane } from "./panes/answer.js";
import { showCost } from "./panes/figures.js";
import { FilePanel, filePlaces } from "./run/files.js";
import { requestHeaders } from "./run/operation.js";
import { Requests, watching } from "./run/request.js";
import { complete } from "./schema/completion.js";
import { hoverAt } from "./schema/hover.js";
import { Validator } from "./schema/validator.js";
import { completeVariables, validateVariables } from "./schema/variables.js";

/** Milliseconds after the last key before the query is checked, and after the check before the server is asked for its cost. */
const checkDelay = 150, costDelay = 350;

const changes = description.changes ?? null;
const history = new Library("playground.history");
const saved = new Library("playground.saved");
const source = new SchemaSource(endpoint);
const validator = new Validator();
const files = new FilePanel();
const environments = new Environments();
new EnvironmentPanel(environments);
/**
 * The outcome of each tab's last run.
 * @type {Map<string, import("./run/request.js").Outcome>}
 */
const outcomes = new Map();
let wantsPlan = false;
/**
 * Marks of the server's errors, until the text changes.
 * @type {import("./types").Mark[]}
 */
let serverMarks = [];
/** @type {import("./types").Mark[]} */
let ownMarks = [];

assist(queryEditor, {
  complete: (text, offset) => complete(source.schema, text, offset), hover: (text, offset) => hoverAt(source.schema, text, offset), format,
  // The check that follows each change reads the text anew.
  onCaret: debounced(() => requests.drawChoice(requests.read.operations), 100), onLink: (link) => showLink(link),
});
assist(variablesEditor, { format: formatJSON, complete: (text, offset) => completeVariables(source.schema, requests.operation, text, offset) });
assist(headersEditor);
/** @type {Requests} */
const requests = new Requests({
  endpoint, files, environments, sessions, format: changes, editors: { query: queryEditor, variables: variablesEditor, headers: headersEditor },
  wantsPlan: () => wantsPlan,
  onSent: (run) => {
    run.finished.then(() => {
      const { type, operationName, query } = run.operation;
      history.add({ name: operationName ?? titleOf(workspace.active), type, query, variables: JSON.stringify(run.operation.written, null, 2).replace(/^\{\}$/, ""), status: run.status, time: Math.round(run.times.end) });
    });
  },
  onOutcome: (tab, outcome) => {
    for (const run of runsOf(outcomes.get(tab))) if (!runsOf(outcome).includes(run)) run.abort();
    outcomes.set(tab, outcome);
    for (const run of runsOf(outcome)) run.addEventListener("change", () => { drawRunning(); if (run.answer?.extensions?.cost && tab === workspace.activeID) showCost(byID("cost"), run.answer.extensions.cost); });
    if (tab === workspace.activeID) showOutcome();
    drawRunning();
    showPane("answer");
  },
});
/** @type {AnswerPane} */
const answer = new AnswerPane(changes, {
  goToQuery: (location, message) => {
    showPane("request");
    queryEditor.goTo(location);
    void message;
  },
  goToField: (path) => selections.use(({ placeOfPath }) => {
    const place = placeOfPath(queryEditor.value, requests.operation?.start ?? 0, path);
    if (place !== null) markField(place);
  }),
  explain: description.explanation ? explain : null,
  onErrors: (errors) => {
    serverMarks = errors.flatMap((error) => (error.locations ?? []).slice(0, 1).map((location) => {
      const start = offsetOf(queryEditor.value, location);
      return { start, end: start + (/^[$@]?\w+/.exec(queryEditor.value.slice(start))?.[0].length ?? 0), message: error.message, severity: /** @type {const} */ ("error") };
    }));
    showMarks();
  },
});
const historySearch = h("input", { type: "search", placeholder: "Search the history", "aria-label": "Search the history" });
historySearch.addEventListener("input", () => side.draw());
side.drawWith("saved", drawSaved);
side.drawWith("history", drawHistory);

// Parts that come when they are first used, or while the browser is idle.
const documentation = new Later(async () => {
  const { Documentation } = await import("./explorer/documentation.js");
  return new Documentation(side.host("docs"), { schema: () => source.schema, state: () => source.state, insert });
});
const builder = new Later(async () => {
  const { Builder } = await import("./explorer/builder.js");
  return new Builder(side.host("build"), {
    schema: () => source.schema, state: () => source.state, text: () => queryEditor.value, caret: () => queryEditor.caret, write: (text) => { queryEditor.value = text; },
  });
});
const selections = new Later(() => import("./explorer/selection.js"));
const palette = new Later(() => import("./page/palette.js"));
const sharing = new Later(() => import("./documents/share.js"));
const snippets = new Later(() => import("./run/snippets.js"));
const refactoring = new Later(() => import("./schema/refactor.js"));
side.drawWith("docs", () => documentation.use((shown) => shown.draw()));
side.drawWith("build", () => builder.use((shown) => shown.draw()));

/**
 * Puts a root field into the query, in the tree that builds it.
 * @param {import("./types").SchemaLink} link
 */
function insert({ type, member }) {
  side.show("build");
  const root = Object.entries(source.schema?.roots ?? {}).find(([, name]) => name === type)?.[0];
  builder.use((shown) => {
    if (!source.schema || !root || !member) return;
    shown.type = /** @type {import("./types").OperationType} */ (root);
    shown.tick(source.schema, [member], true);
  });
}

/** @param {import("./run/request.js").Outcome | undefined} outcome */
function runsOf(outcome) {
  return [...(outcome?.run ? [outcome.run] : []), ...(outcome?.compared ?? [])];
}

export function queryChanged() {
  serverMarks = [];
  check();
}

export const check = debounced(async () => {
  const text = queryEditor.value, marks = await validator.validate(text);
  if (marks === null) return;
  requests.know(text, validator.operations);
  ownMarks = marks;
  showMarks();
  const variables = variablesEditor.value;
  // A placeholder's value is not known here, so its type is not checked.
  variablesEditor.setMarks(validateVariables(source.schema, requests.operation, variables).filter(({ start, end }) => !hasPlaceholder(variables.slice(start, end))));
  requests.drawChoice();
  files.show(filePlaces(requests.operation, source.schema));
  strip.draw();
  if (side.chosen === "build") side.draw();
  checkCost();
}, checkDelay);

/** Asks for the figures of the operation without running it. */
const checkCost = debounced(async () => {
  // The check of the newer text asks again.
  if (requests.read.text !== queryEditor.value) return;
  const info = requests.operation;
  const operation = info && description.check !== false && !ownMarks.length ? requests.made(info) : null;
  if (!operation || typeof operation === "string") return;
  const extensions = { check: true, cost: true };
  try {
    const response = await fetch(endpoint, { method: "POST", body: JSON.stringify({ query: operation.query, operationName: operation.operationName, variables: operation.variables, extensions }),
      headers: requestHeaders({ "Content-Type": "application/json", Accept: "application/json" }, sessions.active?.token ?? null, operation.headers) });
    const figures = (await response.json()).extensions?.cost;
    if (figures) showCost(byID("cost"), figures);
  } catch {
    // The figures of the last run stay.
  }
}, costDelay);

function showMarks() {
  queryEditor.setMarks([...ownMarks, ...serverMarks]);
}

/**
 * Shows where in the query a part of the answer comes from, and leaves the focus in the answer.
 * @param {number} place
 */
function markField(place) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  queryEditor.goTo(place);
  focused?.focus({ preventScroll: true });
}

function showOutcome() {
  const outcome = outcomes.get(workspace.activeID);
  fill(answer.empty, outcome?.problem || `The answer appears here. ${keyNames("Ctrl-Enter")} runs the operation at the caret.`);
  answer.empty.classList.toggle("problem", Boolean(outcome?.problem));
  answer.follow(outcome?.run ?? null, { listFrom: outcome?.list, compared: outcome?.compared });
}

function drawRunning() {
  drawRun(isRunning(workspace.activeID));
  strip.draw();
}

/** @param {string} tab */
export function isRunning(tab) {
  return runsOf(outcomes.get(tab)).some((run) => run.phase === "running");
}

/**
 * A tab that is closed stops what runs in it.
 * @param {string} tab
 */
export function forget(tab) {
  for (const run of runsOf(outcomes.get(tab))) run.abort();
  outcomes.delete(tab);
}

export function runOrStop() {
  if (isRunning(workspace.activeID)) return stop();
  requests.run(workspace.activeID, workspace.active.transport);
}

function stop() {
  for (const run of runsOf(outcomes.get(workspace.activeID))) run.abort();
}

/** Runs once more; a subscription goes on after its newest cursor. */
function retry() {
  const run = outcomes.get(workspace.activeID)?.run;
  if (run?.operation.type === "subscription" && run.phase === "ended") requests.resume(workspace.activeID, run);
  else requests.run(workspace.activeID, workspace.active.transport);
}

export function compare() {
  requests.compare(workspace.activeID);
}

/** Shows what belongs to the tab whose texts are in the editors. */
export function showTab() {
  requests.choice = workspace.active.choice ?? "";
  showCost(byID("cost"), null);
  requests.drawChoice();
  showOutcome();
  drawRunning();
  check();
}

/** @param {{ query: string, variables?: string, title?: string, choice?: string }} document */
function openDocument({ query, variables = "", title = "", choice = "" }) {
  const same = workspace.tabs.find((tab) => tab.query === query && (tab.title === title || !title));
  if (same) workspace.activate(same.id);
  else workspace.open({ query, variables, title, choice });
  requests.choice = workspace.active.choice ?? "";
  requests.drawChoice();
  showPane("request");
}

/** @param {import("./types").Example} example */
export function openExample(example) {
  openDocument({ query: example.query, variables: variablesText(example.variables), title: example.title, choice: example.isLive ? watching : "" });
}

function drawSaved() {
  showCards(side.host("saved"), "Saved operations", "Nothing is saved yet. The star above the query saves an operation in this browser.", saved.entries.map((entry) => ({
    title: entry.name, detail: entry.type, run: () => openDocument({ ...entry, title: entry.name }), remove: () => saved.remove(entry.id),
  })));
}

function drawHistory() {
  showCards(side.host("history"), "History", "Operations that were run are listed here, without values that look secret.", history.search(historySearch.value).map((entry) => ({
    title: entry.name || entry.type, detail: `${new Date(entry.at).toLocaleString()} · ${entry.type} · ${entry.status || "no answer"} · ${entry.time} ms`,
    run: () => openDocument(entry), remove: () => history.remove(entry.id),
  })), { search: historySearch, tools: [h("button", { onclick: () => history.clear() }, "Clear")] });
}
for (const library of [history, saved]) library.addEventListener("change", () => side.draw());

/** @param {import("./types").SchemaLink} link */
function showLink(link) {
  side.show("docs");
  documentation.use((shown) => shown.show(link));
}

/** @param {import("./run/operation.js").GraphQLError} error */
function explain(error) {
  const { query, id, action } = /** @type {NonNullable<import("./types").Description["explanation"]>} */ (description.explanation);
  const sent = JSON.stringify(outcomes.get(workspace.activeID)?.run?.operation.variables ?? {});
  const found = /"([a-z]+_[0-9a-z]{10,})"/.exec(sent + queryEditor.value)?.[1] ?? "";
  openDocument({ query, variables: variablesText({ [id]: found, [action]: String(error.extensions?.action ?? "") }), title: "Why refused" });
  announce("Choose the action in the variables, then run.");
}

export function formatQuery() {
  if (!queryEditor.format()) announce("A query with a syntax error cannot be formatted.");
}

export function share() {
  sharing.use(({ openShare }) => openShare({ query: queryEditor.value, variables: variablesEditor.value }));
}

export function save() {
  ask({ title: "Save this operation", explanation: "Kept in this browser, without values that look secret.", action: "Save",
    fields: [{ name: "name", label: "Name", value: titleOf(workspace.active) }],
    submit: ({ name }) => {
      saved.add({ name, type: requests.operation?.type ?? "query", query: queryEditor.value, variables: variablesEditor.value });
      workspace.update({ title: name });
      strip.draw();
      announce(`Saved as ${name}.`);
      return null;
    } });
}

export function showCode() {
  const info = requests.operation;
  const operation = info ? requests.made(info, false) : "There is no operation yet.";
  if (typeof operation === "string") return announce(operation);
  const { cost: _cost, plan: _plan, ...extensions } = operation.extensions;
  snippets.use(({ openCode }) => openCode({ ...operation, extensions }, new URL(endpoint, location.href).href, sessions.active !== null));
}

function togglePlan() {
  wantsPlan = !wantsPlan;
  announce(wantsPlan ? "Runs ask for their plan, where the server allows it." : "Runs no longer ask for their plan.");
}

/** @type {import("./page/palette.js").Command[]} */
const commands = [
  { label: "Run or stop", keys: "Ctrl-Enter", run: runOrStop },
  { label: "Run again, or resume the subscription", run: retry },
  { label: "Compare sessions: run as each of them", run: compare },
  { label: "New tab", keys: "Alt-N", run: () => workspace.open({}) },
  { label: "Close tab", keys: "Alt-W", run: () => workspace.close(workspace.activeID) },
  { label: "Next tab", keys: "Alt-PageDown", run: () => strip.step(1) },
  { label: "Previous tab", keys: "Alt-PageUp", run: () => strip.step(-1) },
  { label: "Save operation", run: save },
  { label: "Share operation", run: share },
  { label: "Code for this operation", run: showCode },
  ...refactorings({ refactoring, schema: () => source.schema, query: queryEditor, addVariables: (added) => { variablesEditor.value = variablesText({ ...requests.writtenVariables, ...added }); } }),
  { label: "Ask for the plan of runs", run: togglePlan },
  { label: "Reload the schema", run: () => loadSchema() },
  { label: "Use a token", run: () => bar.pasteToken() },
  { label: "Theme: as the system", run: () => chooseTheme("") },
  { label: "Theme: light", run: () => chooseTheme("light") },
  { label: "Theme: dark", run: () => chooseTheme("dark") },
];

/** @param {string} typed @returns {import("./page/palette.js").Command[]} */
function allCommands(typed) {
  return [
    ...commands, ...queryEditor.commands.map(({ title, keys, run }) => ({ label: title, keys, run: () => { queryEditor.focus(); run(); } })),
    ...side.panels.map((panel) => ({ label: `Open ${panel.title.toLowerCase()}`, run: () => side.show(panel.id) })),
    ...[...answer.panels.keys()].filter((view) => !byID(`view-${view}`).hidden).map((view) => ({ label: `View the answer: ${view}`, run: () => answer.choose(view) })),
    ...parts.map((part) => ({ label: `Show ${part}`, run: () => showPart(part) })),
    ...environments.all.map(({ id, name }) => ({ label: `Use ${name}`, detail: "environment", run: () => environments.choose(id) })),
    { label: "Be signed out", run: () => sessions.activate(null) },
    ...sessions.all.map((session) => ({ label: `Be ${session.name}`, detail: "session", run: () => sessions.activate(session.id) })),
    ...(description.sessions?.open ?? []).map((action) => ({ label: action.label, detail: "new session", run: () => bar.begin(action) })),
    ...examples.map((example) => ({ label: example.title, detail: "example", run: () => openExample(example) })),
    ...(typed.length > 1 ? source.schema?.search(typed, 20) ?? [] : []).map((match) => ({ label: match.label, detail: "schema", run: () => showLink(match) })),
  ];
}

export function openCommands() {
  palette.use(({ openPalette }) => openPalette(allCommands));
}

function loadSchema() {
  source.load(sessions.active?.token ?? null, requests.headers);
}
export const headersChanged = debounced(() => loadSchema(), 600);

source.addEventListener("change", () => {
  validator.setSchema(source.schema?.introspection ?? null);
  side.draw();
  check();
});
let schemaSession = sessions.activeID;
sessions.addEventListener("change", () => {
  if (sessions.activeID === schemaSession) return;
  schemaSession = sessions.activeID;
  loadSchema();
});

byID("operation").addEventListener("change", (event) => {
  requests.choice = /** @type {HTMLSelectElement} */ (event.target).value;
  workspace.update({ choice: requests.choice });
  requests.drawChoice();
});
environments.addEventListener("change", () => { if (hasPlaceholder(headersEditor.value)) headersChanged(); });
files.show([]);
showTab();
loadSchema();
fetchWhileIdle([dialogs, selections, documentation, palette, builder, sharing, snippets, refactoring]);
