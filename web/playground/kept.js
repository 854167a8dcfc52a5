/** What this browser keeps between visits: rules that the person has written, and how far they are in the tour. */
import { checked } from "./links.js";
import { titleOf } from "./files.js";

const WORKS = "rulesrun playground works";
const TOUR = "rulesrun playground tour";
const MOST_WORKS = 20;

/** @typedef {import("./files.js").Project & {id: string, title: string, changed: number}} Work */

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Whether there was room for it. */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** All works, the last one that was changed first. @returns {Work[]} */
export function works() {
  const found = read(WORKS, []);
  if (!Array.isArray(found)) return [];
  return found.flatMap((one) => {
    try {
      return [{ ...checked(one), id: String(one.id), title: String(one.title), changed: Number(one.changed) }];
    } catch {
      return [];
    }
  });
}

/** Keep a work; the oldest ones go when there are too many, or when there is no room. @param {string} id */
export function keep(id, project) {
  const others = works().filter((one) => one.id !== id);
  const work = { ...project, id, title: titleOf(project), changed: Date.now() };
  for (let room = MOST_WORKS - 1; room >= 0; room = room > others.length ? others.length - 1 : room - 1) {
    if (write(WORKS, [work, ...others.slice(0, room)])) return true;
  }
  return false;
}

/** Keep which file of a work is shown. It is no change of the rules, which another tab may be writing. @param {string} id */
export function keepShown(id, /** @type {string} */ open) {
  const known = works();
  if (known.some((one) => one.id === id && open in one.files))
    write(
      WORKS,
      known.map((one) => (one.id === id ? { ...one, open } : one)),
    );
}

export const forget = (/** @type {string} */ id) =>
  write(
    WORKS,
    works().filter((one) => one.id !== id),
  );

export const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");

/** How far the person is in the tour. @returns {{at: number, solved: Record<string, boolean>, texts: Record<string, string>}} */
export function tour() {
  const found = read(TOUR, {});
  return { at: Number(found.at) || 1, solved: { ...found.solved }, texts: { ...found.texts } };
}

export const keepTour = (/** @type {object} */ change) => write(TOUR, { ...tour(), ...change });
