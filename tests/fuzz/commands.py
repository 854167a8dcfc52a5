"""The commands that hostile inputs are given to, each with the processor time that it may take.

A bound is stated for a slow machine. Whatever takes a time limit of its own gets one, and its bound is that and what a command
takes to begin and to end.
"""

from __future__ import annotations

from random import Random

from attrs import frozen

from .hostile import Input

BEFORE = "before.rules"  # the file that an input was made of
READS = 10.0  # seconds of processor time for what only reads, binds and writes
PLAYS = 30.0  # for what makes tables and plays at them
SOME = 2.0  # the time limit that is given to commands which take one
ENDS = 2.0  # to begin, to hear that the time is over, and to tell what was found


@frozen
class Call:
    """A command with its arguments, the seconds that it may take, and what is typed. ``name``: under which it is counted."""

    name: str
    arguments: tuple[str, ...]
    seconds: float
    typed: str = ""


TYPED = "1\n\nhelp\nwhy 1\nundo\n0\nhistory\nscore\n1\n" + "1\n" * 20 + "quit\nno\n"
CHOOSES_TABLE = ("run", "simulate", "perft", "solve", "show")

PROVES = Call("check --proved", ("check", "--proved"), PLAYS)
# with how often each is called
COMMANDS: tuple[tuple[Call, int], ...] = (
    (PROVES, 14),
    (Call("check --proved", ("check", "--proved", "--all", "--format", "json"), PLAYS), 2),
    (Call("check --proved", ("check", "--proved", "--format", "sarif"), PLAYS), 1),
    (Call("check --proved", ("check", "--proved", "--format", "github"), PLAYS), 1),
    (Call("check --proved --coverage", ("check", "--proved", "--coverage", "--max-seconds", str(SOME)), SOME + ENDS), 2),
    (Call("check --proved --max-seconds", ("check", "--proved", "--max-seconds", str(SOME)), SOME + ENDS), 4),
    (Call("check --max-seconds", ("check", "--max-seconds", "1"), 2 * 1 + ENDS), 2),  # a game of each table comes first
    (Call("run", ("run",), PLAYS), 8),
    (Call("run", ("run", "--bots", "casual", "--seat", "1"), PLAYS), 1),
    (Call("run", ("run", "--format", "json", "--players", "3"), PLAYS), 1),
    # a game may take a minute
    (Call("simulate", ("simulate", "--games", "5", "--engine", "reference"), 4 * PLAYS), 3),
    (Call("simulate", ("simulate", "--games", "5", "--engine", "wasm"), 3 * PLAYS), 1),
    (Call("test", ("test", "--verbose"), PLAYS), 4),
    (Call("test", ("test", "--coverage", "--format", "json"), PLAYS), 1),
    (Call("fmt", ("fmt", "--diff"), READS), 5),
    (Call("fmt", ("fmt",), READS), 2),
    (Call("fix", ("fix", "--diff"), PLAYS), 4),
    (Call("fix", ("fix", "--yes"), PLAYS), 2),
    (Call("variants", ("variants",), PLAYS), 3),
    (Call("variants", ("variants", "--format", "json"), PLAYS), 1),
    (Call("diff", ("diff", BEFORE), READS), 4),
    (Call("diff", ("diff", "--variant", "example"), READS), 1),
    (Call("perft", ("perft", "--depth", "3", "--positions", "--max-seconds", str(int(SOME))), SOME + ENDS), 3),
    (Call("solve", ("solve", "--max-seconds", str(SOME)), SOME + ENDS), 2),
    (Call("show tree", ("show", "--stage", "tree"), READS), 2),
    (Call("show model", ("show", "--stage", "model"), READS), 3),
    (Call("show table", ("show", "--stage", "table"), READS), 3),
    (Call("show machine", ("show", "--stage", "machine"), READS), 4),
    (Call("show wat", ("show", "--stage", "wat"), PLAYS), 2),
    (Call("show scores", ("show", "--stage", "scores"), PLAYS), 3),
    (Call("play", ("play", "--seed", "1"), PLAYS, TYPED), 2),
    (Call("compare", ("compare", BEFORE, "--games", "3", "--seed", "1"), PLAYS), 1),
    (Call("print", ("print", "--language", "en", "--out", "printed.html"), PLAYS), 2),
    (Call("explain", ("explain",), READS), 1),
)


def drawn(given: Input, chance: Random) -> Call:
    """A command for an input."""
    call = chance.choices([each for each, _ in COMMANDS], [often for _, often in COMMANDS])[0]
    if call.name == "explain":  # it takes no file, but a code, which may be anything
        return Call(call.name, (*call.arguments, "--", given.files[given.main][chance.randrange(40) :][:60]), call.seconds)
    arguments = (*call.arguments, given.main)
    if call.name in ("run", "simulate", "play"):
        arguments += ("--seed", "1") if "--seed" not in arguments else ()
    if call.arguments[0] in CHOOSES_TABLE and "--players" not in arguments and chance.random() < 0.2:
        arguments += ("--players", chance.choice(("1", "2", "3", "4", "5", "16", "17")))
    return Call(call.name, arguments, call.seconds, call.typed)
