"""Baselines: files of fingerprints, kept beside the rules, so that only new findings fail a check.

The files in a baseline are named from its own folder, so that it says the same wherever the command is started.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, fault
from ..common.files import read_text
from ..common.source import Source, Span
from .fingerprints import Fingerprint, counted, fingerprint

FORMAT = 1
MARK = b'{\n  "baseline":'  # how every baseline begins
SIZE_LIMIT = 64_000_000  # bytes; a thousand findings write a five-hundredth of it


@frozen(eq=False)
class Baseline:
    """How often each finding was there, and the folder from which files are named."""

    folder: Path
    counts: Counter[Fingerprint]


@frozen
class Compared:
    """Findings apart: ``new`` ones and those that were ``known``; ``gone``: how often what was known is not there any more."""

    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...]
    gone: dict[Fingerprint, int]


def compare(found: Sequence[Diagnostic], baseline: Baseline) -> Compared:
    """Split findings into new and known ones. Among several equal findings the first ones are the known ones."""
    left = Counter(baseline.counts)
    new: list[Diagnostic] = []
    known: list[Diagnostic] = []
    for diagnostic in found:
        print_of_it = fingerprint(diagnostic, baseline.folder)
        if left[print_of_it] > 0:
            left[print_of_it] -= 1
            known.append(diagnostic)
        else:
            new.append(diagnostic)
    return Compared(tuple(new), tuple(known), {each: left[each] for each in sorted(left) if left[each]})


def to_text(found: Sequence[Diagnostic], path: str) -> str:
    """The baseline of these findings, for a file at a path; a finding a line."""
    counts = counted(found, Path(path).parent)
    lines = ",\n".join(
        "    " + json.dumps({"file": each.file, "code": each.code, "text": each.text, "count": counts[each]}, ensure_ascii=False)
        for each in sorted(counts)
    )
    return f'{MARK.decode()} {FORMAT},\n  "findings": [{f"{chr(10)}{lines}{chr(10)}  " if lines else ""}]\n}}\n'


def read(path: str) -> Baseline | Diagnostic:
    """The baseline in a file, or what is wrong with it (codes R001 to R003 and R706)."""
    source = read_text(path, SIZE_LIMIT)
    if isinstance(source, Diagnostic):
        return source
    try:
        data = json.loads(source.text)
    except json.JSONDecodeError as error:
        cut = not source.text[error.pos :].strip()
        where = Span(source, min(error.pos, max(0, len(source.text) - 1)), error.pos + 1) if source.text else None
        return _bad(source, "the file ends too early: it has been cut off" if cut else "this is no JSON", where)
    except (ValueError, RecursionError):
        return _bad(source, "this is no JSON")
    if not isinstance(data, dict) or "baseline" not in data:
        return _bad(source, "it has no `baseline`")
    if data["baseline"] != FORMAT or isinstance(data["baseline"], bool):
        return _bad(source, f"its format is {json.dumps(data['baseline'])[:40]}, and this version reads format {FORMAT}")
    findings = data.get("findings")
    if not isinstance(findings, list):
        return _bad(source, "`findings` is no list")
    counts: Counter[Fingerprint] = Counter()
    for number, each in enumerate(findings, 1):
        if not _is_entry(each):
            return _bad(source, f"item {number} of `findings` is no object with `file`, `code`, `text` and `count`")
        counts[Fingerprint(each["file"], each["code"], each["text"])] += each["count"]
    return Baseline(Path(path).parent, counts)


def _is_entry(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(key), str) for key in ("file", "code", "text"))
        and type(value.get("count")) is int
        and 1 <= value["count"] < 1 << 31
    )


def _bad(source: Source, reason: str, where: Span | None = None) -> Diagnostic:
    message = f"`{source.path}` is no baseline of findings: {reason}"
    return fault("R706", message, where, help="baselines are written by `rulesrun check --write-baseline FILE`")
