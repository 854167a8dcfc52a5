/** Many games: who wins how often, with which scores, and how long it takes. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Histogram, Shares, binned, percent, rangeOf, seatColour } from "../plots.js";
import { Field, TableChoice, counted } from "../parts.js";

const MOST_GAMES = 100_000;
const SILENCE = 60; // seconds without a game that ends, as commands wait
// They are called as at a table (`pages/set_up.js`), weak ones first: strong ones take long.
const BOTS = [
  ["random", "bot, random"],
  ["casual", "bot, casual"],
  ["search:300", "bot, good"],
];

export function Statistics({ desk, table }) {
  const [games, setGames] = useState(1000);
  const [bots, setBots] = useState(/** @type {string[]} */ (["random"])); // one for all seats, or one for each
  const [state, setState] = useState(/** @type {any} */ ({ phase: "none" }));
  const players = desk.table.players || table?.players[0] || 0;
  const each = bots.length > 1;
  useEffect(() => {
    if (each && players && bots.length !== players)
      setBots(Array.from({ length: players }, (_, index) => bots[index] ?? "random"));
  }, [players]);

  async function start() {
    const about = `${desk.revision}`;
    setState({ phase: "running", games: 0, whole: games, found: state.found, about: state.about });
    const progress = (data) =>
      setState((now) =>
        now.phase === "running"
          ? { ...now, games: data.games, whole: data.whole, ...(data.statistics && { found: data.statistics, about }) }
          : now,
      );
    try {
      const params = { ...desk.project(), ...desk.tableParams(), games, bots: bots.join(",") };
      const found = await desk.simulate(params, { seconds: 3600, silence: SILENCE, progress });
      setState({ phase: "done", found, about });
    } catch (caught) {
      const error = /** @type {any} */ (caught);
      const stopped = error.code === "cancelled";
      setState((now) => ({ ...now, phase: stopped ? "stopped" : "failed", trouble: error.message }));
    }
  }

  const running = state.phase === "running";
  const cost = Math.max(...bots.map((bot) => (bot.startsWith("search") ? 300 : 1)));
  return html`<div class="whole">
    <div class="controls">
      <${TableChoice} desk=${desk} table=${table} />
      <label class="field"
        ><span>Games</span>
        <${Field}
          class="medium"
          type="number"
          min="1"
          max=${MOST_GAMES}
          list="game-counts"
          value=${games}
          set=${(text) => setGames(Math.min(MOST_GAMES, Math.max(1, Math.trunc(Number(text)) || 1)))}
        />
        <datalist id="game-counts">
          ${[100, 1000, 10_000, 100_000].map((count) => html`<option value=${count}></option>`)}
        </datalist></label
      >
      ${(each ? bots : bots.slice(0, 1)).map(
        (bot, index) =>
          html`<label class="field"
            ><span>${each ? `Player ${index + 1}` : "Players are"}</span>
            <select value=${bot} onChange=${(event) => setBots(bots.map((old, at) => (at === index ? event.target.value : old)))}>
              ${BOTS.map(([name, title]) => html`<option value=${name}>${title}</option>`)}
            </select></label
          >`,
      )}
      ${
        players > 1 &&
        html`<label class="check"
          ><input
            type="checkbox"
            checked=${each}
            onChange=${(event) => setBots(event.target.checked ? Array.from({ length: players }, () => bots[0]) : bots.slice(0, 1))}
          />
          <span>different bots</span></label
        >`
      }
      ${
        running
          ? html`<button type="button" class="main" onClick=${() => desk.cancel()}>Stop</button>`
          : html`<button type="button" class="main" disabled=${!desk.ready} onClick=${start}>
              Play ${counted(games, "game")}
            </button>`
      }
    </div>
    ${!running && cost > 1 && games * cost > 100_000 && html`<p class="quiet">Bots that think take long: this may be minutes.</p>`}
    ${
      running &&
      html`<div class="progress">
        <progress max=${state.whole} value=${state.games} aria-label="Games that were played"></progress>
        <span class="quiet" role="status">${counted(state.games, "game")} of ${state.whole.toLocaleString("en")}</span>
      </div>`
    }
    ${state.phase === "failed" && html`<div class="trouble-box" role="alert"><p>${state.trouble}</p></div>`}
    ${state.phase === "stopped" && html`<p class="quiet" role="status">It was stopped.${state.found && " These figures are of the games played until then."}</p>`}
    ${state.phase === "none" && html`<p class="quiet waiting">Let bots play many games, to see whether they are fair, how far scores spread, and how long they take.</p>`}
    ${state.found && html`<${Found} found=${state.found} old=${state.about !== `${desk.revision}`} />`}
  </div>`;
}

/** Whether a game ended, so that there is something to count. */
const isCounted = (counts) => counts != null && Object.keys(counts).length > 0;

function Found({ found, old }) {
  const columns = found.tally?.columns ?? {};
  const seats = found.win_share?.length ?? 0;
  const names = Array.from({ length: seats }, (_, index) => {
    const bot = found.bots?.[index] ?? "random";
    return found.bots?.every((other) => other === bot) ? `player ${index + 1}` : `player ${index + 1}, ${bot}`;
  });
  const scores = names.map((_, index) => columns[`score_${index + 1}`]).filter(isCounted);
  const range = rangeOf(scores);
  const peak = Math.max(1, ...scores.flatMap((counts) => binned(counts, ...range).columns));
  const even = seats ? found.win_share.reduce((sum, share) => sum + share, 0) / seats : 0;
  return html`<div class=${old ? "old" : ""}>
    ${old && html`<p class="notice" role="status">The rules have changed since these games.</p>`}
    ${found.faults?.map((fault) => html`<p class="trouble">${counted(fault.games, "game")} stopped: ${fault.message} (${fault.code}; game ${fault.example.toLocaleString("en")} of seed ${found.seed})</p>`)}
    <ul class="figures">
      <li><b>${found.games.toLocaleString("en")}</b>games</li>
      ${found.decisions_mean != null && html`<li><b>${found.decisions_mean.toFixed(1)}</b>decisions in a game</li>`}
      ${found.options_mean != null && html`<li><b>${found.options_mean.toFixed(1)}</b>options at a decision</li>`}
      ${found.ties_share != null && html`<li><b>${percent(found.ties_share)}</b>ties</li>`}
      ${found.games_per_s != null && html`<li><b>${Math.round(found.games_per_s).toLocaleString("en")}</b>games a second</li>`}
    </ul>
    ${
      seats > 0 &&
      html`<section>
        <h2>Who wins</h2>
        <p class="quiet">with 95 % intervals; the dotted line is an even share</p>
        <${Shares}
          rows=${names.map((name, index) => ({ name, share: found.win_share[index], colour: seatColour(index + 1) }))}
          count=${found.games}
          even=${even}
        />
      </section>`
    }
    ${
      scores.length > 0 &&
      html`<section>
        <h2>Scores</h2>
        <div class="histograms">
          ${scores.map((counts, index) => html`<${Histogram} name=${names[index]} counts=${counts} range=${range} most=${peak} colour=${seatColour(index + 1)} what="points" />`)}
        </div>
      </section>`
    }
    ${
      isCounted(columns.decisions) &&
      html`<section>
        <h2>Length</h2>
        <div class="histograms"><${Histogram} name="decisions in a game" counts=${columns.decisions} what="decisions" /></div>
      </section>`
    }
  </div>`;
}
