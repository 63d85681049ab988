// @ts-check
import { fill, h, keyNames } from "./dom.js";
import { openDialog } from "./dialog.js";

/** @typedef {{ label: string, detail?: string, keys?: string, run: () => void }} Command */

/**
 * The rank of a label that has the characters of a typed text in their order; null for any other label.
 * @param {string} text @param {string} typed
 * @returns {number | null} lower is better
 */
export function rank(text, typed) {
  const whole = text.toLowerCase();
  const wanted = typed.toLowerCase().trim();
  if (!wanted) return 1;
  const at = whole.indexOf(wanted);
  if (at >= 0) return at === 0 ? 0 : 1 + at / 100;
  let place = 0, gaps = 0;
  for (const character of wanted) {
    const next = whole.indexOf(character, place);
    if (next < 0) return null;
    gaps += next - place;
    place = next + 1;
  }
  return 10 + gaps;
}

/**
 * Opens the list of all actions.
 * @param {(typed: string) => Command[]} commands
 */
export function openPalette(commands) {
  openDialog("Commands", (close) => {
    /** @type {Command[]} */
    let found = [];
    let chosen = 0;
    const list = h("ul", { role: "listbox", id: "palette-list", "aria-label": "Commands found" });
    const input = h("input", {
      type: "search", placeholder: "Type a command, a type or a field", role: "combobox", "aria-expanded": "true",
      "aria-controls": "palette-list", "aria-label": "Command", autocomplete: "off", spellcheck: "false",
    });
    const choose = (/** @type {number} */ index) => {
      chosen = index;
      [...list.children].forEach((item, at) => {
        item.setAttribute("aria-selected", String(at === index));
        if (at === index) item.scrollIntoView({ block: "nearest" });
      });
      input.setAttribute("aria-activedescendant", `palette-${index}`);
    };
    const run = (/** @type {number} */ index) => {
      const command = found[index];
      if (!command) return;
      close();
      command.run();
    };
    const search = () => {
      found = commands(input.value)
        .map((command) => ({ command, rank: rank(command.label, input.value) }))
        .filter((item) => item.rank !== null)
        .sort((a, b) => Number(a.rank) - Number(b.rank))
        .slice(0, 60).map((item) => item.command);
      fill(list, found.map((command, index) => h("li", { role: "option", id: `palette-${index}`, onclick: () => run(index) },
        h("span", null, command.label), h("i", null, command.detail), command.keys ? h("kbd", null, keyNames(command.keys)) : null)));
      choose(0);
    };
    input.addEventListener("input", search);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") choose(Math.min(chosen + 1, found.length - 1));
      else if (event.key === "ArrowUp") choose(Math.max(chosen - 1, 0));
      else if (event.key === "Enter") run(chosen);
      else return;
      event.preventDefault();
    });
    search();
    return [input, list];
  }, { kind: "palette" });
}
