"""Without their packages, the adapters say which extra brings them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from rulesrun.interpreter.common.diagnostics import RulesError


@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [("openspiel", "pyspiel", "openspiel"), ("vector", "gymnasium", "rl"), ("aec", "pettingzoo", "rl")],
)
def test_a_package_that_is_not_installed(adapter: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("numpy", "gymnasium", "gymnasium.vector"):
        pytest.importorskip(needed)
    monkeypatch.setitem(sys.modules, package, None)
    name = f"rulesrun.interpreter.adapters.{adapter}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(RulesError, match="R804") as error:
        import_module(name)
    assert f"needs the package {package}, which is not installed" in str(error.value)
    assert f"pip install 'rulesrun[{extra}]'" in str(error.value)


KUHN = Path(__file__).parent.parent.parent / "games" / "classics" / "kuhn_poker.rules"
WITHOUT = f"""
import sys
sys.modules["wasmtime"] = None
from rulesrun.interpreter.adapters import openspiel
from rulesrun.interpreter.adapters.aec import AECEnvironment
state = openspiel.load({str(KUHN)!r}).new_initial_state()
for action in (2, 0, 1, 0):
    state.apply_action(action)
env = AECEnvironment({str(KUHN)!r})
env.reset(seed=1)
while env.agents:
    env.step(None if env.terminations[env.agent_selection] else env.playing.options[0])
print(env.table.engine, state.returns(), sum(env.playing.returns))
from rulesrun.interpreter.adapters.vector import VectorEnvironment
"""


@pytest.mark.conformance
def test_without_wasmtime_the_reference_plays() -> None:
    for needed in ("pyspiel", "gymnasium", "pettingzoo"):
        pytest.importorskip(needed)
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.stdout == "reference [1.0, -1.0] 0\n", done.stderr
    assert "the vector environment needs the package wasmtime, which is not installed" in done.stderr
