// @ts-check
import { announce } from "../page/dom.js";

/**
 * The commands that write the query anew.
 * @param {{ refactoring: import("../page/dom.js").Later<typeof import("../schema/refactor.js")>, schema: () => import("../schema/schema.js").Schema | null, query: import("../types").EditorAPI, addVariables: (added: Record<string, unknown>) => void }} parts
 * @returns {import("../page/palette.js").Command[]}
 */
export function refactorings({ refactoring, schema, query, addVariables }) {
  /** @param {(ways: typeof import("../schema/refactor.js"), schema: import("../schema/schema.js").Schema, text: string, offset: number) => string | null} change */
  const rewrite = (change) => () => refactoring.use((ways) => {
    const known = schema(), text = known && change(ways, known, query.value, query.caret);
    if (text) query.value = text;
    else announce("There is nothing at the caret for it, or the query has an error.");
  });
  return [
    { label: "Make variables of the arguments' values", run: rewrite(({ extractVariables }, known, text, offset) => {
      const made = extractVariables(known, text, offset);
      if (made) addVariables(made.variables);
      return made?.text ?? null;
    }) },
    { label: "Make a fragment of the selection at the caret", run: rewrite(({ extractFragment }, ...place) => extractFragment(...place)) },
    { label: "Put the fragment's fields in place of its spread", run: rewrite(({ inlineFragment }, ...place) => inlineFragment(...place)) },
  ];
}
