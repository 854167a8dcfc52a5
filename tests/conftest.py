"""How tests run: hypothesis without deadlines, since machines are busy, and with the same examples each time where changes are
judged; and garbage is looked for as rarely as in the command itself."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("continuous", deadline=None, derandomize=True)
settings.load_profile("continuous" if os.environ.get("CI") else "here")

gc.set_threshold(500_000, 20, 100)


def pytest_collection_finish() -> None:
    """What all tests have in common, some hundred thousand objects, is not looked through again: a twelfth of their time."""
    gc.collect()
    gc.freeze()
