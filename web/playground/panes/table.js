/** The game at a table: the page of a table, in a frame, plays these rules with the same machine. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { local } from "../../storage.js";
import { nameOf } from "../../words.js";
import { Waiting } from "../parts.js";

const PAUSE = 500; // milliseconds without a change before the table hears of the rules

/** Under which the language of tables is kept in this browser. */
const LANGUAGE = "rulesrun playground language";

/** Under which the page of tables knows a game. @param {string} file */
const gameOf = (file) => encodeURIComponent(file.replace(/\.rules$/, ""));

export function Table({ desk, table, active }) {
  const { ready, revision } = desk; // as they are drawn now
  const [state, set] = useState({ given: -1, game: "", number: 0, trouble: "" });
  useEffect(() => {
    if (!active || !ready || state.given === revision) return;
    let stale = false;
    const give = async () => {
      try {
        await desk.latest("request", {}, { seconds: 20 });
        if (!stale) set((now) => ({ ...now, given: revision, game: desk.game, trouble: "" }));
      } catch (error) {
        if (!stale) set((now) => ({ ...now, given: revision, trouble: /** @type {Error} */ (error).message }));
      }
    };
    const timer = setTimeout(give, state.given < 0 ? 0 : PAUSE);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [active, ready, revision, state.given]);
  const [lost, tellLost] = useState(false);
  useEffect(() => desk.player.listen((event) => event.event === "lost" && tellLost(true)), []);
  const { languages = ["en"] } = table ?? {};
  const [chosen, choose] = useState(local.get(LANGUAGE) ?? navigator.language.split("-")[0]);
  const language = languages.includes(chosen) ? chosen : "en";
  const speak = (/** @type {string} */ code) => {
    local.set(LANGUAGE, code);
    choose(code);
  };
  const again = () => {
    tellLost(false);
    set((now) => ({ ...now, given: -1, number: now.number + 1 }));
  };
  if (!state.game)
    return html`<${Waiting}
      answer=${{ value: null, trouble: state.trouble, again }}
      desk=${desk}
      what="Laying out the table …"
    />`;
  return html`<div class="whole">
    <div class="controls">
      <button type="button" onClick=${again}>New table</button>
      <label
        >Language
        <select value=${language} onChange=${(event) => speak(event.target.value)}>
          ${languages.map((code) => html`<option value=${code} lang=${code}>${nameOf(code)}</option>`)}
        </select></label
      >
      <span class="quiet told" role="status"
        >${
          lost
            ? "Something had to be stopped, since it took too long or too much memory. The table goes on where it was."
            : "Play these rules by hand, against bots or on your own."
        }</span
      >
    </div>
    <iframe
      key=${`${state.game} ${state.number} ${language}`}
      title="The table"
      src=${`table.html?lang=${language}#new/${gameOf(state.game)}`}
    ></iframe>
  </div>`;
}
