"""The chapters on setup and on the course of play."""

from __future__ import annotations

from attrs import evolve, frozen

from ....common.nouns import spoken
from ....model import model as m
from ..telling.book import Block, Chapter, Grid, Item, Section
from ..telling.numbers import Tables
from ..telling.statements import Statements


@frozen(eq=False)
class Playing:
    """Makes the chapters that say what is done, in order."""

    teller: Statements
    tables: Tables
    declarations: tuple[m.Declaration, ...]

    def setup(self) -> Chapter | None:
        teller = evolve(self.teller, setting_up=True)
        blocks: list[Block] = []
        grid = self.by_players()
        for step in self.declarations:
            if isinstance(step, m.Step) and step.form == "setup":
                blocks.append(Item("", step.span, teller.body(step.body), "steps", (step,)))
        if grid is not None:
            blocks.append(grid)
        return Chapter("setup", teller.phrase("Setup"), (Section("", tuple(blocks)),)) if blocks else None

    def by_players(self) -> Grid | None:
        """What depends on the number of players: columns, words and options, a row for each number."""
        teller = self.teller
        columns: list[tuple[str, dict[int, str]]] = []
        told: list[m.Node] = []
        for each in self.declarations:
            if isinstance(each, m.TableDeclaration) and each.by == "players" and not each.parameters:
                told.append(each)
                for column, name in enumerate(each.columns):
                    columns.append((teller.words.name("column", name), self._column(each, column)))
            elif isinstance(each, m.Define) and not each.parameters:
                found = self._row(each.value)
                if found is not None:
                    columns.append((teller.words.name("define", each.name), found))
            elif isinstance(each, m.OptionDeclaration):
                found = self._row(each.default)
                if found is not None:  # the option stands for a column from which its usual value comes
                    columns = [(name, values) for name, values in columns if values != found]
                    columns.append((teller.words.name("option", each.name), found))
        if not columns:
            return None
        head = (teller.phrase("Players"), *(teller.sentence(name) for name, _ in columns))
        rows = tuple((str(count), *(values.get(count, "–") for _, values in columns)) for count in self.tables.counts)
        span = told[0].span if told else None
        return Grid(head, rows, teller.phrase("By number of players"), span, tuple(told))

    def _row(self, value: m.Expr) -> dict[int, str] | None:
        """The value of a number for each number of players where it differs."""
        found = self.teller.facts.numbers.of(value)
        if found is None or len(set(found.values())) == 1:
            return None
        return {count: self.teller.constant(number, m.NUMBER) for count, number in found.items()}

    def _column(self, table: m.TableDeclaration, column: int) -> dict[int, str]:
        found: dict[int, str] = {}
        for row in table.rows:
            value = self.teller.thing(row.values[column])
            if row.key is None:
                found.update({count: value for count in self.tables.counts if count not in found})
            elif isinstance(row.key, m.Const):
                found[row.key.value] = value
        return found

    # ---- The course of play

    def play(self) -> Chapter | None:
        teller = self.teller
        phases = [each for each in self.declarations if isinstance(each, m.Step) and each.form == "phase"]
        if not phases:
            return None
        sections: list[Section] = []
        if len(phases) > 1:
            names = teller.listed([teller.quoted(teller.words.name("phase", each.name)) for each in phases])
            said = teller.phrase("The phases of the game, one after the other: {phases}.", phases=names)
            sections.append(Section("", (Item(said),)))
        for phase in phases:
            heading = teller.phrase("Phase: {name}", name=teller.words.name("phase", phase.name))
            course = Item("", phase.span, teller.body(phase.body), "steps", (phase,))
            sections.append(Section(heading, (course,), phase.name, phase.span))
        for each in self.declarations:
            if isinstance(each, m.Step) and each.form == "step" and each.entered is None:
                sections.append(self.step(each))
            elif isinstance(each, m.Step) and each.entered is not None:
                sections.append(self.whenever(each))
        return Chapter("play", teller.phrase("How to play"), tuple(sections))

    def step(self, each: m.Step) -> Section:
        teller = self.teller
        name = teller.sentence(teller.words.name("step", each.name))
        inside: Statements = teller
        if each.parameters and each.parameters[0].type.base == "player":
            inside = teller.to(m.VarValue(each.parameters[0], type=each.parameters[0].type, span=each.span))
        return Section(name, (Item("", each.span, inside.body(each.body), "steps", (each,)),), each.name, each.span)

    def whenever(self, each: m.Step) -> Section:
        teller = self.teller
        assert each.entered is not None
        thing, *owners = each.parameters
        inside: Statements = teller
        if owners and owners[0].type.base == "player":
            inside = teller.to(m.VarValue(owners[0], type=owners[0].type, span=each.span))
        place = inside.spot(each.entered)
        what = teller.a(teller.variable(thing))
        if each.fitting is None or (isinstance(each.fitting, m.Const) and each.fitting.value):
            said = inside.phrase("Whenever {thing} comes to {place}, this happens at once:", thing=what, place=place)
        else:
            said = inside.phrase(
                "Whenever {thing} comes to {place}, and {condition}, this happens at once:",
                thing=what,
                place=place,
                condition=inside.condition(each.fitting),
            )
        body = inside.body(each.body)
        heading = teller.phrase(
            "At any time: {thing} to {place}", thing=teller.variable(thing), place=teller.words.name("zone", each.entered.zone)
        )
        return Section(heading, (Item(said, each.span, body, "steps", (each,)),), spoken(each.name), each.span)
