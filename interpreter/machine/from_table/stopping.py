"""Which routines can stop for a decision or a chance event, themselves or in what they call?"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from ..machine import Chance, Choose, Routine
from ..traverse import routines_with


def stopping(routines: Mapping[str, Routine]) -> dict[str, Routine]:
    """The same routines with `Routine.stops` filled in."""
    stops = routines_with(routines, Choose | Chance)
    return {name: evolve(routine, stops=name in stops) for name, routine in routines.items()}
