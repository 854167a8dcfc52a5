"""Register promotion: finds the parts of the record that a playout also keeps in locals, since a routine uses them in its loops.

(Cooper, Lu, "Register promotion in C programs", PLDI 1997, but no store is taken away.) A stored value goes into the record, too,
so a called function finds it there; and no called function changes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ...machine.machine import Assign, Call, Const, Expr, Field, Function, Invoke, Load, Routine, Stmt, While
from ...machine.traverse import every_expression, every_statement, expressions
from ..layout.storage import WORD

MOST = 12  # elements in locals, those first that are read most often

Element = tuple[Field, int]


def promoted(
    routine: Routine, functions: Mapping[str, Function], routines: Mapping[str, Routine], once: Container[str]
) -> list[Element]:
    """The elements of the record that a routine keeps in locals: all stores to their fields name them, and loops read them.

    ``once``: the routines that are written where they are called.
    """
    stored: set[Element] = set()
    elsewhere: set[Field] = set()
    called: set[str] = set()
    for stmt in _written(routine.body, routines, once):
        if isinstance(stmt, Assign) and isinstance(stmt.variable, Field):
            at = _element(stmt.variable, stmt.index)
            if at is None:
                elsewhere.add(stmt.variable)
            else:
                stored.add(at)
        elif isinstance(stmt, Call) and stmt.routine not in once:
            called.add(stmt.routine)
    elsewhere |= _stored_by(called, routines)
    read: Counter[Element] = Counter()
    for stmt in _written(routine.body, routines, once):
        if isinstance(stmt, While):
            read.update(_read((stmt, *_written(stmt.body, routines, once)), functions, set()))
    found = [element for element, _ in read.most_common() if element in stored and element[0] not in elsewhere]
    return found[:MOST]


def _written(body: Sequence[Stmt], routines: Mapping[str, Routine], once: Container[str]) -> Iterator[Stmt]:
    """Every statement, and those of the routines that are written where these call them."""
    for stmt in every_statement(tuple(body)):
        yield stmt
        if isinstance(stmt, Call) and stmt.routine in once:
            yield from _written(routines[stmt.routine].body, routines, once)


def _read(statements: Iterable[Stmt], functions: Mapping[str, Function], asked: set[str]) -> Counter[Element]:
    """How often elements are named in statements, and in the functions that they ask."""
    found: Counter[Element] = Counter()
    for stmt in statements:
        for expr in expressions(stmt):
            for part in every_expression(expr):
                if isinstance(part, Load) and isinstance(part.variable, Field):
                    at = _element(part.variable, part.index)
                    if at is not None:
                        found[at] += 1
                elif isinstance(part, Invoke) and part.function not in asked:
                    asked.add(part.function)
                    found += _read(every_statement(functions[part.function].body), functions, asked)
    return found


def _element(field: Field, index: Expr | None) -> Element | None:
    """Which element is meant, where that is known, and it fits into one local."""
    if field.bits > WORD or not (field.bits or field.width <= 4):
        return None
    match index:
        case None:
            return field, 0
        case Const(value=value):
            return field, value
        case _:
            return None


def _stored_by(names: Iterable[str], routines: Mapping[str, Routine]) -> set[Field]:
    """The fields of which some routines may store something, or those that they call."""
    found: set[Field] = set()
    seen = set(names)
    todo = list(seen)
    while todo:
        for stmt in every_statement(routines[todo.pop()].body):
            if isinstance(stmt, Assign) and isinstance(stmt.variable, Field):
                found.add(stmt.variable)
            elif isinstance(stmt, Call) and stmt.routine not in seen:
                seen.add(stmt.routine)
                todo.append(stmt.routine)
    return found
