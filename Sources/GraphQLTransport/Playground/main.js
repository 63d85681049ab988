// @ts-check
import { EnvironmentPanel } from "./documents/environmentPanel.js";
import { Environments } from "./documents/environments.js";
import { Library } from "./documents/library.js";
import { hasPlaceholder } from "./documents/placeholders.js";
import { openShare, takeShared } from "./documents/share.js";
import { TabStrip } from "./documents/tabstrip.js";
import { Workspace, titleOf } from "./documents/workspace.js";
import { Editor } from "./editor/editor.js";
import { Builder } from "./explorer/builder.js";
import { Documentation } from "./explorer/documentation.js";
import { placeOfPath } from "./explorer/selection.js";
import { refactorings } from "./explorer/refactorings.js";
import { SchemaSource } from "./explorer/source.js";
import { formatJSON } from "./language/json.js";
import { format } from "./language/printer.js";
import { offsetOf } from "./language/text.js";
import { setUpGrips, setUpPaneNavigation, setUpTheme, showPane } from "./page/layout.js";
import { ask, openDialog } from "./page/dialog.js";
import { announce, byID, copy, debounced, fill, h, keyNames } from "./page/dom.js";
import { icon } from "./page/icons.js";
import { openPalette } from "./page/palette.js";
import { SidePanel, showCards } from "./page/side.js";
import { AnswerPane } from "./panes/answer.js";
import { showCost } from "./panes/figures.js";
import { FilePanel, filePlaces } from "./run/files.js";
import { Requests, watching } from "./run/request.js";
import { snippets } from "./run/snippets.js";
import { complete } from "./schema/completion.js";
import { hoverAt } from "./schema/hover.js";
import { Validator } from "./schema/validator.js";
import { completeVariables, validateVariables } from "./schema/variables.js";
import { SessionBar } from "./session/bar.js";
import { loadDescription } from "./session/description.js";
import { Sessions } from "./session/sessions.js";

const endpoint = document.body.dataset.endpoint ?? "/graphql";
/** Milliseconds after the last key before the query is checked, and after the check before the server is asked for its cost. */
const checkDelay = 150, costDelay = 350;

const firstQuery = `# Ctrl-Enter runs the operation at the caret, Ctrl-Space completes, Ctrl-K has all commands.
query Start {
  __typename
}
`;

const description = await loadDescription();
const changes = description.changes ?? null;
const examples = description.examples ?? [];
document.title = description.title ? `${description.title} · GraphQL` : document.title;
if (description.title) fill(byID("title"), description.title);

const shared = takeShared();
const workspace = new Workspace({ title: "", query: examples[0]?.query ?? firstQuery, variables: variablesText(examples[0]?.variables), headers: "", transport: "websocket" });
if (shared) workspace.open(shared);
const history = new Library("playground.history");
const saved = new Library("playground.saved");
const sessions = new Sessions(endpoint, description.sessions ?? null);
const source = new SchemaSource(endpoint);
const validator = new Validator();
const files = new FilePanel();
const environments = new Environments();
new EnvironmentPanel(environments);
/**
 * What came of each tab's last run.
 * @type {Map<string, import("./run/request.js").Outcome>}
 */
const outcomes = new Map();
/** @type {Map<string, { query: any, variables: any, headers: any }>} */
const editorStates = new Map();
let wantsPlan = false;
/**
 * Marks of the server's errors, until the text changes.
 * @type {import("./types").Mark[]}
 */
let serverMarks = [];
/** @type {import("./types").Mark[]} */
let ownMarks = [];

/** @type {import("./types").EditorAPI} */
const queryEditor = new Editor(byID("query"), {
  label: "Query", language: "graphql", value: workspace.active.query,
  complete: (text, offset) => complete(source.schema, text, offset), hover: (text, offset) => hoverAt(source.schema, text, offset), format,
  onChange: (text) => {
    workspace.update({ query: text });
    serverMarks = [];
    check();
  },
  // The check that follows each change reads the text anew.
  onCaret: debounced(() => requests.drawChoice(requests.read.operations), 100), onLink: (link) => showLink(link),
});
/** @type {import("./types").EditorAPI} */
const variablesEditor = new Editor(byID("variables"), {
  label: "Variables", language: "json", value: workspace.active.variables, format: formatJSON,
  complete: (text, offset) => completeVariables(source.schema, requests.operation, text, offset),
  onChange: (text) => {
    workspace.update({ variables: text });
    check();
  },
});
/** @type {import("./types").EditorAPI} */
const headersEditor = new Editor(byID("headers"), {
  label: "Headers", language: "text", value: workspace.active.headers, placeholder: "Name: value",
  onChange: (text) => {
    workspace.update({ headers: text });
    headersChanged();
  },
});
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
  goToField: (path) => {
    const place = placeOfPath(queryEditor.value, requests.operation?.start ?? 0, path);
    if (place !== null) markField(place);
  },
  explain: description.explanation ? explain : null,
  onErrors: (errors) => {
    serverMarks = errors.flatMap((error) => (error.locations ?? []).slice(0, 1).map((location) => {
      const start = offsetOf(queryEditor.value, location);
      return { start, end: start + (/^[$@]?\w+/.exec(queryEditor.value.slice(start))?.[0].length ?? 0), message: error.message, severity: /** @type {const} */ ("error") };
    }));
    showMarks();
  },
});
const bar = new SessionBar(byID("sessions"), sessions, { compare: () => requests.compare(workspace.activeID) });
const strip = new TabStrip(workspace, (id) => runsOf(outcomes.get(id)).some((run) => run.phase === "running"), (id) => {
  for (const run of runsOf(outcomes.get(id))) run.abort();
  outcomes.delete(id);
  editorStates.delete(id);
});
const historySearch = h("input", { type: "search", placeholder: "Search the history", "aria-label": "Search the history" });
historySearch.addEventListener("input", () => side.draw());
/** @type {SidePanel} */
const side = new SidePanel([
  { id: "docs", title: "Documentation", icon: "book", draw: () => documentation.draw() },
  { id: "build", title: "Build a query", icon: "tree", draw: () => builder.draw() },
  { id: "examples", title: "Examples", icon: "spark", draw: drawExamples },
  { id: "saved", title: "Saved operations", icon: "star", draw: drawSaved },
  { id: "history", title: "History", icon: "clock", draw: drawHistory },
]);
/** @type {Documentation} */
const documentation = new Documentation(side.host("docs"), { schema: () => source.schema, state: () => source.state, insert: (link) => {
  side.show("build");
  const root = Object.entries(source.schema?.roots ?? {}).find(([, type]) => type === link.type)?.[0];
  if (source.schema && root && link.member) {
    builder.type = /** @type {import("./types").OperationType} */ (root);
    builder.tick(source.schema, [link.member], true);
  }
} });
const builder = new Builder(side.host("build"), {
  schema: () => source.schema, state: () => source.state, text: () => queryEditor.value, caret: () => queryEditor.caret, write: (text) => { queryEditor.value = text; },
});

/** @param {import("./run/request.js").Outcome | undefined} outcome */
function runsOf(outcome) {
  return [...(outcome?.run ? [outcome.run] : []), ...(outcome?.compared ?? [])];
}

/** @param {Record<string, unknown> | undefined} variables */
function variablesText(variables) {
  return variables ? JSON.stringify(variables, null, 2) + "\n" : "";
}

const check = debounced(async () => {
  const text = queryEditor.value, marks = await validator.validate(text);
  if (marks === null) return;
  requests.know(text, validator.operations);
  ownMarks = marks;
  showMarks();
  const variables = variablesEditor.value;
  // What an environment puts in is not known to fit, nor not to fit.
  variablesEditor.setMarks(validateVariables(source.schema, requests.operation, variables).filter(({ start, end }) => !hasPlaceholder(variables.slice(start, end))));
  requests.drawChoice();
  files.show(filePlaces(requests.operation, source.schema));
  strip.draw();
  if (side.chosen === "build") builder.follow();
  checkCost();
}, checkDelay);

/** Asks for the figures of the operation without running it. */
const checkCost = debounced(async () => {
  // The check of what was typed since asks again.
  if (requests.read.text !== queryEditor.value) return;
  const info = requests.operation;
  const operation = info && description.check !== false && !ownMarks.length ? requests.made(info) : null;
  if (!operation || typeof operation === "string") return;
  const extensions = { check: true, cost: true };
  try {
    const response = await fetch(endpoint, { method: "POST", body: JSON.stringify({ query: operation.query, operationName: operation.operationName, variables: operation.variables, extensions }),
      headers: { "Content-Type": "application/json", Accept: "application/json", ...(sessions.active ? { Authorization: `Bearer ${sessions.active.token}` } : {}), ...operation.headers } });
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
  requests.drawRun(isRunning());
  strip.draw();
}

function isRunning() {
  return runsOf(outcomes.get(workspace.activeID)).some((run) => run.phase === "running");
}

function runOrStop() {
  if (isRunning()) return stop();
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

let shownTab = workspace.activeID;

/** Puts the active tab's texts into the editors; each tab has its own undo history. */
function showTab() {
  if (workspace.activeID === shownTab) return strip.draw();
  editorStates.set(shownTab, { query: queryEditor.state, variables: variablesEditor.state, headers: headersEditor.state });
  const next = workspace.active;
  shownTab = next.id;
  const fresh = (/** @type {string} */ text) => ({ text, selection: { anchor: 0, head: 0 }, history: null, folds: [], scroll: { top: 0, left: 0 } });
  const states = editorStates.get(next.id) ?? { query: fresh(next.query), variables: fresh(next.variables), headers: fresh(next.headers) };
  queryEditor.state = states.query;
  variablesEditor.state = states.variables;
  headersEditor.state = states.headers;
  /** @type {HTMLSelectElement} */ (byID("transport")).value = next.transport;
  requests.choice = next.choice ?? "";
  showCost(byID("cost"), null);
  requests.drawChoice();
  showOutcome();
  drawRunning();
  check();
}
workspace.addEventListener("change", showTab);

/** @param {{ query: string, variables?: string, title?: string, choice?: string }} document */
function openDocument({ query, variables = "", title = "", choice = "" }) {
  const same = workspace.tabs.find((tab) => tab.query === query && (tab.title === title || !title));
  if (same) workspace.activate(same.id);
  else workspace.open({ query, variables, title, choice });
  requests.choice = workspace.active.choice ?? "";
  requests.drawChoice();
  showPane("request");
}

/** @param {import("./session/description.js").Example} example */
function openExample(example) {
  openDocument({ query: example.query, variables: variablesText(example.variables), title: example.title, choice: example.isLive ? watching : "" });
}

function drawExamples() {
  showCards(side.host("examples"), "Examples", "The server describes no examples.", examples.map((example) => ({ title: example.title, detail: example.about ?? "", run: () => openExample(example) })));
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
  documentation.show(link);
}

/** @param {import("./run/operation.js").GraphQLError} error */
function explain(error) {
  const { query, id, action } = /** @type {NonNullable<import("./session/description.js").Description["explanation"]>} */ (description.explanation);
  const sent = JSON.stringify(outcomes.get(workspace.activeID)?.run?.operation.variables ?? {});
  const found = /"([a-z]+_[0-9a-z]{10,})"/.exec(sent + queryEditor.value)?.[1] ?? "";
  openDocument({ query, variables: variablesText({ [id]: found, [action]: String(error.extensions?.action ?? "") }), title: "Why refused" });
  announce("Choose the action in the variables, then run.");
}

function save() {
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

function showCode() {
  const info = requests.operation;
  const operation = info ? requests.made(info, false) : "There is no operation yet.";
  if (typeof operation === "string") return announce(operation);
  const { cost: _cost, plan: _plan, ...extensions } = operation.extensions;
  const all = snippets({ ...operation, extensions }, new URL(endpoint, location.href).href, sessions.active !== null);
  openDialog("Code for this operation", () => {
    const text = h("pre", { tabindex: "0" });
    const picker = h("select", { "aria-label": "Language", onchange: () => { text.textContent = all[picker.selectedIndex].code; } }, all.map(({ language }) => h("option", null, language)));
    text.textContent = all[0].code;
    return [h("div", null, picker), text, h("div", { class: "actions" }, h("button", { class: "primary", onclick: () => copy(text.textContent ?? "", "the code") }, "Copy"))];
  }, { kind: "wide" });
}

function togglePlan() {
  wantsPlan = !wantsPlan;
  announce(wantsPlan ? "Runs ask for their plan, where the server allows it." : "Runs no longer ask for their plan.");
}

const parts = ["variables", "headers", "files", "environment"];

/** @param {string} id */
function showPart(id) {
  for (const part of parts) {
    const tab = byID(`tab-${part}`);
    tab.setAttribute("aria-selected", String(part === id));
    tab.tabIndex = part === id ? 0 : -1;
    byID(`panel-${part}`).hidden = part !== id;
  }
}

const chooseTheme = setUpTheme();
/** @type {import("./page/palette.js").Command[]} */
const commands = [
  { label: "Run or stop", keys: "Ctrl-Enter", run: runOrStop },
  { label: "Run again, or resume the subscription", run: retry },
  { label: "Compare sessions: run as each of them", run: () => requests.compare(workspace.activeID) },
  { label: "New tab", keys: "Alt-N", run: () => workspace.open({}) },
  { label: "Close tab", keys: "Alt-W", run: () => workspace.close(workspace.activeID) },
  { label: "Next tab", keys: "Alt-PageDown", run: () => strip.step(1) },
  { label: "Previous tab", keys: "Alt-PageUp", run: () => strip.step(-1) },
  { label: "Save operation", run: save },
  { label: "Share operation", run: () => openShare({ query: queryEditor.value, variables: variablesEditor.value }) },
  { label: "Code for this operation", run: showCode },
  ...refactorings({ schema: () => source.schema, query: queryEditor, addVariables: (added) => { variablesEditor.value = variablesText({ ...requests.writtenVariables, ...added }); } }),
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

/** @param {KeyboardEvent} event */
function pressed(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key === "Enter") runOrStop();
  else if (isCommand && event.key.toLowerCase() === "k") openPalette(allCommands);
  else if (event.altKey && event.code === "KeyN") workspace.open({});
  else if (event.altKey && event.code === "KeyW") workspace.close(workspace.activeID);
  else if (event.altKey && (event.key === "PageDown" || event.key === "PageUp")) strip.step(event.key === "PageDown" ? 1 : -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function loadSchema() {
  source.load(sessions.active?.token ?? null, requests.headers);
}
const headersChanged = debounced(() => loadSchema(), 600);

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

addEventListener("keydown", pressed, true);
byID("run").addEventListener("click", runOrStop);
const tool = (/** @type {string} */ id, /** @type {import("./page/icons.js").IconName} */ name, /** @type {string} */ title, /** @type {() => void} */ run) => {
  const button = byID(id);
  button.title = title;
  fill(button, icon(name));
  button.addEventListener("click", run);
};
tool("format", "wand", "Format", () => { if (!queryEditor.format()) announce("A query with a syntax error cannot be formatted."); });
tool("save", "star", "Save", save);
tool("share", "share", "Share", () => openShare({ query: queryEditor.value, variables: variablesEditor.value }));
tool("code", "code", "Code for this operation", showCode);
tool("new-tab", "plus", "New tab", () => workspace.open({}));
fill(byID("open-palette"), icon("search"), h("span", null, "Commands"), h("kbd", null, keyNames("Ctrl-K")));
byID("open-palette").addEventListener("click", () => openPalette(allCommands));
byID("operation").addEventListener("change", (event) => {
  requests.choice = /** @type {HTMLSelectElement} */ (event.target).value;
  workspace.update({ choice: requests.choice });
  requests.drawChoice();
});
byID("transport").addEventListener("change", (event) => workspace.update({ transport: /** @type {"sse"} */ (/** @type {HTMLSelectElement} */ (event.target).value) }));
for (const part of parts) byID(`tab-${part}`).addEventListener("click", () => showPart(part));
byID("tab-variables").parentElement?.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? parts.length - 1 : 0;
  if (!step) return;
  const next = parts[(parts.findIndex((part) => byID(`tab-${part}`).tabIndex === 0) + step) % parts.length];
  showPart(next);
  byID(`tab-${next}`).focus();
});
environments.addEventListener("change", () => { if (hasPlaceholder(headersEditor.value)) headersChanged(); });
setUpGrips();
setUpPaneNavigation();
requests.choice = workspace.active.choice ?? "";
/** @type {HTMLSelectElement} */ (byID("transport")).value = workspace.active.transport;
requests.drawRun(false);
requests.drawChoice();
files.show([]);
strip.draw();
side.show(matchMedia("(min-width: 761px)").matches ? (examples.length ? "examples" : "docs") : "");
showOutcome();
loadSchema();
check();
