/** What is told beside the table: the score sheet and the log. */
import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";

export function Scores({ scores, names }) {
  if (!scores || scores.terms.length === 0) return null;
  const cell = (value) => (value === null || value === undefined ? "?" : value);
  return html`<section class="scores" aria-label="Score sheet">
    <h2>Scores</h2>
    <div class="wide-table">
      <table>
        <thead>
          <tr>
            <td></td>
            ${names.map((name, index) => html`<th scope="col" style=${{ "--band": seatColour(index + 1) }}>${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${scores.terms.map(
            (term) =>
              html`<tr>
                <th scope="row">${term.title.replaceAll("_", " ")}</th>
                ${term.values.map((value) => html`<td>${cell(value)}</td>`)}
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">sum</th>
            ${scores.sums.map((value) => html`<td>${cell(value)}</td>`)}
          </tr>
        </tfoot>
      </table>
    </div>
  </section>`;
}

export function Log({ lines, names }) {
  const end = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [lines.length]);
  return html`<section class="log" aria-label="What happened">
    <h2 id="log">Log</h2>
    <ol ref=${end} tabindex="0" aria-labelledby="log">
      ${lines.map((line, index) => html`<li key=${index} class=${line.style} style=${line.player ? { "--band": seatColour(line.player) } : {}}>${line.player ? html`<b>${names[line.player - 1]}</b> ` : ""}${named(line.text, names)}</li>`)}
    </ol>
  </section>`;
}

/** A text with the names of the people instead of `player 2`. */
export const named = (text, names) => text.replace(/\bplayer (\d+)\b/g, (whole, seat) => names[Number(seat) - 1] ?? whole);
