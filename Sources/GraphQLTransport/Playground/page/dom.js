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
