// @ts-check

/**
 * What the server tells the page about its API; every part may be missing. The page itself knows no field by its name.
 * @typedef {object} Description
 * @property {string} [title]
 * @property {SessionDescription} [sessions]
 * @property {import("../panes/livelist.js").ChangeFormat} [changes]
 * @property {{ query: string, id: string, action: string }} [explanation] of a refusal: the names of two variables
 * @property {Example[]} [examples]
 * @property {boolean} [check] false where something in front of the server drops `extensions`: then nothing is checked before a run
 */

/**
 * Operations that open, refresh and close a session. `result` has paths inside `data`; of several names the first that has
 * a value is taken.
 * @typedef {object} SessionDescription
 * @property {SessionAction[]} open
 * @property {{ query: string, variable: string }} [refresh] the variable takes the refresh token
 * @property {{ query: string }} [close]
 * @property {{ token: string, expires?: string, refresh?: string, names?: string[], errors?: string }} result
 */

/** @typedef {{ label: string, query: string, explanation?: string, fields?: { name: string, label: string, isSecret?: boolean, autocomplete?: string }[] }} SessionAction */

/** @typedef {{ title: string, about?: string, query: string, variables?: Record<string, unknown>, isLive?: boolean }} Example */

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
 * @returns {Promise<Description>}
 */
export async function loadDescription() {
  try {
    const response = await fetch("/playground/description.json");
    return response.ok ? joined(await response.json()) : {};
  } catch {
    return {};
  }
}
