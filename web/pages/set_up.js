/** The set-up of a table: players, variants, options, seats. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";

const BOTS = [
  ["search:300", "bot, good"],
  ["search:2000", "bot, strong and slower"],
  ["casual", "bot, casual"],
  ["random", "bot, random"],
];

const BOT_NAMES = ["Ada", "Bruno", "Chen", "Dora", "Emil", "Freya", "Goro", "Hana", "Ivo", "Jun"];

/** Under which a person's name is remembered in this browser. */
export const nameKey = "rulesrun name";

/** What is remembered of a table's tokens in this browser, so that the links can be shown at the table. */
export const linksKey = (token) => `rulesrun links ${token}`;

export function SetUp({ game }) {
  const [rules, setRules] = useState(/** @type {any} */ (null));
  const [players, setPlayers] = useState(0);
  const [variants, setVariants] = useState(/** @type {string[]} */ ([]));
  const [options, setOptions] = useState(/** @type {Record<string, string>} */ ({}));
  const [seats, setSeats] = useState(/** @type {string[]} */ (["me"]));
  const [seed, setSeed] = useState("");
  const [name, setName] = useState(localStorage.getItem(nameKey) ?? "");
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    ask("/api/games").then(
      (games) => {
        const found = games.find((one) => one.id === game);
        if (!found || found.error) return setTrouble(found ? found.error.text : `there is no game \`${game}\``);
        document.title = found.title;
        setRules(found);
        setPlayers(found.players[0]);
      },
      (error) => setTrouble(error.message),
    );
  }, [game]);
  if (!rules)
    return html`<main class="page">
      <p role=${trouble ? "alert" : "status"}>${trouble || "Reading the rules …"}</p>
      <a href="#">Other games</a>
    </main>`;

  const seatOf = (index) => seats[index] ?? "search:300";

  async function start(event) {
    event.preventDefault();
    setBusy(true);
    setTrouble("");
    const chosen = Array.from({ length: players }, (_, index) => seatOf(index));
    localStorage.setItem(nameKey, name.trim());
    try {
      const made = await ask("/api/tables", {
        game, players, variants, options, ...(seed === "" ? {} : { seed: Number(seed) }),
        seats: chosen.map((kind, index) => kind === "me" ? { kind, name: name.trim() } : kind === "open" ? { kind } : { kind: "bot", bot: kind, name: BOT_NAMES[index % BOT_NAMES.length] }),
      }); // prettier-ignore
      const mine = made.seats.find((seat, index) => chosen[index] === "me" && seat.token)?.token ?? made.watch;
      const links = made.seats.filter((seat) => seat.token && seat.token !== mine).map(({ seat, token }) => ({ seat, token }));
      sessionStorage.setItem(linksKey(mine), JSON.stringify({ links, watch: made.watch }));
      location.hash = `table/${mine}`;
    } catch (error) {
      setTrouble(/** @type {Error} */ (error).message);
      setBusy(false);
    }
  }

  const [least, most] = rules.players;
  return html`<main class="page">
    <a href="#">Other games</a>
    <h1>${rules.title}</h1>
    ${rules.about && html`<p class="about">${rules.about}</p>`}
    <form class="set-up" onSubmit=${start}>
      ${
        least < most &&
        html`<fieldset>
          <legend>Players</legend>
          ${Array.from({ length: most - least + 1 }, (_, index) => least + index).map(
            (count) =>
              html`<label class="chip"
                ><input type="radio" name="players" checked=${players === count} onChange=${() => setPlayers(count)} /><span
                  >${count}</span
                ></label
              >`,
          )}
        </fieldset>`
      }
      <fieldset>
        <legend>Seats</legend>
        <label class="row"
          ><span>Your name</span
          ><input maxlength="40" autocomplete="nickname" value=${name} onInput=${(event) => setName(event.target.value)}
        /></label>
        ${Array.from(
          { length: players },
          (_, index) =>
            html`<label class="row"
              ><span>player ${index + 1}</span
              ><select
                value=${seatOf(index)}
                onChange=${(event) =>
                  setSeats(
                    Object.assign(
                      Array.from({ length: most }, (_, at) => seatOf(at)),
                      { [index]: event.target.value },
                    ),
                  )}
              >
                <option value="me">me</option>
                <option value="open">somebody else, by a link</option>
                ${BOTS.map(([name, text]) => html`<option value=${name}>${text}</option>`)}
              </select></label
            >`,
        )}
      </fieldset>
      ${
        rules.variants.length > 0 &&
        html`<fieldset>
          <legend>Variants</legend>
          ${rules.variants.map(
            (variant) =>
              html`<label class="row"
                ><span>${variant.title}${variant.about && html` <small>${variant.about}</small>`}</span
                ><input
                  type="checkbox"
                  checked=${variants.includes(variant.name)}
                  onChange=${(event) => setVariants(event.target.checked ? [...variants, variant.name] : variants.filter((name) => name !== variant.name))}
              /></label>`,
          )}
        </fieldset>`
      }
      <details>
        <summary>Options and luck</summary>
        ${rules.options.map(
          (option) =>
            html`<label class="row"
              ><span>${option.title}</span>
              ${
                option.values.length > 0
                  ? html`<select
                      value=${options[option.name] ?? ""}
                      onChange=${(event) => setOptions(without(options, option.name, event.target.value))}
                    >
                      <option value="">${option.default}, as usual</option>
                      ${option.values.map((value) => html`<option value=${value}>${value}</option>`)}
                    </select>`
                  : html`<input
                      placeholder=${`${option.default} (${option.domain})`}
                      value=${options[option.name] ?? ""}
                      onInput=${(event) => setOptions(without(options, option.name, event.target.value))}
                    />`
              }
            </label>`,
        )}
        <label class="row"
          ><span>Seed: the same seed deals the same game</span
          ><input
            inputmode="numeric"
            pattern="[0-9]*"
            placeholder="any"
            value=${seed}
            onInput=${(event) => setSeed(event.target.value)}
        /></label>
      </details>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      <button class="main" type="submit" disabled=${busy}>${busy ? "The table is being laid …" : "Play"}</button>
    </form>
  </main>`;
}

/** The options with one chosen, or left as usual. */
function without(options, name, value) {
  const rest = Object.fromEntries(Object.entries(options).filter(([other]) => other !== name));
  return value === "" ? rest : { ...rest, [name]: value };
}
