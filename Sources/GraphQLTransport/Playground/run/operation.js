// @ts-check

/**
 * What is sent, whatever carries it.
 * @typedef {object} Operation
 * @property {"query" | "mutation" | "subscription"} type
 * @property {string} query
 * @property {string | null} operationName
 * @property {Record<string, unknown>} variables
 * @property {Record<string, unknown>} written the same as they were written, with their placeholders: what a history may keep
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
 * What happens while an operation runs. `head`: the response began. `answer`: the whole answer as far as it is known, again
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
 * The headers of a request: the operation's own, and the session's token unless one of them is an Authorization header.
 * @param {Operation} operation @param {string | null} token
 * @returns {Record<string, string>}
 */
export function headersWithToken(operation, token) {
  const own = Object.entries(operation.headers);
  const isAuthorization = (/** @type {string} */ name) => name.toLowerCase() === "authorization";
  if (!token || own.some(([name, value]) => isAuthorization(name) && value)) return operation.headers;
  return Object.fromEntries([...own.filter(([name]) => !isAuthorization(name)), ["Authorization", `Bearer ${token}`]]);
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
