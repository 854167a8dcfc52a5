/** Why something cannot be done, beside it. */
import { html } from "../vendor/preact-htm.js";
import { lineOf } from "./rules.js";
import { named } from "./telling.js";

const WIDE = 320; // pixels that it takes at the most
const HIGH = 110; // pixels that are wanted under a thing, or it stands above

export function Tip({ tip, reasons, names, files }) {
  const reason = tip && { ...tip.option, ...(reasons[tip.option.number] ?? {}) };
  const line = reason?.line && lineOf(files, reason.file, reason.line);
  return html`<div class="why" role="status" hidden=${!reason} style=${placeOf(tip?.at)}>
    ${
      reason &&
      html`<b>${named(reason.text ?? "", names).replaceAll("_", " ")}</b> ${named(reason.reason ?? reason.why ?? "…", names)}
        ${reason.line && html`<small>${reason.file}:${reason.line} ${line && html`<code>${line}</code>`}</small>`}`
    }
  </div>`;
}

function placeOf(at) {
  if (!at) return { left: "50%", top: "auto", bottom: "1rem", transform: "translateX(-50%)" };
  const under = at.bottom + HIGH < innerHeight;
  return {
    left: `${Math.max(8, Math.min(at.left, innerWidth - WIDE))}px`,
    top: under ? `${at.bottom + 6}px` : "auto",
    bottom: under ? "auto" : `${innerHeight - at.top + 6}px`,
    transform: "none",
  };
}
