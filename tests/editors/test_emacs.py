"""The settings for Emacs that the documentation gives, in Emacs itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..docs.markdown import fences

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
EMACS = shutil.which("emacs")
LOOK = """
(require 'package)
(package-initialize)
(require 'eglot)
{settings}
(setq eglot-sync-connect 30)
(find-file "{file}")
(unless (eq major-mode 'rulesrun-mode) (error "the mode is %s" major-mode))
(run-hooks 'post-command-hook) ; which `eglot-ensure` waits for
(dotimes (_ 200) (unless (flymake-diagnostics) (flymake-start) (accept-process-output nil 0.1)))
(dolist (found (flymake-diagnostics)) (princ (format "%s\n" (flymake-diagnostic-text found))))
"""


@pytest.mark.process
@pytest.mark.skipif(EMACS is None, reason="emacs is not installed")
def test_emacs_shows_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert EMACS is not None
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)  # a project
    rules = tmp_path / "duel.rules"
    rules.write_text("game duel\n    playrs 2\n", encoding="utf-8")
    (settings,) = (fence.text for fence in fences(PAGE.read_text(encoding="utf-8")) if fence.language == "elisp")
    script = tmp_path / "look.el"
    script.write_text(LOOK.format(settings=settings, file=rules), encoding="utf-8")
    seen = subprocess.run([EMACS, "--batch", "-l", script], capture_output=True, text=True, timeout=120)
    assert "R102" in seen.stdout, seen.stderr
    assert "did you mean `players`?" in seen.stdout
