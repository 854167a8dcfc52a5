/**
 * A machine: a worker with Python and rulesrun in it, which is started again when it takes too long or dies. It does one thing
 * after the other. A machine of role "player" is asked; one of role "editor" is a language server (`say` and `hear`).
 */

/** @typedef {{ phase: "loading", part: string, done: number } | { phase: "ready" } | { phase: "stopped" | "failed", why: string }} State */
/** @typedef {{ id: number, method: string, params: any, seconds: number, silence: number, progress: (data: any) => void,
 *    resolve: (answer: any) => void, reject: (error: Error) => void }} Question */

const SECONDS = 20; // that an answer may take, where nothing else is said
const FIRST = 30; // that the first answer may take longer where a worker begins from nothing: much is imported for it
const GRACE = 4; // seconds after which a worker is ended that does not stop by itself
const PING = 5; // seconds between two looks at an editor
const FIRST_ANSWER = 3; // seconds for which others wait, so that the first answer is soon there
const SILENCE = 30; // seconds after which an editor that does not answer is ended

/** An error with a code. @param {string} code @param {string} text */
const failure = (code, text) => Object.assign(new Error(text), { code });

/**
 * @param {{ role: "player" | "editor", tell?: (state: State) => void, prover?: ReturnType<typeof startMachine> }} how
 *   `prover`: a player that proves things for an editor
 */
export function startMachine({ role, tell = () => {}, prover }) {
  let worker = /** @type {Worker} */ (/** @type {unknown} */ (null));
  let ready = false;
  let fresh = false; // whether it began from nothing and has not been asked yet
  let closed = false;
  let begun = false; // whether others may begin
  let broken = ""; // why it cannot be started
  let count = 0;
  let heard = performance.now();
  let timer = 0;
  let quiet = 0; // a timer, too
  let waiting = /** @type {Question[]} */ ([]);
  let running = /** @type {Question | null} */ (null);
  let unsaid = /** @type {string[]} */ ([]);
  let kept = /** @type {string[]} */ ([]); // of the tables, for the next worker
  const eager = /** @type {(() => void)[]} */ ([]);
  const listeners = /** @type {Set<(event: any) => void>} */ (new Set());
  const machine = {
    /** Calls something when the machine has answered for the first time, or has nothing to do. @param {() => void} then */
    whenIdle(then) {
      if (begun) then();
      else eager.push(then);
    },

    /** Hears each message of an editor. */
    hear: (/** @type {string} */ text) => {},

    /**
     * The answer to a question. Rejects with an Error that has a `code`: "stopped", "cancelled", or what Python refuses.
     * @param {string} method @param {any} params
     * @param {{ seconds?: number, silence?: number, progress?: (data: any) => void, first?: boolean }} how `silence`: the seconds that
     *   may pass without progress; `first`: before all others that wait
     */
    ask(method, params = {}, { seconds = SECONDS, silence = Infinity, progress = () => {}, first = false } = {}) {
      return new Promise((resolve, reject) => {
        if (broken) return reject(failure("failed", broken));
        const question = { id: ++count, method, params, seconds, silence, progress, resolve, reject };
        if (first) waiting.unshift(question);
        else waiting.push(question);
        next();
      });
    },

    /** Gives up the questions of a method that still wait. @param {string} method */
    giveUp(method) {
      const given = waiting.filter((question) => question.method === method);
      waiting = waiting.filter((question) => question.method !== method);
      given.forEach(({ reject }) => reject(failure("cancelled", "this is not wanted any more")));
    },

    /** Ends what runs now, by a new worker. */
    cancel() {
      if (running) restart("cancelled", "this was cancelled");
    },

    /** Sends a message to an editor. @param {string} text */
    say(text) {
      if (ready) worker.postMessage({ text: JSON.stringify({ say: text }) });
      else unsaid.push(text);
    },

    /** Lets somebody hear events: what tables tell, and `{event: "lost"}` when the worker is gone. The next one knows its tables.
     * @param {(event: any) => void} listener */
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      closed = true;
      clearInterval(looking);
      stopTimers();
      worker?.terminate();
    },
  };

  function open() {
    ready = false;
    tell({ phase: "loading", part: "Python", done: 0 });
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => received(data);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || "the worker could not be loaded");
    };
    worker.postMessage({ role });
  }

  function received(data) {
    heard = performance.now();
    if (data.loading) return tell({ phase: "loading", part: data.loading, done: data.done });
    if (data.tooMuch) return restart("stopped", "this was stopped, since it took too much memory");
    if (data.failed) return fail(data.failed);
    if (data.ready) {
      ready = true;
      fresh = !data.remembered;
      setTimeout(begin, 1000 * FIRST_ANSWER);
      tell({ phase: "ready" });
      if (kept.length > 0) restore();
      unsaid.splice(0).forEach(machine.say);
      return next();
    }
    if (data.text) said(JSON.parse(data.text));
  }

  /** Others may begin now. */
  function begin() {
    begun = true;
    eager.splice(0).forEach((then) => then());
  }

  /** Gives the tables of the worker before to a new one. If that fails, they are gone. */
  function restore() {
    const all = kept;
    kept = [];
    machine.ask("restore", { kept: all }, { first: true }).then(
      () => (kept = [...all, ...kept]),
      () => {},
    );
  }

  function said(message) {
    if (message.say !== undefined) return machine.hear(message.say);
    if (message.event === "kept") return void kept.push(message.step);
    if (message.job !== undefined) return prove(message);
    if (message.event) return listeners.forEach((listener) => listener(message));
    if (message.id !== running?.id || !running) return;
    if (message.progress) {
      watch();
      return running.progress(message.progress);
    }
    const { resolve, reject } = running;
    running = null;
    stopTimers();
    begin();
    if (message.error) {
      const { code, text, help } = message.error;
      reject(Object.assign(failure(code, [text, help].filter(Boolean).join(". ")), { help, refused: message.error }));
    } else resolve(message.result);
    next();
  }

  function prove({ job, content }) {
    const at = worker;
    prover?.giveUp("prove"); // each was about an earlier text
    prover?.ask("prove", { content }, { seconds: 15 }).then(
      (proved) => at === worker && worker.postMessage({ text: JSON.stringify({ job, proved }) }),
      () => {},
    );
  }

  function stopTimers() {
    clearTimeout(timer);
    clearTimeout(quiet);
  }

  /** Ends what runs where it tells nothing for too long, such as a game without an end. */
  function watch() {
    clearTimeout(quiet);
    const { silence } = /** @type {Question} */ (running);
    if (silence === Infinity) return;
    const why = `this was stopped, since nothing came of it for ${silence} seconds`;
    quiet = window.setTimeout(() => restart("stopped", why), 1000 * silence);
  }

  function next() {
    if (!ready || running || waiting.length === 0) return;
    running = /** @type {Question} */ (waiting.shift());
    const { id, method, params } = running;
    const seconds = running.seconds + (fresh ? FIRST : 0);
    fresh = false;
    worker.postMessage({ text: JSON.stringify({ id, method, params, seconds }) });
    timer = window.setTimeout(() => restart("stopped", `this was stopped after ${seconds} seconds`), 1000 * (seconds + GRACE));
    watch();
  }

  function restart(/** @type {string} */ code, /** @type {string} */ why) {
    worker.terminate();
    ready = false; // what is asked from now on is for the next one
    stopTimers();
    running?.reject(failure(code, why));
    running = null;
    listeners.forEach((listener) => listener({ event: "lost" }));
    tell({ phase: "stopped", why });
    if (!closed) open();
  }

  function fail(/** @type {string} */ why) {
    if (ready) return restart("stopped", "this took too much memory, or the compiler broke");
    worker.terminate();
    broken = why;
    tell({ phase: "failed", why });
    for (const question of [running, ...waiting.splice(0)]) question?.reject(failure("failed", why));
    running = null;
  }

  const looking = setInterval(() => {
    if (role !== "editor" || !ready || document.hidden) {
      heard = performance.now();
      return;
    }
    if (performance.now() - heard > 1000 * SILENCE) {
      heard = performance.now();
      return restart("stopped", "the language server stopped answering");
    }
    worker.postMessage({ ping: true });
  }, 1000 * PING);

  // A player begins first, so that the first game is soon there.
  if (prover) prover.whenIdle(open);
  else open();
  return machine;
}
