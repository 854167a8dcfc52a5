/** Colours of words: the same word has the same colour everywhere, and the words of one attribute have different ones. */

/** The palette of Okabe and Ito, which colour-blind people can tell apart, and lighter and darker ones of it. */
const PALETTE = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#f0e442",
  "#8c8c8c",
  "#004c78",
  "#8a5f00",
  "#00634a",
  "#8a3f6a",
];

/** Words that name a colour, or a thing that everybody paints in one. */
const KNOWN = {
  red: "#d0312d", hearts: "#c8102e", diamonds: "#c8102e", blue: "#0072b2", green: "#009e73", yellow: "#f0c800", orange: "#e69f00", purple: "#8a4fbf",
  violet: "#8a4fbf", pink: "#e58bb5", brown: "#8a5a2b", black: "#222222", clubs: "#1c1c1c", spades: "#1c1c1c", white: "#f7f7f2", grey: "#8c8c8c",
  gray: "#8c8c8c", gold: "#d9a400", silver: "#b8c0c8", wheat: "#f2c530", forest: "#1f6b3a", lake: "#3f9fe0", water: "#3f9fe0", sea: "#2b7fc0",
  pasture: "#9ad15b", meadow: "#9ad15b", swamp: "#8f7f6a", mine: "#4a3f4f", mountain: "#77706c", desert: "#e8cf96", fire: "#d55e00", ice: "#bfe6f5",
}; // prettier-ignore

/** The colours of seats, from 1. */
const SEATS = ["#8c8c8c", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e6a800", "#6a4fa3"];

/** @param {number} seat */
export const seatColour = (seat) => SEATS[seat % SEATS.length];

/** @param {string} word */
function hash(word) {
  let sum = 2166136261;
  for (const letter of word) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619);
  return sum >>> 0;
}

/** The colours of the words of one attribute. @param {string[]} words @returns {Map<string, string>} */
export function wordColours(words) {
  const found = new Map();
  const taken = new Set();
  for (const word of words) {
    const seat = /^player (\d+)$/.exec(word);
    if (seat) found.set(word, seatColour(Number(seat[1])));
    else if (Object.hasOwn(KNOWN, word)) found.set(word, KNOWN[word]);
  }
  for (const word of [...words].sort()) {
    if (found.has(word)) continue;
    let at = hash(word) % PALETTE.length;
    for (let tried = 0; tried < PALETTE.length && taken.has(at); tried++) at = (at + 1) % PALETTE.length;
    taken.add(at);
    found.set(word, PALETTE[at]);
  }
  return found;
}

/** Black or white, whichever can be read on a colour. @param {string} colour */
export function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#111111" : "#ffffff";
}
