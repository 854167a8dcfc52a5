/** The table: draws what the session says, and turns clicks into acts. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { Acts } from "../table/acts.js";
import { cellKey, choicesOf, nextOf, pick } from "../table/choosing.js";
import { Film } from "../table/film.js";
import { Menu } from "../table/menu.js";
import { useMoves } from "../table/moving.js";
import { useSession } from "../table/session.js";
import { Hands } from "../table/spot.js";
import { Log, Scores, named } from "../table/telling.js";
import { stylesOf } from "../table/thing.js";
import { Values, divide } from "../table/values.js";
import { Spot } from "../table/spot.js";
import { Zone, isBox, zoneKey } from "../table/zone.js";

const NOBODY = { legal: new Set(), refused: new Map(), verbs: [] };

export function Table({ token }) {
  const { state, line, say, clear } = useSession(token);
  const { table, position, film } = state;
  const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
  const [verb, setVerb] = useState(/** @type {string | null} */ (null));
  const [trail, setTrail] = useState(/** @type {string[]} */ ([]));
  const [tip, setTip] = useState(/** @type {any} */ (null));
  const [sent, setSent] = useState(0);
  const root = useRef(null);
  const decision = film ? null : position?.decision;
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
    setSent(0);
  }, [position?.number, position?.again]);
  useEffect(() => {
    const key = (event) => event.key === "Escape" && back();
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const styles = useMemo(() => (table ? stylesOf(table) : new Map()), [table]);
  const choices = useMemo(() => choicesOf(decision, position?.view), [decision]);
  const next = useMemo(() => (sent || !decision ? NOBODY : nextOf(choices, picked, verb)), [choices, picked, verb, sent]);
  const view = (film ?? position)?.view;
  useMoves(root, film ?? position, film ? film.moves : state.moves);
  useEffect(() => {
    if (!table?.library) return;
    const look = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/looks/${table.library}/look.css` });
    document.head.append(look);
    return () => look.remove();
  }, [table?.library]);
  useEffect(() => {
    if (!table) return;
    document.title = `${decision ? "● " : ""}${table.titles.en ?? table.title}`;
  }, [table, decision]);

  if (line === "refused")
    return html`<main class="page">
      <h1>There is no such table</h1>
      <p>The link is wrong, or the table is gone.</p>
      <a href="#">Choose a game</a>
    </main>`;
  if (!table || !position)
    return html`<main class="page">
      <p role="status">${line === "lost" ? "The server cannot be reached. Trying again …" : "The table is being laid …"}</p>
    </main>`;

  const names = table.players.map((player, index) => nameOf(state.people.names[index] ?? player.name, player, table, index));
  const seat = table.seat;
  const hinted = new Set();
  const best =
    state.hint && state.hint.position === position.number
      ? [...state.hint.options].sort((one, two) => two.share - one.share)[0]
      : null;
  if (best) {
    const choice = choices.find(({ option }) => option.number === best.number);
    hinted.add(`option:${best.number}`);
    choice?.path[picked.length]?.keys.forEach((key) => hinted.add(key));
  }

  const take = (option) => {
    if (!option.legal) return why(option, null);
    setTip(null);
    setSent(position.number);
    say({ type: "act", position: position.number, option: option.number });
  };
  const why = (option, at) => {
    if (!option) return setTip(null);
    if (!option.why && !state.reasons[option.number]) say({ type: "why", position: position.number, option: option.number });
    setTip({ option, at: at?.getBoundingClientRect() ?? null });
  };
  const choose = (keys, label) => {
    const found = pick(choices, picked, verb, keys);
    if (found.act) take(found.act);
    else if (found.refused) why(found.refused, null);
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
        .find((thing) => thing.parts?.length > 1 && decision.about.endsWith(thing.name))
    : null;
  const ghost = laid && { parts: laid.parts, style: styles.get(laid.kind) };
  const nameStep = (step) => (step.type === "player" ? names[Number(step.keys[0].slice(7)) - 1] : step.text.replaceAll("_", " "));
  const hand = { next, picked, hinted, choose, why, take, trail: trail.join(" → "), nameOf: nameStep, ghost };

  const all = view.zones.flatMap((zone) => zone.components);
  const { shared, seats, badges } = divide(view.values, all);
  const drawn = view.zones.filter((zone) => !isBox(zone) || zone.components.some((thing) => next.legal.has(`id:${thing.id}`)));
  const onTable = new Set(
    drawn.filter((zone) => zone.shape !== "pile").flatMap((zone) => zone.components.map((thing) => `id:${thing.id}`)),
  );
  for (const zone of drawn) {
    const about = table.zones.find(({ name }) => zone.zone === name || zone.zone.startsWith(`${name} `));
    for (const place of about?.grid?.places ?? []) onTable.add(cellKey(zone, place.cell));
  }
  const deciding = (film ?? position).deciding;
  const show = (zone) =>
    html`<${Zone}
      key=${zoneKey(zone)}
      zone=${zone}
      table=${table}
      styles=${styles}
      badges=${badges}
      mine=${zone.owner === seat}
    />`;
  const panel = (player) => {
    const zones = drawn.filter((zone) => zone.owner === player.seat);
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
        ${deciding.includes(player.seat) && html`<small class="turn">${player.seat === seat ? "your turn" : "thinking"}</small>`}
        ${player.kind === "person" && player.seat !== seat && !state.people.present.includes(player.seat) && !table.replay && html`<small>away</small>`}
        ${(film ?? position).scores && html`<small class="sum">${(film ?? position).scores.sums[player.seat - 1] ?? ""}</small>`}
      </h2>
      <div class="zones">${zones.map(show)}</div>
      <${Values} values=${seats.get(player.seat) ?? []} names=${names} owner=${player.seat} seat=${seat} />
    </section>`;
  };
  const others = table.players.filter((player) => player.seat !== seat);
  const me = table.players.find((player) => player.seat === seat);
  const reason = tip && { ...tip.option, ...(state.reasons[tip.option.number] ?? {}) };
  const middle = drawn.filter((zone) => zone.owner === 0);

  return html`<${Hands.Provider} value=${hand}>
    <div
      class="at-table"
      data-game=${table.game}
      data-turn=${decision && !sent ? "mine" : "other"}
      data-position=${position.number}
      data-over=${position.over ? "yes" : "no"}
    >
      <header>
        <h1>${table.titles.en ?? table.title}</h1>
        <p class="status" role="status">${statusOf(state, line, decision, names, sent)}</p>
        <${Menu} state=${state} token=${token} say=${say} clear=${clear} names=${names} />
      </header>
      <main ref=${root}>
        <div class="others">${others.map(panel)}</div>
        <section class="middle" aria-label="Table">
          <div class="zones">${middle.map(show)}</div>
          <${Values} values=${shared} names=${names} owner=${0} seat=${seat} />
        </section>
        ${me && panel(me)}
      </main>
      <div class="foot">
        ${state.trouble && html`<p class="trouble" role="alert">${state.trouble}</p>`}
        ${decision && !sent && html`<${Acts} onTable=${onTable} about=${named(decision.about, names)} back=${back} verb=${verb} setVerb=${setVerb} />`}
        ${best && html`<p class="hint" role="status">Hint: ${choices.find(({ option }) => option.number === best.number)?.option.text} (${Math.round(best.share * 100)} %)</p>`}
        <${Film} state=${state} token=${token} say=${say} clear=${clear} names=${names} />
      </div>
      <aside>
        <${Scores} scores=${(film ?? position).scores} names=${names} />
        <${Log} lines=${state.log} names=${names} />
      </aside>
      <div class="why" role="status" hidden=${!reason} style=${tipPlace(tip?.at)}>
        ${reason && html`<b>${named(reason.text ?? "", names).replaceAll("_", " ")}</b> ${named(reason.reason ?? reason.why ?? "…", names)}${reason.line ? html` <small>${reason.file}:${reason.line}</small>` : ""}`}
      </div>
    </div>
  <//>`;
}

/** How somebody is called: themselves, or with a number where several have one name. */
function nameOf(name, player, table, index) {
  if (player.seat === table.seat && name === `player ${player.seat}`) return "you";
  const same = table.players.filter((other) => other.name === player.name).length;
  return same > 1 && player.kind === "bot" ? `${name} ${index + 1}` : name;
}

function statusOf(state, line, decision, names, sent) {
  const { position } = state;
  if (line === "lost") return "The connection is lost. Trying again …";
  if (position.fault) return `The rules stopped the game: ${position.fault.text}`;
  if (position.over) {
    const [first] = position.ranking ?? [];
    return first
      ? `The game is over: ${first.map((seat) => names[seat - 1]).join(" and ")} ${first.length > 1 ? "share the win" : first[0] && names[first[0] - 1] === "you" ? "win" : "wins"}`
      : "The game is over";
  }
  if (decision && !sent) return "Your turn";
  const who = position.deciding.map((seat) => names[seat - 1]).join(", ");
  return who ? `${who} ${position.deciding.length > 1 || who === "you" ? "are" : "is"} thinking` : "Wait a moment";
}

function tipPlace(at) {
  if (!at) return { left: "50%", top: "auto", bottom: "1rem", transform: "translateX(-50%)" };
  const left = Math.max(8, Math.min(at.left, innerWidth - 300));
  const under = at.bottom + 90 < innerHeight;
  return {
    left: `${left}px`,
    top: under ? `${at.bottom + 6}px` : "auto",
    bottom: under ? "auto" : `${innerHeight - at.top + 6}px`,
    transform: "none",
  };
}
