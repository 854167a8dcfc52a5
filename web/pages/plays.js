/** The designer's page: what happened at all tables. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";

export function Plays({ secret }) {
  const [data, setData] = useState(/** @type {any} */ (null));
  const [trouble, setTrouble] = useState("");
  const [game, setGame] = useState("");
  const source = `/api/plays/${encodeURIComponent(secret)}`;
  useEffect(() => {
    document.title = "Test-plays";
    ask(source).then(setData, (error) => setTrouble(error.message));
  }, [secret]);
  const games = (data?.games ?? []).filter((one) => !game || one.game === game);
  const tables = (data?.tables ?? []).filter((one) => !game || one.game === game);
  return html`<main class="page wide plays">
    <p><a href="#">Games</a></p>
    <h1>Test-plays</h1>
    ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
    ${
      data &&
      html`<p class="bar">
          <label
            >Show
            <select value=${game} onChange=${(event) => setGame(event.target.value)}>
              <option value="">all games</option>
              ${data.games.map((one) => html`<option value=${one.game}>${one.game}</option>`)}
            </select></label
          >
          <a class="button" download="plays.json" href=${source}>Save as JSON</a>
          <a class="button" href=${`${source}/parquet`}>Save as Parquet</a>
        </p>
        ${games.map((one) => html`<${Game} key=${one.game} game=${one} tables=${tables.filter((table) => table.game === one.game)} />`)}
        ${tables.length === 0 && html`<p>Nobody has played yet.</p>`}`
    }
  </main>`;
}

function Game({ game, tables }) {
  const notes = tables.flatMap((table) => table.notes.map((note) => ({ ...note, table })));
  return html`<section>
    <h2>${game.game}</h2>
    <ul class="figures">
      <${Figure} value=${game.tables} name=${game.tables === 1 ? "table" : "tables"} />
      <${Figure} value=${game.over} name="played to the end" />
      <${Figure} value=${game.minutes} unit="min" name="a game takes (median)" />
      <${Figure} value=${game.waited.people} unit="s" name="a person's act takes (median)" />
      <${Figure} value=${game.waited.bots} unit="s" name="a bot's act takes (median)" />
    </ul>
    <h3>Reasons that people ran into</h3>
    ${game.reasons.length === 0 ? html`<p class="quiet">None: nobody tried what is not allowed.</p>` : html`<${Reasons} reasons=${game.reasons} />`}
    <h3>Notes</h3>
    ${
      notes.length === 0
        ? html`<p class="quiet">Nobody left a note.</p>`
        : html`<ul class="notes">
            ${notes.map(
              (note) =>
                html`<li>
                  <q>${note.text}</q>
                  <small
                    >${note.table.seats[note.seat - 1]?.name ?? "somebody who watches"}, after ${note.at} acts and outcomes,
                    ${" "}<a href=${`#table/${note.table.watch}`}>${when(note.time)}</a></small
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      game.scores.people.length + game.scores.bots.length > 0 &&
      html`<h3>Scores</h3>
        <${Scores} scores=${game.scores} />`
    }
    <h3>Tables</h3>
    <div class="wide-table">
      <table>
        <thead>
          <tr>
            ${["begun", "seats: score, time they were waited for (longest)", "acts", "taken back", "minutes", "refused", "variants and options"].map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${tables.map(
            (table) =>
              html`<tr key=${table.table}>
                <td><a href=${`#table/${table.watch}`}>${when(table.created)}</a></td>
                <td><${Seats} table=${table} /></td>
                <td>${table.acts}</td>
                <td>${table.undone}</td>
                <td>${(table.seconds / 60).toFixed(1)}</td>
                <td>${table.refused.length}</td>
                <td>
                  ${[...table.variants, ...Object.entries(table.options).map(([name, value]) => `${name} = ${value}`)].join(", ")}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

const when = (seconds) => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

const Figure = ({ value, unit = "", name }) =>
  html`<li><b>${value ?? "–"}${value !== null && unit && html` <i>${unit}</i>`}</b>${name}</li>`;

function Reasons({ reasons }) {
  const most = Math.max(...reasons.map((reason) => reason.times));
  return html`<ol class="reasons">
    ${reasons.map(
      (reason) =>
        html`<li>
          <span class="bar-of" style=${{ "--share": reason.times / most }}></span>
          <b>${reason.times} ×</b> ${reason.why} ${reason.others > 0 && html`<small> and ${reason.others} more like it</small>`}
          <small> at ${reason.tables} ${reason.tables === 1 ? "table" : "tables"}</small>
          ${reason.rule && html`<code>${reason.file}:${reason.line} ${reason.rule}</code>`}
        </li>`,
    )}
  </ol>`;
}

/** The longest bar belongs to the seat that was waited for longest. */
function Seats({ table }) {
  const most = Math.max(1, ...table.seats.map((seat) => seat.waited));
  return html`<ul class="seats">
    ${table.seats.map(
      (seat, index) =>
        html`<li>
          <span class="bar-of" style=${{ "--share": seat.waited / most }}></span>
          <span
            >${seat.name}${seat.bot && html` <small>${seat.bot}</small>`}: ${table.scores?.[index] ?? "–"}, ${seat.waited} s
            (${seat.longest} s)</span
          >
        </li>`,
    )}
  </ul>`;
}

/** Each score as a dot, those of people above those of bots, and their means. */
function Scores({ scores }) {
  const all = [...scores.people, ...scores.bots];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const at = (score) => 4 + (92 * (score - low)) / Math.max(1, high - low);
  const row = (name, found, y) =>
    found.length > 0 &&
    html`<g>
      ${found.map((score) => html`<circle cx="${at(score)}%" cy=${y} r="5" class="dot"><title>${score}</title></circle>`)}
      <line x1="${at(mean(found))}%" x2="${at(mean(found))}%" y1=${y - 11} y2=${y + 11} class="mean" />
    </g>`;
  const told = (name, found) =>
    found.length > 0
      ? `${name}: ${found.length} scores, mean ${mean(found).toFixed(1)}, from ${Math.min(...found)} to ${Math.max(...found)}`
      : `${name}: none`;
  return html`<figure class="strip">
    <svg role="img" aria-label=${`${told("people", scores.people)}; ${told("bots", scores.bots)}`} height="70">
      ${row("people", scores.people, 18)}${row("bots", scores.bots, 50)}
    </svg>
    <figcaption>${told("Above, people", scores.people)}. ${told("Below, bots", scores.bots)}.</figcaption>
  </figure>`;
}

const mean = (found) => found.reduce((sum, each) => sum + each, 0) / found.length;
