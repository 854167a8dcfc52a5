"""Statements of the rules as sentences: what is moved, drawn, set and repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import assert_never

from attrs import evolve, field, frozen

from ....model import model as m
from ....model.visitor import walk
from .book import Item
from .constructs import Constructs
from .names import STRONG, WEAK
from .written import place_of


@frozen(eq=False)
class Statements(Constructs):
    """Tells the bodies of phases, steps and acts. ``setting_up``: before the game begins."""

    setting_up: bool = field(default=False, kw_only=True)

    def body(self, body: m.Body) -> tuple[Item, ...]:
        found: list[Item] = []
        teller: Statements = self
        runs = [tuple(run) for _, run in groupby(body, key=lambda node: place_of(node.span))]
        for number, run in enumerate(runs):
            item = teller.construct(run)
            if item is not None:
                found.append(item)
                continue
            for node in run:
                if isinstance(node, m.Let) and node.var.type.base == "player" and not node.var.type.is_set:
                    who = m.VarValue(node.var, type=node.var.type, span=node.span)
                    if self._is_asked(who, tuple(runs[number + 1 :])):
                        turn = self.phrase("It is the turn of {player} (“you”).", player=teller.thing(node.value))
                        found.append(Item(turn, node.span, told=(node,)))
                        teller = teller.to(who)
                        continue
                found += teller.statement(node)
        return tuple(found)

    def _is_asked(self, who: m.Expr, body: object) -> bool:
        """Whether a player chooses in some statements, or does a step."""
        for node in walk(body):
            asked = node.player if isinstance(node, m.Choose) else node.args[0] if isinstance(node, m.Do) and node.args else None
            if asked is not None and self.to(who).is_you(asked):
                return True
        return False

    def statement(self, node: m.Statement) -> Iterator[Item]:
        thing = self.thing

        def item(text: str, below: Sequence[Item] = (), steps: bool = False) -> Item:
            return Item(text, node.span, tuple(below), "steps" if steps else "bullets", (node,))

        match node:
            case m.Move(to=m.Spot(zone=m.BOX)):
                yield item(self.phrase("Take {things} out of the game.", things=self._moved(node.what)))
            case m.Move():
                yield item(self.phrase("Move {things} to {place}.", things=self._moved(node.what), place=self.spot(node.to)))
            case m.Lay():
                yield item(self._laid(node))
            case m.Draw():
                things = self._drawn(node.count, node.source)
                yield item(
                    self.phrase(
                        "Draw {things} from {source} to {place}.",
                        things=things,
                        source=self.spot(node.source),
                        place=self.spot(node.to),
                    )
                )
            case m.HoldBack():
                things = self._drawn(node.count, node.pile)
                yield item(
                    self.phrase(
                        "Put {things} from {pile} back into the box. Nobody looks at them.",
                        things=things,
                        pile=self.spot(node.pile),
                    )
                )
            case m.Remember(forget=True):
                yield item(self.phrase("Positions before this one no longer count as repeated."))
            case m.Remember():
                yield item(self.phrase("Remember the position: it must be known whether it comes again."))
            case m.Mix():
                yield item(self.phrase("Shuffle {pile}.", pile=self.spot(node.pile)))
            case m.Reveal(to=None):
                yield item(self.phrase("Show {things} to all.", things=self.members(node.what)))
            case m.Reveal(to=to):
                assert to is not None
                yield item(self.phrase("Show {things} to {player} only.", things=self.members(node.what), player=thing(to)))
            case m.Peek():
                things = self._drawn(node.count, node.pile)
                yield item(
                    self.phrase(
                        "Only {player} looks at {things} on top of {pile}.",
                        player=thing(node.player),
                        things=things,
                        pile=self.spot(node.pile),
                    )
                )
            case m.SetVariable():
                yield item(self._set(node))
            case m.Let():
                name = self.quoted(self.variable(node.var))
                yield item(self.phrase("From here on, {name} means: {value}.", name=name, value=thing(node.value)))
            case m.Gather() | m.Include() | m.Announce():
                pass  # made by a construct, which tells them
            case m.Tell():
                yield item(self.phrase("Say: {text}.", text=self.announced(node.text)))
            case m.If():
                yield from self._if(node)
            case m.ForEach():
                yield self._for_each(node)
            case m.Repeat():
                yield from self._repeat(node)
            case m.RepeatTimes():
                yield item(self._times(node.times), self.body(node.body), True)
            case m.TakeTurns():
                yield self._turns(node)
            case m.Do():
                yield item(self._do(node))
            case m.End(name="game"):
                yield item(self.phrase("The game is over at once."))
            case m.End(name=name):
                yield item(self.phrase("This ends {step}.", step=self.quoted(self.words.name("step", name))))
            case m.NamedBlock():
                name = self.words.name("step", node.name)
                yield item(self.phrase("{step}:", step=self.strong(self.sentence(name))), self.body(node.body), True)
            case m.Choose():
                yield self.choose(node)
            case _:
                assert_never(node)

    # ---- Moves

    def _moved(self, what: m.Expr) -> str:
        return self.members(what) if what.type.is_set or isinstance(what, m.ZoneContent) else self.thing(what)

    def _drawn(self, count: m.Expr, pile: m.Spot) -> str:
        zone = self.facts.zones.get(pile.zone)
        if zone is None:
            return self.thing(count)
        return self.amount(count, zone.kinds)

    def _laid(self, node: m.Lay) -> str:
        what = self._moved(node.what)
        if len(node.on) == 1 and node.on[0].type.base == "way":
            return self.phrase("Lay {things} there.", things=what)
        on = self.listed([self.thing(each) for each in node.on])
        if all(isinstance(each, m.Bounds | m.CellOf | m.Best | m.Shifted) for each in node.on):
            return self.phrase("Lay {things} on {cells}.", things=what, cells=on)
        if node.owner is None:
            return self.phrase(
                "Lay {things} on {cells} ({grid}).", things=what, cells=on, grid=self.words.name("grid", node.grid)
            )
        return self.phrase("Lay {things} on {cells} ({grid}).", things=what, cells=on, grid=self.grid(node.grid, node.owner))

    def _set(self, node: m.SetVariable) -> str:
        bare = self.value_name(node.name)
        name = self.of(bare, node.owner)
        match node.value:
            case m.Arithmetic(op="+", left=m.VariableValue(name=same, owner=owner), right=more) if (
                same == node.name and owner == node.owner
            ):
                return self.phrase("Add {number} to {counter}.", number=self.thing(more), counter=name)
            case m.Arithmetic(op="-", left=m.VariableValue(name=same, owner=owner), right=less) if (
                same == node.name and owner == node.owner
            ):
                return self.phrase("Take {number} from {counter}.", number=self.thing(less), counter=name)
            case m.Const(value=-1, type=type) if type.optional:
                if node.owner is not None and not isinstance(node.owner, m.Index) and not self.is_you(node.owner):
                    return self.sentence(
                        self.phrase("{owner} has no {thing} any more.", owner=self.thing(node.owner), thing=bare)
                    )
                if self.is_you(node.owner):
                    return self.phrase("From now on, you have no {thing}.", thing=bare)
                return self.phrase("From now on, there is no {thing}.", thing=bare)
            case m.RandomOf(of=m.AllPlayers()):
                return self.phrase("A player is chosen at random as {name}.", name=name)
            case value if self.setting_up and value.type.base == "number" and self.is_you(node.owner):
                return self.phrase("Your {counter} at the beginning: {number}.", counter=bare, number=self.thing(value))
            case value if value.type.base == "number":
                return self.phrase("Set {counter} to {number}.", counter=name, number=self.thing(value))
            case m.Const() as value if value.type.base == "truth" and node.owner is None:
                return self.phrase("From now on, {name} is {value}.", name=self.quoted(bare), value=self.thing(value))
            case value if value.type.base == "truth" and not isinstance(value, m.Const | m.VarValue | m.VariableValue):
                condition, thing = self.condition(value), self.quoted(bare) if node.owner is None else name
                return self.phrase("From now on, {name} is yes if {condition}, otherwise no.", name=thing, condition=condition)
            case value if self.is_you(value):
                return self.phrase("You are now {name}.", name=name)
            case value:
                return self._becomes(name, value)

    def _becomes(self, name: str, value: m.Expr) -> str:
        """What a marker names from now on; how the best is found, in a sentence of its own."""
        best = next((each for each in walk(value) if isinstance(each, m.Best) and not each.all), None)
        thing = evolve(self, apart=best).thing(value)
        if value.type.base == "player":
            said = self.sentence(self.phrase("{player} becomes {name}.", player=thing, name=name))
        else:
            if isinstance(value, m.VarValue):
                thing = self.phrase("this {thing}", thing=self.variable(value.var))
            said = self.phrase("From now on, {name} is {value}.", name=name, value=thing)
        if best is None:
            return said
        return self.phrase("{sentence} What decides: {keys}.", sentence=said, keys=self.keys(best.keys, best.var))

    # ---- Conditions and loops

    def _if(self, node: m.If) -> Iterator[Item]:
        inside = self.body(node.then)
        said = self.phrase("If {condition}:", condition=self.condition(node.condition))
        if not inside:
            inside = (Item(self.phrase("Nothing happens."), node.span),)
        yield Item(said, node.span, inside, told=(node,))
        if node.otherwise:
            yield Item(self.phrase("Otherwise:"), node.otherwise[0].span, self.body(node.otherwise))

    def _for_each(self, node: m.ForEach) -> Item:
        each = self.each(node.var, node.members)
        who = m.VarValue(node.var, type=node.var.type, span=node.span)
        teller = self
        is_turn = node.var.type.base == "player" and self._is_asked(who, node.body)
        if is_turn or (self.you is None and node.var.type.base == "player"):
            teller = self.to(who)
            each = self.phrase("{player} (“you”)", player=each)
        match node.order:
            case None if is_turn:
                said = self.phrase("One after the other, clockwise from player 1, for {each}:", each=each)
            case None:
                said = self.phrase("For {each}:", each=each)
            case m.Clockwise(start=None, stop=None):
                said = self.phrase("Clockwise, for {each}:", each=each)
            case m.Clockwise(start=start, stop=None):
                assert start is not None
                said = self.phrase("Clockwise, beginning with {start}, for {each}:", start=self.thing(start), each=each)
            case m.Clockwise(start=start, stop=stop):
                assert stop is not None
                first = self.phrase("player {number}", number=1) if start is None else self.thing(start)
                said = self.phrase("Clockwise from {start} to {end}, for {each}:", start=first, end=self.thing(stop), each=each)
            case m.ByKeys(var=var, keys=keys):
                said = self._in_order(each, keys, var)
            case m.InRandomOrder():
                said = self.phrase("In random order, for {each}:", each=each)
            case _:
                assert_never(node.order)
        return Item(said, node.span, teller.body(node.body), "steps" if len(node.body) > 1 else "bullets", (node,))

    def _in_order(self, each: str, keys: tuple[m.Key, ...], var: m.Var) -> str:
        if len(keys) == 1 and keys[0].direction in ("highest", "lowest"):
            value = evolve(self, ranked=var)._plain_key(keys[0].value, var)
            if keys[0].direction == "lowest":
                return self.phrase("For {each}, from the lowest {value} to the highest:", each=each, value=value)
            return self.phrase("For {each}, from the highest {value} to the lowest:", each=each, value=value)
        return self.phrase("For {each}, in order of {keys}:", each=each, keys=self.keys(keys, var))

    def _times(self, times: m.Expr) -> str:
        number = self.thing(times)
        if number.isdecimal():
            return self.words.phrase_for(int(number), "Do this {number} time:", "Do this {number} times:")
        if (varies := self.varying(times)) is not None:
            numbers, counts = varies
            return self.phrase("Do this {numbers} times (with {counts} players):", numbers=numbers, counts=counts)
        return self.phrase("Do this as many times as {number}:", number=number)

    def _until(self, node: m.Expr) -> str:
        """A condition that ends something; a word of the game is told together with what it means."""
        define = self.facts.defines.get(node.define) if isinstance(node, m.Apply) and not node.args else None
        if define is None or isinstance(define.value, m.Cases):
            return self.condition(node)
        word = self.quoted(self.words.name("define", define.name))
        return self.phrase("{condition} ({word})", condition=self.condition(define.value), word=word)

    def _repeat(self, node: m.Repeat) -> Iterator[Item]:
        until = self._until(node.until)
        inside = self.body(node.body)
        if isinstance(node.until, m.Const) and not node.until.value:
            said = self.phrase("Repeat:")
        elif node.at_most is not None and (varies := self.varying(node.at_most)) is not None:
            numbers, counts = varies
            said = self.phrase(
                "Repeat until {condition}, but at most {numbers} times (with {counts} players):",
                condition=until,
                numbers=numbers,
                counts=counts,
            )
        elif node.at_most is None:
            said = self.phrase("Repeat until {condition}:", condition=until)
        else:
            said = self.phrase(
                "Repeat until {condition}, but at most {number} times:", condition=until, number=self.thing(node.at_most)
            )
        yield Item(said, node.span, inside, "steps", (node,))
        if node.otherwise:
            yield Item(self.phrase("If that has not come to an end by then:"), node.otherwise[0].span, self.body(node.otherwise))

    def _turns(self, node: m.TakeTurns) -> Item:
        who = m.VarValue(node.var, type=node.var.type, span=node.span)
        start, until = self.thing(node.start), self._until(node.until)
        said = self.phrase("Take turns, clockwise from {start}, until this is so: {condition}.", start=start, condition=until)
        if not isinstance(node.among, m.AllPlayers):
            said = self.phrase("{sentence} Only these take part: {players}.", sentence=said, players=self.members(node.among))
        said = self.phrase("{sentence} On your turn:", sentence=said)
        return Item(said, node.span, self.to(who).body(node.body), "steps" if len(node.body) > 1 else "bullets", (node,))

    def _do(self, node: m.Do) -> str:
        """``Claim a domino from the next line (see “Claim domino”).``"""
        step = self.quoted(self.sentence(self.words.name("step", node.step)))
        declared = self.facts.steps.get(node.step)
        parameters = () if declared is None else declared.parameters
        given = list(zip(parameters, node.args, strict=False))
        who = given[0][1] if given and given[0][1].type.base == "player" and not given[0][1].type.is_set else None
        if who is not None:
            given = given[1:]
        if who is not None and not self.is_you(who):
            said = self.sentence(self.phrase("{player} follows the steps of {step}.", player=self.thing(who), step=step))
        elif declared is not None and (act := self._only_act(declared)) is not None:
            said = self.phrase("{act} (see {step}).", act=act, step=step)
        else:
            said = self.phrase("Follow the steps of {step}.", step=step)
        for var, value in given:
            if not (isinstance(value, m.VarValue) and value.var.name == var.name):
                name, thing = self.quoted(self.variable(var)), self.thing(value)
                said = self.phrase("{sentence} There, {name} means: {value}.", sentence=said, name=name, value=thing)
        return said

    def _only_act(self, step: m.Step) -> str | None:
        """What its player does in a step with one choice of one act, without a full stop."""
        match step.body:
            case (m.Choose(options=(option,)) as choose,):
                title = self.to(choose.player).title(option)
                return title.replace(STRONG, "").replace(WEAK, "").rstrip(".。")
            case _:
                return None
