/** A whole game as it is played; what an edit changed in it is marked. */
import { html, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { changes } from "../changes.js";
import { useAnswer } from "../answers.js";
import { Field, TableChoice, Waiting, counted } from "../parts.js";

const MOST_LINES = 5000; // that are shown

export function Game({ desk, table, active }) {
  const { seed, seat } = desk.table;
  const params = { ...desk.tableParams(), ...(seat ? { seat } : {}) };
  const answer = useAnswer(desk, "run", params, { active, seconds: 30 });
  const players = desk.table.players || table?.players[0] || 0;
  const failed = answer.value !== null && answer.value.exit !== 0;
  const [good, setGood] = useState(/** @type {any} */ (null)); // the last game that could be played
  useEffect(() => {
    if (answer.value && answer.value.exit === 0) setGood(answer.value);
  }, [answer.value]);
  const text = answer.value?.text ?? "";
  const before = useBefore(answer, failed);
  const lines = useMemo(() => text.trimEnd().split("\n"), [text]);
  const marks = useMemo(() => (before === null || failed ? null : changes(before.trimEnd().split("\n"), lines)), [before, lines]);
  const shown = failed && good ? good.text.trimEnd().split("\n") : lines;
  return html`<div class="whole">
    <div class="controls">
      <${TableChoice} desk=${desk} table=${table} />
      <label class="field"
        ><span>Seed</span>
        <${Field}
          class="short"
          type="number"
          min="0"
          max="4294967295"
          value=${seed}
          set=${(text) => desk.setTable({ seed: Math.min(4294967295, Math.max(0, Math.trunc(Number(text)) || 0)) })}
      /></label>
      ${
        players > 1 &&
        html`<label class="field"
          ><span>Seen by</span>
          <select value=${String(seat)} onChange=${(event) => desk.setTable({ seat: Number(event.target.value) })}>
            <option value="0">everybody together</option>
            ${Array.from({ length: players }, (_, index) => html`<option value=${String(index + 1)}>player ${index + 1}</option>`)}
          </select></label
        >`
      }
      <button type="button" onClick=${() => desk.setTable({ seed: seed + 1 })}>Another game</button>
      <span class="quiet told" role="status">${told(answer, marks, failed)}</span>
    </div>
    <${Waiting} answer=${answer} desk=${desk} what="Playing …" />
    ${failed && html`<pre class="output failed" tabindex="0" aria-label="Why the game cannot be played">${text.trim()}</pre>`}
    ${failed && good && html`<p class="quiet last">The last game that could be played:</p>`}
    ${
      answer.value !== null &&
      (!failed || good) &&
      html`<pre class=${`output ${answer.old || failed ? "old" : ""}`} tabindex="0" aria-label="The game">
${shown
            .slice(0, MOST_LINES)
            .map(
              (line, index) =>
                html`<${Line}
                  line=${line}
                  fresh=${!failed && marks?.fresh.has(index)}
                  gone=${!failed && marks?.gone.has(index)}
                />`,
            )}</pre>
        ${shown.length > MOST_LINES && html`<p class="quiet">and ${counted(shown.length - MOST_LINES, "line")} more</p>`}`
    }
  </div>`;
}

/** The game as it was before the rules changed last; null while they have not. */
function useBefore(answer, failed) {
  const [kept, keep] = useState({ question: "", text: "", before: /** @type {string | null} */ (null) });
  useEffect(() => {
    if (!answer.value || failed) return;
    const { text } = answer.value;
    keep((now) => ({ question: answer.question, text, before: now.question === answer.question ? now.text : null }));
  }, [answer.value]);
  return kept.question === answer.question ? kept.before : null;
}

function told(answer, marks, failed) {
  if (answer.busy || (answer.old && answer.value)) return "Playing …";
  if (failed) return "Mend the rules to see the game.";
  if (!marks) return "";
  const count = marks.fresh.size + marks.gone.size;
  return count === 0 ? "The change makes no difference to this game." : `${counted(count, "line")} changed`;
}

function Line({ line, fresh, gone }) {
  const head = /^\S/.test(line);
  const row = /\S {3,}\S|^ *-{5}/.test(line); // of a table
  const name = [head ? "head" : "", row ? "row-of-table" : "", fresh ? "fresh" : "", gone ? "gone" : ""]
    .filter(Boolean)
    .join(" ");
  return html`<span class=${name || undefined}>${line}${"\n"}</span>`;
}
