// @ts-check

/**
 * An operation as it is sent, over any transport.
 * @typedef {object} Operation
 * @property {"query" | "mutation" | "subscription"} type
 * @property {string} query
 * @property {string | null} operationName
 * @property {Record<string, unknown>} variables
 * @property {Record<string, unknown>} written the variables with their placeholders, which a history may keep
 * @property {Record<string, unknown>} extensions
 * @property {Record<string, string>} headers without the session's
 * @property {Map<string, File>} files by the path of their variable: `file`, `input.files.0`
 */

/** @typedef {"http" | "sse" | "websocket"} Transport */

/**
 * @typedef {{ data?: unknown, errors?: GraphQLError[], extensions?: Record<string, unknown> }} Answer
 * @typedef {{ message: string, locations?: { line: number, column: number }[], path?: (string | number)[],
 *   extensions?: Record<string, unknown> }} GraphQLError
 */

/**
 * A step of an operation that runs. `head`: the response began. `answer`: the whole answer as far as it is known, again
 * with each part. `event`: one event of a subscription. `end`: nothing more comes; `reason` is told to people.
 * @typedef {{ kind: "head", status: number, statusText: string, headers: [string, string][] }
 *   | { kind: "answer", answer: Answer, bytes: number, isWhole: boolean }
 *   | { kind: "event", answer: Answer, bytes: number }
 *   | { kind: "end", reason: string }} RunEvent
 */

/**
 * The parameters of a request, as GraphQL over HTTP names them.
 * @param {Operation} operation
 */
export function parameters(operation) {
  return {
    query: operation.query,
    ...(operation.operationName ? { operationName: operation.operationName } : {}),
    ...(Object.keys(operation.variables).length ? { variables: operation.variables } : {}),
    ...(Object.keys(operation.extensions).length ? { extensions: operation.extensions } : {}),
  };
}

/**
 * The headers of a request: the page's, then the session's, then the tab's, each of which takes the place of an earlier one
 * whose name differs only in case. RFC 9110, 5.1 Field Names
 * @param {Record<string, string>} page @param {string | null} token the session's @param {Record<string, string>} own the tab's
 * @returns {Record<string, string>}
 */
export function requestHeaders(page, token, own) {
  const session = token ? { Authorization: `Bearer ${token}` } : {};
  const all = [page, session, own].flatMap((headers) => Object.entries(headers));
  return Object.fromEntries(new Map(all.map((header) => [header[0].toLowerCase(), header])).values());
}

/**
 * A copy of variables with a value at a path, such as `input.files.0`.
 * @param {Record<string, unknown>} variables @param {string} path @param {unknown} value
 */
export function withValue(variables, path, value) {
  const copy = structuredClone(variables);
  const keys = path.split(".");
  /** @type {any} */
  let place = copy;
  keys.slice(0, -1).forEach((key, index) => {
    place[key] ??= /^\d+$/.test(keys[index + 1]) ? [] : {};
    place = place[key];
  });
  place[keys[keys.length - 1]] = value;
  return copy;
}

/**
 * The value at a path of keys, undefined where there is none.
 * @param {unknown} value @param {(string | number)[]} path
 */
export function valueAt(value, path) {
  /** @type {any} */
  let place = value;
  for (const key of path) {
    if (place === null || typeof place !== "object") return undefined;
    place = place[key];
  }
  return place;
}

/**
 * A path as people write it: `feed.nodes[0].id`.
 * @param {(string | number)[]} path
 */
export function pathText(path) {
  return path.map((key, index) => typeof key === "number" ? `[${key}]` : index ? `.${key}` : key).join("");
}
