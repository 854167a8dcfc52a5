/**
 * The worker: Python, and rulesrun in it. The page says which role it has; then it hears JSON, and posts JSON.
 *
 * To import rulesrun takes seconds. So whoever wrote the page did that once, and put Python's memory as it was then beside it
 * (memory.mjs). Pyodide can do this for itself, but not yet for others to rely on: if anything about it fails, a worker begins from
 * nothing.
 */
// @ts-ignore - these two lie there when a page is written, see browser/bundle.py
import makeModule from "../../pyodide/pyodide.asm.mjs";
// @ts-ignore
import { loadPyodide } from "../../pyodide/pyodide.mjs";
import { LIBRARY, unpack } from "./archive.mjs";

const BASE = new URL("../../", import.meta.url);
const MEMORY = "MEMORY"; // the file of the memory; nothing where there is none. It is put in when the page is written
const ASKING = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport"]; // what could ask another host
const MOST_MEMORY = 1.2e9; // bytes of Python's memory; games that people play take a tenth
const AGAIN = 100; // milliseconds between two interruptions of Python, see interpreter/common/platform.py

let hear = (/** @type {string} */ text) => {};
let end = Infinity; // of the time that Python set itself
let memory = () => 0; // how many bytes Python has

// Python reads this now and then while it runs; 2 interrupts it. It needs no memory that the page shares.
const clock = {
  get 0() {
    const now = performance.now();
    if (memory() > MOST_MEMORY) {
      memory = () => 0;
      postMessage({ tooMuch: true });
    }
    if (now < end) return 0;
    end = now + AGAIN;
    return 2;
  },
  set 0(_) {},
};

/** @param {string} part @param {number} done from 0 to 1 */
const tell = (part, done) => postMessage({ loading: part, done });

/**
 * The WebAssembly of Pyodide, which is compiled while the memory is read; Pyodide gets it from here. It would begin later itself, and
 * wait for ever where the file cannot be loaded. A host may give the file another type than its own, which does no harm here.
 */
async function compiled() {
  const response = await fetch(new URL("pyodide/pyodide.asm.wasm", BASE));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const isTyped = response.headers.get("content-type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

const code = compiled();
const archive = fetch(new URL("rulesrun.gz", BASE)).then(unzipped);
[code, archive].forEach((each) => each.catch(() => {})); // whoever needs them hears of it

const asked = globalThis.fetch;
globalThis.fetch = (what, how) =>
  String(what).endsWith("/pyodide.asm.wasm") ? Promise.resolve(new Response()) : asked(what, how);
WebAssembly.instantiateStreaming = async (_, imports) => {
  const module = await code;
  return { module, instance: await WebAssembly.instantiate(module, imports) };
};

/** Python with rulesrun's files. @param {any} how */
async function python(how) {
  const [found] = await Promise.all([loadPyodide({ indexURL: new URL("pyodide/", BASE).href, ...how }), code]);
  unpack(await archive, found.FS);
  return found;
}

/** @param {Response} response @returns {Promise<ArrayBuffer>} */
async function unzipped(response) {
  if (!response.ok || !response.body) throw new Error(`${response.url}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (new Uint8Array(bytes)[0] !== 0x1f) return bytes; // a host that sends it as compressed, so that the browser did this already
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Python with the memory that lies beside the page, or null. */
async function remembered() {
  if (!MEMORY) return null;
  try {
    const memory = new Uint8Array(await unzipped(await fetch(new URL(MEMORY, BASE))));
    const createPyodideModule = async (/** @type {any} */ settings) => {
      const module = await makeModule(settings);
      module._malloc(memory.length); // so that the module has as much memory; what this writes is overwritten
      return module;
    };
    return await python({ _loadSnapshot: memory, createPyodideModule });
  } catch {
    return null; // an incomplete or damaged file, or a browser that cannot take it
  }
}

/** @param {string} role */
async function start(role) {
  tell("Python", 0);
  const known = await remembered();
  if (known) {
    try {
      return begin(role, known, true);
    } catch {
      // Then from nothing.
    }
  }
  begin(role, await python({}), false);
}

/** @param {string} role @param {any} machine @param {boolean} known whether it has imported rulesrun */
function begin(role, machine, known) {
  tell("rulesrun", 0.6);
  machine.setInterruptBuffer(/** @type {any} */ (clock));
  memory = () => machine._module.HEAPU8.length;
  machine.registerJsModule("rulesrun_page", {
    alarm: (/** @type {number} */ seconds) => (end = seconds < 0 ? Infinity : performance.now() + 1000 * seconds),
  });
  machine.globals.set("post", (/** @type {string} */ text) => postMessage({ text }));
  machine.globals.set("role", role);
  if (!known) machine.runPython(`import sys; sys.path.insert(0, "${LIBRARY}")`);
  hear = machine.runPython(
    "from rulesrun.browser.worker import start; from rulesrun.cli import cli; start(role, cli.main, post)",
  );
  for (const name of ASKING) Object.defineProperty(globalThis, name, { value: undefined });
  postMessage({ ready: true, remembered: known });
}

addEventListener("message", ({ data }) => {
  const failed = (/** @type {any} */ error) => postMessage({ failed: String(error?.message ?? error) });
  if (data.ping) postMessage({ pong: true });
  else if (data.role) start(data.role).catch(failed);
  else hear(data.text);
});
