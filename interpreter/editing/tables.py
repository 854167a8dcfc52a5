"""The default table of a game that is being written, and the values that its names have there."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ..model import model
from ..rules import Rules
from ..table.from_model import specialise
from ..table.table import Table
from .workspace import Document

_tables: WeakKeyDictionary[Rules, Table | None] = WeakKeyDictionary()


def default_table(document: Document) -> Table | None:
    """The table of the latest rules that had a model: the fewest players, no variant named, options as they are by default."""
    rules = document.good
    if rules is None or rules.model is None:
        return None
    if rules not in _tables:
        _tables[rules] = specialise(rules.model).table
    return _tables[rules]


def value_of(name: str, table: Table) -> str | None:
    """The value of an option, a column or a define without parameters, in words; None where it is not settled before the game."""
    if name in table.option_words:
        return table.option_words[name]
    define = table.defines.get(name)
    if define is not None and not define.parameters and isinstance(define.value, model.Const):
        return constant(define.value, table)
    return None


def constant(value: model.Const, table: Table) -> str | None:
    """A constant in words; None where it is a set or something else that no word says."""
    type = value.type
    if type.is_set or type.base not in ("number", "truth", "word", "player"):
        return None
    if type.optional and value.value < 0:
        return "none"
    match type.base:
        case "truth":
            return "yes" if value.value else "no"
        case "word":
            return table.lists[type.of][value.value]
        case "player":
            return f"player {value.value + 1}"
        case _:
            return str(value.value)
