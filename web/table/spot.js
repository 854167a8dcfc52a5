/** Something on the table that can be pointed at: it glows if that leads to an act, and says why if it does not. */
import { html, createContext, useContext } from "../vendor/preact-htm.js";

/**
 * What the whole table shares.
 * @typedef {{next: {legal: Set<string>, refused: Map<string, any>}, picked: string[], hinted: Set<string>, choose(keys: string[], label: string): void,
 *   why(option: any, at: Element | null): void}} Hand
 */
export const Hands = createContext(/** @type {any} */ (null));

const HOLD = 450; // milliseconds of a long press

/** The children are a picture: whoever cannot see them hears the label.
 * @param {{keys: string[], label: string, class?: string, children?: any, rest?: any, roving?: boolean, stop?: boolean}} props
 *   `roving`: whether it is part of a board, over which arrows go; `stop`: whether Tab stops there. */
export function Spot({ keys, label, class: name = "", children, rest = {}, roving = false, stop = true }) {
  const hand = /** @type {Hand} */ (useContext(Hands));
  const legal = keys.some((key) => hand.next.legal.has(key));
  const picked = keys.some((key) => hand.picked.includes(key));
  const refusedKey = legal ? undefined : keys.find((key) => hand.next.refused.has(key));
  const refused = refusedKey === undefined ? undefined : hand.next.refused.get(refusedKey);
  const hinted = keys.some((key) => hand.hinted.has(key));
  const classes = ["spot", name, legal && "can", refused && "cannot", picked && "picked", hinted && "hinted"]
    .filter(Boolean)
    .join(" ");
  // A cell stays a button, so that it keeps the focus.
  if (!legal && !refused && !picked && !roving)
    return html`<span class=${classes} role="img" aria-label=${label} ...${rest}>${children}</span>`;
  let timer = 0;
  const tell = (event) => refused && hand.why(refused, event.currentTarget);
  const quiet = () => {
    clearTimeout(timer);
    if (refused) hand.why(null, null);
  };
  return html`<button
    type="button"
    class=${classes}
    aria-disabled=${legal || picked ? undefined : "true"}
    aria-pressed=${picked ? "true" : undefined}
    tabindex=${roving && !(legal && stop) ? -1 : 0}
    onClick=${() => hand.choose(keys, label)}
    onMouseMove=${tell}
    onMouseLeave=${quiet}
    onFocus=${tell}
    onBlur=${quiet}
    onTouchStart=${(event) => {
      const at = event.currentTarget;
      timer = window.setTimeout(() => refused && hand.why(refused, at), HOLD);
    }}
    onTouchEnd=${() => clearTimeout(timer)}
    ...${rest}
  >
    <span class="read">${label}</span>${children}
  </button>`;
}
