"""How hypothesis runs: without deadlines, since machines are busy; and the same examples each time where changes are judged."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("continuous", deadline=None, derandomize=True)
settings.load_profile("continuous" if os.environ.get("CI") else "here")
