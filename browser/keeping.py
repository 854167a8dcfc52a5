"""Tables that outlive a worker of a page: what is kept of them is told to the page, which gives it to the next worker.

What is kept travels as pickles in base64, from one worker of the page to another; nobody else writes these.
"""

from __future__ import annotations

import pickle
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ..interpreter.hosting.log import Entry
from ..interpreter.hosting.session import Plan
from ..interpreter.hosting.snapshots import Snapshot
from ..interpreter.hosting.storage import Store


class ToldStore(Store):
    """A store that tells what is put into it. ``tell``: hears each step, packed."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        super().__init__(folder)
        self._tell = tell

    def add(self, plan: Plan, rules: Snapshot) -> None:
        super().add(plan, rules)
        self._say("add", plan, rules)

    def add_rules(self, rules: Snapshot) -> None:
        super().add_rules(rules)
        self._say("add_rules", rules)

    def append(self, table: str, number: int, entries: Sequence[Entry]) -> None:
        super().append(table, number, entries)
        self._say("append", table, number, list(entries))

    def _say(self, *step: Any) -> None:
        self._tell(b64encode(pickle.dumps(step)).decode())

    def restore(self, steps: Iterable[str]) -> None:
        """Do again what another store has told, without telling it once more."""
        for step in steps:
            name, *arguments = pickle.loads(b64decode(step))
            does: dict[str, Callable[..., None]] = {"add": super().add, "add_rules": super().add_rules, "append": super().append}
            does[name](*arguments)
