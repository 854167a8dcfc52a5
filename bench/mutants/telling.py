"""The report on faults: each with its place and its lines, and shares by game and by family of faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .judging import STRENGTHS, Verdict
from .making import Mutant

COLUMNS = (*STRENGTHS, "the checker", "the tests", "nothing")


def listed(mutant: Mutant, verdict: Verdict) -> str:
    """A fault and what finds it, the line as it was and as it is."""
    found = " ".join(filter(None, (verdict.by, verdict.code, verdict.said)))
    after = mutant.after.strip() or "(left out)"
    return f"games/{mutant.file}:{mutant.line}: {mutant.family}: {found}\n  - {mutant.before.strip()}\n  + {after}"


def told(verdicts: Mapping[Mutant, Verdict]) -> str:
    """Tables of Markdown by game and by family, and a sentence about all."""
    real = {mutant: verdict for mutant, verdict in verdicts.items() if verdict.by != "the same"}
    alone = sum(verdict.tests for verdict in real.values())
    return "\n".join(
        [
            *_table("game", real, lambda mutant: mutant.game),
            "",
            *_table("fault", real, lambda mutant: mutant.family),
            "",
            f"{len(verdicts)} faults, of which {len(verdicts) - len(real)} change nothing; "
            f"the tests alone find {alone} of the others.",
        ]
    )


def _table(title: str, verdicts: Mapping[Mutant, Verdict], group_of: Callable[[Mutant], str]) -> list[str]:
    """How many faults of each group there are and who finds them; in percent, what the checker finds of all, the tests of the
    rest."""
    groups: dict[str, list[Verdict]] = {}
    for mutant, verdict in verdicts.items():
        groups.setdefault(group_of(mutant), []).append(verdict)
    rows = [*((name, groups[name]) for name in sorted(groups)), ("all", list(verdicts.values()))]
    lines = [f"| {title:17} | faults | " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * (len(COLUMNS) + 1)]
    return lines + [f"| {name:17} | {len(of_it):6} | " + " | ".join(_row(of_it)) + " |" for name, of_it in rows]


def _row(verdicts: list[Verdict]) -> list[str]:
    count = {by: sum(verdict.by == by for verdict in verdicts) for by in (*STRENGTHS, "tests", "nothing")}
    checker = sum(count[by] for by in STRENGTHS)
    rest = len(verdicts) - checker
    cells = [*(str(count[by] or "") for by in STRENGTHS), _share(checker, len(verdicts)), _share(count["tests"], rest)]
    return [f"{cell:>{len(column)}}" for cell, column in zip((*cells, str(count["nothing"] or "")), COLUMNS, strict=True)]


def _share(found: int, of_all: int) -> str:
    return f"{found} ({found / of_all:.0%})" if of_all else ""
