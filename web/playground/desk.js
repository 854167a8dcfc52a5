/** The state of the playground: the rules that are open, where they come from, the table, and the compiler. */
import { startMachine } from "../browser/machine.js";
import { Editor } from "./editor.js";
import { EMPTY, MOST_BYTES, MOST_FILES, TEMPLATE, freeName, inOrder, isPack, isRules, renamed, save, titleOf, wrongName } from "./files.js"; // prettier-ignore
import { forget, keep, keepShown, keepTour, newId, tour, works } from "./kept.js";
import { BadLink, checked, decode, encode } from "./links.js";

const SAVE = 400; // milliseconds after a change
const MOST_PACK = 20_000_000; // bytes of a pack
const MOST_STOPS = 2; // of the language server at the same rules, until the page does without it
const FRESH_TABLE = {
  players: 0,
  variants: /** @type {string[]} */ ([]),
  options: /** @type {Record<string, string>} */ ({}),
  seed: 1,
  seat: 0, // whose view of the game is shown, 0 for all together
};

/**
 * Where the open rules come from: a work of the person, a link, a shipped game, or a lesson. What is not theirs becomes a work when they change it.
 * @typedef {{kind: "work" | "link" | "game" | "lesson", id: string}} Origin
 */

export class Desk {
  constructor() {
    this.listeners = new Set();
    this.revision = 0; // counts changes of the rules
    this.book = 0; // counts how often other rules were opened
    this.game = ""; // the rules that are played
    /** @type {ReturnType<typeof startMachine> | undefined} */
    this.counting = undefined;
    this.shown = ""; // the file in the editor
    this.table = FRESH_TABLE;
    /** @type {Origin} */
    this.origin = { kind: "game", id: "" };
    this.ready = false;
    this.loading = "Loading the compiler …";
    this.done = 0;
    this.help = false; // whether the language server is there
    this.stops = 0; // how often it was stopped since it last said something about these rules
    this.gaveUp = 0; // how long the rules were for which it was given up, 0 while it is not
    /** @type {{text: string, action?: string, act?: () => void, bad?: boolean} | null} */
    this.notice = null;
    /** @type {any[] | null} */
    this.lessons = null;
    /** @type {any[] | null} */
    this.games = null;
    this.learning = false;
    this.lesson = 0; // the number of the lesson that is open, 0 for none
    this.solved = { done: false, missing: "" };
    this.counts = new Map(); // how much the language server has found, by file
    this.saving = 0;
    this.written = 0; // when the open work was kept last, as far as this page knows
    this.onGoTo = () => {}; // the page shows the editor
    this.editor = new Editor({
      changed: () => this.changed(),
      shown: (name) => {
        this.shown = name;
        if (isRules(name) && this.game !== name) {
          this.game = name;
          this.revision++;
        }
        this.tell();
      },
      found: (counts) => {
        this.counts = counts;
        this.stops = 0;
        this.tell();
      },
    });
    this.player = startMachine({ role: "player", tell: (state) => this.heard(state) });
    this.waiting = new Map(); // of questions that are asked anew after each change: how to give each up that has not begun
    this.findGames();
    this.startHelp();
  }

  // ---- The language server

  startHelp() {
    this.stops = this.gaveUp = 0;
    const helper = startMachine({
      role: "editor",
      prover: this.player,
      tell: (state) => {
        this.help = state.phase === "ready";
        if (state.phase === "ready") this.editor.connect(helper).catch(() => {});
        if (state.phase === "stopped" && ++this.stops >= MOST_STOPS) this.giveHelpUp(helper);
        this.tell();
      },
    });
  }

  /** Do without the language server, which these rules stop again and again. */
  giveHelpUp(helper) {
    helper.close();
    this.help = false;
    this.gaveUp = this.size();
    this.counts = new Map();
    this.say("These rules are too large for help while you write. You can go on writing, and all else goes on as well.", {
      bad: true,
    });
  }

  /** Try it with the language server again when the rules are much shorter. */
  helpAgain() {
    if (this.gaveUp > 0 && 2 * this.size() < this.gaveUp) this.startHelp();
  }

  size = () => Object.values(this.editor.texts()).reduce((sum, text) => sum + text.length, 0);

  // ---- Listening

  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  heard(state) {
    this.ready = state.phase === "ready";
    this.done = state.phase === "loading" ? state.done : 0;
    this.loading =
      state.phase === "loading"
        ? `Loading ${state.part}, 38 MB the first time …`
        : state.phase === "failed"
          ? `The compiler cannot run here. ${state.why}`
          : "The compiler starts again …";
    if (this.ready && this.lesson > 0 && this.lessons === null && !this.learning) this.learn();
    this.tell();
  }

  /** The games that come with the page. */
  async findGames() {
    try {
      const found = await fetch("games.json");
      this.games = found.ok ? await found.json() : [];
    } catch {
      this.games = [];
    }
    this.tell();
    if (location.hash.startsWith("#game/")) this.go();
  }

  /** The tour comes with the compiler. */
  async learn() {
    this.learning = true;
    try {
      this.lessons = await this.ask("lessons", {});
    } catch {
      this.learning = false; // it is asked again when the compiler is there again
    }
    this.tell();
    if (this.lessons && this.lesson > 0) this.openLesson(this.lesson);
  }

  say(text, more = {}) {
    this.notice = text ? { text, ...more } : null;
    this.tell();
  }

  // ---- The compiler

  ask(method, params, more = {}) {
    return this.player.ask(method, params, more);
  }

  /** Play many games, on a machine of their own: the others go on meanwhile, and when they are stopped. */
  simulate(params, more) {
    this.counting ??= startMachine({ role: "player" });
    return this.counting.ask("simulate", params, more);
  }

  /** Ask about the rules as they are now. A question of the same kind that still waits is given up. */
  latest(method, params, more) {
    const name = params.proved ? `${method}, proved` : method;
    const kind = this.waiting.get(name) ?? { running: Promise.resolve(), number: 0 };
    this.waiting.set(name, kind);
    const number = ++kind.number;
    const found = kind.running.then(() => {
      if (number !== kind.number) throw Object.assign(new Error("The rules have changed since."), { code: "given up" });
      return this.ask(method, { ...this.project(), ...params }, more);
    });
    kind.running = found.catch(() => {});
    return found;
  }

  cancel() {
    this.counting?.cancel();
  }

  project = () => ({ files: this.editor.texts(), open: this.game });

  tableParams() {
    const { players, variants, options, seed } = this.table;
    return {
      seed,
      ...(players ? { players } : {}),
      ...(variants.length ? { variants } : {}),
      ...(Object.keys(options).length ? { options } : {}),
    };
  }

  setTable(change) {
    this.table = { ...this.table, ...change };
    this.tell();
  }

  /** Forget choices that the rules no longer offer. */
  fitTable({ players, variants, options }) {
    const now = this.table;
    const fit = {
      ...now,
      seat: now.seat > (now.players || players[0]) ? 0 : now.seat,
      players: now.players < players[0] || now.players > players[1] ? 0 : now.players,
      variants: now.variants.filter((name) => variants.some((one) => one.name === name)),
      options: Object.fromEntries(Object.entries(now.options).filter(([name]) => options.some((one) => one.name === name))),
    };
    if (JSON.stringify(fit) !== JSON.stringify(now)) this.setTable(fit);
  }

  // ---- Files

  names = () => inOrder(this.editor.texts());
  has = (name) => this.editor.states.has(name);
  get isAlone() {
    return this.editor.states.size === 1;
  }
  show(name) {
    this.editor.show(name);
    if (this.origin.kind === "work") keepShown(this.origin.id, name);
  }
  goTo(name, line, column) {
    this.editor.goTo(name, line, column);
    this.onGoTo();
  }

  /** Why a file cannot be called so here; "" if it can. */
  wrong(name) {
    if (this.has(name)) return "There is a file with this name.";
    return wrongName(name);
  }

  addFile(name) {
    if (this.editor.states.size >= MOST_FILES) return this.say(`A game has at most ${MOST_FILES} files here.`, { bad: true });
    this.editor.add(name, isRules(name) ? `extends "${this.game}"\n` : "name,value\n");
    this.editor.show(name);
    this.changed();
  }

  renameFile(from, to) {
    const game = this.game === from ? to : this.game;
    this.editor.load(renamed({ files: this.editor.texts(), open: this.shown }, from, to));
    this.game = game;
    this.changed();
  }

  removeFile(name) {
    const before = { files: this.editor.texts(), open: this.shown };
    if (this.names().filter(isRules).length === 1 && isRules(name))
      return this.say("A game needs one file of rules.", { bad: true });
    const { [name]: gone, ...files } = before.files;
    const next = inOrder(files)[0];
    if (this.game === name) this.game = next;
    this.editor.load({ files, open: this.shown === name ? next : this.shown });
    this.changed();
    this.say(`${name} was deleted.`, {
      action: "Undo",
      act: () => {
        if (!this.has(name)) this.editor.add(name, gone);
        this.editor.show(name);
        this.changed();
        this.say("");
      },
    });
  }

  changed() {
    this.revision++;
    if (this.origin.kind === "link" || this.origin.kind === "game") {
      this.origin = { kind: "work", id: newId() };
    }
    if (location.hash && this.origin.kind !== "lesson") history.replaceState(null, "", location.pathname + location.search);
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), SAVE);
    this.tell();
  }

  save() {
    clearTimeout(this.saving);
    this.saving = 0;
    this.helpAgain();
    const project = { files: this.editor.texts(), open: this.shown };
    if (this.origin.kind === "work") {
      const { id } = this.origin;
      if (works().some((work) => work.id === id && work.changed !== this.written)) {
        this.origin = { kind: "work", id: newId() };
        this.say("These rules were also changed in another tab. What you write here is kept as a copy.");
      }
      if (keep(this.origin.id, project)) this.written = works()[0].changed;
      else this.say("There is no room in this browser to keep your rules. Download them.", { bad: true });
    } else if (this.origin.kind === "lesson") {
      keepTour({ texts: { ...tour().texts, [this.lesson]: project.files[this.game] } });
      this.checkLesson();
    }
  }

  // ---- What is open

  /** Put other rules on the desk. What the person has written so far is kept already. */
  put(project, origin) {
    this.flush();
    this.origin = origin;
    this.written = /** @type {any} */ (project).changed ?? 0;
    this.notice = null;
    this.lesson = origin.kind === "lesson" ? Number(origin.id) : 0;
    this.game = isRules(project.open) ? project.open : inOrder(project.files)[0];
    this.table = FRESH_TABLE;
    this.revision++;
    this.book++;
    this.editor.load(project);
    this.helpAgain();
    this.title();
    this.tell();
  }

  /** Keep now what is still to be kept. Nothing else: another tab may have changed the same rules. */
  flush() {
    if (this.saving) this.save();
  }

  title() {
    document.title = `${titleOf(this.project())} · rulesrun playground`;
  }

  /** The rules that the person changed last. */
  mine = () => works()[0] ?? null;

  openWork(work) {
    history.replaceState(null, "", location.pathname + location.search);
    this.put(work, { kind: "work", id: work.id });
    this.say("");
  }

  forgetWork(id) {
    forget(id);
    this.tell();
  }

  openGame(game) {
    history.replaceState(null, "", location.pathname + location.search);
    this.put(game, { kind: "game", id: game.id });
    this.say("");
  }

  /** A small game to start from, or an empty file. @param {{empty?: boolean}} how */
  openNew({ empty = false } = {}) {
    const template = this.games?.find((game) => game.id.endsWith("new")) ?? TEMPLATE;
    history.replaceState(null, "", location.pathname + location.search);
    this.put(empty ? EMPTY : template, { kind: "game", id: "new" });
    this.say("");
  }

  /** Open a file of the person: rules, a table or a pack. @param {File} file */
  async openFile(file) {
    const pack = isPack(file.name);
    const most = pack ? MOST_PACK : MOST_BYTES;
    if (file.size > most) return this.say(`${file.name} is larger than ${most.toLocaleString("en")} bytes.`, { bad: true });
    try {
      if (pack) await this.openPack(file);
      else if (/\.(rules|csv)$/.test(file.name)) this.openText(file.name, await file.text());
      else this.say(`${file.name} cannot be opened here: files of rules, tables (.csv) and packs can.`, { bad: true });
    } catch (error) {
      this.say(`${file.name} cannot be opened. ${/** @type {Error} */ (error).message}`, { bad: true });
    }
  }

  /** @param {File} file */
  async openPack(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    const { files, open, left_out: lost } = await this.ask("unpack", { pack: btoa(text) });
    history.replaceState(null, "", location.pathname + location.search);
    this.put(checked({ files, open }), { kind: "work", id: newId() });
    this.changed();
    if (lost.length > 0) this.say(`What is no text stays out of the editor: ${lost.join(", ")}.`);
  }

  /** Hand all files of the game to the person as a pack. */
  async savePack() {
    try {
      const { pack } = await this.ask("pack", this.project());
      const bytes = Uint8Array.from(atob(pack), (letter) => letter.charCodeAt(0));
      save(this.game.replace(/\.rules$/, ".rulespack"), new Blob([bytes], { type: "application/zip" }));
    } catch (error) {
      this.say(`These rules cannot be packed. ${/** @type {Error} */ (error).message}`, { bad: true });
    }
  }

  openText(name, text) {
    const called = wrongName(name) ? "game.rules" : name;
    if (isRules(called)) this.put({ files: { [called]: text }, open: called }, { kind: "work", id: newId() });
    else {
      const free = freeName(called, this.editor.texts());
      this.editor.add(free, text);
      this.editor.show(free);
    }
    this.changed();
  }

  /** A link to what is open, which also stands in the address now. */
  async link() {
    const code = await encode({ files: this.editor.texts(), open: this.shown });
    history.replaceState(null, "", `#${code}`);
    return location.href;
  }

  /** Open what the address names. */
  async go() {
    const address = decoded(location.hash.slice(1));
    const lesson = /^tour(?:\/(\d+))?$/.exec(address);
    if (lesson) return this.openLesson(Number(lesson[1] ?? tour().at));
    if (address.startsWith("game/")) {
      const game = this.games?.find((one) => one.id === address.slice(5));
      if (game) return this.openGame(game);
      if (this.games === null) return this.putFirst();
      this.putFirst();
      return this.say("There is no such game here.", { bad: true });
    }
    if (address === "") return this.putFirst();
    try {
      const project = await decode(address);
      const mine = works().find((work) => same(work, project));
      if (mine) this.put(mine, { kind: "work", id: mine.id });
      else this.put(project, { kind: "link", id: "" });
    } catch (error) {
      history.replaceState(null, "", location.pathname + location.search);
      this.putFirst();
      this.say(error instanceof BadLink ? error.message : "The link cannot be opened.", { bad: true });
    }
  }

  /** What is there when the address names nothing. */
  putFirst() {
    const mine = this.mine();
    if (mine) this.put(mine, { kind: "work", id: mine.id });
    else this.put(TEMPLATE, { kind: "game", id: "" });
  }

  // ---- The tour

  openLesson(number) {
    if (this.lessons === null) {
      if (this.editor.states.size === 0) this.putFirst();
      this.lesson = number;
      if (!this.learning) this.learn();
      return this.tell();
    }
    if (this.lessons.length === 0) {
      this.putFirst();
      return this.say("The tour cannot be loaded.", { bad: true });
    }
    const at = Math.min(Math.max(number, 1), this.lessons.length);
    const lesson = this.lessons[at - 1];
    const name = wrongName(`${lesson.name}.rules`) ? "lesson.rules" : `${lesson.name}.rules`;
    history.replaceState(null, "", `#tour/${at}`);
    this.solved = { done: Boolean(tour().solved[at]), missing: "" };
    this.put({ files: { [name]: tour().texts[at] ?? lesson.rules }, open: name }, { kind: "lesson", id: String(at) });
    keepTour({ at });
    this.say("");
    if (!this.solved.done && tour().texts[at] !== undefined) this.checkLesson(); // it may have been left before the answer came
  }

  /** Write a text of the lesson into the editor: what it begins with, or its solution. */
  writeLesson(text) {
    this.editor.write(this.game, text);
  }

  async checkLesson() {
    const number = this.lesson;
    const text = this.editor.text(this.game);
    try {
      const { solved, missing } = await this.ask("solved", { number, text });
      if (this.lesson !== number || this.editor.text(this.game) !== text) return;
      this.solved = { done: solved, missing };
      if (solved) keepTour({ solved: { ...tour().solved, [number]: true } });
    } catch {
      return;
    }
    this.tell();
  }

  leaveTour() {
    history.replaceState(null, "", location.pathname + location.search);
    this.putFirst();
  }
}

/** What an address means, or the address itself where it means nothing. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const same = (one, two) => {
  const names = Object.keys(one.files).sort();
  return (
    names.join("/") === Object.keys(two.files).sort().join("/") && names.every((name) => one.files[name] === two.files[name])
  );
};
