/**
 * Run by Node.js where a page is written (browser/memory.py): writes the memory of a Python that has imported and used rulesrun once,
 * compressed. `node memory.mjs FOLDER FILE`: of the page that is in a folder, without what a page shows.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { LIBRARY, unpack } from "../web/browser/archive.mjs";

const [folder, file] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`).href);
const machine = await loadPyodide({ indexURL: `${folder}/pyodide/`, _makeSnapshot: true });
unpack(new Uint8Array(gunzipSync(readFileSync(`${folder}/rulesrun.gz`))).buffer, machine.FS);
machine.runPython(`
import sys
sys.path.insert(0, "${LIBRARY}")
from rulesrun.browser.warming import warm_up
from rulesrun.cli import cli
warm_up(cli.main)
`);
writeFileSync(file, gzipSync(machine.makeMemorySnapshot()));
