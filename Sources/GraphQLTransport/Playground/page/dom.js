// @ts-check

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. An attribute that begins with `on` is a listener; `true` sets an empty attribute, and `false`, null or
 * undefined sets none, but for ARIA's states, whose values are words. No attribute may be `style`: the page's policy
 * refuses it.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown> | null} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} parent @param {(Child | Child[])[]} children */
export function append(parent, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} parent @param {(Child | Child[])[]} children
 */
export function fill(parent, ...children) {
  parent.textContent = "";
  append(parent, children);
}

/** @param {string} id @returns {HTMLElement} */
export function byID(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}

/**
 * Calls `action` once, `delay` milliseconds after the last of several calls.
 * @param {() => void} action @param {number} delay
 */
export function debounced(action, delay) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  };
}

/**
 * Calls `action` at most once a frame.
 * @param {() => void} action
 */
export function onFrame(action) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      action();
    });
  };
}

/**
 * A part of the page that is fetched when it is first needed.
 * @template Part
 */
export class Later {
  /** @param {() => Promise<Part>} load */
  constructor(load) {
    this.load = load;
    /** @type {Part | null} null until it is there */
    this.part = null;
    /** @type {Promise<Part> | null} */
    this.loading = null;
  }

  fetch() {
    return this.loading ??= this.load().then((part) => (this.part = part), (error) => {
      this.loading = null;
      throw error;
    });
  }

  /**
   * Calls `action` with the part: at once where it is there already, so that the keys that follow find what it opens.
   * @param {(part: Part) => void} action
   */
  use(action) {
    if (this.part) return action(this.part);
    // The server finds the files of a release only while it runs that release.
    this.fetch().then(action, () => announce("This part of the page could not be fetched. Load the page again."));
  }
}

/**
 * Fetches parts one after the other, whenever the browser has nothing else to do.
 * @param {Later<any>[]} parts
 */
export function fetchWhileIdle([part, ...others]) {
  if (!part) return;
  const begin = () => void part.fetch().then(() => fetchWhileIdle(others), () => {});
  if ("requestIdleCallback" in globalThis) requestIdleCallback(begin); else setTimeout(begin, 200);
}

/**
 * Copies a text, and says so.
 * @param {string} text @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
  } catch {
    announce("The browser did not allow copying.");
  }
}

let hiding = 0;

/**
 * Shows a short message, which screen readers read too.
 * @param {string} message
 */
export function announce(message) {
  const toast = byID("toast");
  toast.textContent = message;
  toast.classList.add("visible");
  clearTimeout(hiding);
  hiding = setTimeout(() => toast.classList.remove("visible"), 2600);
}

/**
 * Offers a text as a file.
 * @param {string} name @param {string} text @param {string} type
 */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

/**
 * Keys as this machine's keyboard names them.
 * @param {string} keys for example "Ctrl-Enter"
 */
export function keyNames(keys) {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? keys.replace("Ctrl-", "⌘").replace("Alt-", "⌥").replace("Shift-", "⇧") : keys;
}

/** Outlines on a grid of 16, drawn with a stroke in the colour of the text. */
const outlines = {
  play: "M5 3.2v9.6l7.6-4.8z",
  stop: "M4.5 4.5h7v7h-7z",
  book: "M3 3.2c1.8-.6 3.4-.4 5 .6 1.6-1 3.2-1.2 5-.6v9.3c-1.8-.6-3.4-.4-5 .6-1.6-1-3.2-1.2-5-.6zM8 3.8v9.2",
  tree: "M3 3h4v3H3zM9 10h4v3H9zM5 6v5.5h4M9 5.5h4v3H9zM5 7h4",
  clock: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11zM8 5v3.2l2.2 1.4",
  star: "M8 2.6l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.3l-3.4 1.8.7-3.8-2.8-2.7 3.8-.5z",
  spark: "M8 2v4M8 10v4M2 8h4M10 8h4M4 4l2 2M10 10l2 2M12 4l-2 2M6 10l-2 2",
  plus: "M8 3.5v9M3.5 8h9",
  close: "M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6",
  search: "M7 2.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4zM10.2 10.2l3.2 3.2",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 0 1 0-5.6zM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M12.5 3.5l-1.1 1.1M4.6 11.4l-1.1 1.1",
  copy: "M5.5 5.5h7v7h-7zM10.5 5.5v-2h-7v7h2",
  back: "M9.8 3.5L5.2 8l4.6 4.5",
  forward: "M6.2 3.5L10.8 8l-4.6 4.5",
  down: "M3.8 6l4.2 4.2L12.2 6",
  user: "M8 2.6a2.7 2.7 0 1 1 0 5.4a2.7 2.7 0 0 1 0-5.4zM2.8 13.4c.6-2.7 2.6-4 5.2-4s4.6 1.3 5.2 4",
  share: "M8 9.5V2.5M5.4 4.8L8 2.3l2.6 2.5M4 7.5H3v6h10v-6h-1",
  wand: "M3 13l7-7M9 3.2v2M12.8 7h-2M11.8 4.2l-1.2 1.2M5.5 3v1.6M4.7 3.8h1.6",
  code: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  repeat: "M3 7a4.5 4.5 0 0 1 8.5-1.6L13 7M13 3.5V7H9.6M13 9a4.5 4.5 0 0 1-8.5 1.6L3 9M3 12.5V9h3.4",
  compare: "M8 2.5v11M3 4.5h3v7H3M13 4.5h-3v7h3",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  command: "M3 4l4 4-4 4M8.5 12H13",
};

/** @typedef {keyof typeof outlines} IconName */

/**
 * A decorative picture: the element around it has the name.
 * @param {IconName} name @returns {SVGSVGElement}
 */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const picture = /** @type {SVGSVGElement} */ (document.createElementNS(namespace, "svg"));
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", outlines[name]);
  picture.append(path);
  return picture;
}
