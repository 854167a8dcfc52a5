"""The range of a player's score at a table, line by line, and the findings about score sheets and matches.

The lines are evaluated in an abstract position that covers all ends of games (see `counting`), so a range is never too narrow; it
can be too wide. A search or a learner takes its least and greatest utility from the range of the returns: the range of the whole
score, unless the rules say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from ...common.diagnostics import Diagnostic, fault, warning
from ...common.intervals import Interval, join_all
from ...common.nouns import plural
from ...common.source import Span
from ...model import model
from ...model.effects import effects_of
from ...model.model import Expr
from ...model.visitor import children, substituted, walk
from ...table.sampling.combinations import Choice
from ...table.table import Match, Table
from ..abstract.domain.states import AbstractState
from ..abstract.domain.values import LEAST, MOST, NO, NONE, YES, plus
from ..abstract.evaluation.evaluator import Evaluator
from ..abstract.evaluation.sheet import term_of
from ..abstract.interpreter import Counted, counted
from ..dataflow.dependence import all_dependencies, named

OFFERED = 3  # things to ask for that are named


@frozen
class Scores:
    """What any one player can score, in the whole of a match where one is played: each line of the score sheet, and the sum.

    ``returns``: what a player can get, where the rules say that it is something else than the score.
    """

    terms: tuple[tuple[str, Interval], ...]
    score: Interval
    declared: Interval | None

    @property
    def returns(self) -> Interval:
        return self.score if self.declared is None else self.declared


def scores(table: Table) -> Scores | None:
    """The ranges at a table; None where no game is ever over."""
    end = counted(table).end
    if end is None:
        return None
    terms = tuple((term.name, _in_match(_of_anybody(term, table, end), table.match)) for term in table.terms)
    total: Interval = (0, 0)
    for _, line in terms:
        total = plus(total, line)
    return Scores(terms, total, _returns(table, dict(terms), end))


def _returns(table: Table, lines: Mapping[str, Interval], end: AbstractState) -> Interval | None:
    """What a player can get, where that is no score: at the end of a match, of whose last game this is asked."""
    define = table.defines.get(model.RETURNS)
    if define is None:
        return None
    evaluator = Evaluator(table, lines=lines)
    found: list[tuple[int, int]] = []
    with evaluator.unsure():
        for seat in range(table.players):
            at = end.copy()
            at.names[define.parameters[0]] = seat, seat
            found.append(evaluator.number(define.value, at))
    return join_all(found)


def _of_anybody(term: model.Term, table: Table, end: AbstractState) -> Interval:
    evaluator = Evaluator(table)
    return join_all(term_of(term, (seat, seat), end.copy(), evaluator) for seat in range(table.players))


def _in_match(line: Interval, match: Match | None) -> Interval:
    """A line over all games of a match; of one that may end earlier, over any number of them."""
    if match is None or not match.goes_on:
        return line
    low, high = line[0] * match.games, line[1] * match.games
    return (low, high) if match.until is None else (min(low, line[0]), max(high, line[1]))


def show(found: Scores) -> str:
    """The ranges as a table: a row for each line of the score sheet, their sum, and returns that are something else."""
    rows = [*found.terms, ("sum", found.score), *([("returns", found.declared)] if found.declared is not None else [])]
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:<{width}}  {low}..{high}\n" for name, (low, high) in rows)


# ---- Matches


def matches(counts: Mapping[Choice, tuple[Table, Counted]]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Matches of which the end never comes (R305), or always after one game (R351), with their tables: by what a player can
    score in any number of games."""
    found: dict[Diagnostic, list[Choice]] = {}
    for choice, (table, counted_there) in counts.items():
        match, end = table.match, counted_there.end
        if end is None or match is None or match.until is None or not match.goes_on:
            continue
        lines = {term.name: _in_match(_of_anybody(term, table, end), match) for term in table.terms}
        evaluator, total = Evaluator(table, lines=lines), NO
        for line in lines.values():
            total = plus(total, line)
        with evaluator.unsure():
            holds = evaluator.number(match.until, end.copy())
        if holds[0] != holds[1]:
            continue
        asks_for_scores = any(isinstance(part, model.ScoreOf) for part in all_dependencies([match.until], table))
        label = f"a player's score is {total[0]} to {total[1]} in a match" if asks_for_scores else ""
        several = plural(match.noun)
        often = f"never ends before its {match.games} {several} are over: this never holds"
        finding = fault(
            "R351" if holds == YES else "R305",
            f"this match {'is always over after one {match.noun}: this always holds' if holds == YES else often}",
            match.until.span,
            label=label,
            help=f"ask for something else, or write how many {several} there are: `match of 3 {several}`",
        )
        found.setdefault(finding, []).append(choice)
    yield from found.items()


# ---- What makes no difference


def idle(counts: Mapping[Choice, tuple[Table, Counted]], doubtful: bool) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Lines of the score sheet that are always 0 (R360), and keys of the winner that never decide (R361).

    Only where it is so at every table that has them. Nothing is said of what the rules leave as it is: a counter that
    nothing sets, a number that stands there. ``doubtful``: whether errors leave open how a game ends; then only what does not
    depend on that is said: a key that was asked before.
    """
    ends = {choice: (table, None if doubtful else found.end) for choice, (table, found) in counts.items()}
    counted_at = {choice: (table, end) for choice, (table, end) in ends.items() if doubtful or end is not None}
    lines: dict[Span, list[Choice]] = {}
    keys: dict[Span, list[Choice]] = {}
    without_score: dict[Span, list[Choice]] = {}  # keys that ask for a score of which a variant has taken every line
    alive: set[Span] = set()  # what makes a difference somewhere
    said: dict[Span, Diagnostic] = {}
    for choice, (table, end) in counted_at.items():
        done = _changed(table)
        for term in table.terms:
            if end is not None and term.span not in alive and _is_nothing(term, table, end, done):
                lines.setdefault(term.span, []).append(choice)
                why = list(_failing(term, table, end))
                said[term.span] = warning(
                    "R360",
                    f"`{term.name}` is always 0, however the game goes",
                    term.value.span,
                    *why,
                    label="this never comes to anything else" if not why else "",
                    help="change what it counts, or leave the line out",
                )
            else:
                alive.add(term.span)
        for index, key in enumerate(table.winner.keys if table.match is None else ()):
            if not table.terms and isinstance(key.value, model.ScoreOf):
                without_score.setdefault(key.span, []).append(choice)
            finding = None if key.span in alive else _without_effect(index, table, end, done)
            if finding is not None:
                keys.setdefault(key.span, []).append(choice)
                said[key.span] = finding
            else:
                alive.add(key.span)
    for span, choices in (*lines.items(), *keys.items()):
        if span not in alive:
            yield said[span], choices
    for span, choices in without_score.items():
        help = "leave a line of the score, or add another; or replace the winner line, too"
        yield warning("R361", "this never decides: no line of the score is left", span, help=help), choices


def _changed(table: Table) -> set[str]:
    """The zones into which something goes, and the counters and markers that are set."""
    found: set[str] = set()
    for _, effect in effects_of(table.statements):
        found.update(move.place for move in effect.arrivals)
        found.update(each.name for each in effect.sets)
    return found


def _is_nothing(term: model.Term, table: Table, end: AbstractState, done: set[str]) -> bool:
    parts = [part for part in (term.value, term.condition, term.members) if part is not None]
    evaluator = Evaluator(table)
    seats = range(table.players)
    return bool(named(parts, table) & done) and all(term_of(term, (seat, seat), end.copy(), evaluator) == NO for seat in seats)


def _failing(term: model.Term, table: Table, end: AbstractState) -> Iterator[tuple[Span, str]]:
    """What never holds of the condition of a line, whoever the player is, in the define that says it, in words; none if it can
    hold."""
    evaluator = Evaluator(table)
    seats = range(table.players)
    players = [term.player]  # and those of whom a part asks

    def fails(node: Expr) -> bool:
        return all(evaluator.number(node, of_player(seat)) == NO for seat in seats)

    def of_player(seat: int) -> AbstractState:
        at = end.copy()
        at.names |= dict.fromkeys(players, (seat, seat))
        return at

    node = term.condition
    with evaluator.unsure():
        while node is not None and fails(node):
            match node:
                case model.Apply(define=name, args=args):
                    node = substituted(table.defines[name].value, dict(zip(table.defines[name].parameters, args, strict=True)))
                    continue
                case model.Logic(op="and", left=left, right=right) if fails(left) or fails(right):
                    node = left if fails(left) else right
                    continue
                case model.Some(of=model.Filter(var=var, condition=condition)) if var.type == model.PLAYER:
                    players.append(var)
                    if fails(condition):
                        node = condition
                        continue
                case model.Compare(left=left) if left.type == model.NUMBER:
                    found = [evaluator.number(left, of_player(seat)) for seat in seats]
                    low, high = min(low for low, _ in found), max(high for _, high in found)
                    if low > LEAST and high < MOST:
                        said = " ".join(left.span.text.split())
                        yield node.span, f"this never holds when a game is over: `{said}` is {low}" + f" to {high}" * (low < high)
                        return
                case _:
                    pass
            yield node.span, "this never holds when a game is over"
            return


def _without_effect(index: int, table: Table, end: AbstractState | None, done: set[str]) -> Diagnostic | None:
    """Why a key of the winner never decides, if it does not."""
    key, player = table.winner.keys[index], table.winner.var
    earlier = next((other for other in table.winner.keys[:index] if _says(other.value, key.value, player, table)), None)
    if earlier is not None:
        help = _what_differs(player, table, end, done)
        message = "this never decides: who is level here so far is level in this, too"
        return warning("R361", message, key.span, (earlier.span, "it has been asked here already"), help=help)
    settling = _settling(key, table.winner.keys[:index], player, table)
    if settling:
        message = "this never decides: who is level in what was asked before is level in this, too"
        places = [(other.span, "it follows from this" if len(settling) == 1 else "it follows from these") for other in settling]
        return warning("R361", message, key.span, *places, help=_what_differs(player, table, end, done))
    counts_scores = any(isinstance(node, model.ScoreOf) for node in walk(key.value))  # of which R360 speaks, line by line
    if end is not None and table.players > 1 and not counts_scores and named((key.value,), table) & done:
        same = _same_for_all(key, player, table, end)
        if same is not None:
            what = f"{same} for every player when a game ends" if key.value.type == model.NUMBER else "the same for every player"
            return warning("R361", f"this never decides: it is {what}", key.span, help=_what_differs(player, table, end, done))
    return None


def _what_differs(player: model.Var, table: Table, end: AbstractState | None, done: set[str]) -> str:
    """What a game could ask for, as keys that are not asked yet and need not be the same for all; leaving it out comes last."""

    def can_differ(words: str, value: model.Expr) -> bool:
        key = model.Key("highest", value, words, span=value.span)
        return end is None or _same_for_all(key, player, table, end) is None

    asked = [key.value for key in table.winner.keys]
    whose = model.VarValue(player, type=model.PLAYER, span=table.winner.span)
    keys: dict[str, model.Expr] = {}
    for term in table.terms if len(table.terms) > 1 else ():
        keys[f"highest score for {term.name}"] = model.ScoreOf(whose, False, term.name, type=model.NUMBER, span=term.span)
    for variable in table.variables.values():
        if variable.name in done and variable.owner == model.PLAYER and variable.type == model.NUMBER:
            value = model.VariableValue(variable.name, whose, type=model.NUMBER, span=variable.span)
            keys[f"most {variable.name}"] = value
    for zone in table.zones.values():
        if zone.name in done and zone.owner == model.PLAYER and not zone.grid and zone.shape != "slot":
            content = model.ZoneContent(zone.name, whose, type=zone.type.set, span=zone.span)
            keys[f"most {zone.name}"] = model.Count(content, type=model.NUMBER, span=zone.span)
    fitting = [f"`{words}`" for words, value in keys.items() if value not in asked and can_differ(words, value)]
    if not fitting:
        return "ask for something else, or leave it out"
    return f"ask for what can differ, such as {' or '.join(fitting[:OFFERED])}; or leave it out"


def _says(earlier: model.Expr, key: model.Expr, player: model.Var, table: Table) -> bool:
    """Whether two players who are level in one thing surely are in another: it is the same, or all that the score counts."""
    return _counted_by(earlier, player, table) == _counted_by(key, player, table)


def _counted_by(key: model.Expr, player: model.Var, table: Table) -> model.Expr:
    """What a key that asks for the score counts, if that is one thing; else the key."""
    if not isinstance(key, model.ScoreOf) or key.team or (key.term is None and len(set(table.teams)) != table.players):
        return key
    counted = [term for term in table.terms if key.term in (None, term.name)]
    if len(counted) != 1 or counted[0].each is not None or counted[0].condition is not None:
        return key
    return substituted(counted[0].value, {counted[0].player: _whose(player, key.span)})


def _settling(key: model.Key, earlier: Sequence[model.Key], player: model.Var, table: Table) -> Sequence[model.Key]:
    """The earlier keys of which a key is a function, one of them if one is enough; none where it is not known to be one.

    In teams, keys are sums over their players, so who is level in a sum need not be level in anything else.
    """
    if len(set(table.teams)) != table.players or not any(node == _whose(player, node.span) for node in walk(key.value)):
        return ()
    for some in (*([one] for one in earlier), earlier):
        if some and _is_settled(key.value, [one.value for one in some], player, table):
            return some
    return ()


def _is_settled(value: model.Typed, known: Sequence[model.Expr], player: model.Var, table: Table) -> bool:
    """Whether a value is the same for two players for whom all that is ``known`` is the same."""
    whose = _whose(player, value.span)
    if value in known or model.SeatNumber(whose, type=model.NUMBER, span=value.span) in known:  # no two sit on a seat
        return True
    if all(node != whose for node in walk(value)):
        return True
    if value.type.is_set and any(_said(value, table) == empty for each in known if (empty := _level_at(each, whose, table))):
        return True

    def of_term(term: model.Term, known: Sequence[model.Expr]) -> bool:
        own = model.ScoreOf(whose, False, term.name, type=model.NUMBER, span=value.span)
        parts = [part for part in (term.members, term.condition, term.value) if part is not None]
        return own in known or all(_is_settled(substituted(part, {term.player: whose}), known, player, table) for part in parts)

    match value:
        case model.ScoreOf(of=of, team=False, term=name) if of == whose:
            total = model.ScoreOf(whose, False, None, type=model.NUMBER, span=value.span)
            others = [term for term in table.terms if term.name != name]
            rest = [each for each in known if each != total]  # else two lines could follow from one another
            if name is not None and total in known and all(of_term(term, rest) for term in others):
                return True  # it is what is left of the score
            return all(of_term(term, known) for term in table.terms if name in (None, term.name))
        case model.Apply(define=name, args=args):
            word = table.defines[name]
            return _is_settled(substituted(word.value, dict(zip(word.parameters, args, strict=True))), known, player, table)
        case _:
            parts = list(children(value))
            values = [each for each in parts if isinstance(each, model.Typed)]
            return len(values) == len(parts) > 0 and all(_is_settled(each, known, player, table) for each in values)


def _level_at(key: model.Expr, whose: model.VarValue, table: Table) -> model.Typed | None:
    """The set of which two players who are level in a key both have nothing: it asks for the highest or lowest of what no two
    components share, among some of a player's; None where it is no such key."""
    match _said(key, table):
        case model.Extreme(of=of, var=var, value=model.AttributeOf(attribute=name, of=model.VarValue(var=asked))) if asked == var:
            members = rest = _said(of, table)
            fitting: dict[str, int] = {}
            while isinstance(rest, model.Filter):
                match rest.condition:
                    case model.Compare(op="=", left=model.AttributeOf(attribute=each, of=model.VarValue(var=one)), right=right):
                        if one == rest.var and isinstance(right, model.Const):
                            fitting[each] = right.value
                rest = _said(rest.of, table)
            match rest:
                case model.ZoneContent(owner=owner) if owner == whose and not (kind := table.kinds[of.type.of]).owned:
                    faces = [face for face in range(len(kind.faces)) if all(kind.value(a, face) == v for a, v in fitting.items())]
                    values = [kind.value(name, face) for face in faces]
                    alone = all(kind.faces[face].copies == 1 for face in faces) and len({*values}) == len(values)
                    return members if alone and not (NONE in values and kind.optional[kind.attributes.index(name)]) else None
    return None


def _said(value: model.Typed, table: Table) -> model.Typed:
    """What a define says, in the place of its name."""
    while isinstance(value, model.Apply):
        word = table.defines[value.define]
        value = substituted(word.value, dict(zip(word.parameters, value.args, strict=True)))
    return value


def _whose(player: model.Var, span: Span) -> model.VarValue:
    return model.VarValue(player, type=model.PLAYER, span=span)


def _same_for_all(key: model.Key, player: model.Var, table: Table, end: AbstractState) -> int | None:
    """What a key surely is for every player; None where that is not known."""
    evaluator = Evaluator(table)
    first: Interval | None = None
    with evaluator.unsure():
        for seat in range(table.players):
            at = end.copy()
            at.names[player] = seat, seat
            low, high = evaluator.number(key.value, at)
            if low != high or first not in (None, (low, high)):
                return None
            first = low, high
    return None if first is None else first[0]
