"""Lowers scores, places and returns: a function for each line of the score sheet, and for each key of the winner."""

from __future__ import annotations

from collections.abc import Iterable

from ....common.intervals import Interval
from ....common.source import Span
from ....model import model
from ....model.model import PLAYER, Var
from ....table.from_model import circles
from ...machine import NONE, RETURNS, Assign, Const, Expr, Function, If, Invoke, Load, RankKey, Return, Stmt, Term
from ..building.builder import Builder
from ..building.lowering import bits_of_set, numbers_of, required, scalar_of
from ..building.values import Binding, Env, Scalar, added_up, op
from ..components import places
from ..components.copies import copies_of, for_members
from ..expressions import overflow
from ..expressions.rankings import decided, narrow
from ..grids import regions
from . import earlier_games


def terms(b: Builder) -> tuple[Term, ...]:
    """The score sheet: ``score for TERM`` for each term, ``score`` and ``score of team`` for the sums."""
    names = [term.name for term in b.table.terms]
    shown: list[Term] = []
    for term in _asked_first(b):
        if b.table.match is None:
            _term(term, f"score for {term.name}", b)
            shown.append(Term(term.name, f"score for {term.name}"))
        else:
            _term(term, earlier_games.in_this_game(term.name), b)
            shown += earlier_games.lines(term, b.table.match, b)
    if b.table.match is not None:
        earlier_games.add_sum(b)
    _sum_of("score", [f"score for {name}" for name in names], b)
    in_team = []
    for term in b.table.terms:
        alone, together = f"score for {term.name}", f"score of team for {term.name}"
        in_team.append(_over_team(together, alone, [b.score_ranges[alone]], f"`{term.name}` of a team", term.span, b))
    _over_team("score of team", "score", [b.score_ranges["score"], *in_team], "the score of a team", b.table.winner.span, b)
    games = list(dict.fromkeys(line.game for line in shown))
    return tuple(sorted(shown, key=lambda line: (games.index(line.game), names.index(line.name))))


def _asked_first(b: Builder) -> list[model.Term]:
    """The terms, each behind those whose score it asks for: what they come to is known then."""
    parts: dict[str, model.Node] = {f"score for {term.name}": term for term in b.table.terms}
    parts |= b.table.defines
    settled: dict[str, None] = {}
    todo = [(name, True) for name in reversed(list(parts))]
    while todo:
        name, ask = todo.pop()
        if ask and name not in settled:
            todo += [(name, False), *((other, True) for other in circles.asked(parts[name], b.table) if other in parts)]
        else:
            settled[name] = None
    return [part for name in settled if isinstance(part := parts[name], model.Term)]


def _term(term: model.Term, name: str, b: Builder) -> None:
    player = b.local("player")
    env = {term.player: Binding(Scalar(Load(player), 0, b.players - 1))}
    counted: model.Expr = term.value
    if term.condition is not None:
        nothing = model.Const(0, type=model.NUMBER, span=term.span)
        counted = model.Cases(((term.condition, term.value),), nothing, type=model.NUMBER, span=term.span)
    if term.each is None or term.members is None:
        before, value = _counted(counted, term, b, env)
        low, high = value.low, value.high
        code: tuple[Stmt, ...] = (*before, Return(value.expr))
    elif regions.is_region(term.members):
        total, found = b.local("total"), [0]

        def add_up(inside: Env) -> list[Stmt]:
            before, counted_here = _counted(counted, term, b, inside)
            found.extend((counted_here.low, counted_here.high))
            return [*before, Assign(total, op("+", Load(total), counted_here.expr))]

        worth = None if b.marks is not None else _worth(counted, term.each)
        loop = regions.region_loop(term.members, term.each, add_up, b, env, worth=worth)
        code = (Assign(total, Const(0)), *loop, Return(Load(total)))
        low, high = (end * b.width(term.members.type) for end in (min(found), max(found)))
        overflow.report_too_large(low, high, [(min(found), max(found))], b, term.span)
    else:
        type = term.members.type
        members = bits_of_set(term.members, b, env)
        rest, each, total = b.local("rest", b.width(type)), b.local(term.each.name), b.local("total")
        spots = places.spots_of_cells(term.members, b, env)
        inside = env | {term.each: Binding(Scalar(Load(each), 0, max(0, b.size(type) - 1)), spots)}
        before, value = _counted(counted, term, b, inside)
        add: list[Stmt] = [*before, Assign(total, op("+", Load(total), value.expr))]
        loop = for_members(rest, members.expr, each, add, copies_of(type, b), term.span)
        code = (Assign(total, Const(0)), *loop, Return(Load(total)))
        low, high = min(0, value.low) * members.most, max(0, value.high) * members.most
        overflow.report_too_large(low, high, [(value.low, value.high)], b, term.span)
    b.functions[name] = Function(name, (player,), 0, code)
    b.score_ranges[name] = low, high


def _worth(value: model.Expr, region: model.Var) -> str | None:
    """An attribute of which some cell of a region has another value than 0, or the region counts nothing; None: there is none.

    What it is multiplied by must be a plain count: anything else could stop the game, and is asked of each region.
    """
    match value:
        case model.Arithmetic(op="*", left=left, right=model.Count() | model.Const()):
            return _worth(left, region)
        case model.Arithmetic(op="*", left=model.Count() | model.Const(), right=right):
            return _worth(right, region)
        case model.Total(
            of=model.VarValue(var=of), var=cell, value=model.AttributeOf(of=model.VarValue(var=asked), attribute=attribute)
        ) if of == region and asked == cell:
            return attribute
        case _:
            return None


def _counted(value: model.Expr, term: model.Term, b: Builder, env: Env) -> tuple[list[Stmt], Scalar]:
    """What a line counts, which is 0 where its value is none, and what is done before it is asked for."""
    found = scalar_of(value, b, env)
    if not term.value.type.optional or found.low >= 0:
        return [], Scalar(b.marked(found.expr, "score", term.span), found.low, found.high)
    mine = b.local("counted")
    counted = b.marked(op("if", op("=", Load(mine), Const(found.none)), Const(0), Load(mine)), "score", term.span)
    low, high = numbers_of(found, value.type) or (0, 0)
    return [Assign(mine, found.expr)], Scalar(counted, min(0, low), max(0, high))


def _sum_of(name: str, parts: list[str], b: Builder) -> None:
    player = b.local("player")
    asked: list[Expr] = [Invoke(part, (Load(player),)) for part in parts]
    b.functions[name] = Function(name, (player,), 0, (Return(added_up(asked)),))
    ends = [b.score_ranges[part] for part in parts]
    low, high = sum(low for low, _ in ends), sum(high for _, high in ends)
    overflow.report_too_large(low, high, ends, b, b.table.winner.span, what="the score")
    b.score_ranges[name] = low, high


def _over_team(name: str, part: str, parts: Iterable[overflow.Range], what: str, span: Span, b: Builder) -> overflow.Range:
    """A score added up over the players of a team: its range; its parts have the ranges ``parts``."""
    player, total = b.local("player"), b.local("total")
    low, high = b.score_ranges[part]
    if b.alone:
        b.functions[name] = Function(name, (player,), 0, (Return(Invoke(part, (Load(player),))),))
        b.score_ranges[name] = low, high
        return low, high
    size = max(b.table.teams.count(t) for t in b.table.teams)
    add: list[Stmt] = [Assign(total, op("+", Load(total), Invoke(part, (Load(player),))))]
    team = model.TeamOf(model.VarValue(_SOMEBODY, type=PLAYER, span=b.table.span), type=PLAYER.set, span=b.table.span)
    members = bits_of_set(team, b, {_SOMEBODY: Binding(Scalar(Load(player), 0, b.players - 1))})
    rest = b.local("rest", b.players)
    body = (Assign(total, Const(0)), *for_members(rest, members.expr, player, add, (), b.table.span), Return(Load(total)))
    b.functions[name] = Function(name, (player,), 0, body)
    b.score_ranges[name] = low * size, high * size
    overflow.report_too_large(low * size, high * size, parts, b, span, what=what)
    return low * size, high * size


_SOMEBODY = Var("player", PLAYER)


def winner(b: Builder) -> tuple[str, tuple[RankKey, ...]]:
    """The function that gives those of a set of players who come first, and the keys that it compares."""
    line = b.table.winner
    keys: list[RankKey] = []
    given = b.local("players", b.players)
    before: Expr = Load(given)
    for key in line.keys:
        function, (low, high) = _key(key, line, b)
        none = min(NONE, low) if key.value.type.optional else None
        keys.append(RankKey(key.label, key.direction != "lowest", function, b.domain(key.value.type), none))
        stage, among, these = b.fresh(f"first by {key.label}"), b.local("players", b.players), b.local("these", b.players)

        def value_of(one: Expr, function: str = function, low: int = low, high: int = high) -> Scalar:
            return Scalar(Invoke(function, (one,)), low, high)

        code = narrow(these, decided(Load(among), key, line.var.type.set, b), key, value_of, (), b)
        b.functions[stage] = Function(stage, (among,), b.players, tuple(code))
        before = Invoke(stage, (before,))
    result: tuple[Stmt, ...] = (Return(before),)
    if line.undecided == "nobody":
        first = b.local("first", b.players)
        team = model.TeamOf(model.VarValue(_SOMEBODY, type=PLAYER, span=line.span), type=PLAYER.set, span=line.span)
        lowest = {_SOMEBODY: Binding(Scalar(op("first", Load(first)), 0, b.players - 1))}
        others = op("minus", Load(first), bits_of_set(team, b, lowest).expr)
        tied = op("and", op("<", Const(1), op("count", Load(first))), op("not", op("=", others, Const(0))))
        result = (Assign(first, before), If(tied, (Return(Const(0)),)), Return(Load(first)))
    b.functions["winner"] = Function("winner", (given,), b.players, result)
    return "winner", tuple(keys)


def _key(key: model.Key, line: model.Winner, b: Builder) -> tuple[str, Interval]:
    """A key as a function of a player, and its range; in teams, the sum over the team."""
    name = b.fresh(f"key {key.label}")
    player = b.local("player")
    value = scalar_of(key.value, b, {line.var: Binding(Scalar(Load(player), 0, b.players - 1))})
    alone = name if b.alone else f"{name} alone"
    b.functions[alone] = Function(alone, (player,), 0, (Return(value.expr),))
    if alone != name:
        if key.value.type.base == "word" or key.value.type.optional:
            b.complain("R204", "in teams, a key must be a number that can be added up", key.span)
        b.score_ranges[alone] = value.low, value.high
        parts = [(value.low, value.high), b.score_ranges["score of team"]]  # most keys ask for scores
        _over_team(name, alone, parts, "this, added up over a team,", key.span, b)
    return name, value.range


def returns(b: Builder) -> str:
    """The function that gives what a player gets when all is over: the score, where the rules do not say otherwise."""
    define = b.table.defines.get(model.RETURNS)
    if define is None:
        return "score"
    player = b.local("player")
    value = required(define.value, b, {define.parameters[0]: Binding(Scalar(Load(player), 0, b.players - 1))})
    b.functions[RETURNS] = Function(RETURNS, (player,), 0, (Return(value.expr),))
    return RETURNS
