"""The examples of the documentation: how to run each, and what is found in it."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import Diagnostic, RulesError
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.rules import build, in_order, read_rules

from ..pipeline import USELESS
from .markdown import Fence

NAME = "example.rules"
SEEDS = 24


@frozen
class Choice:
    """A choice of table, as the info string of an example gives it."""

    players: int | None
    variants: tuple[str, ...]
    options: dict[str, str]

    @classmethod
    def of(cls, fence: Fence) -> Choice:
        players, variants, option = fence.setting("players"), fence.setting("variants"), fence.setting("set")
        name, _, value = (option or "").partition("=")
        return cls(
            int(players) if players else None, tuple(variants.split(",")) if variants else (), {name: value} if option else {}
        )


def findings(fence: Fence, folder: Path) -> list[Diagnostic]:
    """Everything that is found in an example: at every number of players, and where it says so in play and in its tests.

    ``folder``: where its files lie; it must be the current one, so that messages name files as the reader would.
    """
    (folder / NAME).write_text(fence.text, encoding="utf-8")
    rules = read_rules(NAME)
    found = list(rules.diagnostics)
    if rules.model is None:
        return found
    choice = Choice.of(fence)
    if choice.players is not None or choice.variants or choice.options:
        found += build(rules.model, choice.players, choice.variants, choice.options).diagnostics
    else:
        found = list(check(rules).findings)
    if "play" in fence.info and all(d.severity == "warning" or USELESS.fullmatch(d.code) for d in found):
        found += played(choice)
    if "test" in fence.info and not found:
        from rulesrun.interpreter.checks.tests import run_tests

        found += [d for result in run_tests(rules) for d in result.diagnostics]
    return list(in_order(found))


def played(choice: Choice) -> list[Diagnostic]:
    """What stops a game, at the first seed that does."""
    try:
        game = load(NAME, choice.players, choice.variants, choice.options)
    except RulesError as error:
        return list(error.diagnostics)
    for seed in range(SEEDS):
        state = game.start(seed=seed, story=False)
        while state.player:
            state.play_at_random()
        if state.fault is not None:
            return [state.fault]
    return []
