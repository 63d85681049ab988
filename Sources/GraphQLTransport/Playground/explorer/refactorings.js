// @ts-check
import { extractFragment, extractVariables, inlineFragment } from "../schema/refactor.js";
import { announce } from "../page/dom.js";

/**
 * The commands that write the query anew.
 * @param {{ schema: () => import("../schema/schema.js").Schema | null, query: import("../types").EditorAPI, addVariables: (added: Record<string, unknown>) => void }} parts
 * @returns {import("../page/palette.js").Command[]}
 */
export function refactorings({ schema, query, addVariables }) {
  /** @param {(schema: import("../schema/schema.js").Schema, text: string, offset: number) => string | null} change */
  const rewrite = (change) => () => {
    const known = schema(), text = known && change(known, query.value, query.caret);
    if (text) query.value = text;
    else announce("There is nothing at the caret for it, or the query has an error.");
  };
  return [
    { label: "Make variables of the arguments' values", run: rewrite((known, text, offset) => {
      const made = extractVariables(known, text, offset);
      if (made) addVariables(made.variables);
      return made?.text ?? null;
    }) },
    { label: "Make a fragment of the selection at the caret", run: rewrite(extractFragment) },
    { label: "Put the fragment's fields in place of its spread", run: rewrite(inlineFragment) },
  ];
}
