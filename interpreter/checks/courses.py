"""Which tables of a game differ only in what is counted when it is over? All that happens before is looked at once for them.

Of many variants, each with and without the others, most change the score alone: Kingdomino's harmony and middle kingdom make four
tables of each number of players, and one course.
"""

from __future__ import annotations

from ..model import model
from ..model.rebuild import walk
from ..table.table import Table

Course = tuple[object, ...]


def course_of(table: Table) -> Course | None:
    """All of a table that decides what can happen in a game, and where it is written; equal for tables with one course.

    None where the rules ask for scores before the game is over: then all of the table decides it.
    """
    asked: dict[str, model.Define] = {}
    todo: list[model.Node] = [*table.all_steps]
    if table.match is not None and table.match.until is not None:
        todo.append(table.match.until)
    while todo:
        for node in walk(todo.pop()):
            if isinstance(node, model.ScoreOf | model.Winners):
                return None
            if isinstance(node, model.Apply) and node.define not in asked:
                asked[node.define] = table.defines[node.define]
                todo.append(asked[node.define])
    things = table.lists, table.kinds, table.zones, table.grids, table.variables, table.columns
    written = [node.span for node in (*table.all_steps, *table.statements, *asked.values())]
    return table.players, table.teams, *things, table.match, table.flow, table.steps, asked, written
