/** Colours of words: a word has the same colour wherever it stands, and the words of one attribute have different ones. */

/** The palette of Okabe and Ito, which colour-blind people can tell apart, and lighter and darker ones of it. */
const PALETTE = [
  "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c", "#004c78", "#8a5f00", "#00634a", "#8a3f6a",
]; // prettier-ignore

/** Words that name a colour, or a thing that everybody paints in one. */
const KNOWN = {
  red: "#d0312d", hearts: "#c8102e", diamonds: "#c8102e", blue: "#0072b2", green: "#009e73", yellow: "#f0c800", orange: "#e69f00", purple: "#8a4fbf",
  violet: "#8a4fbf", pink: "#e58bb5", brown: "#8a5a2b", black: "#222222", clubs: "#1c1c1c", spades: "#1c1c1c", white: "#f7f7f2", grey: "#8c8c8c",
  gray: "#8c8c8c", gold: "#d9a400", silver: "#b8c0c8", wheat: "#f2c530", forest: "#1f6b3a", lake: "#3f9fe0", water: "#3f9fe0", sea: "#2b7fc0",
  pasture: "#9ad15b", meadow: "#9ad15b", swamp: "#8f7f6a", mine: "#4a3f4f", mountain: "#77706c", desert: "#e8cf96", fire: "#d55e00", ice: "#bfe6f5",
}; // prettier-ignore

/** The colours of seats, from 1. */
const SEATS = ["#8c8c8c", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e6a800", "#6a4fa3", "#7a8b1c", "#3aa6a0"];

/** @param {number} seat */
export const seatColour = (seat) => (seat === 0 ? SEATS[0] : SEATS[((seat - 1) % (SEATS.length - 1)) + 1]);

/** @param {string} word */
function hash(word) {
  let sum = 2166136261;
  for (const letter of word) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619);
  return sum >>> 0;
}

/** The colours to choose from: the palette, then others that lie as far from each other as can be. @param {number} at */
const choice = (at) => PALETTE[at] ?? fromHue(((at - PALETTE.length) * 137.508 + 20) % 360, at % 2 === 0 ? 0.36 : 0.68);

/** A colour by its hue, in degrees, and its lightness. @param {number} hue @param {number} light */
function fromHue(hue, light) {
  const part = (/** @type {number} */ shift) => {
    const at = (shift + hue / 30) % 12;
    return light - 0.6 * Math.min(light, 1 - light) * Math.max(-1, Math.min(at - 3, 9 - at, 1));
  };
  return `#${[0, 8, 4].map((shift) => Math.round(255 * part(shift)).toString(16).padStart(2, "0")).join("")}`; // prettier-ignore
}

/**
 * The colour of each word of some attributes.
 * @param {Map<string, Set<string>>} attributes the words of each
 * @returns {Map<string, string>}
 */
export function wordColours(attributes) {
  const found = new Map();
  for (const word of [...attributes.values()].flatMap((words) => [...words])) {
    const seat = /^player (\d+)$/.exec(word);
    if (seat) found.set(word, seatColour(Number(seat[1])));
    else if (Object.hasOwn(KNOWN, word)) found.set(word, KNOWN[word]);
  }
  for (const [, words] of [...attributes].sort(([one], [two]) => (one < two ? -1 : 1))) {
    const taken = new Set([...words].map((word) => found.get(word)));
    for (const word of [...words].sort()) {
      if (found.has(word)) continue;
      let at = hash(word) % PALETTE.length;
      for (let tried = 0; tried < PALETTE.length && taken.has(choice(at)); tried++) at = (at + 1) % PALETTE.length;
      if (taken.has(choice(at))) for (at = PALETTE.length; taken.has(choice(at));) at++;
      taken.add(choice(at));
      found.set(word, choice(at));
    }
  }
  return found;
}

/** Black or white, whichever can be read on a colour. @param {string} colour */
export function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#111111" : "#ffffff";
}
