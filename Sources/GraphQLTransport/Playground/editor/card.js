// @ts-check

const gap = 4;

/**
 * Shows a card in the browser's top layer, or takes it away.
 * @param {HTMLElement} card
 * @param {boolean} isShown
 */
export function showCard(card, isShown) {
  const popover = /** @type {any} */ (card);
  card.classList.toggle("is-open", isShown);
  if (isShown) popover.showPopover?.(); else popover.hidePopover?.();
}

/**
 * Puts a card below a place, or above where there is more room, and never over the window's edges.
 * @param {HTMLElement} card
 * @param {{ left: number, top: number, bottom: number }} place
 */
export function placeCard(card, { left, top, bottom }) {
  const width = document.documentElement.clientWidth, height = globalThis.innerHeight;
  const below = height - bottom - 2 * gap, above = top - 2 * gap;
  const isBelow = below >= 220 || below >= above;
  card.style.maxHeight = `${Math.max(80, Math.min(340, isBelow ? below : above))}px`;
  card.style.left = `${Math.max(gap, Math.min(left, width - card.offsetWidth - gap))}px`;
  card.style.top = isBelow ? `${bottom + gap}px` : "auto";
  card.style.bottom = isBelow ? "auto" : `${height - top + gap}px`;
}
