/** What is wrong with the rules. */
import { html } from "../../vendor/preact-htm.js";
import { useAnswer } from "../answers.js";
import { pageOf } from "../server.js";
import { Waiting } from "../parts.js";

const SECONDS = 5; // for which games are played to find faults
const NEVER_ENDS = "R305"; // a loop without an end: games with it would only be stopped

export function Findings({ desk, active }) {
  const proved = useAnswer(desk, "check", { proved: true }, { active, seconds: 60 });
  const endless = proved.value?.findings.some((one) => one.code === NEVER_ENDS);
  const plays = active && !proved.old && proved.value !== null && !endless;
  const played = useAnswer(desk, "check", { play_seconds: SECONDS }, { active: plays, seconds: 60 });
  const best = plays && played.value !== null && !played.old && !played.trouble ? played : proved;
  const busy = proved.busy || proved.old || (plays && !played.trouble && (played.busy || played.old));
  const findings = (best.value?.findings ?? []).filter((one) => one.suppressed.length === 0);
  const notes = best === played ? (best.value?.notes ?? []) : []; // of what could not be looked at
  return html`<div>
    <${Waiting} answer=${proved} desk=${desk} what="Checking the rules: names, types, proofs, and some games …" /> ${
      proved.value !== null &&
      html`<p class="quiet told" role="status">${busy ? "Checking …" : findings.length === 0 ? "" : summary(findings)}</p>
        ${findings.length === 0 && best === played && html`<div class="all-well"><b>Nothing was found in these rules.</b> ${notes.length === 0 && html`<span class="quiet">All tables that they allow were checked.</span>`}</div>`}
        ${endless && html`<p class="notice">A game of these rules never ends, so none was played to find more.</p>`}
        ${
          plays &&
          played.trouble &&
          !played.old &&
          html`<p class="notice">
            A game of these rules was stopped before it ended, so it may go on for ever. What is said here was found without
            playing.
            <button type="button" class="plain" onClick=${played.again}>Play again</button>
          </p>`
        }
        ${
          notes.length > 0 &&
          html`<div class="notice">
            <p>
              Games are played for ${SECONDS} seconds only, so not all was looked at. <code>rulesrun check</code> on your machine
              goes on to the end.
            </p>
            ${notes.map((note) => html`<p class="quiet">${note}</p>`)}
          </div>`
        }
        <ul class=${`findings ${best.old ? "old" : ""}`}>
          ${findings.map((finding) => html`<${Finding} finding=${finding} desk=${desk} />`)}
        </ul>`
    }
  </div>`;
}

function summary(findings) {
  const errors = findings.filter((one) => one.severity === "error").length;
  const part = (count, word) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`]);
  return [...part(errors, "error"), ...part(findings.length - errors, "warning")].join(", ");
}

export function Finding({ finding, desk }) {
  const [place, ...others] = finding.places;
  return html`<li class=${finding.severity}>
    <div class="first">
      <a
        class="code"
        href=${pageOf(finding.code)}
        target="_blank"
        rel="noopener"
        aria-label=${`${finding.code}, ${finding.severity}: its page`}
        >${finding.code}</a
      >
      ${place && html`<${Place} place=${place} desk=${desk} />`}
    </div>
    <p>${marked(finding.message)}</p>
    ${finding.help && html`<p class="help">${marked(finding.help)}</p>`}
    ${finding.tables?.length > 0 && html`<p class="quiet">with ${finding.tables.slice(0, 4).join("; ")}${finding.tables.length > 4 && html` and ${finding.tables.length - 4} more`}</p>`}
    ${others.map((other) => html`<p class="quiet"><${Place} place=${other} desk=${desk} /> ${other.text}</p>`)}
  </li>`;
}

/** A place in the rules to go to. */
export function Place({ place, desk }) {
  const name = place.path.split("/").pop();
  if (!desk.has(name)) return html`<span>${name}:${place.line}</span>`;
  return html`<button type="button" class="place" onClick=${() => desk.goTo(name, place.line, place.column)}>
    ${desk.isAlone ? `line ${place.line}` : `${name}:${place.line}`}
  </button>`;
}

/** A sentence with its names set off. @param {string} text */
export const marked = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") && part.length > 1 ? html`<code>${part.slice(1, -1)}</code>` : part));
