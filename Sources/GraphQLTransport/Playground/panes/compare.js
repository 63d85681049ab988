// @ts-check
import { fill, h } from "../page/dom.js";
import { pathText } from "../run/operation.js";

/** Differences that are shown at most. */
const shownDifferences = 500;

/**
 * Every plain value of an answer by its path.
 * @param {unknown} value @param {(string | number)[]} path @param {Map<string, string>} into
 */
function leaves(value, path, into) {
  if (value !== null && typeof value === "object" && Object.keys(value).length) {
    for (const [key, item] of Object.entries(value)) leaves(item, [...path, Array.isArray(value) ? Number(key) : key], into);
  } else into.set(pathText(path), JSON.stringify(value));
  return into;
}

/** @param {import("../run/operation.js").Answer[]} answers @returns {{ path: string, values: (string | undefined)[] }[]} */
export function differences(answers) {
  const all = answers.map(({ data, errors }) => leaves({ data, ...(errors ? { errors: errors.map((error) => ({ message: error.message })) } : {}) }, [], new Map()));
  const paths = [...new Set(all.flatMap((values) => [...values.keys()]))];
  return paths.map((path) => ({ path, values: all.map((values) => values.get(path)) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

/**
 * The answers to one operation as several sessions, and where they differ.
 * @param {HTMLElement} host @param {import("../run/run.js").Run[]} runs
 */
export function showComparison(host, runs) {
  const names = runs.map((run) => run.way.sessionName ?? "nobody");
  const found = runs.every((run) => run.answer) ? differences(runs.map((run) => run.answer ?? {})) : null;
  fill(host,
    h("p", { class: "pane-note", role: "status" }, found === null ? "Waiting for every answer …"
      : found.length ? `${found.length} ${found.length === 1 ? "value differs" : "values differ"}.` : "All answers are the same."),
    h("div", { class: "table-scroll", tabindex: "0" }, h("table", { class: "comparison" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "path"), names.map((name) => h("th", { scope: "col" }, `as ${name}`)))),
      h("tbody", null, (found ?? []).slice(0, shownDifferences).map(({ path, values }) => h("tr", null, h("th", { scope: "row" }, path),
        values.map((value) => h("td", { class: value === undefined ? "absent" : null }, value ?? "–"))))))),
    h("div", { class: "side-by-side" }, runs.map((run, index) => h("section", { "aria-label": `Answer as ${names[index]}` }, h("h3", null, `as ${names[index]}`),
      h("pre", { tabindex: "0" }, run.answer ? JSON.stringify(run.answer, null, 2).slice(0, 100_000) : run.reason || "…")))));
}
