/** The table: draws what the session says, and turns clicks into acts. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { Acts } from "../table/acts.js";
import { cellKey, choicesOf, nextOf, pick } from "../table/choosing.js";
import { Film } from "../table/film.js";
import { Curtain, HandOver, hereWith, useCover } from "../table/hand_over.js";
import { Menu } from "../table/menu.js";
import { useMoves } from "../table/moving.js";
import { Notices } from "../table/notices.js";
import { RulesToRead, useRules } from "../table/rules.js";
import { useSession } from "../table/session.js";
import { Hands, Spot } from "../table/spot.js";
import { Log, Scores, named } from "../table/telling.js";
import { stylesOf } from "../table/thing.js";
import { Tip } from "../table/tip.js";
import { Values, divide } from "../table/values.js";
import { Slots, Zone, aboutZone, isBox, isShared, zoneKey } from "../table/zone.js";
import { hasServer, lookOf } from "../server.js";
import { local } from "../storage.js";
import { listed, row, t } from "../words.js";
import { botText, nameKey } from "./set_up.js";

const NOBODY = { legal: new Set(), refused: new Map(), verbs: [] };
const FORCED_AFTER = 900; // milliseconds before a forced move plays itself
const FORCED = "rulesrun forced moves";

export function Table({ token }) {
  const { state, line, say, clear } = useSession(token);
  const { table, position, film } = state;
  const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
  const [verb, setVerb] = useState(/** @type {string | null} */ (null));
  const [trail, setTrail] = useState(/** @type {string[]} */ ([]));
  const [tip, setTip] = useState(/** @type {any} */ (null));
  const [sentAt, setSentAt] = useState(/** @type {any} */ (null));
  const [forced, setForced] = useState(local.get(FORCED) === "yes");
  const [reading, setReading] = useState(/** @type {any} */ (null));
  const root = useRef(null);
  const rules = useRules(token, reading !== null || tip !== null);
  const [isCovered, uncover] = useCover(token);
  // What was sent holds until another position or an error answers it, also for a second click that comes with the first.
  const sent = sentAt !== null && sentAt.position === position && sentAt.errors === state.errors;
  // What was chosen while others choose, too, may be changed until all have.
  const [changing, setChanging] = useState(/** @type {any} */ (null));
  const chosen = changing === position ? null : position?.decision?.options.find((option) => option.number === position.chosen);
  const decision = film || isCovered || chosen ? null : position?.decision;
  const back = () => {
    if (picked.length > 0) {
      setPicked(picked.slice(0, -1));
      setTrail(trail.slice(0, -1));
    } else setVerb(null);
  };
  useEffect(() => {
    setPicked([]);
    setTrail([]);
    setVerb(null);
    setTip(null);
  }, [position?.number, position?.again]);
  useEffect(() => {
    const key = (event) => event.key === "Escape" && back();
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const styles = useMemo(() => (table ? stylesOf(table) : new Map()), [table]);
  const choices = useMemo(() => (table ? choicesOf(decision, position?.view, table) : []), [decision]);
  const next = useMemo(() => (sent || !decision ? NOBODY : nextOf(choices, picked, verb)), [choices, picked, verb, sent]);
  const view = (film ?? position)?.view;
  useMoves(root, film ?? position, film ? film.moves : state.moves);
  useEffect(() => {
    if (!table?.library) return;
    const look = Object.assign(document.createElement("link"), { rel: "stylesheet" });
    lookOf(table.library).then((href) => document.head.append(Object.assign(look, { href })));
    return () => look.remove();
  }, [table?.library]);
  useEffect(() => {
    if (table) document.title = `${decision ? "● " : ""}${table.speaks ? table.title : (table.titles.en ?? table.title)}`;
  }, [table, decision]);
  useEffect(() => rules.forget, [table]); // others may hold now
  useEffect(() => {
    const name = local.get(nameKey);
    if (hereWith(token).length > 1) return; // the name is that of one of them
    if (name && table?.seat && !table.replay && table.players[table.seat - 1].name === `player ${table.seat}`)
      say({ type: "name", text: name });
  }, [table?.seat]);
  const only = forced && decision && !position.again ? decision.options.filter((option) => option.legal) : [];
  useEffect(() => {
    if (only.length !== 1 || sent) return;
    const timer = setTimeout(() => take(only[0]), FORCED_AFTER);
    return () => clearTimeout(timer);
  }, [position, forced, sent]);
  useFocus(root, decision && !sent ? position : null);
  useSight(root, decision && !sent ? position : null);

  if (line === "refused")
    return html`<main class="page">
      <h1>${t("There is no such table")}</h1>
      <p>
        ${hasServer() ? t("The link is wrong, or the table is gone.") : t("The game was stopped, and its table is gone. Start a new one.")}
      </p>
      <a href="#">${t("Choose a game")}</a>
    </main>`;
  if (!table || !position)
    return html`<main class="page">
      <p role="status">${line === "lost" ? t("The server cannot be reached. Trying again …") : t("The table is being laid …")}</p>
    </main>`;

  const called = (player) => state.people.names[player.seat - 1] ?? player.name;
  const own = table.players.find((player) => player.seat === table.seat);
  if (isCovered && own) return html`<${Curtain} name=${called(own)} uncover=${uncover} />`;

  const names = table.players.map((player) => nameOf(called(player), player, table));
  const seat = table.seat;
  const hinted = new Set();
  const best = state.hint && state.hint.position === position.number ? state.hint.options[0] : null;
  const hint = best && choices.find(({ option }) => option.number === best.number);
  if (hint) {
    hinted.add(`option:${best.number}`);
    hint.path[picked.length]?.keys.forEach((key) => hinted.add(key));
  }

  const take = (option) => {
    if (!option.legal) return tried(option);
    setTip(null);
    setSentAt({ position, errors: state.errors });
    say({ type: "act", position: position.number, option: option.number });
  };
  const why = (option, at) => {
    if (!option) return setTip(null);
    if (tip?.option === option) return;
    if (!option.why && !state.reasons[option.number]) say({ type: "why", position: position.number, option: option.number });
    setTip({ option, at: at && besideOf(at) });
  };
  // What somebody tries is told to the server, since the designer wants to know; what they only point at is not.
  const tried = (option) => {
    say({ type: "act", position: position.number, option: option.number });
    setTip({ option, at: tip?.option === option ? tip.at : null });
  };
  const choose = (keys, label) => {
    const found = pick(choices, picked, verb, keys);
    if (found.act) take(found.act);
    else if (found.refused) tried(found.refused);
    else if (found.picked) {
      setPicked(found.picked);
      setTrail([...trail, label]);
      setTip(null);
    } else if (picked.includes(keys.find((key) => picked.includes(key)) ?? "")) back();
  };
  // A tile that is being laid: the part that comes next is shown where the pointer is.
  const laid = decision
    ? view.zones
        .flatMap((zone) => zone.components)
        .find((thing) => thing.parts?.length > 1 && decision.about.endsWith(thing.label ?? thing.name))
    : null;
  const ghost = laid && { parts: laid.parts, style: styles.get(laid.kind) };
  const nameStep = (step) => (step.type === "player" ? names[Number(step.keys[0].slice(7)) - 1] : step.text.replaceAll("_", " "));
  const hand = { next, picked, hinted, choose, why, take, trail: trail.join(" → "), nameOf: nameStep, ghost };

  const all = view.zones.flatMap((zone) => zone.components);
  const { shared, seats, badges } = divide(view.values, all);
  const colours = styles.values().next().value?.colours ?? new Map();
  const drawn = view.zones.filter((zone) => !isBox(zone) || zone.components.some((thing) => next.legal.has(`id:${thing.id}`)));
  const onTable = new Set(
    drawn.filter((zone) => zone.shape !== "pile").flatMap((zone) => zone.components.map((thing) => `id:${thing.id}`)),
  );
  for (const zone of drawn) {
    const about = aboutZone(table, zone);
    for (const place of about?.grid?.places ?? []) onTable.add(cellKey(zone, place.cell));
  }
  const { deciding, scores } = film ?? position;
  const show = (zone, title = undefined) =>
    html`<${Zone}
      key=${zoneKey(zone)}
      zone=${zone}
      table=${table}
      styles=${styles}
      badges=${badges}
      mine=${zone.owner === seat}
      title=${title}
    />`;
  const inMiddle = new Set(drawn.filter((zone) => zone.owner > 0 && isShared(aboutZone(table, zone))));
  const panel = (player) => {
    const zones = drawn.filter((zone) => zone.owner === player.seat && !inMiddle.has(zone));
    const about = player.seat === seat ? t("your turn") : t("thinking");
    const away = player.kind === "person" && player.seat !== seat && !state.people.present.includes(player.seat) && !table.replay;
    return html`<section
      class=${`player ${player.seat === seat ? "me" : ""} ${deciding.includes(player.seat) ? "deciding" : ""}`}
      key=${player.seat}
      aria-label=${names[player.seat - 1]}
      data-player=${player.seat}
      style=${{ "--band": seatColour(player.seat) }}
    >
      <h2>
        <${Spot} keys=${[`player:${player.seat}`]} label=${names[player.seat - 1]} class="who"
          ><i class="chip-of"></i><span aria-hidden="true">${names[player.seat - 1]}</span><//
        >
        ${player.kind === "bot" && html`<small class="bot" title=${botText(player.bot)}>${t("bot")}</small>`}
        ${deciding.includes(player.seat) && html`<small class="turn">${about}</small>`}
        ${away && html`<small>${t("away")}</small>`}
        ${scores && html`<small class="sum" title=${t("score")}>${scores.sums[player.seat - 1] ?? ""}</small>`}
      </h2>
      <div class="zones">${zones.map((zone) => show(zone))}</div>
      <${Values}
        values=${seats.get(player.seat) ?? []}
        about=${table.values}
        names=${names}
        owner=${player.seat}
        seat=${seat}
        colours=${colours}
      />
    </section>`;
  };
  const others = [...table.players.slice(seat), ...table.players.slice(0, Math.max(0, seat - 1))]; // clockwise
  const me = table.players.find((player) => player.seat === seat);
  const middle = drawn.filter((zone) => zone.owner === 0);
  const slots = new Set([...inMiddle].map((zone) => zone.zone));
  const boards = middle.filter((zone) => aboutZone(table, zone)?.grid).length;

  return html`<${Hands.Provider} value=${hand}>
    <div
      class="at-table"
      data-game=${table.game}
      data-turn=${decision && !sent ? "mine" : "other"}
      data-position=${position.number}
      data-over=${position.over ? "yes" : "no"}
      data-line=${line}
    >
      <header>
        <h1>${table.speaks ? table.title : (table.titles.en ?? table.title)}</h1>
        <p class="status" role="status">${statusOf(state, line, decision, names, sent)}</p>
        <${Menu}
          state=${state}
          token=${token}
          say=${say}
          names=${names}
          forced=${forced}
          setForced=${(yes) => (local.set(FORCED, yes ? "yes" : "no"), setForced(yes))}
          readRules=${setReading}
        />
        <${HandOver} token=${token} table=${table} position=${position} names=${names} />
        <${Notices} state=${state} say=${say} clear=${clear} names=${names} readRules=${setReading} />
      </header>
      <main ref=${root}>
        <div class=${`others of-${others.length}`}>${others.map(panel)}</div>
        <section
          class=${`middle ${boards === 1 && middle.length === 1 && slots.size === 0 ? "boarded" : ""}`}
          aria-label=${t("Table")}
        >
          <div class="zones">
            ${middle.map((zone) => show(zone))}
            ${[...slots].map((name) => html`<${Slots} key=${name} name=${name} zones=${[...inMiddle].filter((zone) => zone.zone === name)} show=${show} names=${names} />`)}
          </div>
          <${Values} values=${shared} about=${table.values} names=${names} owner=${0} seat=${seat} colours=${colours} />
        </section>
        ${me && panel(me)}
      </main>
      <div class="foot">
        ${decision && !sent && html`<${Acts} onTable=${onTable} about=${named(decision.about, names)} back=${back} verb=${verb} setVerb=${setVerb} />`}
        ${
          chosen &&
          html`<p class="chosen">
            ${t("You have chosen: {act}", { act: named(chosen.text, names).replaceAll("_", " ") })}
            <button type="button" onClick=${() => setChanging(position)}>${t("Choose something else")}</button>
          </p>`
        }
        ${hint && html`<p class="hint" role="status">${t("Hint: {act} ({worth})", { act: named(hint.option.text, names).replaceAll("_", " "), worth: worth(best) })}</p>`}
        <${Film} state=${state} token=${token} say=${say} clear=${clear} names=${names} />
      </div>
      <aside>
        <${Scores} scores=${scores} names=${names} />
        <${Log} lines=${state.log} names=${names} />
      </aside>
      <${Tip} tip=${tip} reasons=${state.reasons} names=${names} files=${rules.files} />
      ${reading && html`<${RulesToRead} files=${rules.files} at=${reading} close=${() => setReading(null)} />`}
    </div>
  <//>`;
}

/** How somebody is called: whoever looks is "you" as long as they have no name. */
function nameOf(name, player, table) {
  if (name === `player ${player.seat}`)
    return player.seat === table.seat ? t("you") : t("player {number}", { number: player.seat });
  const same = table.players.filter((other) => other.name === player.name).length;
  return same > 1 && player.kind === "bot" ? `${name} ${player.seat}` : name;
}

/** Whoever plays by keys finds the focus on what can be done, when it was on something that is gone. */
function useFocus(root, position) {
  const byKey = useRef(false);
  useEffect(() => {
    const note = (event) => (byKey.current = event.type === "keydown");
    addEventListener("keydown", note, true);
    addEventListener("pointerdown", note, true);
    return () => {
      removeEventListener("keydown", note, true);
      removeEventListener("pointerdown", note, true);
    };
  }, []);
  useEffect(() => {
    if (!position || !byKey.current || document.activeElement !== document.body) return;
    const first = root.current?.querySelector("button.can[tabindex='0']") ?? document.querySelector(".acts button.can");
    first?.focus();
  }, [position]);
}

/** What can be done comes into sight, if none of it is. */
function useSight(root, position) {
  useEffect(() => {
    if (!position || !root.current) return;
    const able = [...root.current.querySelectorAll("button.can")];
    const foot = document.querySelector(".foot")?.getBoundingClientRect().top ?? innerHeight;
    const head = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    const seen = (box) => box.top >= head && box.bottom <= Math.max(head, Math.min(innerHeight, foot));
    if (able.length > 0 && !able.some((node) => seen(node.getBoundingClientRect()))) able[0].scrollIntoView({ block: "center" });
  }, [position]);
}

/** Where a reason is told: under or over a thing, but beside a board, so that it hides no square. */
function besideOf(thing) {
  const place = thing.getBoundingClientRect();
  const board = thing.closest(".grid")?.getBoundingClientRect();
  return board ? { left: board.right + 8, top: place.top, bottom: place.top } : place;
}

function statusOf(state, line, decision, names, sent) {
  const { position, table } = state;
  if (line === "lost") return t("The connection is lost. Trying again …");
  if (position.fault) return t("The rules stopped the game: {reason}", { reason: position.fault.text });
  if (position.over) {
    const first = position.ranking?.[0];
    if (!first) return t("The game is over");
    const players = listed(first.map((seat) => (seat === table.seat ? t("you") : names[seat - 1])));
    const told =
      first.length > 1
        ? t("The game is over: {players} share the win", { players })
        : first[0] === table.seat
          ? t("The game is over: you win")
          : t("The game is over: {player} wins", { player: players });
    return position.tie ? t("{result} ({tie})", { result: told, tie: named(position.tie, names) }) : told;
  }
  if (decision && !sent) return t("Your turn");
  const who = row(position.deciding.map((seat) => names[seat - 1]));
  if (!who) return t("Wait a moment");
  if (who === t("you")) return t("you are thinking");
  return position.deciding.length > 1
    ? t("{players} are thinking", { players: who })
    : t("{player} is thinking", { player: who });
}

/** What a search expects after an option: of a player alone the score. */
const worth = ({ share, score }) =>
  score === undefined
    ? t("{share} % of the win", { share: Math.round(share * 100) })
    : t("score {score}", { score: score.toFixed(1) });
