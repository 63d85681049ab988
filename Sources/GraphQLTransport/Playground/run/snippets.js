// @ts-check
import { openDialog } from "../page/dialog.js";
import { copy, h } from "../page/dom.js";
import { parameters, requestHeaders } from "./operation.js";

/**
 * Programs that send an operation. The session's token is never part of one: each reads it from the environment.
 * @param {import("./operation.js").Operation} operation @param {string} address @param {boolean} hasSession
 * @returns {{ language: string, code: string }[]}
 */
export function snippets(operation, address, hasSession) {
  const body = JSON.stringify(parameters(operation), null, 2);
  const shell = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
  const swift = (/** @type {string} */ text) => JSON.stringify(text);
  const isLive = operation.type === "subscription";
  const accept = isLive ? "text/event-stream" : "application/graphql-response+json";
  const names = Object.entries(requestHeaders({ "Content-Type": "application/json", Accept: accept }, null, operation.headers));
  const usesSession = hasSession && !names.some(([name]) => name.toLowerCase() === "authorization");
  return [
    { language: "curl", code: [
      `curl ${isLive ? "-N " : ""}${shell(address)}`, ...names.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
      ...(usesSession ? ['-H "Authorization: Bearer $TOKEN"'] : []), `--data ${shell(body)}`,
    ].join(" \\\n  ") },
    { language: "fetch", code: [
      `const response = await fetch(${JSON.stringify(address)}, {`, '  method: "POST",', "  headers: {",
      ...names.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
      ...(usesSession ? ["    Authorization: `Bearer ${token}`,"] : []), "  },",
      `  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`, "});",
      isLive ? "for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) console.log(chunk);"
        : "const { data, errors } = await response.json();",
    ].join("\n") },
    { language: "Swift", code: [
      "import Foundation", "", `var request = URLRequest(url: URL(string: ${swift(address)})!)`, 'request.httpMethod = "POST"',
      ...names.map(([name, value]) => `request.setValue(${swift(value)}, forHTTPHeaderField: ${swift(name)})`),
      ...(usesSession ? ['request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")'] : []),
      'request.httpBody = Data(#"""', body, '"""#.utf8)',
      ...(isLive ? ["let (bytes, _) = try await URLSession.shared.bytes(for: request)", "for try await line in bytes.lines { print(line) }"]
        : ["let (data, _) = try await URLSession.shared.data(for: request)", "print(String(decoding: data, as: UTF8.self))"]),
    ].join("\n") },
    { language: "Python", code: [
      "import json", ...(usesSession ? ["import os"] : []), "import urllib.request", "", "body = json.loads(r'''", body.replaceAll("'''", "\\u0027\\u0027\\u0027"), "''')", "request = urllib.request.Request(",
      `    ${JSON.stringify(address)}, data=json.dumps(body).encode(),`, "    headers={",
      ...names.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
      ...(usesSession ? ['        "Authorization": "Bearer " + os.environ["TOKEN"],'] : []), "    })",
      "with urllib.request.urlopen(request) as response:", ...(isLive ? ["    for line in response:", "        print(line.decode(), end=\"\")"] : ["    print(json.load(response))"]),
    ].join("\n") },
  ];
}

/**
 * Shows the programs that send an operation.
 * @param {import("./operation.js").Operation} operation @param {string} address @param {boolean} hasSession
 */
export function openCode(operation, address, hasSession) {
  const all = snippets(operation, address, hasSession);
  openDialog("Code for this operation", () => {
    const text = h("pre", { tabindex: "0" });
    const picker = h("select", { "aria-label": "Language", onchange: () => { text.textContent = all[picker.selectedIndex].code; } }, all.map(({ language }) => h("option", null, language)));
    text.textContent = all[0].code;
    return [h("div", null, picker), text, h("div", { class: "actions" }, h("button", { class: "primary", onclick: () => copy(text.textContent ?? "", "the code") }, "Copy"))];
  }, { kind: "wide" });
}
