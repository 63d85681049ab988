// @ts-check
import { operationsIn } from "../language/operations.js";
import { parse } from "../language/parser.js";
import { Schema } from "./schema.js";
import { marksIn } from "./validation/validate.js";

/** @type {Schema | null} */
let schema = null;

globalThis.addEventListener("message", ({ data }) => {
  if ("introspection" in data) {
    schema = data.introspection ? Schema.fromIntrospection(data.introspection) : null;
    return;
  }
  const { document, error } = parse(data.text);
  const isEmpty = /^(?:[\s,\uFEFF]|#.*)*$/.test(data.text);
  postMessage({ id: data.id, marks: isEmpty ? [] : marksIn(schema, document, error), operations: operationsIn(document) });
});
