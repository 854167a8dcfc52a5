/** The words of the page in the reader's language: its sentences, and names of the game at the table. */
import { ask } from "./server.js";

/** @typedef {{language: string, plurals: number[], sentences: Record<string, string | string[]>}} Catalogue */
const ENGLISH = /** @type {Catalogue} */ ({ language: "en", plurals: [], sentences: {} });

let catalogue = ENGLISH;
/** @type {Record<string, Record<string, string>>} */
let names = {};

/** The code of the language in which the page speaks. */
export const language = () => catalogue.language;

/** Whether the page's own sentences are English. */
export const inEnglish = () => Object.keys(catalogue.sentences).length === 0;

/** The language that the page begins with, if it is not the browser's. */
let first = "";

/** Begin with a language where the address does not name one. @param {string} code */
export const beginWith = (code) => (first = code);

/** The language that the reader asks for: in the address, else that of the page, else as the browser is set. */
export const wanted = () => new URLSearchParams(location.search).get("lang") || first || navigator.language.split("-")[0];

/** Speak a language that the reader chooses; the address names it from now on. @param {string} code */
export async function choose(code) {
  const { pathname, hash } = location;
  history.replaceState(null, "", `${pathname}?lang=${encodeURIComponent(code)}${hash}`);
  await speak(code);
}

/** What a language is called in itself. @param {string} code */
export function nameOf(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Whether the address says the language, whatever a table speaks. */
export const isFixed = () => new URLSearchParams(location.search).has("lang");

/** Speak a language from now on; English where there are no words for it. @param {string} code */
export async function speak(code) {
  if (code === catalogue.language) return;
  take(code === "en" ? ENGLISH : await ask(`/api/words/${encodeURIComponent(code)}`).catch(() => ENGLISH));
}

/** Speak the words of a catalogue from now on. @param {Catalogue} words */
export function take(words) {
  catalogue = words;
  document.documentElement.lang = inEnglish() ? "en" : words.language;
}

/** Learn the names of a game in its table's language, by role. @param {Record<string, Record<string, string>> | undefined} said */
export const learn = (said) => (names = said ?? {});

/** @param {string} text @param {Record<string, unknown>} places */
const filled = (text, places) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in places ? String(places[name]) : whole));

/** A sentence with its places filled in. @param {string} sentence @param {Record<string, unknown>} [places] */
export function t(sentence, places = {}) {
  const found = catalogue.sentences[sentence];
  return filled(typeof found === "string" ? found : sentence, places);
}

/** Why something was refused, and what to do instead. @param {{text: string, help?: string, sentence?: string, places?: Record<string, string>}} error */
export const refusal = ({ text, help, sentence, places }) =>
  [t(sentence ?? text, places), help && t(help)].filter(Boolean).join(". ");

/** A sentence that depends on a number, which stands in its place `number`.
 * @param {string} one @param {string} many @param {number} number @param {Record<string, unknown>} [places] */
export function tn(one, many, number, places = {}) {
  const forms = catalogue.sentences[one];
  const { plurals } = catalogue;
  const form = Array.isArray(forms) ? forms[plurals[number] ?? plurals[100 + (number % 100)] ?? 0] : number === 1 ? one : many;
  return filled(form, { number, ...places });
}

/** A name of the rules as players say it. @param {string} role @param {unknown} name */
export const said = (role, name) => {
  const known = names[role];
  return known && Object.hasOwn(known, String(name)) ? known[String(name)] : String(name).replaceAll("_", " ");
};

/** One component of a kind: with an article in English. @param {string} kind */
export const one = (kind) => (language() === "en" ? `a ${kind}` : said("kind", kind));

/** Things side by side. @param {string[]} things */
export const row = (things) => things.join(t("{first}, {next}", { first: "", next: "" }));

/** The last of some things joined by "and". @param {string[]} things */
export const listed = (things) =>
  things.length < 2 ? row(things) : t("{first} and {last}", { first: row(things.slice(0, -1)), last: things[things.length - 1] });
