"""Golden files: compares a printed form with the kept one.

``RULESRUN_RENEW=1 pytest`` writes the golden files anew; review the difference.
"""

from __future__ import annotations

import os
from pathlib import Path


def check_golden(path: Path, text: str) -> None:
    """Compare a text with a golden file, or write the file where RULESRUN_RENEW is set."""
    if os.environ.get("RULESRUN_RENEW"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no {path.name}: run with RULESRUN_RENEW=1"
    assert text == path.read_text(encoding="utf-8")
