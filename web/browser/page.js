/** The page of one game: starts a machine, gives it the game's pack, and lets the table be played by it. */
import { use } from "../server.js";
import { beginWith, t, take, wanted } from "../words.js";
import { startMachine } from "./machine.js";
import { transportOf } from "./transport.js";

const BASE = new URL("../../", import.meta.url);
const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const say = (/** @type {string} */ text) => (part("state").textContent = text);

let begun = false;
const machine = startMachine({
  role: "player",
  tell(state) {
    if (state.phase === "failed") say(t("The game cannot be started here: {why}", { why: state.why }));
    if (state.phase === "loading" && !begun) {
      say(t("Loading {part} …", { part: state.part }));
      /** @type {HTMLProgressElement} */ (part("progress")).value = state.done;
    }
    // The next machine knows the tables, but not the files of the game.
    if (state.phase === "stopped" && begun) opened = put();
  },
});

const pack = fetch(new URL("game.rulespack", BASE)).then((response) => response.arrayBuffer());
const game = fetch(new URL("game.json", BASE)).then((response) => response.json());

/** Gives the game to the machine. */
async function put() {
  const bytes = new Uint8Array(await pack);
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return (await machine.ask("open", { pack: btoa(text) }, { first: true })).open;
}

let opened = put();

async function start() {
  const { title, language } = await game;
  beginWith(language ?? "");
  const words = await fetch(new URL(`words/${wanted()}.json`, BASE)).catch(() => null);
  if (words?.ok) take(await words.json());
  part("title").textContent = document.title = title;
  const main = await opened;
  begun = true;
  use(transportOf(machine));
  if (!location.hash) history.replaceState(null, "", `#new/${main.replace(/\.rules$/, "")}`);
  await import("../main.js");
}

navigator.serviceWorker?.register(new URL("offline.js", BASE)).catch(() => {}); // a page from a file has none
start().catch((error) => say(t("The game cannot be started here: {why}", { why: error.message })));
