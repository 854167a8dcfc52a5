"""The command `lsp`: the language server, for editors."""

from __future__ import annotations

import os
import sys

import click

from .shared.console import FINDINGS, FINE


@click.command(
    epilog="""\b
Example: rulesrun lsp
\b
An editor starts this by itself: docs/editors.md has the settings for several.
The server needs an extra: pip install 'rulesrun[lsp]'"""
)
def lsp() -> int:
    """Serve an editor: findings as one types, completion, names, hints (Language Server Protocol, on standard input)."""
    from importlib.metadata import version

    from ..interpreter.common.extras import extra

    extra("pygls", "lsp", "`rulesrun lsp`")
    from ..language_server.server import collect_garbage_rarely, make_server

    server = make_server(version("rulesrun"))
    collect_garbage_rarely()
    try:
        server.start_io()
    finally:
        server.checker.close()
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the stream is closed, and others would write to it
    return FINE if server.was_shut_down else FINDINGS  # as the protocol wants it
