/** The files that a game is made of: what they may be called, and what can be done with them. */

/** @typedef {{files: Record<string, string>, open: string}} Project the texts by name, and which of them is shown */

export const MOST_FILES = 50;
export const MOST_BYTES = 1_000_000; // of all texts together
const MOST_LETTERS = 80; // of a name

/** Why a file cannot be called so; "" if it can. @param {unknown} name */
export function wrongName(name) {
  if (typeof name !== "string" || name === "") return "A file needs a name.";
  if (name.length > MOST_LETTERS) return `A name has at most ${MOST_LETTERS} letters.`;
  if (/[/\\]/.test(name)) return "A name cannot hold / or \\: all files lie in one folder.";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"<>:|?*]/u.test(name))
    return 'A name cannot hold control characters or any of " < > : | ? *';
  if (!/^[^.\s].*\.(rules|csv|look\.css)$/.test(name))
    return "A name ends in .rules, .csv or .look.css, and does not begin with a dot.";
  return "";
}

export const isPack = (/** @type {string} */ name) => name.endsWith(".rulespack");
export const isRules = (/** @type {string} */ name) => name.endsWith(".rules");

/** The files in an order for people: rules first. @param {Record<string, string>} files */
export const inOrder = (files) =>
  Object.keys(files).sort((one, two) => Number(isRules(two)) - Number(isRules(one)) || (one < two ? -1 : 1));

/** A name like this one that is free. @param {string} name @param {Record<string, string>} files */
export function freeName(name, files) {
  const dot = name.lastIndexOf(".");
  let found = name;
  for (let number = 2; Object.hasOwn(files, found); number++) found = `${name.slice(0, dot)}_${number}${name.slice(dot)}`;
  return found;
}

/** The files after one was renamed: other files that name it name it by its new name. @param {Project} project */
export function renamed({ files, open }, from, to) {
  const found = /** @type {Record<string, string>} */ ({});
  for (const [name, text] of Object.entries(files))
    found[name === from ? to : name] = text.replaceAll(`"${from}"`, () => `"${to}"`);
  return { files: found, open: open === from ? to : open };
}

/** What a game is called in its rules. @param {Project} project */
export function titleOf({ files, open }) {
  const rules = isRules(open) ? files[open] : (files[inOrder(files)[0]] ?? "");
  return (
    /^\s+title\s+(?:en\s+)?"([^"\n]+)"/m.exec(rules)?.[1] ?? /^game\s+([\w-]+)/m.exec(rules)?.[1]?.replaceAll("_", " ") ?? open
  );
}

/** Hand a text to the person as a file. @param {string} name @param {string} text */
export const download = (name, text) => save(name, new Blob([text], { type: "text/plain;charset=utf-8" }));

/** @param {string} name @param {Blob} content */
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A game of which nothing is written yet. */
export const EMPTY = { files: { "game.rules": "" }, open: "game.rules" };

export const TEMPLATE = {
  files: {
    "lamps.rules": `# Each player lights one lamp. Change a line, and see what it does to the game.

game lamps
    title en "Lamps"
    players 2..4

cards lamp, 1 of each
    power: 1..9

zone lit of player: set of lamp, open

phase evening
    for each player
        player chooses
            light a lamp from every lamp
                only if owner of lamp is none otherwise "it is lit already"
                move lamp to lit of player

score of player
    light: total power of lit of player

winner highest score, then shared

test "a lamp is lit once only"
    players Ann, Bob
    start evening
    Ann: light [9]
    expect Bob cannot light [9] because "it is lit already"
`,
  },
  open: "lamps.rules",
};
