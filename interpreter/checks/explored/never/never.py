"""Events that can never happen, proved by exploring all positions.

Options and lines of the score sheet are reported for the whole game: only if every table was explored and there are no others,
since each can matter for some number of players or some variant. Players who cannot win are reported at each table that was fully
explored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import listed
from ....common.source import Span
from ....machine.machine import Choose, Machine
from ....machine.traverse import decisions
from ....model.model import Const, Model, OptionDeclaration, ScoreOf, Term
from ....model.visitor import walk
from ....table.sampling.combinations import Choice
from ....table.table import Table
from ..playing.exhausting import Exhausted
from ..playing.spotted import Seen, rounded

ENOUGH = 2_000  # games in which nobody wins
OFTEN = 0.25  # of games elsewhere, in which somebody does
ENOUGH_OF_A_SEAT = 3_000  # games of which a seat wins hardly any
RARELY = 500  # it wins at most one of so many

Gone = Mapping[Choice, tuple[Table, Machine, Exhausted]]  # the tables whose positions are all known


def nowhere(gone: Gone) -> Iterator[Diagnostic]:
    """Options that are never legal (R392), and score lines that are always 0 (R393); ``gone``: all tables that there are.

    A score line that is written as a number says so itself.
    """
    legal = {span for _, _, found in gone.values() for span in found.lines}
    terms = {name for _, _, found in gone.values() for name in found.terms}
    asked = {choose.span for choose, lines in _decisions(gone) if legal & lines.keys()}
    reported: set[Span] = set()
    for choose, lines in _decisions(gone):
        if choose.span not in asked and choose.span not in reported:
            reported.add(choose.span)
            yield _warning("R392", "nobody ever has this choice", choose.span, "let the game lead here, or leave it out")
        for span, verb in lines.items():
            if choose.span in asked and span not in legal and span not in reported:
                reported.add(span)
                yield _warning("R392", f"`{verb}` can never be chosen", span, "loosen what it asks for, or leave it out")
    for table, _, _ in gone.values():
        for term in table.terms:
            if term.name not in terms and term.span not in reported and not is_number(term):
                reported.add(term.span)
                help = "let something count here, or leave the line out"
                yield _warning("R393", f"nobody ever scores anything for `{term.name}`", term.span, help)


def is_number(term: Term) -> bool:
    """Whether a line of the score sheet is written as a number, so that everybody reads what it gives."""
    return isinstance(term.value, Const) and term.condition is None


def without_win(gone: Gone) -> tuple[Diagnostic, list[Choice]] | None:
    """Players who cannot win, however all play and whatever comes by chance (R394), and the tables where there are such.

    Who they are is said of the first of these tables.
    """
    losers = {
        choice: [name for seat, name in enumerate(machine.seat_names) if seat not in found.winners]
        for choice, (_, machine, found) in gone.items()
        if found.ends
    }
    at = [choice for choice, names in losers.items() if names]
    if not at:
        return None
    names = losers[at[0]]
    who = listed(names)
    if len({table.players for table, _, _ in gone.values()}) > 1:
        who = f"with {gone[at[0]][0].players} players, {who}"
    table = gone[at[0]][0]
    help = "begin the line with something in which each player can come first"
    if table.terms and not any(isinstance(part, ScoreOf) for part in walk(table.winner)):
        help += ": `score` decides nothing here, so perhaps `highest score`, then the rest"
    return _warning("R394", f"{who} can never win", table.winner.span, help), at


def nobody_wins(tables: Mapping[Choice, tuple[Table, Seen]]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Findings that nobody won alone in very many games with a value of an option (R394), where with other values, as many
    players and the same variants somebody often does; with the tables.
    """
    for choices in _alike(tables).values():
        shares = {choice: sum(seen.wins.values()) / max(seen.ends, 1) for choice in choices for _, seen in (tables[choice],)}
        at = [choice for choice in choices if not shares[choice] and tables[choice][1].ends >= ENOUGH]
        often = max(choices, key=shares.__getitem__)
        if at and shares[often] >= OFTEN:
            table, seen = tables[at[0]]
            message = f"nobody won in any of at least {rounded(seen.ends):,} games: all were level at the end"
            help = f"let somebody win as they do with {often.others or 'the options at their defaults'}, or allow fewer values"
            yield evolve(warning("R394", message, table.winner.span, help=help), strength="explored"), at


def hardly_wins(tables: Mapping[Choice, tuple[Table, Seen]]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """That some seats won hardly any of very many games (R394), and others often did; the tables are those with as many players
    and the same variants, whatever the values of options, and at each of them it is so."""
    for (players, _), at in _alike(tables).items():
        ends = sum(tables[choice][1].ends for choice in at)
        wins = [sum(tables[choice][1].wins.get(seat, 0) for choice in at) for seat in range(players)]
        losers = [seat for seat in range(players) if wins[seat] * RARELY <= ends]
        rare = all(tables[c][1].wins.get(seat, 0) * RARELY <= tables[c][1].ends for c in at for seat in losers)
        if losers and rare and ends >= ENOUGH_OF_A_SEAT and sum(wins) >= OFTEN * ends:
            who = f"player{'s' * (len(losers) > 1)} {listed([str(seat + 1) for seat in losers])}"
            often = "hardly any" if any(wins[seat] for seat in losers) else "none"
            message = f"with {players} players, {who} won {often} of at least {rounded(ends):,} test games"
            help = f"see that what {'they do' if len(losers) > 1 else 'this player does'} can decide who wins"
            yield evolve(warning("R394", message, tables[at[0]][0].winner.span, help=help), strength="explored"), at


def _alike(tables: Iterable[Choice]) -> dict[tuple[int, tuple[str, ...]], list[Choice]]:
    """The tables that differ only in values of options, by their number of players and variants."""
    found: dict[tuple[int, tuple[str, ...]], list[Choice]] = {}
    for choice in tables:
        found.setdefault((choice.players, choice.variants), []).append(choice)
    return found


def is_all_there_is(game: Model) -> bool:
    """Whether a game has no other tables than those that are looked at, where none were left out: of options only some values
    are tried, and only in pairs."""
    declared = (*game.declarations, *(added for variant in game.variants for added in variant.adds))
    return not any(isinstance(declaration, OptionDeclaration) for declaration in declared)


def _decisions(gone: Gone) -> Iterator[tuple[Choose, dict[Span, str]]]:
    """Each decision, with the lines of its options that are written in the rules and their verbs."""
    for _, machine, _ in gone.values():
        for choose in decisions(machine):
            verbs = ((a.span, machine.groups[a.group].verb) for a in choose.alternatives)
            lines = {span: verb for span, verb in verbs if verb in span.text}
            if lines:
                yield choose, lines


def _warning(code: str, message: str, span: Span, help: str) -> Diagnostic:
    return evolve(warning(code, message, span, help=help), strength="exhausted")
