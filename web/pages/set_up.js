/** The set-up of a table: players, variants, options, seats. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask, hasServer } from "../server.js";
import { local, session } from "../storage.js";
import { choose, language, nameOf, t } from "../words.js";
import { aboutIn, titleIn } from "./library.js";

const BOTS = [
  ["search:300", () => t("bot, good")],
  ["search:2000", () => t("bot, strong and slower")],
  ["casual", () => t("bot, casual")],
  ["random", () => t("bot, random")],
];

/** What a bot is called; one of somebody's own by its name. @param {string} bot */
export const botText = (bot) => {
  const found = BOTS.find(([name]) => name === bot);
  return found ? /** @type {() => string} */ (found[1])() : bot;
};

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
  const [name, setName] = useState(local.get(nameKey) ?? "");
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [speaks, setSpeaks] = useState(language());
  useEffect(() => {
    ask("/api/games").then(
      (games) => {
        const found = games.find((one) => one.id === game);
        if (!found || found.error) return setTrouble(found ? found.error.text : t("there is no game `{game}`", { game }));
        setRules(found);
        setPlayers(found.players[0]);
      },
      (error) => setTrouble(error.message),
    );
  }, [game]);
  useEffect(() => {
    if (rules) document.title = titleIn(rules);
  }, [rules, speaks]);
  if (!rules)
    return html`<main class="page">
      <p role=${trouble ? "alert" : "status"}>${trouble || t("Reading the rules …")}</p>
      <a href="#">${t("Other games")}</a>
    </main>`;

  const spoken = rules.languages.includes(language()) ? language() : "en";
  const seatOf = (index) => seats[index] ?? "search:300";

  async function start(event) {
    event.preventDefault();
    setBusy(true);
    setTrouble("");
    const chosen = Array.from({ length: players }, (_, index) => seatOf(index));
    local.set(nameKey, name.trim());
    try {
      const made = await ask("/api/tables", {
        game, players, variants, options, language: spoken, ...(seed === "" ? {} : { seed: Number(seed) }),
        seats: chosen.map((kind, index) => kind === "me" ? { kind, name: index === chosen.indexOf("me") ? name.trim() : "" } : kind === "open" ? { kind } : { kind: "bot", bot: kind, name: BOT_NAMES[index % BOT_NAMES.length] }),
      }); // prettier-ignore
      const mine = made.seats.find((seat, index) => chosen[index] === "me" && seat.token)?.token ?? made.watch;
      const seated = made.seats.filter((seat) => seat.token).map(({ seat, token }) => ({ seat, token }));
      const here = seated.filter(({ seat }) => chosen[seat - 1] === "me");
      const links = seated.filter(({ seat }) => chosen[seat - 1] !== "me");
      for (const token of here.length > 0 ? here.map((seat) => seat.token) : [mine])
        session.set(linksKey(token), JSON.stringify({ here, links, watch: made.watch }));
      location.hash = `table/${mine}`;
    } catch (error) {
      setTrouble(/** @type {Error} */ (error).message);
      setBusy(false);
    }
  }

  const [least, most] = rules.players;
  return html`<main class="page">
    <a href="#">${t("Other games")}</a>
    <h1>${titleIn(rules)}</h1>
    ${aboutIn(rules) && html`<p class="about">${aboutIn(rules)}</p>`}
    <form class="set-up" onSubmit=${start}>
      <label class="row"
        ><span>${t("Language")}</span
        ><select value=${spoken} onChange=${(event) => choose(event.target.value).then(() => setSpeaks(language()))}>
          ${rules.languages.map((code) => html`<option value=${code} lang=${code}>${nameOf(code)}</option>`)}
        </select></label
      >
      ${
        least < most &&
        html`<fieldset>
          <legend>${t("Players")}</legend>
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
        <legend>${t("Seats")}</legend>
        <label class="row"
          ><span>${t("Your name")}</span
          ><input maxlength="40" autocomplete="nickname" value=${name} onInput=${(event) => setName(event.target.value)}
        /></label>
        ${Array.from(
          { length: players },
          (_, index) =>
            html`<label class="row"
              ><span>${t("player {number}", { number: index + 1 })}</span
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
                <option value="me">${index === firstOf(seats) ? t("me") : t("somebody at this screen")}</option>
                ${hasServer() && html`<option value="open">${t("somebody else, by a link")}</option>`}
                ${BOTS.map(([name, text]) => html`<option value=${name}>${/** @type {() => string} */ (text)()}</option>`)}
              </select></label
            >`,
        )}
      </fieldset>
      ${
        rules.variants.length > 0 &&
        html`<fieldset>
          <legend>${t("Variants")}</legend>
          ${rules.variants.map(
            (variant) =>
              html`<label class="row"
                ><span>${titleIn(variant)}${aboutIn(variant) && html` <small>${aboutIn(variant)}</small>`}</span
                ><input
                  type="checkbox"
                  checked=${variants.includes(variant.name)}
                  onChange=${(event) => setVariants(event.target.checked ? [...variants, variant.name] : variants.filter((name) => name !== variant.name))}
              /></label>`,
          )}
        </fieldset>`
      }
      <details>
        <summary>${t("Options and luck")}</summary>
        ${rules.options.map(
          (option) =>
            html`<label class="row"
              ><span>${option.titles[language()] ?? option.title}</span>
              ${
                option.values.length > 0
                  ? html`<select
                      value=${options[option.name] ?? ""}
                      onChange=${(event) => setOptions(without(options, option.name, event.target.value))}
                    >
                      <option value="">${t("{value}, as usual", { value: valueIn(option, option.default) })}</option>
                      ${option.values.map((value) => html`<option value=${value}>${valueIn(option, value)}</option>`)}
                    </select>`
                  : html`<input
                      placeholder=${language() === "en" ? `${option.default} (${option.domain})` : valueIn(option, option.default)}
                      value=${options[option.name] ?? ""}
                      onInput=${(event) => setOptions(without(options, option.name, event.target.value))}
                    />`
              }
            </label>`,
        )}
        <label class="row"
          ><span>${t("Seed: the same seed deals the same game")}</span
          ><input
            inputmode="numeric"
            pattern="[0-9]*"
            placeholder=${t("any")}
            value=${seed}
            onInput=${(event) => setSeed(event.target.value)}
        /></label>
      </details>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      <button class="main" type="submit" disabled=${busy}>${busy ? t("The table is being laid …") : t("Play")}</button>
    </form>
  </main>`;
}

/** A value of an option in the language of the page. */
const valueIn = (option, value) =>
  value === "yes" ? t("yes") : value === "no" ? t("no") : (option.said[language()]?.[value] ?? value);

/** The first seat of somebody at this screen, or the first of all. @param {string[]} seats */
const firstOf = (seats) => Math.max(0, seats.indexOf("me"));

/** The options with one chosen, or left as usual. */
function without(options, name, value) {
  const rest = Object.fromEntries(Object.entries(options).filter(([other]) => other !== name));
  return value === "" ? rest : { ...rest, [name]: value };
}
