// An editor with all that the page gives it, but on a schema of the tests.
import { assist } from "/playground/editor/assistance.js";
import { Editor } from "/playground/editor/editor.js";
import { format } from "/playground/language/printer.js";
import { complete } from "/playground/schema/completion.js";
import { hoverAt } from "/playground/schema/hover.js";
import { Validator } from "/playground/schema/validator.js";
import { schema } from "/tests/fixture.mjs";

const validator = new Validator();
validator.setSchema(schema.introspection);
let timer = 0;
globalThis.links = [];
globalThis.editor = new Editor(document.getElementById("host"), {
  label: "Query", language: "graphql", placeholder: "Write a query", format,
  complete: (text, offset) => complete(schema, text, offset),
  hover: (text, offset) => hoverAt(schema, text, offset),
  onLink: (link) => globalThis.links.push(link),
  onChange: (text) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const marks = await validator.validate(text);
      if (marks) globalThis.editor.setMarks(marks);
    }, 200);
  },
});
assist(globalThis.editor);
