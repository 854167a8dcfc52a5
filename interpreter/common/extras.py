"""Imports optional packages when they are used, and names the extra to install if one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .diagnostics import RulesError, fault


def extra(module: str, name: str, what: str) -> Any:
    """A module of an optional package. ``name``: the extra of rulesrun that brings it; ``what``: what needs it.

    Raises `RulesError` (R804) where it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        help = f"install it with `pip install 'rulesrun[{name}]'`"
        raise RulesError([fault("R804", f"{what} needs the package {package}, which is not installed", help=help)]) from None
