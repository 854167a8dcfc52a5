"""Transcripts named on the command line, and the rules that they were played by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...interpreter.play.game import Game
    from ...interpreter.play.records.transcript import Transcript


def transcript_in(path: str) -> Transcript:
    """The transcript in a file. Raises `RulesError`."""
    from ...interpreter.common.diagnostics import Diagnostic, RulesError
    from ...interpreter.common.files import read_text
    from ...interpreter.play.records import transcript

    source = read_text(path, transcript.SIZE_LIMIT)
    found = source if isinstance(source, Diagnostic) else transcript.from_text(source)
    if isinstance(found, Diagnostic):
        raise RulesError([found])
    return found


def rules_of(transcript: Transcript, path: str, given: str | None, command: str) -> Game:
    """The table of a transcript that was read from a path; ``command`` names the rules. Raises `RulesError`."""
    from ...interpreter.common.diagnostics import Diagnostic, RulesError
    from ...interpreter.play.records.replay import find_rules, table_for

    rules = find_rules(transcript, Path(path).parent, given, command)
    if isinstance(rules, Diagnostic):
        raise RulesError([rules])
    return table_for(transcript, rules)
