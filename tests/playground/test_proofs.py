"""How the page asks for proofs, in node: a worker stands in that answers when it is told to."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

MACHINE = Path(__file__).parents[2] / "web" / "browser" / "machine.js"
SCRIPT = """
const workers = {}, asked = [];
globalThis.window = globalThis;
globalThis.document = { hidden: false };
globalThis.Worker = class {
  postMessage({ role, text }) {
    if (role) workers[role] = this;
    if (role) setTimeout(() => this.onmessage({ data: { ready: true, remembered: true } }));
    if (text) asked.push(JSON.parse(text));
  }
  terminate() {}
};
const hear = (role, message) => workers[role].onmessage({ data: { text: JSON.stringify(message) } });
const pause = () => new Promise((then) => setTimeout(then, 20));
const player = startMachine({ role: "player" });
startMachine({ role: "editor", prover: player });
player.ask("run"); // an editor begins when the first game is shown
await pause();
hear("player", { id: asked.pop().id, result: {} });
await pause();
hear("editor", { job: 1, content: "text 1" });
const table = player.ask("view");
for (const job of [2, 3, 4]) hear("editor", { job, content: `text ${job}` });
for (let at = 0; at < asked.length; at++) {
  hear("player", { id: asked[at].id, result: {} });
  await pause();
}
await table;
const questions = asked.filter(({ method }) => method);
console.log(JSON.stringify(questions.map(({ method, params }) => params.content ?? method)));
process.exit();
"""


@pytest.mark.browser
def test_only_the_newest_proof_waits() -> None:
    """Each pause asks for one, and the player answers for the table as well."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here to run the page's scripts")
    script = f"import {{ startMachine }} from {json.dumps(MACHINE.as_uri())};{SCRIPT}"
    run = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(run.stdout) == ["text 1", "view", "text 4"]
