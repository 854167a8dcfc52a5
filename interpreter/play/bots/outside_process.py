"""The process of a player from outside: it loads a Python file and chooses when it is asked (see `outside.py`).

What the player prints goes to stderr, and there is nothing for it to read. The process ends when its host is gone, even if the
player never gives back control.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep
from types import ModuleType
from typing import Any, BinaryIO

from ..arguments import shown, whole
from ..game import Game, Option, State
from ..knowledge.determinise import NoWorld
from .seen import MOST_SECONDS, Seen

TEXT_LIMIT = 1000  # of a text that is meant for an option
ALONE = 1.0  # seconds between two looks whether the host is still there


class Unusable(Exception):
    """A file that is no player's: why, what may help, and on which line."""

    def __init__(self, text: str, help: str = "", line: int | None = None) -> None:
        super().__init__(text)
        self.help, self.line = help, line


def main() -> None:
    """Load the player and answer the host until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host
    commands, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    path, name = sys.argv[1:3]
    host = _Host(commands, answers)
    try:
        player, line, seconds = _player(path, name)
    except Unusable as error:
        host.answer({"unusable": str(error), "help": error.help, "line": error.line})
        return
    host.answer({"line": line, "seconds": seconds})
    seated: dict[int, Callable[[Seen], object]] = {}
    happened: dict[int, tuple[str, ...]] = {}
    while (told := host.next()) is not None:
        is_new, seat, players, options, about, view, news, seed = told
        happened[seat] = (*(() if is_new else happened[seat]), *news)
        offered = tuple(Option(number, text, True) for number, text in options)
        seen = Seen(seat, players, offered, about, view, happened[seat], Random(seed), host.world)
        try:
            if is_new:
                seated[seat] = player()
            host.answer(_answer(seated[seat](seen)))
        except BaseException as error:
            host.answer({"raised": _said(error), "line": _line(error, path)})


class _Host:
    def __init__(self, commands: BinaryIO, answers: BinaryIO) -> None:
        self._commands, self._answers = commands, answers
        self._game: Game | None = None

    def next(self) -> Any:
        """What the host sends; None when it is gone."""
        size = self._commands.read(8)
        return pickle.loads(self._commands.read(int.from_bytes(size, "little"))) if len(size) == 8 else None

    def answer(self, data: dict[str, Any]) -> None:
        with suppress(OSError, ValueError):
            sys.stdout.flush()  # in the order in which it was printed
        try:
            self._answers.write(json.dumps(data).encode() + b"\n")
            self._answers.flush()
        except OSError:
            os._exit(0)  # the host is gone

    def world(self, seed: int) -> State:
        """See `Seen.determinise`."""
        self.answer({"world": seed})
        game, position, events = self.next()
        self._game = self._game or game
        if position is None:
            raise NoWorld(events)
        assert self._game is not None
        return self._game.from_bytes(position, events=events)


def _player(path: str, name: str) -> tuple[Callable[[], Callable[[Seen], object]], int | None, float | None]:
    """What gives the `choose` of a new game, the line where the player begins, and the seconds that it says it may think."""
    file = Path(path).resolve()
    sys.path.insert(0, str(file.parent))
    known_as = f"player_{file.stem}"  # so that it replaces no other module
    spec = importlib.util.spec_from_file_location(known_as, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[known_as] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        here = error.filename == str(file)
        raise Unusable(f"the file is no Python: {error.msg}", line=error.lineno if here else None) from None
    except BaseException as error:
        raise Unusable(f"loading the file raised {_said(error)}", line=_line(error, path)) from None
    found = getattr(module, name, None)
    if isinstance(found, type) and callable(getattr(found, "choose", None)):
        return lambda: found().choose, _start(found), _seconds(found, name)
    if callable(found) and not isinstance(found, type):
        return lambda: found, _start(found), _seconds(found, name)
    help = "a player is a class with a method `choose(self, seen)`, or a function of `seen`"
    if found is None:
        near = get_close_matches(name, _players(module), n=1)
        raise Unusable(f"there is no `{name}` in the file", f"did you mean `{near[0]}`?" if near else help)
    told = f"`{name}` has no method `choose`" if isinstance(found, type) else f"`{name}` is no class and no function"
    raise Unusable(told, help, _start(found))


def _seconds(player: Any, name: str) -> float | None:
    """How long a player says that it may think; None where it says nothing."""
    said = getattr(player, "seconds", None)
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 < said <= MOST_SECONDS:
        help = f"write a number of seconds, more than 0 and at most {MOST_SECONDS:,}"
        raise Unusable(f"`{name}.seconds` is {shown(said)}", help, _start(player))
    return float(said)


def _start(player: Any) -> int | None:
    """The line where a class or function begins."""
    with suppress(OSError, TypeError):
        return inspect.getsourcelines(player)[1]
    return None


def _players(module: ModuleType) -> list[str]:
    """The names in a file that may be players."""
    here = module.__name__
    return [name for name, value in vars(module).items() if callable(value) and getattr(value, "__module__", "") == here]


def _answer(found: object) -> dict[str, Any]:
    if isinstance(found, str):
        return {"text": found[:TEXT_LIMIT]}
    number = whole(found)
    return {"returned": shown(found)} if number is None else {"choice": number}


def _said(error: BaseException) -> str:
    return traceback.format_exception_only(error)[-1].strip()[:500]


def _line(error: BaseException, path: str) -> int | None:
    """The last line of the player's file that was at work."""
    file = str(Path(path).resolve())
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None


def _end_with(host: int) -> None:
    while os.getppid() == host:
        sleep(ALONE)
    os._exit(0)


__all__ = ["main"]
