"""Derived facts about the code of a machine, each computed when it is first asked for and kept with the machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from .. import blocks
from .. import faults as all_faults
from ..machine import Local, Machine
from . import layout
from .rounds import Rounds

_Found = TypeVar("_Found")

_known: WeakKeyDictionary[Machine, dict[str, Any]] = WeakKeyDictionary()


def _kept(function: Callable[[Machine], _Found]) -> Callable[[Machine], _Found]:
    """The function, computed once for each machine."""
    name = function.__name__

    @wraps(function)
    def found(machine: Machine) -> _Found:
        known = _known.setdefault(machine, {})
        if name not in known:
            known[name] = function(machine)
        kept: _Found = known[name]
        return kept

    return found


@_kept
def flow(machine: Machine) -> blocks.Flow:
    """The basic blocks of what stops."""
    return blocks.flatten(machine.routines, machine.main)


@_kept
def faults(machine: Machine) -> all_faults.Faults:
    """All that can stop a game."""
    return all_faults.faults_of(machine.functions, machine.routines)


@_kept
def control(machine: Machine) -> layout.Control:
    """The fields in which executors keep where a game stands."""
    return layout.control_fields(machine.functions, machine.routines, flow(machine), machine.seats)


@_kept
def rounds(machine: Machine) -> Rounds:
    """Which rounds of loops are counted."""
    return Rounds(machine.functions, machine.routines)


@_kept
def clear_at_calls(machine: Machine) -> dict[int, tuple[Local, ...]]:
    """By block: locals of the record that are dead behind the call or exit at its end."""
    return layout.clear_at_calls(machine.routines, flow(machine), machine.layout)
