// @ts-check
// The first page: tabs, editors, sessions and examples, so that one can write as soon as they are shown. The rest comes
// after the first frame: workbench.js at once, and what that names as `Later` when it is first used or while the browser is
// idle. A press of a key or a button that needs a part waits for the part.
import { TabStrip, Workspace } from "./documents/workspace.js";
import { Editor } from "./editor/editor.js";
import { Later, byID, fill, h, icon, keyNames } from "./page/dom.js";
import { SidePanel, setUpGrips, setUpPaneNavigation, setUpTheme, showCards } from "./page/layout.js";
import { SessionBar, Sessions } from "./session/sessions.js";

/**
 * The part of the page that runs and checks operations, and shows their answers.
 * @type {Later<typeof import("./workbench.js")>}
 */
const workbench = new Later(() => import("./workbench.js"));

export const endpoint = document.body.dataset.endpoint ?? "/graphql";
const firstQuery = `# Ctrl-Enter runs the operation at the caret, Ctrl-Space completes, Ctrl-K has all commands.
query Start {
  __typename
}
`;

const describing = loadDescription();
// The parts that need no description are set up while it is under way.
export const chooseTheme = setUpTheme();
setUpGrips();
setUpPaneNavigation();

export const description = await describing;
export const examples = description.examples ?? [];
document.title = description.title ? `${description.title} · GraphQL` : document.title;
if (description.title) fill(byID("title"), description.title);

const shared = location.hash ? (await import("./documents/share.js")).takeShared() : null;
export const workspace = new Workspace({ title: "", query: examples[0]?.query ?? firstQuery, variables: variablesText(examples[0]?.variables), headers: "", transport: "websocket" });
if (shared) workspace.open(shared);
export const sessions = new Sessions(endpoint, description.sessions ?? null);

/** @type {Editor} */
export const queryEditor = new Editor(byID("query"), {
  label: "Query", language: "graphql", value: workspace.active.query,
  onChange: (text) => {
    workspace.update({ query: text });
    workbench.part?.queryChanged();
  },
});
/** @type {Editor} */
export const variablesEditor = new Editor(byID("variables"), {
  label: "Variables", language: "json", value: workspace.active.variables,
  onChange: (text) => {
    workspace.update({ variables: text });
    workbench.part?.check();
  },
});
/** @type {Editor} */
export const headersEditor = new Editor(byID("headers"), {
  label: "Headers", language: "text", value: workspace.active.headers, placeholder: "Name: value",
  onChange: (text) => {
    workspace.update({ headers: text });
    workbench.part?.headersChanged();
  },
});
/** @type {Map<string, { query: any, variables: any, headers: any }>} */
const editorStates = new Map();

export const bar = new SessionBar(byID("sessions"), sessions, { compare: () => workbench.use(({ compare }) => compare()) });
export const strip = new TabStrip(workspace, (id) => workbench.part?.isRunning(id) ?? false, (id) => {
  workbench.part?.forget(id);
  editorStates.delete(id);
});
/** @type {SidePanel} */
export const side = new SidePanel([
  { id: "docs", title: "Documentation", icon: "book" },
  { id: "build", title: "Build a query", icon: "tree" },
  { id: "examples", title: "Examples", icon: "spark", draw: drawExamples },
  { id: "saved", title: "Saved operations", icon: "star" },
  { id: "history", title: "History", icon: "clock" },
]);

/**
 * A query is one string, or its lines.
 * @param {any} value @returns {any}
 */
function joined(value) {
  if (Array.isArray(value)) return value.map(joined);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === "query" && Array.isArray(item) ? item.join("\n") : joined(item)]));
}

/**
 * The server's description; an empty one where it gives none.
 * @returns {Promise<import("./types").Description>}
 */
async function loadDescription() {
  try {
    const response = await fetch("/playground/description.json");
    return response.ok ? joined(await response.json()) : {};
  } catch {
    return {};
  }
}

/** @param {Record<string, unknown> | undefined} variables */
export function variablesText(variables) {
  return variables ? JSON.stringify(variables, null, 2) + "\n" : "";
}

function drawExamples() {
  showCards(side.host("examples"), "Examples", "The server describes no examples.", examples.map((example) => ({
    title: example.title, detail: example.about ?? "", run: () => workbench.use(({ openExample }) => openExample(example)),
  })));
}

/** @param {boolean} isRunning */
export function drawRun(isRunning) {
  const button = byID("run");
  button.classList.toggle("running", isRunning);
  button.title = isRunning ? "Stop (Escape)" : `Run (${keyNames("Ctrl-Enter")})`;
  fill(button, icon(isRunning ? "stop" : "play"), isRunning ? "Stop" : "Run");
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
  strip.draw();
  workbench.part?.showTab();
}

export const parts = ["variables", "headers", "files", "environment"];

/** @param {string} id */
export function showPart(id) {
  for (const part of parts) {
    const tab = byID(`tab-${part}`);
    tab.setAttribute("aria-selected", String(part === id));
    tab.tabIndex = part === id ? 0 : -1;
    byID(`panel-${part}`).hidden = part !== id;
  }
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key === "Enter") workbench.use(({ runOrStop }) => runOrStop());
  else if (isCommand && event.key.toLowerCase() === "k") workbench.use(({ openCommands }) => openCommands());
  else if (event.altKey && event.code === "KeyN") workspace.open({});
  else if (event.altKey && event.code === "KeyW") workspace.close(workspace.activeID);
  else if (event.altKey && (event.key === "PageDown" || event.key === "PageUp")) strip.step(event.key === "PageDown" ? 1 : -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

workspace.addEventListener("change", showTab);
addEventListener("keydown", pressed, true);
byID("run").addEventListener("click", () => workbench.use(({ runOrStop }) => runOrStop()));
const tool = (/** @type {string} */ id, /** @type {import("./page/dom.js").IconName} */ name, /** @type {string} */ title, /** @type {() => void} */ run) => {
  const button = byID(id);
  button.title = title;
  fill(button, icon(name));
  button.addEventListener("click", run);
};
tool("format", "wand", "Format", () => workbench.use(({ formatQuery }) => formatQuery()));
tool("save", "star", "Save", () => workbench.use(({ save }) => save()));
tool("share", "share", "Share", () => workbench.use(({ share }) => share()));
tool("code", "code", "Code for this operation", () => workbench.use(({ showCode }) => showCode()));
tool("new-tab", "plus", "New tab", () => workspace.open({}));
fill(byID("open-palette"), icon("search"), h("span", null, "Commands"), h("kbd", null, keyNames("Ctrl-K")));
byID("open-palette").addEventListener("click", () => workbench.use(({ openCommands }) => openCommands()));
byID("transport").addEventListener("change", (event) => workspace.update({ transport: /** @type {"sse"} */ (/** @type {HTMLSelectElement} */ (event.target).value) }));
for (const part of parts) byID(`tab-${part}`).addEventListener("click", () => showPart(part));
byID("tab-variables").parentElement?.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? parts.length - 1 : 0;
  if (!step) return;
  const next = parts[(parts.findIndex((part) => byID(`tab-${part}`).tabIndex === 0) + step) % parts.length];
  showPart(next);
  byID(`tab-${next}`).focus();
});
/** @type {HTMLSelectElement} */ (byID("transport")).value = workspace.active.transport;
drawRun(false);
strip.draw();
side.show(matchMedia("(min-width: 761px)").matches ? (examples.length ? "examples" : "docs") : "");

// A page that nobody sees has no frames.
if (document.hidden) workbench.use(() => {});
else requestAnimationFrame(() => setTimeout(() => workbench.use(() => {})));
