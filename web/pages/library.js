/** The library: the games to choose from. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";
import { Emblem } from "./emblem.js";

const MANY = 12; // games from which there is a field to search

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
    [game.title, game.about ?? "", game.id].some((text) => text.toLowerCase().includes(wanted.toLowerCase())),
  );
  const folders = [...new Set(shown.map(folderOf))];
  return html`<main class="page wide">
    <h1>Choose a game</h1>
    ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
    ${games === null && !trouble && html`<p>Reading the rules …</p>`}
    ${
      (games ?? []).length >= MANY &&
      html`<p>
        <label>Search <input type="search" value=${wanted} onInput=${(event) => setWanted(event.target.value)} /></label>
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
    ${games !== null && shown.length === 0 && html`<p>There is no such game here.</p>`}
    <p>
      <label class="file">Look at a game that was played: <input type="file" onChange=${open} /></label>
    </p>
  </main>`;
}

const folderOf = (game) => game.id.split("/").slice(0, -1).join("/");

function Game({ game }) {
  if (game.error) return html`<div class="game broken"><b>${game.title}</b><small>${game.error.text}</small></div>`;
  return html`<a class="game" href=${`#new/${game.id}`}
    ><${Emblem} name=${game.id} madeOf=${game.made_of} /><b>${game.title}</b
    ><small>${playersText(game.players)}</small>${game.about && html`<span class="about">${game.about}</span>`}</a
  >`;
}

/** @param {[number, number]} players */
const playersText = ([least, most]) =>
  least === most ? `${least} ${least === 1 ? "player" : "players"}` : `${least} to ${most} players`;
