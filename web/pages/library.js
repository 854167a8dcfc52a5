/** The library: the games to choose from. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";
import { inEnglish, language, t, tn } from "../words.js";
import { Emblem } from "./emblem.js";

const MANY = 12; // games from which there is a field to search

const OTHER_LETTERS = /(?!\p{Script=Latin})\p{L}/u; // a text with such letters is not English

export function Library() {
  const [games, setGames] = useState(/** @type {any[] | null} */ (null));
  const [trouble, setTrouble] = useState("");
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    document.title = "rulesrun";
    ask("/api/games").then(setGames, (error) => setTrouble(error.message));
  }, []);

  async function open(event) {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const made = await ask("/api/replays", await file.text());
      location.hash = `table/${made.watch}`;
    } catch (error) {
      setTrouble(/** @type {Error} */ (error).message);
    }
  }

  const shown = (games ?? []).filter((game) =>
    [titleIn(game), game.title, aboutIn(game), game.id].some((text) => text.toLowerCase().includes(wanted.toLowerCase())),
  );
  const folders = [...new Set(shown.map(folderOf))];
  return html`<main class="page wide">
    <h1>${t("Choose a game")}</h1>
    ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
    ${games === null && !trouble && html`<p>${t("Reading the rules …")}</p>`}
    ${
      (games ?? []).length >= MANY &&
      html`<p>
        <label>${t("Search")} <input type="search" value=${wanted} onInput=${(event) => setWanted(event.target.value)} /></label>
      </p>`
    }
    ${folders.map(
      (folder) =>
        html`<section key=${folder}>
          ${folder && html`<h2>${folder.replaceAll("_", " ")}</h2>`}
          <ul class="games">
            ${shown.filter((game) => folderOf(game) === folder).map((game) => html`<li key=${game.id}><${Game} game=${game} /></li>`)}
          </ul>
        </section>`,
    )}
    ${games !== null && shown.length === 0 && html`<p>${t("There is no such game here.")}</p>`}
    <p>
      <label class="file">${t("Look at a game that was played:")} <input type="file" onChange=${open} /></label>
    </p>
  </main>`;
}

const folderOf = (game) => game.id.split("/").slice(0, -1).join("/");

function Game({ game }) {
  if (game.error) return html`<div class="game broken"><b>${game.title}</b><small>${game.error.text}</small></div>`;
  return html`<a class="game" href=${`#new/${game.id}`}
    ><${Emblem} name=${game.id} madeOf=${game.made_of} /><b>${titleIn(game)}</b
    ><small>${playersText(game.players)}</small>${aboutIn(game) && html`<span class="about">${aboutIn(game)}</span>`}</a
  >`;
}

/** The title of a game, or of one of its variants, in the language of the page. @param {any} game */
export const titleIn = (game) => game.titles?.[language()] ?? game.title;

/** What is said of a game or of one of its variants, in the language of the page; English words stand on an English page only.
 * @param {any} game @returns {string} */
export const aboutIn = (game) => game.abouts?.[language()] ?? (inEnglish() || OTHER_LETTERS.test(game.about) ? game.about : "");

/** @param {[number, number]} players */
const playersText = ([least, most]) =>
  least === most
    ? tn("{number} player", "{number} players", least)
    : tn("{least} to {number} player", "{least} to {number} players", most, { least });
