"""Without their packages, the adapters say which extra brings them."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest
from rulesrun.interpreter.diagnostics import RulesError


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
