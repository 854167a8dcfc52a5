/** The library: the games to choose from. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";

export function Library() {
  const [games, setGames] = useState(/** @type {any[] | null} */ (null));
  const [trouble, setTrouble] = useState("");
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

  return html`<main class="page">
    <h1>Choose a game</h1>
    ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
    ${games === null && !trouble && html`<p>Reading the rules …</p>`}
    <ul class="games">
      ${games?.map(
        (game) =>
          html`<li key=${game.id}>
            ${
              game.error
                ? html`<div class="game broken"><b>${game.title}</b><small>${game.error.text}</small></div>`
                : html`<a class="game" href=${`#new/${game.id}`}
                    ><b>${game.title}</b><small>${playersText(game.players)}</small></a
                  >`
            }
          </li>`,
      )}
    </ul>
    <p>
      <label class="file">Look at a game that was played: <input type="file" onChange=${open} /></label>
    </p>
  </main>`;
}

/** @param {[number, number]} players */
const playersText = ([least, most]) =>
  least === most ? `${least} ${least === 1 ? "player" : "players"}` : `${least} to ${most} players`;
