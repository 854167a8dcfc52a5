import assert from "node:assert/strict";
import test from "node:test";
import { addressIn, serve } from "../dist/tests/served.mjs";

/** A server that runs this. */
const serving = (script) => serve(process.execPath, ["-e", script], ".");
const SERVES = "console.log('tables at http://127.0.0.1:41437/ (Ctrl-C ends)'); setInterval(() => {}, 1000);";

test("the address of a server", () => {
  assert.equal(addressIn("tables at http://127.0.0.1:41437/ (Ctrl-C ends)\n"), "http://127.0.0.1:41437/");
  assert.equal(addressIn("tables at"), undefined);
});

test("a server runs until it is stopped", async () => {
  const server = await serving(SERVES);
  assert.equal(server.address, "http://127.0.0.1:41437/");
  const ended = new Promise((resolve) => server.onEnd(resolve));
  server.stop();
  assert.match(await ended, /ended/);
});

test("a server that cannot begin says why", async () => {
  await assert.rejects(serving("console.error('the port is taken'); process.exit(1)"), /the port is taken/);
  await assert.rejects(serve("/nowhere/rulesrun", [], "."), /ENOENT/);
});
