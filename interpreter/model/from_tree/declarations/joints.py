"""Joint kinds: where a zone holds components of several kinds, all these are components of one kind.

So a set, a hidden pile or a hand has components of one kind, whatever lies there; what is known of them, drawn or dealt by chance
needs no further rule. The kind of a component is an attribute (see `model.Kind`), and a type says which kinds it can be.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....syntax import tree


def joint_kinds(lines: Iterable[object]) -> dict[str, str]:
    """The joint kind of each kind that can lie beside others: it has all their names, in the order of the file."""
    lines = tuple(lines)
    declared = [line.name.text for line in lines if isinstance(line, tree.Kind)]
    together = {name: {name} for name in declared}
    for line in lines:
        if isinstance(line, tree.Zone):
            held = [kind.text for kind in line.kinds if kind.text in together]
            group = set().union(*(together[kind] for kind in held))
            together |= dict.fromkeys(group, group)
    ordered = {name: sorted(group, key=declared.index) for name, group in together.items()}
    return {name: " or ".join(group) for name, group in ordered.items() if len(group) > 1}
