/** A component as it looks: a card, a tile with halves, a piece, a die. */
import { html } from "../vendor/preact-htm.js";
import { inkOn, seatColour, wordColours } from "../colours.js";

/** Signs of words that have a usual one. */
const SIGNS = {
  clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", crown: "♛", crowns: "♛", king: "♚", queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟",
  castle: "♜", sun: "☀", moon: "☾", star: "★", stars: "★", gem: "◆", gems: "◆", gold: "●", coin: "●", coins: "●",
}; // prettier-ignore
const SHORT = { jack: "J", queen: "Q", king: "K", ace: "A", joker: "★" };
const PIPS = ["", "4", "28", "048", "0268", "02468", "023568"]; // places of a die's pips, counted by rows

/** What a table's kinds say of drawing: which form, and the colours of each attribute's words. */
export function stylesOf(table) {
  const styles = new Map();
  for (const kind of table.kinds) {
    const colours = new Map(kind.attributes.filter((one) => !one.numbers).map(({ name, values }) => [name, wordColours(values)]));
    styles.set(kind.kind, { form: formOf(kind), colours, attributes: kind.attributes });
  }
  // A word has the same colour in all kinds and on the halves of tiles.
  return styles;
}

function formOf(kind) {
  const names = kind.attributes.map((attribute) => attribute.name);
  if (kind.parts.length > 1) return "tile";
  if (/^(die|dice)$/.test(kind.kind) || (names.length === 1 && names[0] === "face" && kind.attributes[0].numbers)) return "die";
  if (kind.owned || names.length === 0) return "piece";
  if (names.includes("suit") && names.includes("rank")) return "playing-card";
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
const plain = (word) => String(word).replaceAll("_", " ");

/** The face of a component, without its frame. */
export function Face({ thing, style }) {
  if (!thing.facts && !thing.id) return html`<span class="back" aria-hidden="true"></span>`;
  if (style?.form === "tile") return html`<${Tile} thing=${thing} style=${style} />`;
  if (style?.form === "die") return html`<${Die} face=${Number(Object.values(thing.facts)[0])} />`;
  if (style?.form === "piece") return html`<${Piece} thing=${thing} style=${style} />`;
  if (style?.form === "playing-card") return html`<${PlayingCard} facts=${thing.facts} />`;
  return html`<${Card} thing=${thing} style=${style} />`;
}

function PlayingCard({ facts }) {
  const { suit, rank } = facts;
  const sign = own(SIGNS, suit) ?? plain(suit ?? "");
  const short = own(SHORT, rank) ?? rank ?? "";
  const red = suit === "hearts" || suit === "diamonds";
  return html`<span aria-hidden="true" class=${`face playing ${red ? "red" : "black"}`}
    ><span class="corner"><b>${short}</b><i>${sign}</i></span
    ><span class="sign">${suit ? sign : "★"}</span></span
  >`;
}

/** A card of any kind: its first number in the corner, its first word as a band of colour, the others as lines. */
function Card({ thing, style }) {
  const facts = Object.entries(thing.facts ?? {});
  const number = facts.find(([name]) => style?.attributes.find((one) => one.name === name)?.numbers);
  const words = facts.filter(([name]) => name !== number?.[0] && style?.colours.has(name));
  // The band tells most: the attribute with the most words that has no more of them than there are colours.
  const band = words.find(([name]) => style.colours.get(name).size > 3) ?? words[0];
  const colour = band ? (style.colours.get(band[0]).get(band[1]) ?? "#8c8c8c") : "#8c8c8c";
  const rest = words.filter((word) => word !== band);
  return html`<span aria-hidden="true" class="face card" style=${{ "--band": colour, "--ink": inkOn(colour) }}>
    <span class="top"><b>${number?.[1] ?? ""}</b><i>${band ? (own(SIGNS, band[1]) ?? "") : ""}</i></span>
    <span class="band">${band ? plain(band[1]) : facts.length === 0 ? plain(thing.name) : number ? "" : plain(facts[0][1])}</span>
    ${rest.slice(-2).map(([name, value]) => html`<span class="more" style=${{ "--dot": style.colours.get(name).get(value) ?? "#8c8c8c" }}>${plain(value)}</span>`)}
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
  const colours =
    word && [...(style?.colours.entries() ?? [])].find(([name]) => name === word[0] || name.startsWith(`${word[0]}_`))?.[1];
  const colour = (word && colours?.get(word[1])) ?? "#b9b3a5";
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
    : (own(SIGNS, thing.kind) ?? (seat ? "" : plain(thing.kind).slice(0, 2)));
  return html`<span
    aria-hidden="true"
    class="face piece"
    data-seat=${seat || undefined}
    style=${{ "--band": colour, "--ink": inkOn(colour) }}
    >${label}</span
  >`;
}

function Die({ face }) {
  if (!PIPS[face]) return html`<span aria-hidden="true" class="face die">${face}</span>`;
  return html`<span aria-hidden="true" class="face die"
    >${[...PIPS[face]].map((at) => html`<i style=${{ gridColumn: (Number(at) % 3) + 1, gridRow: Math.floor(Number(at) / 3) + 1 }}></i>`)}</span
  >`;
}
