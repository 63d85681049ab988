// Compares the page's validation with a server's: differential.mjs BINARY [DOCUMENTS] [SEED]
//
// Documents are made from the server's schema, with mistakes of all kinds, and by damaging the text of others. Both must
// report the same errors, in the same order and words, at the same places. What a scalar of the server's own accepts only
// the server knows, so that its errors about such values are left out. Introspection does not tell which inputs are
// @sensitive; the server's errors about their values do not repeat the value, and the page's may have other words. Nothing is executed: the requests name an
// operation that no document has.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "../../Sources/GraphQLTransport/Playground/language/parser.js";
import { positionOf } from "../../Sources/GraphQLTransport/Playground/language/text.js";
import { introspectionQuery } from "../../Sources/GraphQLTransport/Playground/schema/introspection.js";
import { Schema, isRequired, namedType, typeText } from "../../Sources/GraphQLTransport/Playground/schema/schema.js";
import { validate } from "../../Sources/GraphQLTransport/Playground/schema/validation/validate.js";

const [binary, count = "2000", seed = "1"] = process.argv.slice(2);
const compared = new Set(["GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED", "OPERATION_RESOLUTION_FAILED"]);

/** mulberry32, so that a seed makes the same documents everywhere. */
let random = Number(seed);
function next() {
  random = (random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(random ^ (random >>> 15), 1 | random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const chance = (probability) => next() < probability;
const pick = (list) => list[Math.floor(next() * list.length)];

class Generator {
  constructor(schema) {
    this.schema = schema;
    this.composites = schema.types.filter(({ name }) => schema.isComposite(name) && !name.startsWith("__"));
    this.inputs = schema.types.filter(({ name }) => schema.isInput(name) && !name.startsWith("__"));
  }

  document() {
    this.variables = [];
    this.fragments = [];
    this.labels = 0;
    const parts = [];
    for (let left = chance(0.15) ? 2 : 1; left > 0; left -= 1) parts.push(this.operation());
    while (this.fragments.length) {
      const { name, type } = this.fragments.pop();
      if (chance(0.97)) parts.push(`fragment ${name} on ${type}${this.directives("FRAGMENT_DEFINITION")} ${this.selections(type, 2)}`);
    }
    if (chance(0.03)) parts.push(`fragment Unused on ${pick(this.composites).name} { __typename }`);
    return parts.join("\n");
  }

  operation() {
    const kind = pick(["query", "query", "query", "mutation", "subscription"]), root = this.schema.roots[kind] ?? "Query";
    const first = this.variables.length;
    const selections = this.selections(root, 1 + Math.floor(next() * 3), kind === "subscription" ? 1 : 3);
    const own = this.variables.slice(first).filter(() => chance(0.97));
    const definitions = own.map(({ name, type }) => `$${name}: ${type}${chance(0.1) ? " = null" : ""}${this.directives("VARIABLE_DEFINITION")}`);
    if (chance(0.04)) definitions.push(`$spare: ${pick(this.schema.types).name}`);
    const name = chance(0.9) ? `Operation${Math.floor(next() * 4)}` : "";
    return `${kind} ${name}${definitions.length ? `(${definitions.join(", ")})` : ""}${this.directives(kind.toUpperCase())} ${selections}`;
  }

  selections(typeName, depth, most = 3) {
    const lines = [];
    for (let left = 1 + Math.floor(next() * most); left > 0; left -= 1) {
      const roll = next();
      if (roll < 0.12) lines.push(`... ${chance(0.8) ? `on ${this.condition(typeName)}` : ""}${this.directives("INLINE_FRAGMENT")} ${this.selections(typeName, depth - 1)}`);
      else if (roll < 0.22) lines.push(`...${this.spread(typeName)}${this.directives("FRAGMENT_SPREAD")}`);
      else lines.push(this.fieldOf(typeName, depth));
    }
    return `{\n${lines.join("\n")}\n}`;
  }

  condition(typeName) {
    if (chance(0.05)) return chance(0.5) ? pick(this.schema.types).name : "Nowhere";
    const possible = this.composites.filter(({ name }) => chance(0.1) || this.schema.overlap(name, typeName));
    return pick(possible)?.name ?? typeName;
  }

  spread(typeName) {
    if (chance(0.05)) return "Missing";
    const name = `Fragment${Math.floor(next() * 4)}`;
    if (!this.fragments.some((fragment) => fragment.name === name)) this.fragments.push({ name, type: this.condition(typeName) });
    return name;
  }

  fieldOf(typeName, depth) {
    const fields = this.schema.type(typeName)?.fields ?? [];
    let field = pick(fields);
    if (!field || chance(0.05)) return chance(0.5) ? "__typename" : (pick(pick(this.composites).fields ?? [])?.name ?? "nothing");
    let name = field.name;
    if (chance(0.03)) name = name.slice(0, -1) + pick(["", "x", "s"]) || "x";
    const isComposite = this.schema.isComposite(namedType(field.type));
    const args = field.args.filter((argument) => (isRequired(argument) ? chance(0.96) : chance(0.2))).map((argument) => this.argument(argument));
    if (chance(0.02)) args.push("unknown: 1");
    if (args.length && chance(0.02)) args.push(args[0]);
    const alias = chance(0.15) ? `${pick(["a", "b", "id", "name"])}: ` : "";
    const selects = isComposite ? depth > 0 || chance(0.97) : chance(0.02);
    const selection = selects ? ` ${depth > 0 ? this.selections(namedType(field.type), depth - 1) : "{ __typename }"}` : "";
    return `${alias}${name}${args.length ? `(${args.join(", ")})` : ""}${this.directives("FIELD")}${selection}`;
  }

  argument(definition) {
    const name = chance(0.02) ? `${definition.name}x` : definition.name;
    return `${name}: ${this.value(definition.type, 2)}`;
  }

  value(type, depth) {
    if (chance(0.15)) return this.variable(type);
    if (chance(0.06)) return pick(["1", "1.5", '"text"', "true", "null", "RED", "{}", "[]", "{a: 1}", "[1, [2]]", "3000000000", "$other"]);
    if (type.kind === "NON_NULL") return this.value(type.ofType, depth);
    if (type.kind === "LIST") return chance(0.2) ? this.value(type.ofType, depth) : `[${[1, 2].filter(() => chance(0.6)).map(() => this.value(type.ofType, depth)).join(", ")}]`;
    const definition = this.schema.type(type.name);
    if (definition.kind === "ENUM") return chance(0.05) ? `${pick(definition.enumValues).name}S` : pick(definition.enumValues).name;
    if (definition.kind === "INPUT_OBJECT") {
      const fields = (definition.inputFields ?? []).filter((field) => (isRequired(field) ? chance(0.95) : depth > 0 && chance(definition.isOneOf ? 0.4 : 0.3)));
      const parts = fields.map((field) => this.argument(field).replace("unknown", "x"));
      if (parts.length && chance(0.03)) parts.push(parts[0]);
      return `{${parts.join(", ")}}`;
    }
    return { Int: "7", Float: "1.5", Boolean: "true", String: '"text"', ID: '"id"' }[definition.name] ?? '"2026-01-01T00:00:00Z"';
  }

  variable(type) {
    const known = this.variables.find((variable) => variable.type === typeText(type));
    if (known && chance(0.5)) return `$${known.name}`;
    const name = `v${this.variables.length}`;
    let text = typeText(type);
    if (chance(0.1)) text = text.endsWith("!") ? text.slice(0, -1) : `${text}!`;
    if (chance(0.04)) text = pick(this.inputs).name;
    this.variables.push({ name, type: text });
    return `$${name}`;
  }

  directives(location) {
    if (chance(0.9)) return "";
    const isIncremental = chance(0.4);
    if (isIncremental) {
      const label = chance(0.3) ? `label: ${chance(0.1) ? "$label" : `"l${Math.floor(next() * 3)}"`}` : "";
      const condition = chance(0.2) ? `if: ${pick(["true", "false", "$if"])}` : "";
      const args = [label, condition].filter(Boolean).join(", ");
      return ` @${location === "FIELD" ? "stream" : "defer"}${args ? `(${args})` : ""}`;
    }
    const directive = pick(this.schema.directives);
    const args = directive.args.filter((argument) => isRequired(argument) && chance(0.9)).map((argument) => this.argument(argument));
    const text = ` @${chance(0.05) ? "unknown" : directive.name}${args.length ? `(${args.join(", ")})` : ""}`;
    return chance(0.1) ? text + text : text;
  }

  /** A text with a part of it missing, doubled or replaced. */
  damaged(text) {
    const at = Math.floor(next() * text.length), length = Math.floor(next() * 6);
    const part = pick(["", "", "{", "}", "(", ")", "[", "]", ":", "$", "@", "!", "...", " on ", '"', '"""', "#", "\n", "é", "1", "-", ".", "\\", "'", "\u{1F600}", "true", "null"]);
    return text.slice(0, at) + part + text.slice(at + length);
  }
}

async function ask(address, query, operationName) {
  const response = await fetch(`${address}/graphql`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query, operationName }),
  });
  return response.json();
}

function errorsOfPage(schema, text) {
  const { document, error } = parse(text);
  if (error) return [{ message: error.message, locations: [positionOf(text, error.start)] }];
  return validate(schema, document).map(({ message, nodes }) => ({ message, locations: nodes.map(({ start }) => positionOf(text, start)) }));
}

/** An error about a value of an input that is @sensitive. */
const repeatsNoValue = /^Expected value of type "[^"]+"\.$/;

const isCut = (errors) => errors.at(-1)?.message.startsWith("Too many validation errors") ?? false;

async function compare(address) {
  const { data } = await ask(address, introspectionQuery);
  const schema = Schema.fromIntrospection(data.__schema), generator = new Generator(schema);
  const own = schema.types.filter(({ kind, name }) => kind === "SCALAR" && !["Int", "Float", "String", "Boolean", "ID"].includes(name)).map(({ name }) => name);
  const ofOwnScalar = new RegExp(`^Expected value of type "\\[*(?:${own.join("|")})[!\\]]*", found [^]*; `);
  const outcome = { same: 0, valid: 0, errors: 0, beyond: 0, different: 0 };
  for (let index = 0; index < Number(count); index += 1) {
    let text = generator.document();
    if (chance(0.25)) text = generator.damaged(text);
    const answer = await ask(address, text, "NoSuchOperation");
    const errors = answer.errors ?? [];
    if (errors.some(({ extensions }) => !compared.has(extensions?.code))) {
      // A limit of the server's own, of depth or cost, which the page does not check.
      outcome.beyond += 1;
      continue;
    }
    const theirs = errors.filter(({ message, extensions }) => extensions.code !== "OPERATION_RESOLUTION_FAILED" && !ofOwnScalar.test(message))
      .map(({ message, locations = [] }) => ({ message, locations }));
    const ours = errorsOfPage(schema, text);
    for (const { message, locations } of theirs.filter(({ message }) => repeatsNoValue.test(message))) {
      const own = ours.find((error) => JSON.stringify(error.locations) === JSON.stringify(locations));
      if (own) own.message = message;
    }
    if (isCut(ours) && isCut(theirs)) {
      // Errors that are left out count for the server's limit, so it cuts its list earlier.
      ours.length = theirs.length = Math.min(ours.length, theirs.length) - 1;
    }
    if (JSON.stringify(ours) === JSON.stringify(theirs)) {
      outcome.same += 1;
      if (ours.length === 0) outcome.valid += 1;
      outcome.errors += ours.length;
      continue;
    }
    outcome.different += 1;
    if (outcome.different <= 5) console.log(`document ${index}:\n${text}\n  page:   ${JSON.stringify(ours)}\n  server: ${JSON.stringify(theirs)}\n`);
  }
  return outcome;
}

async function main() {
  if (binary.startsWith("http")) return compare(binary);
  const home = mkdtempSync(path.join(tmpdir(), "playground-"));
  // The private cluster's owner must be able to enter.
  chmodSync(home, 0o711);
  const { DATABASE_URL, ...inherited } = process.env;
  void DATABASE_URL;
  const environment = { ...inherited, TERTULIA_HOME: home, HOST: "127.0.0.1", PORT: "0", METRICS_PORT: "0", SHUTDOWN_DELAY: "0" };
  const server = spawn(binary, ["serve"], { env: environment, cwd: home, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    let printed = "";
    const address = await new Promise((resolve, reject) => {
      server.stdout.on("data", (data) => {
        printed += data;
        const found = /serves (http:\S+)\/graphql/.exec(printed);
        if (found) resolve(found[1]);
      });
      server.on("exit", () => reject(new Error("The server did not start.")));
    });
    return await compare(address);
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

const outcome = await main();
console.log(`validation: ${outcome.same} documents alike (${outcome.valid} valid, ${outcome.errors} errors), ${outcome.beyond} beyond a limit of the server, ${outcome.different} different`);
process.exitCode = outcome.different > 0 || outcome.same === 0 ? 1 : 0;
