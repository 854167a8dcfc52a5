"""The command `serve`: tables for people and bots."""

from __future__ import annotations

import os
import re
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from .shared.console import FINE

if TYPE_CHECKING:
    from uvicorn import Server

    from ..interpreter.hosting.library import Library


@click.command(
    epilog="""\b
Examples:
  rulesrun serve games
  rulesrun serve games/kingdomino.rules
  rulesrun serve games --host 0.0.0.0      for a room of people

\b
See docs/serve.md."""
)
@click.argument("path", type=click.Path(), default=".", metavar="[FILE or FOLDER]")
@click.option("--port", type=click.IntRange(0, 65535), default=8460, show_default=True, help="The port (0: any that is free).")
@click.option("--host", "address", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Who can reach it.")
@click.option("--data", type=click.Path(), metavar="FOLDER", help="Where tables are kept (default: in your user's data folder).")
@click.option("--language", metavar="CODE", help="Language of the page for all (default: that of each browser).")
@click.option("--open/--no-open", "opens", default=True, help="Open the browser.")
@click.option("--framed-by", default="'none'", metavar="SOURCES", help="Pages that may show it in a frame, for editors.")
@click.option("--while-input", is_flag=True, help="End when standard input ends: for programs that start it.")
def serve(
    path: str, port: int, address: str, data: str | None, language: str | None, opens: bool, framed_by: str, while_input: bool
) -> int:
    """Host tables for the games in a folder: people come by links, and bots fill the other seats."""
    import socket

    import uvicorn
    from platformdirs import user_data_path

    from ..interpreter.hosting.host import Host
    from ..interpreter.hosting.library import UNPLAYED, Library
    from ..interpreter.hosting.refusals import Refused
    from ..server.app import FRAME_LIMIT, application

    if re.search(r"[^\w:/.*' -]", framed_by, re.ASCII):
        raise click.UsageError(f"`{framed_by}` does not say which pages; an example is `--framed-by https://example.org`")
    root = Path(path)
    if not root.exists():
        raise click.UsageError(f"there is no file or folder `{path}`")
    library = Library(root, without=UNPLAYED)
    asked = "" if language is None else f"?lang={_known(language, library)}"
    try:
        host = Host(library, user_data_path("rulesrun") / "tables" if data is None else Path(data))
    except Refused as refused:
        raise click.ClickException(f"{refused.text}\n{refused.help}") from None
    try:
        bound = socket.create_server((address, port))
    except (OSError, OverflowError) as error:
        raise click.ClickException(f"port {port} at {address} cannot be used: {error}") from None
    shown = "127.0.0.1" if address in ("0.0.0.0", "::", "") else address
    link = f"http://{shown}:{bound.getsockname()[1]}/{asked}"
    click.echo(f"tables at {link} (Ctrl-C ends)")
    click.echo(f"test-plays, for the designer only: {link}#plays/{host.key}")
    web = Path(__file__).parents[1] / "web"
    if opens and (web / "index.html").is_file():
        import webbrowser

        webbrowser.open(link)
    app = application(host, web, framed_by)
    config = uvicorn.Config(app, log_level="warning", ws_max_size=4 * FRAME_LIMIT, ws="websockets-sansio", server_header=False)
    server = uvicorn.Server(config)
    if while_input:
        Thread(target=_end_with_input, args=(server,), daemon=True).start()
    server.run(sockets=[bound])
    return FINE


def _known(language: str, library: Library) -> str:
    """A language that the program speaks or one of the games has; another is refused."""
    from ..interpreter.play.language import languages_for
    from ..interpreter.words.languages import languages

    code = language.replace("-", "_")
    if code in languages():
        return code
    known = sorted({*languages(), *(each for id in library.paths() for each in languages_for(library.entry(id).rules))})
    if code not in known:
        raise click.UsageError(f"the page cannot be shown in the language `{language}`: there are {', '.join(known)}")
    return code


def _end_with_input(server: Server) -> None:
    while os.read(0, 4096):
        pass
    server.should_exit = True
