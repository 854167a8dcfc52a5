"""Proves that a rule asks somebody to know what they may not know.

The rules say who sees what: a zone by its visibility, and then by the moves that everybody can follow. The findings are:

- a player's options depend on faces or numbers that this player does not see (R370);
- something public is set or done by what not all may see, or a text says it (R371; see `course`);
- whether there is a choice, or who makes it, depends on what nobody may see (R372);
- who is asked to choose depends on what only some players see, and nothing else shows it (R372, a warning);
- an open pile is to keep a secret (R373): it is shuffled and drawn from, or loses components unseen;
- a hidden pile has no secret (R375): all components go there in a known order, and nobody shuffles it.

Only certain faults are reported. A zone of somebody who may be the same player, what was shown before, and what all have seen on
its way are no findings. Showing something later excuses nothing: the first use counts. Rules that ask of what is *private* by yes
or no, or for a player ("who has the two of clubs begins"), are no findings either: its owner knows and may say so. The
exceptions: being asked to choose, where that player may pass, does not say it; nor does being one of those who are asked. And no
number and no word may be read off it for all while it is still held and somebody chooses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...common.diagnostics import Diagnostic, fault, warning
from ...common.source import Span
from ...model import model
from ...model.model import Const, Expr, Var
from ...model.visitor import walk, walk_statements
from ...table.sampling.combinations import Choice
from ...table.table import Table, Variable
from .paths import TOLD, Asks, Path, Uncertainty, learnt_too_early
from .uncertainty import Walker, named

CODE_OF: dict[Asks, str] = {  # what says most of a fault comes first
    "what can be chosen": "R370",
    "a value": "R371",
    "a text": "R371",
    "whether": "R372",
    "who": "R372",
    "whether it is done": "R371",
    "who is asked": "R372",
}
RANKS = {asks: rank for rank, asks in enumerate(CODE_OF)}
PLACES = 3  # of a finding: where it is asked for; more would say the same


def knowledge(tables: Mapping[Choice, Table]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """What is wrong with who sees what: one finding for each zone, counter or marker, with the tables where it is so.

    It is said as at the first of these tables.
    """
    found: dict[Span, tuple[Diagnostic, list[Choice]]] = {}
    for choice, table in tables.items():
        for declared, diagnostic in _at(table):
            found.setdefault(declared, (diagnostic, []))[1].append(choice)
    yield from found.values()


def _at(table: Table) -> Iterator[tuple[Span, Diagnostic]]:
    """The findings at one table, each with the place where it is said who sees it."""
    walker = Walker(table)
    course = tuple(event for step in table.flow for event in walker.body(step.body, Path()))
    open_piles = _open_piles(table, walker)
    for name, diagnostic in (open_piles | _known_piles(table, walker) | _refilled_piles(table, walker)).items():
        yield table.zones[name].span, diagnostic
    found: dict[str, list[Uncertainty]] = {}
    asked = [doubt for doubt in walker.doubts if doubt.asks not in TOLD and _is_certain(doubt, walker)]
    told = learnt_too_early(course, lambda doubt: _is_certain(doubt, walker), lambda doubt: _is_hidden(doubt, walker))
    for doubt in (*asked, *told):
        if doubt.source.name not in open_piles:
            found.setdefault(doubt.source.name, []).append(doubt)
    for name, doubts in found.items():
        declared = table.zones.get(name) or table.variables[name]
        yield declared.span, _said(declared, sorted(doubts, key=lambda doubt: RANKS[doubt.asks]), table.zones.values())


# ---- What is certain


def _is_certain(doubt: Uncertainty, walker: Walker) -> bool:
    """Whether somebody surely has to know there what they do not see."""
    source = doubt.source
    variable = walker.table.variables.get(source.name)
    if variable is None:
        match walker.moving.visibility(source.name):
            case "open":
                return False
            case "hidden":
                if source.name in walker.moving.shown_to_others and (doubt.who is None or source.player != doubt.who):
                    return False
                return not _can_know(doubt, walker)
            case "private":
                return (doubt.asks in TOLD or _is_another(doubt, walker)) and not _can_know(doubt, walker)
    if variable.form not in ("counter", "marker"):
        return False  # what is kept in secret becomes known by setting something open to it
    match variable.visibility:
        case "open":
            return False
        case "hidden":
            return doubt.asks != "whether"
        case "private":
            return doubt.asks == "who is asked" or _is_another(doubt, walker)


def _is_hidden(doubt: Uncertainty, walker: Walker) -> bool:
    return walker.moving.visibility(doubt.source.name) == "hidden"


def _can_know(doubt: Uncertainty, walker: Walker) -> bool:
    """Whether somebody may know what lies there: it was revealed before, or what has come there was seen on its way.

    Of what is revealed only later, the first time counts that it is asked for: by then, no more has come there.
    """
    moving = walker.moving
    if walker.can_be_shown(doubt):
        return True
    ways = moving.ways[: doubt.ways] if doubt.source.name in moving.shown else moving.ways
    return moving.can_know(doubt.source, doubt.who, ways)


def _is_another(doubt: Uncertainty, walker: Walker) -> bool:
    """Whether what is asked belongs, at some time, to another player than the one who would have to know."""
    source, who = doubt.source, doubt.who
    owner = source.player
    if who is None or walker.table.players == 1 or owner == who:
        return False
    if source.every or owner is None:
        return True
    if isinstance(owner, Const) and isinstance(who, Const):
        return owner.value != who.value
    return _differs(owner, who, doubt, walker) or _differs(who, owner, doubt, walker)


def _differs(one: model.Typed, other: Expr, doubt: Uncertainty, walker: Walker) -> bool:
    """Whether the first of two players is, at some time, surely another than the second, by what the first stands for."""
    members = walker.reader.members
    match one:
        case model.SeatsAway(of=of, count=Const(value=seats)) if of == other:
            return seats % walker.table.players != 0
        case model.VarValue(var=var) if var in members:
            return not doubt.path.guarded and _stays(other, var, walker) and _has_others(members[var], other, walker.table)
        case _:
            return False


def _stays(player: Expr, var: Var, walker: Walker) -> bool:
    """Whether somebody is the same player while a name goes through a set of players."""
    set_there = walker.changed.get(var, set())
    return not any(isinstance(part, model.VariableValue) and part.name in set_there for part in walk(player))


def _has_others(members: model.Typed, who: Expr, table: Table) -> bool:
    """Whether a set of players surely has somebody else in it."""
    match members:
        case model.Opponents(of=of):
            return of == who
        case model.TeamOf(of=of):
            return of == who and len(set(table.teams)) < table.players
        case _:
            return _is_of_all(members)


def _is_of_all(members: model.Typed) -> bool:
    """Whether a set is that of all players, or what is left of it by their zones and counters."""
    match members:
        case Const(value=value):
            return value.bit_count() > 1
        case model.Filter(of=of):
            return _is_of_all(of)
        case _:
            return False


# ---- Saying it


def _open_piles(table: Table, walker: Walker) -> dict[str, Diagnostic]:
    """The open piles of which nobody is to know which component comes, or which are gone."""
    found = {}
    for zone in table.zones.values():
        if zone.visibility != "open" or zone.shape != "pile":
            continue
        if zone.name in walker.held:
            said, span = "all see which are removed here", walker.held[zone.name]
        elif zone.name in walker.draws and zone.name in walker.moving.mixed:
            said, span = "all see what is drawn here, yet it comes by chance", walker.draws[zone.name]
        else:
            continue
        found[zone.name] = fault(
            "R373",
            f"`{zone.name}` is an open pile: everybody sees in it what nobody is to know",
            zone.span,
            (span, said),
            label="all see the faces in it",
            help="write `hidden` instead of `open`",
        )
    return found


def _known_piles(table: Table, walker: Walker) -> dict[str, Diagnostic]:
    """The hidden piles of which everybody knows which component comes next, in every game."""
    found = {}
    for name, span in walker.gathered.items():
        zone = table.zones[name]
        filled = any(way.end == name for way in walker.moving.ways)
        drawn = zone.shape == "pile" and zone.visibility == "hidden" and name in walker.draws
        if drawn and not filled and name not in walker.moving.mixed:
            found[name] = fault(
                "R375",
                f"nobody shuffles `{name}`: the same components come from it in every game",
                span,
                (walker.draws[name], "what comes here is known to all"),
                label="they lie there in the order of their list",
                help=f"write `shuffle ... into {name}`, or let `{name}` be `open` if this order is meant",
            )
    return found


def _refilled_piles(table: Table, walker: Walker) -> dict[str, Diagnostic]:
    """The hidden piles that are shuffled at first and, when they are empty, filled again without that.

    A pile that is shuffled anywhere but in the setup is left out: that may come before the next draw.
    """
    piles = {zone.name for zone in table.zones.values() if zone.shape == "pile" and zone.visibility == "hidden"}
    later = [step.body for step in table.all_steps if step.form != "setup"]
    shuffled = {each.pile.zone for each in walk_statements(tuple(later)) if isinstance(each, model.Mix)}
    piles = (piles & walker.moving.mixed & walker.draws.keys()) - shuffled
    found: dict[str, Diagnostic] = {}
    for body in (inside for step in table.all_steps for inside in _bodies(step.body)):
        for line in body:
            for name in piles:
                move = _refill(line, name)
                if move is not None:
                    found[name] = warning(
                        "R375",
                        f"`{name}` is filled again and not shuffled: its order is known then",
                        move.span,
                        (walker.draws[name], "what comes here is known then"),
                        label="they lie there in the order of their list",
                        help=f"write `shuffle {move.what.span.text} into {name}`",
                    )
    return found


def _refill(line: model.Statement, pile: str) -> model.Move | None:
    """The move of all that lies in a zone to a pile, if a line does that where the pile is empty."""
    if not isinstance(line, model.If):
        return None
    if {part.zone for part in walk(line.condition) if isinstance(part, model.ZoneContent)} != {pile}:
        return None
    moves = (each for each in line.then if isinstance(each, model.Move) and each.to.zone == pile)
    return next((move for move in moves if isinstance(move.what, model.ZoneContent)), None)


def _bodies(body: model.Body) -> Iterator[model.Body]:
    """A body, and all that lie in it."""
    yield body
    for line in walk_statements(body):
        match line:
            case model.If(then=then, otherwise=otherwise):
                yield then
                yield otherwise
            case model.Repeat(body=inside) | model.RepeatTimes(body=inside) | model.TakeTurns(body=inside):
                yield inside
            case model.ForEach(body=inside) | model.NamedBlock(body=inside) | model.Option(body=inside):
                yield inside
            case _:
                pass


def _said(declared: model.Zone | Variable, doubts: list[Uncertainty], zones: Collection[model.Zone]) -> Diagnostic:
    """One finding for a thing that is not seen, with the places where somebody would have to. ``zones``: all of the table."""
    called = declared.said if isinstance(declared, model.Zone) else declared.name
    unseen = "which nobody sees" if declared.visibility == "hidden" else "which is private to each player"
    first = doubts[0]
    match first.asks:
        case "what can be chosen":
            message = f"what `{named(first.who)}` can choose depends on `{called}`, {unseen}"
        case "a text":
            message = f"`{named(first.who)}` is told something of `{called}`, {unseen}"
        case "a value" | "whether it is done":
            message = f"everybody learns something of `{called}`, {unseen}"
        case "whether":
            message = f"whether there is something to choose depends on `{called}`, {unseen}"
        case "who":
            message = f"who chooses depends on `{called}`, {unseen}"
        case "who is asked":
            message = f"who is asked to choose tells everybody something of `{called}`, {unseen}"

    def is_elsewhere(doubt: Uncertainty) -> bool:
        """Whether a place does not name it."""
        return doubt.asks != "who is asked" and called not in doubt.span.text

    places: dict[Span, str] = {}
    for doubt in sorted(doubts, key=lambda doubt: (RANKS[doubt.asks], is_elsewhere(doubt))):
        places.setdefault(doubt.span, doubt.what)
    (span, label), *others = list(places.items())[:PLACES]
    say = warning if first.asks == "who is asked" else fault
    return say(
        CODE_OF[first.asks],
        message,
        span,
        *others,
        (declared.span, f"this is {declared.visibility}"),
        label=label,
        help=_help(declared, called, doubts, zones),
    )


def _help(declared: model.Zone | Variable, called: str, doubts: list[Uncertainty], zones: Collection[model.Zone]) -> str:
    if doubts[0].asks == "who is asked":
        return (
            f"ask all alike, with a way to pass, and put the condition on an option (`only if ...`); if everybody may know it, "
            f"let `{called}` be `open` or say why behind `# allow R372:`"
        )
    own = all(doubt.who is not None and doubt.source.player == doubt.who for doubt in doubts)
    if own:
        return f"let `{called}` be `private`, or `open` if everybody may see it"
    if not isinstance(declared, model.Zone):
        return f"ask for something else, or let `{called}` be `open` (everybody then sees it)"
    reveal = f"reveal {called}{' of ...' if declared.owned else ''}"
    shown = f"show it to everybody: say `{reveal}` before, or let `{called}` be `open`"
    if declared.visibility == "private" and doubts[0].asks == "a value":
        return f"let a counter that is set to it be `private`, too, or let a player choose to tell it; or {shown}"
    if doubts[0].asks != "what can be chosen":
        return f"ask for something else; or {shown}"
    named_there = doubts[0].span.text.split()
    seen = [zone for zone in zones if zone.kind == declared.kind and zone.visibility == "open" and zone.said not in named_there]
    fitting = [f"`every {zone.said}`" if zone.owned else f"`{zone.said}`" for zone in seen][:PLACES]
    another = "another zone" + (f" that all see, such as {' or '.join(fitting)}" if fitting else "")
    return f"choose from {another}, or by chance (`a random {declared.noun} from ...`); or {shown}"
