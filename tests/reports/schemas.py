"""The schemas in ``docs/schemas``, and what they say of a piece of data."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it says nothing of its types
from referencing import Registry, Resource

from ..docs.markdown import DOCS

FOLDER = DOCS / "schemas"


@cache
def validator(name: str) -> Draft202012Validator:
    """What judges data by the schema with this name."""
    read = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
    registry: Registry[Any] = Registry().with_resources((key, Resource.from_contents(schema)) for key, schema in read.items())
    schema = read[f"{name}.json"]
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, registry=registry)


def faults(name: str, data: Any) -> list[str]:
    """What is wrong with data by a schema, with the place in it."""
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)]


def unnoticed(name: str, data: Any) -> list[str]:
    """The paths of the objects in data to which something can be added that a schema does not notice."""
    found = []
    for path in _objects(data, ()):
        more = deepcopy(data)
        _at(more, path)["and another"] = {"what": "nobody knows"}
        if not faults(name, more):
            found.append("/".join(map(str, path)))
    return found


def _objects(data: Any, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    """The paths of all objects, but of lists only in the first three items: the others are like them."""
    match data:
        case dict():
            return [path, *(found for key, value in data.items() for found in _objects(value, (*path, key)))]
        case list():
            return [found for index, value in enumerate(data[:3]) for found in _objects(value, (*path, index))]
        case _:
            return []


def _at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data
