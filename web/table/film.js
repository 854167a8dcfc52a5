/** A game that is over, as a film: a slider, from any seat's eyes; a review; going on from here with bots. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask, saveTranscript } from "../server.js";
import { language, t } from "../words.js";

export function Film({ state, token, say, clear, names }) {
  const { table, position, film, review } = state;
  const [eyes, setEyes] = useState(table.seat);
  const [trouble, setTrouble] = useState("");
  const done = position.over || table.replay;
  useEffect(() => {
    if (table.replay && !film) say({ type: "film", seat: table.seat, at: 0 });
  }, [table.replay]);
  if (!done) return null;
  const go = (at, seat = eyes) => say({ type: "film", seat, at: Math.max(0, at) });
  const last = film?.of ?? 0;

  async function goOn() {
    try {
      const seats = table.players.map((player) =>
        player.seat === Math.max(1, eyes) ? { kind: "me" } : { kind: "bot", bot: player.bot ?? "search:300" },
      );
      const made = await ask("/api/tables", {
        game: table.library, players: table.players.length, variants: table.variants.map((one) => one.name ?? one), options: table.options, seats, from: token, at: film.at, language: language(),
      }); // prettier-ignore
      location.hash = `table/${made.seats.find((seat) => seat.token)?.token ?? made.watch}`;
    } catch (error) {
      setTrouble(/** @type {Error} */ (error).message);
    }
  }

  const marked = (review?.acts ?? []).filter((act) => act.marked);
  return html`<section class="film" aria-label=${t("The game as a film")}>
    ${!film && !table.replay && table.library && html`<a class="button" href=${`#new/${table.library}`}>${t("Play again")}</a>`}
    ${!film && html`<button type="button" onClick=${() => go(0)}>${t("Look through the game")}</button>`}
    ${
      film &&
      html`<button type="button" aria-label=${t("one back")} disabled=${film.at === 0} onClick=${() => go(film.at - 1)}>◀</button>
        <input
          type="range"
          min="0"
          max=${last}
          value=${film.at}
          aria-label=${t("moment")}
          onInput=${(event) => go(Number(event.target.value))}
        />
        <button type="button" aria-label=${t("one on")} disabled=${film.at >= last} onClick=${() => go(film.at + 1)}>▶</button>
        <span>${t("{number} of {all}", { number: film.at, all: last })}</span>
        <label
          >${t("seen by")}
          <select
            value=${eyes}
            onChange=${(event) => (setEyes(Number(event.target.value)), go(film.at, Number(event.target.value)))}
          >
            <option value="0">${t("somebody who watches")}</option>
            ${names.map((name, index) => html`<option value=${index + 1}>${name}</option>`)}
          </select></label
        >
        <button type="button" onClick=${goOn}>${t("Go on from here with bots")}</button>
        ${!table.replay && html`<button type="button" onClick=${() => clear({ film: null })}>${t("Back to the end")}</button>`}
        <p class="moment">
          ${film.events
            .map((event) => event.text)
            .filter(Boolean)
            .slice(-3)
            .join("; ")}
        </p>`
    }
    <button onClick=${() => saveTranscript(token)}>${t("Save the transcript")}</button>
    <button type="button" disabled=${review !== null} onClick=${() => say({ type: "review" })}>${t("Review")}</button>
    ${
      review &&
      html`<div class="review">
        <p>
          ${
            review.done
              ? t("{number} acts were reviewed: {marked} gave away much.", { number: review.acts.length, marked: marked.length })
              : t("{number} of {all} acts are reviewed: {marked} gave away much.", {
                  number: review.acts.length,
                  all: review.decisions || "…",
                  marked: marked.length,
                })
          }
        </p>
        <ol>
          ${marked.map((act) => html`<li><button type="button" onClick=${() => go(act.number - 1)}>${act.number}</button> ${t("{player}: {act} gave away {share} %; better: {best}", { player: names[act.player - 1], act: act.act.text ?? act.act, share: Math.round(act.given_away * 100), best: act.best.text ?? act.best })}</li>`)}
        </ol>
      </div>`
    }
    ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
  </section>`;
}
