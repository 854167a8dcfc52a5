"""The list of all messages, by what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulesrun.interpreter.common.codes import CODES, Code

# What the first digit of a code says.
RANGES: Final = {
    "R0": "Files and comments that allow findings",
    "R1": "Sentences",
    "R2": "Names, types and declarations",
    "R3": "Rules",
    "R4": "Tables that are chosen",
    "R5": "Tests",
    "R6": "Faults in play",
    "R7": "Transcripts, baselines and packs",
    "R8": "Runs",
}


def messages() -> Iterator[tuple[str, list[Code]]]:
    """The codes of each range, under its title."""
    for beginning, title in RANGES.items():
        yield title, [code for code in CODES.values() if code.name.startswith(beginning)]


def list_of_messages() -> str:
    """The page with all messages."""
    text = (
        "# Messages\n\nEach message of rulesrun has a code and a page, with an example that is wrong and one that is corrected. "
        "`rulesrun explain R207` shows the same page in the terminal.\n"
    )
    for title, codes in messages():
        text += f"\n## {title}\n\n| code | message | severity |\n|---|---|---|\n"
        for code in codes:
            severity = "error or warning" if code.severity == "either" else code.severity
            text += f"| [{code.name}]({code.name}.md) | {code.title} | {severity} |\n"
    return text
