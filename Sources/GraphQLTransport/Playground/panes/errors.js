// @ts-check
import { fill, h } from "../page/dom.js";
import { pathText } from "../run/operation.js";

/**
 * The errors of an answer. Each leads to its field in the query and in the answer.
 * @param {HTMLElement} host @param {import("../run/operation.js").GraphQLError[]} errors
 * @param {{ goToQuery: (location: { line: number, column: number }, message: string) => void,
 *   goToAnswer: (path: (string | number)[]) => void, explain?: ((error: import("../run/operation.js").GraphQLError) => void) | null }} actions
 */
export function showErrors(host, errors, actions) {
  host.hidden = errors.length === 0;
  fill(host, errors.map((error) => {
    const { code, ...rest } = error.extensions ?? {};
    const location = error.locations?.[0];
    const path = error.path;
    return h("li", null,
      h("div", { class: "error-message" }, code ? h("span", { class: "badge code" }, String(code)) : null, error.message),
      h("div", { class: "error-ways" },
        location ? h("button", { class: "link", onclick: () => actions.goToQuery(location, error.message) }, `Query ${location.line}:${location.column}`) : null,
        path?.length ? h("button", { class: "link", onclick: () => actions.goToAnswer(path) }, `Answer ${pathText(path)}`) : null,
        actions.explain && (code === "FORBIDDEN" || code === "NOT_FOUND") ? h("button", { class: "link", onclick: () => actions.explain?.(error) }, "Why was this refused?") : null,
        Object.entries(rest).map(([name, value]) => h("span", { class: "dim" }, `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`))));
  }));
}
