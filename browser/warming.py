"""Uses everything once, before the memory is kept with which other workers begin: then modules are imported, and tables read."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from .answers import Answers, Command


def _unheard(event: str, **more: object) -> None:
    """What a worker tells beside its answers, which nobody hears yet."""


class _Page(ModuleType):
    """A page without a clock."""

    def alarm(self, seconds: float) -> None:
        """Nothing interrupts this."""


def warm_up(command: Command) -> None:
    """Ask each part of rulesrun that a page uses for something small. What it finds does not matter.

    ``command``: see `worker.start`.
    """
    import rulesrun.browser.tables
    import rulesrun.interpreter.hosting.host
    import rulesrun.interpreter.library.measuring
    import rulesrun.interpreter.play.bots.thinking
    import rulesrun.interpreter.wasm.emission
    import rulesrun.interpreter.wasm.running.description

    with suppress(ImportError):  # a page of one game has no editor
        import rulesrun.browser.proofs
        import rulesrun.language_server.server  # noqa: F401

    from ..interpreter.editing.completion import completions
    from ..interpreter.editing.hover import hover
    from ..interpreter.editing.workspace import Workspace
    from .lessons import lessons

    rules, before = lessons()[-1].solution, Path.cwd()
    sys.modules["rulesrun_page"] = _Page("rulesrun_page")
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        answers = Answers(command, _unheard, Path(folder))
        given = {"files": {"warm.rules": rules}, "open": "warm.rules", "seed": 1, "proved": True}
        for method in ("run", "check", "test", "table", "format"):
            answers.answer(method, given, lambda data: None)
        for stage in ("tree", "machine"):
            answers.answer("show", {**given, "stage": stage}, lambda data: None)
        os.chdir(before)
    del sys.modules["rulesrun_page"]
    workspace, path = Workspace(), Path("/warm.rules")
    workspace.write(path, rules)
    document = workspace.document(path)
    completions(workspace, document, len(rules) // 2)
    hover(document, rules.index("player"))
