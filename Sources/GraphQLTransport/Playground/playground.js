const $ = (id) => document.getElementById(id);
const endpoint = document.body.dataset.endpoint;
const shared = new URLSearchParams(location.hash.slice(1));
const welcome = "# Ctrl-Space completes, Ctrl-Enter runs.\n{\n  __typename\n}\n";
let schema = null, running = null;

const remember = debounce(() => history.replaceState(null, "", "#" + fragment()), 400);
const query = new Editor($("query"), {
  label: "Query", language: "graphql", value: shared.get("query") ?? welcome,
  onChange: () => { remember(); listOperations(); }, complete: (text, at) => schema?.complete(text, at),
});
const variables = new Editor($("variables"), { label: "Variables, as JSON", language: "json", value: shared.get("variables") ?? "", onChange: remember });
const headers = new Editor($("headers"), { label: "Headers, as JSON", language: "json", value: "" });
$("token").value = read(() => sessionStorage.getItem("token")) ?? "";
$("token").addEventListener("input", () => { read(() => sessionStorage.setItem("token", $("token").value)); loadSchema(); });
$("token-visible").addEventListener("change", (event) => { $("token").type = event.target.checked ? "text" : "password"; });

// Storage and the clipboard may be refused by the browser; the page works without.
function read(action) { try { return action(); } catch { return null; } }
function debounce(action, delay) { let timer; return () => { clearTimeout(timer); timer = setTimeout(action, delay); }; }

function fragment() {
  const state = new URLSearchParams({ query: query.value });
  if (variables.value.trim()) state.set("variables", variables.value);
  if (!$("picker").hidden && $("operation").value) state.set("operationName", $("operation").value);
  return state.toString();
}

function listOperations() {
  const named = operationsOf(query.value).filter((operation) => operation.name);
  const chosen = $("operation").value || shared.get("operationName");
  $("operation").replaceChildren(...named.map(({ name }) => new Option(name, name, false, name === chosen)));
  $("picker").hidden = named.length < 2;
}

function requestHeaders(accept) {
  const all = { "content-type": "application/json", accept };
  if ($("token").value.trim()) all.authorization = "Bearer " + $("token").value.trim();
  if (headers.value.trim()) Object.assign(all, JSON.parse(headers.value));
  return all;
}

function parsed(editor, name) {
  if (!editor.value.trim()) return undefined;
  try { return JSON.parse(editor.value); } catch (error) { throw new Error(`${name}: ${error.message}`); }
}

async function run() {
  if (running) { running.abort(); return; }
  const operations = operationsOf(query.value);
  const name = $("picker").hidden ? undefined : $("operation").value;
  const operation = operations.find((candidate) => candidate.name === name) ?? operations[0];
  const isStream = operation?.type === "subscription";
  const started = performance.now();
  running = new AbortController();
  $("run-label").textContent = "Stop";
  setStatus("Running…");
  try {
    const body = JSON.stringify({ query: query.value, operationName: name, variables: parsed(variables, "Variables") });
    parsed(headers, "Headers");
    const accept = isStream ? "text/event-stream" : "application/graphql-response+json, application/json;q=0.9";
    const response = await fetch(endpoint, { method: "POST", body, signal: running.signal, headers: requestHeaders(accept) });
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) await showEvents(response, started);
    else showResult(await response.text(), response, started);
  } catch (error) {
    if (error.name === "AbortError") setStatus("Stopped.");
    else { setStatus(error.message, true); showErrors([]); }
  } finally {
    running = null;
    $("run-label").textContent = "Run";
  }
}

function setStatus(text, isBad = false) {
  const line = Object.assign(document.createElement("span"), { textContent: text, className: isBad ? "bad" : "" });
  $("status").replaceChildren(line);
}

function statusLine(response, started, size) {
  const time = performance.now() - started;
  return `${response.status} ${response.statusText} · ${time < 10 ? time.toFixed(1) : Math.round(time)} ms · ${size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`}`;
}

function showResult(text, response, started) {
  let result = null;
  try { result = JSON.parse(text); } catch { /* shown as it came */ }
  const errors = result?.errors ?? [];
  setStatus(statusLine(response, started, new Blob([text]).size) + (errors.length ? ` · ${errors.length} error${errors.length > 1 ? "s" : ""}` : ""), !response.ok || errors.length > 0);
  showErrors(errors);
  paintResult(result === null ? text : JSON.stringify(result, null, 2));
}

function paintResult(text) {
  // Colours for a very long text would take longer than reading it.
  if (text.length > 400_000) $("result").textContent = text;
  else $("result").innerHTML = highlight(classifyJSON(text));
}

function showErrors(errors) {
  query.showErrors(errors.flatMap((error) => error.locations ?? []));
  $("errors").hidden = errors.length === 0;
  $("errors").replaceChildren(...errors.map((error) => {
    const place = error.locations?.[0];
    const code = error.extensions?.code;
    const text = `${place ? `${place.line}:${place.column}  ` : ""}${error.message}${code ? `  (${code})` : ""}`;
    const button = Object.assign(document.createElement("button"), { textContent: text, disabled: !place });
    button.addEventListener("click", () => query.goTo(place));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

// graphql-sse, distinct connections mode.
async function showEvents(response, started) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", count = 0, shown = "";
  showErrors([]);
  paintResult("");
  setStatus("Waiting for events…");
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n").trim();
      if (!part.includes("event: next") || !data) continue;
      count += 1;
      shown = (JSON.stringify(JSON.parse(data), null, 2) + "\n\n" + shown).slice(0, 200_000);
      paintResult(shown);
      setStatus(`${count} event${count > 1 ? "s" : ""} · newest first`);
    }
  }
  setStatus(`${statusLine(response, started, shown.length)} · ended after ${count} events`);
}

// MARK: documentation

const docsTrail = [];
const element = (tag, properties = {}, ...children) => { const made = Object.assign(document.createElement(tag), properties); made.append(...children); return made; };
const link = (text, style, action) => { const made = element("button", { className: `link ${style}`, textContent: text }); made.addEventListener("click", action); return made; };

function typeLink(type) {
  const name = namedType(type), [before, after] = typeText(type).split(name);
  return element("span", {}, before, link(name, "t", () => openDocs(name)), after);
}

function showDocs() {
  const name = docsTrail.at(-1), term = $("docs-search").value.trim(), body = $("docs-body");
  $("docs-back").hidden = docsTrail.length === 0 && !term;
  if (!schema) return body.replaceChildren(element("p", { textContent: "The server gives no schema to this client." }));
  if (term) return body.replaceChildren(...searchResults(term));
  body.replaceChildren(...(name ? typeDocs(schema.type(name)) : rootDocs()));
  body.scrollTop = 0;
}

function openDocs(name) {
  docsTrail.push(name);
  $("docs-search").value = "";
  showDocs();
  $("docs-body").focus();
}

function rootDocs() {
  const roots = Object.entries(schema.roots).filter(([, name]) => name);
  const kinds = [["OBJECT", "Objects"], ["INTERFACE", "Interfaces"], ["UNION", "Unions"], ["ENUM", "Enums"], ["INPUT_OBJECT", "Inputs"], ["SCALAR", "Scalars"]];
  const others = (kind) => schema.types.filter((type) => type.kind === kind && !type.name.startsWith("__") && !roots.some(([, name]) => name === type.name));
  return [
    element("h2", { textContent: "Schema" }), ...paragraphs(schema.description),
    ...roots.map(([root, name]) => element("div", { className: "entry" }, element("code", {}, `${root}: `, link(name, "t", () => openDocs(name))))),
    ...kinds.flatMap(([kind, title]) => others(kind).length ? [element("h3", { textContent: title }), element("code", {}, ...others(kind).flatMap((type) => [link(type.name, "t", () => openDocs(type.name)), "  "]))] : []),
  ];
}

function paragraphs(text) { return text ? text.split(/\n\s*\n/).map((part) => element("p", { textContent: part })) : []; }

function inputText(input) {
  return [element("span", { className: "a", textContent: input.name }), ": ", typeLink(input.type), input.defaultValue ? ` = ${input.defaultValue}` : ""];
}

function entry(member) {
  const code = element("code");
  if (member.args?.length) {
    code.append(element("span", { className: "f", textContent: member.name }), "(");
    member.args.forEach((argument, index) => code.append(index ? ", " : "", ...inputText(argument)));
    code.append("): ", typeLink(member.type));
  } else if (member.type && !member.args) code.append(...inputText(member));
  else code.append(element("span", { className: member.type ? "f" : "t", textContent: member.name }), ...(member.type ? [": ", typeLink(member.type)] : []));
  const notes = (member.args ?? []).filter((argument) => argument.description).map((argument) => element("p", {}, element("code", { className: "a", textContent: argument.name }), ` ${argument.description}`));
  const old = member.isDeprecated ? [element("p", { className: "old-note", textContent: `Deprecated: ${member.deprecationReason ?? ""}` })] : [];
  return element("div", { className: "entry" }, code, ...paragraphs(member.description), ...notes, ...old);
}

function typeDocs(type) {
  const list = (title, types) => types?.length ? [element("h3", { textContent: title }), element("code", {}, ...types.flatMap(({ name }) => [link(name, "t", () => openDocs(name)), "  "]))] : [];
  const members = (title, entries) => entries?.length ? [element("h3", { textContent: title }), ...entries.map(entry)] : [];
  const kind = type.isOneOf ? "one-of input" : type.kind.toLowerCase().replace("_", " ");
  return [
    element("h2", {}, `${type.name} `, element("small", { className: "c", textContent: kind })), ...paragraphs(type.description),
    ...(type.specifiedByURL ? [element("p", { textContent: `Specified by ${type.specifiedByURL}` })] : []),
    ...list("Implements", type.interfaces), ...members("Fields", type.fields), ...members("Fields", type.inputFields),
    ...members("Values", type.enumValues), ...list(type.kind === "UNION" ? "Members" : "Implemented by", type.possibleTypes),
  ];
}

function searchResults(term) {
  const found = schema.search(term);
  if (!found.length) return [element("p", { textContent: "Nothing has such a name." })];
  return found.map(({ type, field }) => element("div", { className: "entry" }, element("code", {}, link(type.name, "t", () => openDocs(type.name)), field ? "." : "", field ? link(field.name, "f", () => openDocs(type.name)) : "")));
}

async function loadSchema() {
  try {
    const response = await fetch(endpoint, { method: "POST", headers: requestHeaders("application/json"), body: JSON.stringify({ query: introspectionQuery }) });
    const result = await response.json();
    schema = result.data?.__schema ? new SchemaModel(result.data.__schema) : null;
  } catch { schema = null; }
  showDocs();
}

function toggleDocs(isOpen) {
  $("docs").hidden = !isOpen;
  document.querySelector("main").classList.toggle("with-docs", isOpen);
  $("docs-toggle").setAttribute("aria-expanded", isOpen);
}

// MARK: the page

$("run").addEventListener("click", run);
$("format").addEventListener("click", () => { query.value = formatQuery(query.value); });
$("share").addEventListener("click", async () => {
  history.replaceState(null, "", "#" + fragment());
  try { await navigator.clipboard.writeText(location.href); setStatus("Link copied. It holds the query and its variables."); }
  catch { setStatus("The address bar holds the link."); }
});
$("docs-toggle").addEventListener("click", () => toggleDocs($("docs").hidden));
$("docs-close").addEventListener("click", () => { toggleDocs(false); $("docs-toggle").focus(); });
$("docs-back").addEventListener("click", () => { if ($("docs-search").value) $("docs-search").value = ""; else docsTrail.pop(); showDocs(); });
$("docs-search").addEventListener("input", showDocs);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); query.closePopup(); run(); }
  if (event.key.toLowerCase() === "f" && event.shiftKey && event.altKey) { event.preventDefault(); $("format").click(); }
});
const tabs = [...document.querySelectorAll("[role=tab]")];
function selectTab(chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}
tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => selectTab(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (step) { const next = tabs[(index + step) % tabs.length]; selectTab(next); next.focus(); }
  });
});
toggleDocs(window.innerWidth > 1100);
listOperations();
loadSchema();
