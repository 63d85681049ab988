// @ts-check
import { CompletionList } from "./completionList.js";
import { HoverCard } from "./hoverCard.js";
import { SearchPanel } from "./searchPanel.js";

/**
 * Gives an editor its completion, its documentation and its search. One can write before they are there.
 * @param {import("./editor.js").Editor} editor
 * @param {Partial<import("../types").EditorOptions>} [options] what they ask
 */
export function assist(editor, options = {}) {
  Object.assign(editor.options, options);
  editor.completion = new CompletionList(editor);
  editor.hoverCard = new HoverCard(editor);
  editor.search = new SearchPanel(editor);
}
