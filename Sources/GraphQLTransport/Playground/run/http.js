// @ts-check
import { IncrementalAnswer } from "./incremental.js";
import { headersWithToken, parameters, withValue } from "./operation.js";
import { multipartParts, serverSentEvents } from "./streams.js";

/** @typedef {import("./operation.js").RunEvent} RunEvent */

const acceptsParts = "multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9";

/**
 * Runs an operation over HTTP: one answer, an answer in parts, or a stream of events.
 * @param {string} endpoint @param {import("./operation.js").Operation} operation
 * @param {string | null} token @param {AbortSignal} signal @param {boolean} asStream whether to ask for server-sent events
 * @returns {AsyncGenerator<RunEvent>}
 */
export async function* overHTTP(endpoint, operation, token, signal, asStream) {
  const response = await fetch(endpoint, {
    method: "POST", signal, credentials: "same-origin",
    headers: {
      Accept: asStream ? "text/event-stream" : acceptsParts,
      ...headersWithToken(operation, token),
      ...(operation.files.size ? { "GraphQL-Require-Preflight": "1" } : { "Content-Type": "application/json" }),
    },
    body: operation.files.size ? upload(operation) : JSON.stringify(parameters(operation)),
  });
  yield { kind: "head", status: response.status, statusText: response.statusText, headers: [...response.headers] };
  const type = response.headers.get("Content-Type") ?? "";
  if (response.body && type.startsWith("multipart/")) return yield* parts(response.body, type);
  if (response.body && type.startsWith("text/event-stream")) return yield* events(response.body, operation.type === "subscription");
  const text = await response.text();
  yield { kind: "answer", answer: answerIn(text, response), bytes: new Blob([text]).size, isWhole: true };
  yield { kind: "end", reason: "" };
}

/** @param {string} text @param {Response} response @returns {import("./operation.js").Answer} */
function answerIn(text, response) {
  try {
    const answer = JSON.parse(text);
    if (answer && typeof answer === "object") return answer;
  } catch {
    // Not JSON: a proxy's page, or an empty body.
  }
  return { errors: [{ message: `The server answered ${response.status} ${response.statusText} without GraphQL: ${text.slice(0, 300)}` }] };
}

/** @param {ReadableStream<Uint8Array>} body @param {string} type @returns {AsyncGenerator<RunEvent>} */
async function* parts(body, type) {
  const whole = new IncrementalAnswer();
  for await (const { value, bytes } of multipartParts(body, type)) {
    const answer = whole.add(value);
    yield { kind: "answer", answer, bytes, isWhole: !whole.hasNext };
  }
  yield { kind: "end", reason: whole.hasNext ? "The response broke off before its last part." : "" };
}

/**
 * GraphQL over server-sent events, distinct connections mode.
 * @param {ReadableStream<Uint8Array>} body @param {boolean} isSubscription @returns {AsyncGenerator<RunEvent>}
 */
async function* events(body, isSubscription) {
  const whole = new IncrementalAnswer();
  let isComplete = false;
  for await (const { event, data, bytes } of serverSentEvents(body)) {
    if (event === "complete") { isComplete = true; break; }
    if (event !== "next" || !data) continue;
    const value = JSON.parse(data);
    if (isSubscription) yield { kind: "event", answer: value, bytes };
    else yield { kind: "answer", answer: whole.add(value), bytes, isWhole: !whole.hasNext };
  }
  yield { kind: "end", reason: isComplete ? (isSubscription ? "The server completed the subscription." : "") : "The stream broke off." };
}

/**
 * GraphQL multipart request specification, version 2.
 * @param {import("./operation.js").Operation} operation
 */
function upload(operation) {
  const form = new FormData();
  let variables = operation.variables;
  /** @type {Record<string, string[]>} */
  const map = {};
  [...operation.files.keys()].forEach((path, index) => {
    variables = withValue(variables, path, null);
    map[index] = [`variables.${path}`];
  });
  form.append("operations", JSON.stringify(parameters({ ...operation, variables })));
  form.append("map", JSON.stringify(map));
  [...operation.files.values()].forEach((file, index) => form.append(String(index), file, file.name));
  return form;
}
