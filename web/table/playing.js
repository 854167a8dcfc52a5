/** Playing cards: suits, pips and court cards, drawn by us on a card of 70 to 100. */
import { html } from "../vendor/preact-htm.js";

/** The shape of each suit, in a square of 20 around its middle. */
const SUITS = {
  hearts: "M0 9.6C-3.4 5.4-9.4 2-9.4-3.7-9.4-7-7-9.2-4.4-9.2-2.4-9.2-.7-8 0-6 .7-8 2.4-9.2 4.4-9.2 7-9.2 9.4-7 9.4-3.7 9.4 2 3.4 5.4 0 9.6Z",
  diamonds: "M0-10C2-6.2 4.6-2.8 7.8 0 4.6 2.8 2 6.2 0 10-2 6.2-4.6 2.8-7.8 0-4.6-2.8-2-6.2 0-10Z",
  spades: "M0-9.8C3.4-5.6 9.4-2.4 9.4 2.6 9.4 5.4 7.4 7 5.1 7 3.5 7 2.1 6.2 1.3 4.9 1.4 7 2.1 8.6 3.6 9.8H-3.6C-2.1 8.6-1.4 7-1.3 4.9-2.1 6.2-3.5 7-5.1 7-7.4 7-9.4 5.4-9.4 2.6-9.4-2.4-3.4-5.6 0-9.8Z",
  clubs: "M0-9.8C2.6-9.8 4.5-7.9 4.5-5.4 4.5-4 3.8-2.7 2.7-1.9 3.4-2.3 4.2-2.5 5.1-2.5 7.6-2.5 9.5-.6 9.5 1.9 9.5 4.4 7.6 6.3 5.1 6.3 3.4 6.3 1.9 5.4 1.1 4 1.2 6.6 2 8.5 3.6 9.8H-3.6C-2 8.5-1.2 6.6-1.1 4-1.9 5.4-3.4 6.3-5.1 6.3-7.6 6.3-9.5 4.4-9.5 1.9-9.5-.6-7.6-2.5-5.1-2.5-4.2-2.5-3.4-2.3-2.7-1.9-3.8-2.7-4.5-4-4.5-5.4-4.5-7.9-2.6-9.8 0-9.8Z",
}; // prettier-ignore
const STAR = "M0-10 2.9-3.4 10-2.7 4.7 2.1 6.2 9.2 0 5.5-6.2 9.2-4.7 2.1-10-2.7-2.9-3.4Z";
const COURTS = { jack: "J", queen: "Q", king: "K" };
const SHORT = { ...COURTS, ace: "A", joker: "★" };
const NUMBERS = { two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10" };

/** Where the pips of a number lie: left, middle and right, from the top. */
const PIPS = {
  2: [[0, -1], [0, 1]], 3: [[0, -1], [0, 0], [0, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]], 5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]], 7: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  8: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
  9: [[-1, -1], [1, -1], [-1, -0.34], [1, -0.34], [0, 0], [-1, 0.34], [1, 0.34], [-1, 1], [1, 1]],
  10: [[-1, -1], [1, -1], [0, -0.67], [-1, -0.34], [1, -0.34], [-1, 0.34], [1, 0.34], [0, 0.67], [-1, 1], [1, 1]],
}; // prettier-ignore

/** Whether an attribute's words are suits, or ranks, of playing cards. @param {string[]} words */
export const areSuits = (words) =>
  words.some((word) => word in SUITS) && words.every((word) => word in SUITS || word === "joker");
/** @param {string[]} words */
export const areRanks = (words) => words.some((word) => word in SHORT && word !== "joker");

/** The shape of a suit for a place in a text. @param {{suit: string}} props */
export const SuitSign = ({ suit }) =>
  html`<svg class="suit-sign" viewBox="-11 -11 22 22" aria-hidden="true"><path d=${SUITS[suit]} fill="currentColor" /></svg>`;

/** @param {string} word */
export const isSuit = (word) => Object.hasOwn(SUITS, word);

/** A playing card. Small ones show rank and suit only. @param {{facts: Record<string, string>}} props */
export function PlayingCard({ facts }) {
  const { suit, rank } = facts;
  const shape = SUITS[suit] ?? (rank === "joker" || suit === "joker" ? STAR : null);
  const short = SHORT[rank] ?? NUMBERS[rank] ?? rank ?? "★";
  const sign = (x, y, size, turned = false) =>
    shape && html`<path d=${shape} transform=${`translate(${x} ${y}) scale(${size})${turned ? " rotate(180)" : ""}`} />`;
  const index = html`<text x="8" y="14.5" class="rank">${short}</text>${sign(8, 23, 0.46)}`;
  const pips = shape ? (PIPS[short] ?? (rank === "ace" || rank === "joker" ? [[0, 0]] : null)) : null;
  const large = rank === "ace" || rank === "joker";
  const hue = suit === "hearts" || suit === "diamonds" ? "red" : "black";
  return html`<svg aria-hidden="true" class=${`face playing ${hue}`} viewBox="0 0 70 100" fill="currentColor">
    <g class="index">${index}</g>
    <g class="index" transform="rotate(180 35 50)">${index}</g>
    <g class="full">
      ${
        rank in COURTS
          ? html`<${Court} rank=${rank} sign=${sign} />`
          : pips
            ? pips.map(([x, y]) => sign(35 + x * 11.5, 50 + y * 32, large ? 1.7 : 0.68, y > 0))
            : html`<text x="35" y="64" class="huge">${short}</text>`
      }
    </g>
    <g class="plain">
      ${shape ? html`${sign(41, 68, 2.2)}<text x="22" y="37" class="large">${short}</text>` : html`<text x="35" y="66" class="huge">${short}</text>`}
    </g>
  </svg>`;
}

/** A court card: the same half figure twice, in a frame. */
function Court({ rank, sign }) {
  const half = html`<${Figure} rank=${rank} />${sign(22.5, 21, 0.5)}`;
  return html`<rect x="15" y="11" width="40" height="78" rx="2" class="frame" />
    <g>${half}</g>
    <g transform="rotate(180 35 50)">${half}</g>
    <path d="M15.5 58 54.5 42" class="seam" />`;
}

/** The upper half of a jack, a queen or a king. */
function Figure({ rank }) {
  return html`<g class="figure">
    <path d="M17 57C17 45 25 41 35 41s18 4 18 9v.6L17 57Z" class="robe" />
    <path d="M30.5 41 35 55l4.5-14Z" class="collar" />
    <path d="M31 49h8l-1 5h-6Z" class="gold" />
    ${rank === "queen" && html`<path d="M26 33c0-9 4-13 9-13s9 4 9 13c0 5 2 7 3 9H23c1-2 3-4 3-9Z" class="hair" />`}
    ${rank === "jack" && html`<path d="M27.5 36c-1.5-9 2-14 7.5-14s9 5 7.5 14Z" class="hair" />`}
    <path d="M29 29c0-4 2.5-6 6-6s6 2 6 6c0 7-2.5 12-6 12s-6-5-6-12Z" class="skin" />
    ${rank === "king" && html`<path d="M28.6 31c.4 9 2.4 14 6.4 14s6-5 6.4-14c-1.4 4-3 5-6.4 5s-5-1-6.4-5Z" class="hair" />`}
    <path d="M32 30.5h1.4M36.6 30.5H38M34 36.5h2" class="line" />
    ${rank === "king" && html`<path d="M27 24 25.5 15l4.7 3.8L35 12.5l4.8 6.3 4.7-3.8L43 24Z" class="gold" /><path d="M35 12.5V9.5M33.5 11h3" class="line" />`}
    ${rank === "queen" && html`<path d="M28 23.5 27 17.5l4 2.5 4-4.5 4 4.5 4-2.5-1 6Z" class="gold" /><circle cx="35" cy="14.5" r="1.5" class="gold" />`}
    ${rank === "jack" && html`<path d="M26.5 25c1-6 5-8 9.5-8 5 0 8 3 7.5 8Z" class="robe" /><path d="M42 19c5-1 7-4 7.5-7.5-5 .5-8 3-8.5 6.5Z" class="gold" />`}
  </g>`;
}
