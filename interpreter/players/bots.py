"""The bots that there are, named for each seat; `policies.py` says how they choose."""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal, get_args

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError, did_you_mean, fault
from ..common.files import read_text
from ..common.source import Source, Span

Kind = Literal["random", "casual", "rollouts", "search", "python"]
KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "python")  # those that have a name
PLAYOUTS_LIMIT = 1_000_000  # a choice with more takes longer than anybody waits
# What the numbers of bots that think are of, and an example of one.
_NUMBERED = {"rollouts": ("playouts", "`rollouts:50` for 50 playouts of each option"), "search": ("iterations", "`search:1000`")}


@frozen
class Bot:
    """``playouts``: of a bot that thinks, how many worlds it draws for a choice (0: as many as there is time for).

    ``file``, ``name``: of a player from outside, its Python file, and the class or function there. ``digest``: of that file.
    """

    kind: Kind
    playouts: int = 0
    file: str = ""
    name: str = ""
    digest: str = ""

    @property
    def thinks(self) -> bool:
        return self.kind in _NUMBERED

    def __str__(self) -> str:
        if self.kind == "python":
            return f"{self.file}:{self.name}"
        return f"{self.kind}:{self.playouts}" if self.playouts else self.kind


def bots_from(text: str, seats: int, timed: bool = False) -> tuple[Bot, ...]:
    """The bots that a text such as ``random`` or ``rollouts:50,random,random`` names, one for each seat.

    ``timed``: whether a search may go without its number of iterations, since it is given a time.
    Raises `RulesError` (R801) for an unknown bot and for a list that is not as long as there are seats.
    """
    found = bots_named(text, timed)
    if len(found) not in (1, seats):
        told = f"these are {len(found)} bots, and there are {seats} seats"
        where = Span(Source("--bots", text), 0, len(text))
        raise RulesError([fault("R801", told, where, help="name one bot for all seats, or one for each, in order of the seats")])
    return found if len(found) == seats else found * seats


def bots_named(text: str, timed: bool = False) -> tuple[Bot, ...]:
    """The bots that a text names, with commas between them (see `bots_from`). Raises `RulesError` (R801) for an unknown bot."""
    source = Source("--bots", text)
    found: list[Bot] = []
    start = 0
    for part in text.split(","):
        where = Span(source, start, start + len(part))
        bot = Bot("search") if timed and part.strip() == "search" else _bot(part.strip(), where)
        if isinstance(bot, Diagnostic):
            raise RulesError([bot])
        found.append(bot)
        start += len(part) + 1
    return tuple(found)


def _bot(text: str, where: Span) -> Bot | Diagnostic:
    if ".py:" in text or text.endswith(".py"):
        return _outside(text, where)
    kind, colon, number = text.partition(":")
    for known in KINDS:
        if kind == known and bool(colon) == (known in _NUMBERED):
            if not colon:
                return Bot(known)
            if number.isascii() and number.isdecimal() and len(number) < 12 and 1 <= int(number) <= PLAYOUTS_LIMIT:
                return Bot(known, int(number))
            counted, example = _NUMBERED[known]
            told = f"`{number}` is no number of {counted}"
            return fault("R801", told, where, help=f"write 1 to {PLAYOUTS_LIMIT:,}, such as {example.split(' for ')[0]}")
    if kind in _NUMBERED:
        counted, example = _NUMBERED[kind]
        return fault("R801", f"it is not said how many {counted}", where, help=f"write {example}")
    if kind in KINDS:
        return fault("R801", f"the bot `{kind}` takes no number", where, help=f"write `{kind}`")
    known_bots = "the bots are `random`, `casual`, `rollouts:N`, `search:N`, and `FILE.py:NAME` for one of your own"
    return fault("R801", f"there is no bot `{kind}`", where, help=did_you_mean(kind, KINDS, known_bots))


def _outside(text: str, where: Span) -> Bot | Diagnostic:
    """A player from outside."""
    file, _, name = text.rpartition(":") if ".py:" in text else (text, "", "")
    if not name.isidentifier():
        help = f"name the class or function in it: `{file}:NAME`"
        return fault("R808", f"it is not said who plays in `{file}`", where, help=help)
    source = read_text(file)
    if isinstance(source, Diagnostic):
        return fault("R808", f"{source.message}", where, help="a player of your own is `FILE.py:NAME`")
    return Bot("python", 0, file, name, blake2b(source.text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest())
