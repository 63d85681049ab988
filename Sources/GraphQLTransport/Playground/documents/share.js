// @ts-check
import { copy, h } from "../page/dom.js";
import { openDialog } from "../page/dialog.js";
import { queryWithoutSecrets, textWithoutSecrets } from "./secrets.js";

/** @typedef {{ query: string, variables: string }} Shared */

const prefix = "#share=";

/**
 * The address that opens an operation. The part after # is never sent to a server.
 * @param {Shared} shared
 */
export function shareLink({ query, variables }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ query, variables }));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${location.origin}${location.pathname}${prefix}${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * The operation in the page's address, which is then cleared; null where there is none.
 * @returns {Shared | null}
 */
export function takeShared() {
  if (!location.hash.startsWith(prefix)) return null;
  const text = location.hash.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/");
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const value = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0))));
    return typeof value.query === "string" ? { query: value.query, variables: String(value.variables ?? "") } : null;
  } catch {
    return null;
  }
}

/**
 * Offers a link to an operation. Values that look secret are left out unless the user asks for them.
 * @param {Shared} shared
 */
export function openShare(shared) {
  const clean = { query: queryWithoutSecrets(shared.query), variables: textWithoutSecrets(shared.variables) };
  const hasSecrets = clean.query !== shared.query || clean.variables !== shared.variables;
  openDialog("Share this operation", (close) => {
    const field = h("input", { readonly: true, value: shareLink(clean), "aria-label": "Link", onfocus: () => field.select() });
    const all = h("input", { type: "checkbox", onchange: () => { field.value = shareLink(all.checked ? shared : clean); } });
    return [
      h("p", { class: "dim" }, "The link holds the query and its variables, after the # that browsers send to nobody. Headers and sessions are never part of it."),
      field,
      hasSecrets ? h("label", { class: "check" }, all, "Include values that look secret. Everybody who gets the link can read them.") : "",
      h("div", { class: "actions" }, h("button", { onclick: close }, "Close"), h("button", { class: "primary", onclick: () => copy(field.value, "the link").then(close) }, "Copy the link")),
    ];
  });
}
