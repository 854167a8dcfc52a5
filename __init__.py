"""rulesrun: rules of tabletop games as programs that designers can read.

>>> import rulesrun
>>> game = rulesrun.load("games/masti.rules", players=4, variants=["partners"])
>>> state = game.start(seed=7)
>>> state.decision.player in (1, 2, 3, 4)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .interpreter.common.diagnostics import Diagnostic, RulesError
    from .interpreter.library.analysing import Balance, analyse
    from .interpreter.library.checking import check
    from .interpreter.library.measuring import Comparison, Simulation, compare, simulate, tournament
    from .interpreter.play.bots.seen import Seen
    from .interpreter.play.game import (
        ArgumentError,
        ChanceEvent,
        Decision,
        Game,
        IllegalMove,
        NoWorld,
        Option,
        Outcome,
        State,
        load,
    )
    from .interpreter.play.knowledge.views import View

__version__ = "0.1.0"
__all__ = [
    "ArgumentError", "Balance", "ChanceEvent", "Comparison", "Decision", "Diagnostic", "Game", "IllegalMove", "NoWorld",
    "Option", "Outcome", "RulesError", "Seen", "Simulation", "State", "View", "analyse", "check", "compare", "load",
    "simulate", "tournament",
]  # fmt: skip


if not TYPE_CHECKING:  # a type checker sees the imports above, and notices a name that is none of them

    def __getattr__(name: str) -> Any:
        """The public names, imported when they are first asked for: the command line starts without the compiler."""
        if name in ("Diagnostic", "RulesError"):
            from .interpreter.common import diagnostics

            return getattr(diagnostics, name)
        if name in ("Balance", "analyse"):
            from .interpreter.library import analysing

            return getattr(analysing, name)
        if name == "check":
            from .interpreter.library import checking

            return checking.check
        if name in ("Comparison", "Simulation", "compare", "simulate", "tournament"):
            from .interpreter.library import measuring

            return getattr(measuring, name)
        if name in ("Seen", "View"):
            from .interpreter.play.bots import seen

            return getattr(seen, name)
        if name in __all__:
            from .interpreter.play import game

            return getattr(game, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """For completion: the public names, imported or not."""
        return sorted({*globals(), *__all__})
