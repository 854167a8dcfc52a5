/** A component as it looks: a card, a tile with halves, a piece, a die. */
import { html } from "../vendor/preact-htm.js";
import { inkOn, seatColour, wordColours } from "../colours.js";
import { said } from "../words.js";
import { PlayingCard, areRanks, areSuits } from "./playing.js";

/** Signs of words that have a usual one. */
const SIGNS = {
  crown: "♛", crowns: "♛", king: "♚", queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟", castle: "♜", sun: "☀", moon: "☾", star: "★",
  stars: "★", gem: "◆", gems: "◆", gold: "●", coin: "●", coins: "●",
}; // prettier-ignore
const PIPS = ["", "4", "28", "048", "0268", "02468", "023568"]; // places of a die's pips, counted by rows

/**
 * What a table's kinds say of drawing: the form of each, and the colours of all words.
 * @returns {Map<string, {form: string, colours: Map<string, string>, attributes: any[], parts: any[]}>}
 */
export function stylesOf(table) {
  /** @type {Map<string, Set<string>>} */
  const words = new Map();
  for (const kind of table.kinds)
    for (const { name, values, numbers } of kind.attributes) {
      if (numbers) continue;
      const whole = kind.part_attributes.find((part) => name.startsWith(`${part}_`)) ?? name;
      words.set(whole, new Set([...(words.get(whole) ?? []), ...values]));
    }
  const colours = wordColours(words);
  return new Map(
    table.kinds.map((kind) => [kind.kind, { form: formOf(kind), colours, attributes: kind.attributes, parts: kind.parts }]),
  );
}

function formOf(kind) {
  const names = kind.attributes.map((attribute) => attribute.name);
  const words = (name) => kind.attributes.find((attribute) => attribute.name === name && !attribute.numbers)?.values ?? [];
  if (kind.parts.length > 1) return "tile";
  if (/^(die|dice)$/.test(kind.kind) || (names.length === 1 && names[0] === "face" && kind.attributes[0].numbers)) return "die";
  if (kind.owned || names.length === 0) return "piece";
  if (areSuits(words("suit")) || (areRanks(words("rank")) && names.every((name) => name === "rank" || name === "suit")))
    return "playing-card";
  return "card";
}

/** Attributes of an element that say the facts of a component, for looks. */
export function factsOf(ref) {
  const found = { "data-kind": ref.kind };
  for (const [name, value] of Object.entries(ref.facts ?? {}))
    found[name === "kind" ? "data-its-kind" : `data-${name.toLowerCase().replace(/[^a-z0-9_-]/g, "-")}`] = value;
  return found;
}

const own = (record, word) => (Object.hasOwn(record, word) ? record[word] : undefined);
const ROOM = 7.5; // letters for which a card has room in a line

/** How much smaller a text is written so that its longest word stays whole. */
const fitOf = (text) => Math.max(0.5, Math.min(1, ROOM / Math.max(...text.split(" ").map((word) => word.length))));
const plain = (word) => said("word", word);

/** The face of a component, without its frame. */
export function Face({ thing, style }) {
  if (!thing.facts && !thing.id) return html`<${Back} style=${style} />`;
  if (style?.form === "tile") return html`<${Tile} thing=${thing} style=${style} />`;
  if (style?.form === "die") return html`<${Die} face=${Object.values(thing.facts)[0]} style=${style} />`;
  if (style?.form === "piece") return html`<${Piece} thing=${thing} style=${style} />`;
  if (style?.form === "playing-card") return html`<${PlayingCard} facts=${thing.facts} />`;
  return html`<${Card} thing=${thing} style=${style} />`;
}

/** The back of what is face down, in the form of what it is. */
function Back({ style }) {
  const form = style?.form === "tile" || style?.form === "die" || style?.form === "piece" ? style.form : "card";
  const across = (axis) => {
    const all = (style?.parts ?? []).map((part) => part[axis]);
    return all.length > 0 ? Math.max(...all) - Math.min(...all) + 1 : 1;
  };
  const size = form === "tile" ? { "--across": across("x"), "--down": across("y") } : {};
  return html`<span class=${`back of-${form}`} aria-hidden="true" style=${size}></span>`;
}

/** A card of any kind: its number in the corner, the word that tells most as a band of colour, the others as lines. */
function Card({ thing, style }) {
  const facts = Object.entries(thing.facts ?? {});
  const about = (name) => style?.attributes.find((one) => one.name === name);
  const numbers = facts.filter(([name]) => about(name)?.numbers);
  const number = numbers.find(([name]) => /^(rank|value|points|worth|number)$/.test(name)) ?? numbers[0];
  const words = facts.filter(([name]) => about(name) && !about(name).numbers);
  // The band tells most: the first attribute with more than three words.
  const band = words.find(([name]) => about(name).values.length > 3) ?? words[0];
  const colour = (word) => style?.colours.get(word) ?? "#8c8c8c";
  const sign = band && own(SIGNS, band[1]);
  const main = band ? plain(band[1]) : number ? "" : facts[0] ? plain(facts[0][1]) : (thing.label ?? plain(thing.name));
  const rest = [...words.filter((word) => word !== band), ...numbers.filter((one) => one !== number)];
  return html`<span
    aria-hidden="true"
    class=${`face card ${main ? "" : "bare"}`}
    style=${{ "--band": band ? colour(band[1]) : "#7d8790", "--ink": inkOn(band ? colour(band[1]) : "#7d8790") }}
  >
    <span class="top"><b>${number?.[1] ?? ""}</b><i>${sign ?? ""}</i></span>
    <span class="band" style=${{ "--fit": fitOf(main) }}>${main}</span>
    <span class="rest"
      >${rest.slice(-3).map(([name, value]) => {
        const text = about(name)?.numbers ? `${said("attribute", name)} ${value}` : plain(value);
        return html`<span class="more" style=${{ "--dot": colour(value), "--fit": fitOf(text) }}>${text}</span>`;
      })}</span
    >
  </span>`;
}

function Tile({ thing, style }) {
  const parts = thing.parts ?? [];
  const left = Math.min(...parts.map((part) => part.x));
  const top = Math.max(...parts.map((part) => part.y));
  return html`<span aria-hidden="true" class="face tile">
    ${parts.map((part) => html`<span class="part" style=${{ gridColumn: part.x - left + 1, gridRow: top - part.y + 1 }}><${Part} facts=${part.facts} style=${style} /></span>`)}
  </span>`;
}

/** One half of a domino, or one cell of a tile. */
export function Part({ facts, style }) {
  const entries = Object.entries(facts);
  const word = entries.find(([, value]) => !/^\d+$/.test(value));
  const colour = (word && style?.colours.get(word[1])) ?? "#b9b3a5";
  const numbers = entries.filter((entry) => entry !== word);
  const data = Object.fromEntries(entries.map(([name, value]) => [`data-${name}`, value]));
  return html`<span aria-hidden="true" class="half" ...${data} style=${{ "--band": colour, "--ink": inkOn(colour) }}>
    ${word && html`<small>${plain(word[1])}</small>`}
    ${numbers.map(([name, value]) => {
      const sign = own(SIGNS, name);
      if (word && value === "0") return null;
      return html`<b>${sign && Number(value) <= 4 ? sign.repeat(Number(value)) : value}</b>`;
    })}
  </span>`;
}

function Piece({ thing, style }) {
  const facts = Object.entries(thing.facts ?? {});
  const owner = facts.find(([name]) => name === "owner");
  const seat = owner && Number(/\d+/.exec(owner[1])?.[0] ?? 0);
  const other =
    facts.find(([name, value]) => name !== "owner" && style?.attributes.find((one) => one.name === name)?.values[0] !== value) ??
    (seat ? undefined : facts[0]);
  const colour = seat ? seatColour(seat) : "#d8cfb8";
  const label = other
    ? (own(SIGNS, other[1]) ?? plain(other[1]).slice(0, 2))
    : (own(SIGNS, thing.kind) ?? (seat ? "" : said("kind", thing.kind).slice(0, 2)));
  return html`<span
    aria-hidden="true"
    class="face piece"
    data-seat=${seat || undefined}
    style=${{ "--band": colour, "--ink": inkOn(colour) }}
    >${label}</span
  >`;
}

function Die({ face, style }) {
  const pips = PIPS[face];
  const sign = own(SIGNS, face) ?? plain(face);
  const colour = style?.colours.get(face);
  if (!pips)
    return html`<span aria-hidden="true" class="face die" style=${colour ? { "--band": colour, "--ink": inkOn(colour) } : {}}
      ><b>${sign}</b></span
    >`;
  return html`<span aria-hidden="true" class="face die"
    >${[...pips].map((at) => html`<i style=${{ gridColumn: (Number(at) % 3) + 1, gridRow: Math.floor(Number(at) / 3) + 1 }}></i>`)}</span
  >`;
}
