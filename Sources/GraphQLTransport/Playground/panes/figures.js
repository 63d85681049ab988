// @ts-check
import { fill, h } from "../page/dom.js";

/** The part of a limit from which a figure is shown as near to it. */
const nearLimit = 0.8;

/**
 * The figures of an operation beside their limits (`extensions.cost`).
 * @param {HTMLElement} host @param {unknown} cost
 */
export function showCost(host, cost) {
  const figures = cost && typeof cost === "object" ? Object.entries(cost) : [];
  host.hidden = figures.length === 0;
  fill(host, figures.filter(([name]) => name === "cost" || name === "depth").map(([name, { actual, maximum }]) => meter(name, actual, maximum)));
  host.title = figures.map(([name, { actual, maximum }]) => `${name}: ${actual} of ${maximum}`).join("\n");
}

/** @param {string} name @param {number} actual @param {number} maximum */
function meter(name, actual, maximum) {
  const state = actual > maximum ? "over" : actual > maximum * nearLimit ? "near" : "";
  const bar = h("meter", { min: 0, max: maximum, value: Math.min(actual, maximum), "aria-label": `${name}: ${actual} of ${maximum}` });
  return h("span", { class: `figure ${state}` }, `${name} `, h("b", null, actual), h("span", { class: "dim" }, `/${maximum}`), bar);
}

/**
 * One statement, or another step, that answered a part of an operation (`extensions.plan`).
 * @typedef {{ name: string, path?: string, level?: number, startedAt: number, duration: number, rows?: number }} PlanStep
 */

/**
 * The steps of an operation as a waterfall: times are in milliseconds since its start.
 * @param {HTMLElement} host @param {unknown} plan
 */
export function showPlan(host, plan) {
  /** @type {PlanStep[]} */
  const steps = Array.isArray(/** @type {any} */ (plan)?.steps) ? /** @type {any} */ (plan).steps : [];
  if (!steps.length) return fill(host, h("p", { class: "empty" }, "The server sent no plan for this run."));
  const end = Math.max(...steps.map((step) => step.startedAt + step.duration), 0.001);
  fill(host, h("div", { class: "table-scroll", tabindex: "0" }, h("table", { class: "plan" },
    h("caption", null, `${steps.length} ${steps.length === 1 ? "step" : "steps"}, ${end.toFixed(1)} ms`),
    h("thead", null, h("tr", null, ["level", "statement", "field", "rows", "ms", "time"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, steps.map((step) => {
      const bar = h("span", { class: "plan-bar" });
      bar.style.marginInlineStart = `${100 * step.startedAt / end}%`;
      bar.style.width = `${Math.max(0.6, 100 * step.duration / end)}%`;
      return h("tr", null, h("td", null, step.level ?? ""), h("td", null, h("code", null, step.name)), h("td", null, step.path ?? ""),
        h("td", null, step.rows ?? ""), h("td", null, step.duration.toFixed(2)), h("td", { class: "plan-time" }, bar));
    })))));
}

/**
 * Response headers and times of a run.
 * @param {HTMLElement} host @param {import("../run/run.js").Run} run
 */
export function showResponse(host, run) {
  const rows = (/** @type {[string, unknown][]} */ items) => h("table", { class: "pairs" }, h("tbody", null, items.map(([name, value]) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, String(value))))));
  fill(host, h("h3", null, "Response"), rows([
    ["status", `${run.status} ${run.statusText}`], ["by", run.transport], ["as", run.way.sessionName ?? "nobody"],
    ["headers after", `${run.times.head.toFixed(1)} ms`], ["first data after", `${run.times.first.toFixed(1)} ms`],
    ["whole time", `${run.elapsed.toFixed(1)} ms`], ["body", `${run.bytes} bytes`], ["parts", run.parts || run.eventCount],
  ]), h("h3", null, "Headers"), rows(run.headers), run.answer?.extensions ? [h("h3", null, "Extensions"), h("pre", null, JSON.stringify(run.answer.extensions, null, 2))] : null);
}
