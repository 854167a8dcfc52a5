import assert from "node:assert/strict";
import test from "node:test";
import { findCommand } from "../dist/tests/command.mjs";

/** A machine that has these programs, in these folders. */
function machine(programs, more = {}) {
  const folders = new Set(programs.flatMap((path) => path.split("/").map((_, count, parts) => parts.slice(0, count).join("/"))));
  return {
    folders: ["/games"],
    python: undefined,
    path: "/usr/bin:/bin",
    windows: false,
    isProgram: (path) => programs.includes(path),
    isFolder: (path) => folders.has(path),
    ...more,
  };
}

test("a name is looked for on the path", () => {
  assert.equal(findCommand("rulesrun", machine(["/bin/rulesrun"])), "/bin/rulesrun");
  assert.equal(findCommand("rulesrun-dev", machine(["/bin/rulesrun", "/usr/bin/rulesrun-dev"])), "/usr/bin/rulesrun-dev");
  assert.equal(findCommand("rulesrun", machine([])), undefined);
});

test("by default environments are looked through, too", () => {
  assert.equal(findCommand("rulesrun", machine(["/games/.venv/bin/rulesrun"])), "/games/.venv/bin/rulesrun");
  const chosen = machine(["/games/.venv/bin/rulesrun", "/env/bin/rulesrun"], { python: "/env/bin/python" });
  assert.equal(findCommand("", chosen), "/env/bin/rulesrun");
  assert.equal(findCommand("", { ...chosen, python: "/env" }), "/env/bin/rulesrun");
  assert.equal(findCommand("other", machine(["/games/.venv/bin/rulesrun"])), undefined);
});

test("a setting can be a path, or an environment", () => {
  assert.equal(findCommand("/env/bin/rulesrun", machine(["/env/bin/rulesrun"])), "/env/bin/rulesrun");
  assert.equal(findCommand("/env", machine(["/env/bin/rulesrun"])), "/env/bin/rulesrun");
  assert.equal(findCommand(".venv", machine(["/games/.venv/bin/rulesrun"])), "/games/.venv/bin/rulesrun");
  assert.equal(findCommand("env/bin/rulesrun", machine(["/games/env/bin/rulesrun"])), "/games/env/bin/rulesrun");
  assert.equal(findCommand("${workspaceFolder}/env", machine(["/games/env/bin/rulesrun"])), "/games/env/bin/rulesrun");
  assert.equal(findCommand("/env/bin/rulesrun", machine(["/bin/rulesrun"])), undefined, "what is named is meant");
});
