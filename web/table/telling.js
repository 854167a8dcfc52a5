/** What is told beside the table: the score sheet and the log. */
import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { said, t } from "../words.js";

export function Scores({ scores, names }) {
  if (!scores || scores.terms.length === 0) return null;
  const unknown = (values) => values.every((value) => value === null || value === undefined);
  const cell = (value) =>
    value === null || value === undefined ? html`<span title=${t("not to be known yet")}>?</span>` : value;
  const row = (title, values) =>
    html`<tr>
      <th scope="row">${title}</th>
      ${values.map((value) => html`<td>${cell(value)}</td>`)}
    </tr>`;
  return html`<section class="scores" aria-label=${t("Score sheet")}>
    <h2>${t("Scores")}</h2>
    ${
      unknown(scores.sums) && scores.terms.every((term) => unknown(term.values))
        ? html`<p class="quiet">${t("Nobody can add up yet: it hangs on what is hidden.")}</p>`
        : html`<table>
            <thead>
              <tr>
                <td></td>
                ${names.map((name, index) => html`<th scope="col" title=${name} style=${{ "--band": seatColour(index + 1) }}>${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${scores.terms.length > 1 && scores.terms.map((term) => row(term.label ?? said("score", term.title), term.values))}
            </tbody>
            <tfoot>
              ${row(scores.terms.length > 1 ? t("sum") : (scores.terms[0].label ?? said("score", scores.terms[0].title)), scores.sums)}
            </tfoot>
          </table>`
    }
  </section>`;
}

export function Log({ lines, names }) {
  const end = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [lines.length]);
  return html`<section class="log" aria-label=${t("What happened")}>
    <h2 id="log">${t("Log")}</h2>
    <ol ref=${end} tabindex="0" aria-labelledby="log">
      ${lines.map((line, index) => html`<li key=${index} class=${line.style} style=${line.player ? { "--band": seatColour(line.player) } : {}}>${line.player ? html`<b>${names[line.player - 1]}:</b> ` : ""}${named(line.text, names)}</li>`)}
    </ol>
  </section>`;
}

/** A text with the names of the people instead of `player 2`. */
export const named = (text, names) => {
  const player = t("player {number}")
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace("{number}", "(\\d+)");
  const found = new RegExp(`(?<![\\p{L}\\d])${player}(?!\\d)`, "gu");
  return text.replace(found, (whole, seat) => names[Number(seat) - 1] ?? whole).replace(/\byou draws\b/g, "you draw");
};
