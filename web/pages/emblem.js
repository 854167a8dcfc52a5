/** A small picture of a game, from what it is made of. */
import { html } from "../vendor/preact-htm.js";
import { wordColours } from "../colours.js";

const HEARTS = "M0 7C-3 4-8 1-8-3-8-6-6-8-4-8-2-8-.6-7 0-5 .6-7 2-8 4-8 6-8 8-6 8-3 8 1 3 4 0 7Z";

/** Two colours of a game, by its name. */
function coloursOf(name) {
  const found = wordColours(new Map([["game", new Set([`${name} one`, `${name} two`])]]));
  return [...found.values()];
}

/** @param {{name: string, madeOf: any[]}} props */
export function Emblem({ name, madeOf }) {
  const [one, two] = coloursOf(name);
  const has = (form) => madeOf.some((part) => part.form === form);
  const suits = madeOf.some((part) => part.form === "cards" && part.attributes.includes("suit"));
  const draw = has("tiles")
    ? tiles
    : has("points")
      ? points
      : has("hexagons")
        ? hexagons
        : has("dice")
          ? dice
          : has("cards")
            ? cards
            : has("squares")
              ? squares
              : pits;
  return html`<svg class="emblem" viewBox="-50 -36 100 72" aria-hidden="true">
    <rect x="-200" y="-36" width="400" height="72" fill=${one} opacity="0.16" />
    ${draw(one, two, suits)}
  </svg>`;
}

const card = (turn, colour, inside) =>
  html`<g transform=${`rotate(${turn} 0 60) translate(0 -2)`}
    ><rect
      x="-14"
      y="-20"
      width="28"
      height="40"
      rx="4"
      fill="#fffdf8"
      stroke="#0005"
    />${inside ?? html`<rect x="-14" y="-8" width="28" height="10" fill=${colour} />`}</g
  >`;

const cards = (one, two, suits) => [
  card(-20, two, suits ? html`<path d=${HEARTS} fill="#c4142c" />` : null),
  card(0, one, suits ? html`<path d=${HEARTS} transform="rotate(180) scale(.95)" fill="#17171c" /><path d="M-1 4 -4 14H4L1 4Z" fill="#17171c" />` : null), // prettier-ignore
  card(20, two, suits ? html`<path d="M0-10 7 0 0 10-7 0Z" fill="#c4142c" />` : null),
];

const tiles = (one, two) =>
  html`<g transform="rotate(-8)"
    ><rect x="-34" y="-22" width="22" height="22" fill=${one} /><rect x="-12" y="-22" width="22" height="22" fill=${two} />
    <rect x="-12" y="0" width="22" height="22" fill=${one} /><rect x="10" y="0" width="22" height="22" fill="#e8cf96" />
    <path d="M-34-22H10V0H-34ZM-12 0H32V22H-12Z" fill="none" stroke="#2b241a" stroke-width="2"
  /></g>`;

const squares = (one, two) => [
  ...Array.from({ length: 24 }, (_, n) => {
    const [x, y] = [n % 6, Math.floor(n / 6)];
    return html`<rect x=${-36 + 12 * x} y=${-24 + 12 * y} width="12" height="12" fill=${(x + y) % 2 ? "#0003" : "#fff8"} />`;
  }),
  ...[[-30, -6, one], [-6, -18, two], [-18, 6, one], [18, -6, two], [6, 6, one], [30, 18, two]].map(([x, y, colour]) => html`<circle cx=${x} cy=${y} r="4.6" fill=${colour} stroke="#0006" />`), // prettier-ignore
];

const hexagons = (one, two) =>
  [[-30, -17], [-10, -17], [10, -17], [-20, 0], [0, 0], [20, 0], [-10, 17], [10, 17], [30, 17]].map(([x, y], n) => html`<path transform=${`translate(${x} ${y})`} d="M0-11 9.5-5.5V5.5L0 11-9.5 5.5V-5.5Z" fill=${n % 4 === 0 ? one : n % 4 === 2 ? two : "#fff8"} stroke="#0004" />`); // prettier-ignore

const points = (one, two) => [
  html`<path
    d="M-26-26H26V26H-26ZM-13-13H13V13H-13ZM0-26V-13M0 13V26M-26 0H-13M13 0H26"
    fill="none"
    stroke="#0007"
    stroke-width="2"
  />`,
  ...[[-26, -26, one], [0, -26, two], [26, 0, one], [-13, 13, two], [13, -13, one], [0, 26, two]].map(([x, y, colour]) => html`<circle cx=${x} cy=${y} r="6" fill=${colour} stroke="#0006" />`), // prettier-ignore
];

const dice = (one, two) => [
  html`<g transform="translate(-15 2) rotate(-12)"
    ><rect x="-15" y="-15" width="30" height="30" rx="6" fill=${one} />${[[-7, -7], [7, 7], [0, 0], [-7, 7], [7, -7]].map(([x, y]) => html`<circle cx=${x} cy=${y} r="3" fill="#fff" />`)}</g
  >`, // prettier-ignore
  html`<g transform="translate(19 -4) rotate(14)"
    ><rect x="-13" y="-13" width="26" height="26" rx="5" fill=${two} />${[[-6, -6], [6, 6], [0, 0]].map(([x, y]) => html`<circle cx=${x} cy=${y} r="2.6" fill="#fff" />`)}</g
  >`, // prettier-ignore
];

const pits = (one, two) =>
  [-30, -10, 10, 30].map(
    (x, n) =>
      html`<circle cx=${x} cy="-11" r="9" fill="#0002" /><circle cx=${x} cy="12" r="9" fill="#0002" />
        ${Array.from({ length: ((n * 2) % 5) + 1 }, (_, k) => html`<circle cx=${x - 4 + (k % 3) * 4} cy=${9 + Math.floor(k / 3) * 5} r="2.2" fill=${one} />`)}
        ${Array.from({ length: ((n * 3) % 4) + 1 }, (_, k) => html`<circle cx=${x - 4 + (k % 3) * 4} cy=${-14 + Math.floor(k / 3) * 5} r="2.2" fill=${two} />`)}`,
  );
