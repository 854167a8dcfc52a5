"""Players from outside: a class or function in somebody's Python file that chooses for a seat.

Each runs in a process of its own (`outside_process.py`), which is given only what the seat may know (`Seen`). So it cannot look
into the game, what it prints does not get into our output, and a choice that takes too long ends with the process. If a player
fails, there is no choice to go on with: `RulesError` R810.

The host sends pickles, and reads lines of json.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

from ...common.diagnostics import Diagnostic, RulesError, fault
from ...common.files import read_text
from ...common.source import Span
from ...machine.operators import Cells
from ...machine.random_streams import one_way
from ...machine.reference.executor import Executor
from ...players.bots import Bot
from ...players.policies import Policy, policy_for
from ..game import Game, State
from ..knowledge.determinise import NoWorld
from .seen import MOST_SECONDS

SECONDS = 30.0  # for a choice, unless the player says otherwise
LOADING = 60.0  # seconds for a file to be loaded
LOOK = 0.2  # seconds between two looks at the clock
LINE_LIMIT = 1_000_000  # bytes of an answer


def policy_of(bot: Bot, game: Game) -> Policy:
    """What chooses for a bot of any kind at a table."""
    return OutsidePolicy(bot, game) if bot.kind == "python" else policy_for(bot, game.machine)


class OutsidePolicy:
    """A `Policy` that asks a process. The process starts with the first choice."""

    def __init__(self, bot: Bot, game: Game) -> None:
        self._bot, self._game = bot, game
        self._process: _Process | None = None
        self._of: dict[int, Sequence[int]] = {}  # by seat: the game that its player is in, as a list that only grows
        self._told: dict[int, int] = {}  # by seat: how much of what happened its player was told
        self._state: State | None = None  # the game as it stands, with its story
        self._followed: Sequence[int] = ()
        self._failed: RulesError | None = None
        self._turn = Lock()

    def __call__(self, executor: Executor, cells: Cells, seat: int, history: Sequence[int]) -> int:
        legal = executor.options(cells)
        if len(legal) == 1:
            return legal[0]
        with self._turn:
            state = self._follow(history)
            seed = one_way(executor.draw_word(cells, seat))  # whoever has a word of a stream has the seed of the game
            is_new = self._of.get(seat) is not history
            self._of[seat] = history
            if self._failed is not None:
                raise self._failed  # for games that were begun in other threads
            try:
                return self._chosen(state, seat + 1, legal, seed, is_new)
            except RulesError as error:
                self._failed = error
                raise
            except BaseException:  # Ctrl-C: an answer may still come, to which nobody would listen
                self._process = self._state = None
                self._of.clear()
                raise

    def _follow(self, history: Sequence[int]) -> State:
        """The game with this history."""
        if self._state is None or self._followed is not history or len(self._state.history) > len(history):
            self._state, self._followed = self._game.start(), history
        self._state.follow(history[len(self._state.history) :])
        return self._state

    def _chosen(self, state: State, seat: int, legal: Sequence[int], seed: int, is_new: bool) -> int:
        if self._process is None:
            self._process = _Process(self._bot, self._game)
        options = tuple((number, self._game.option_text(number)) for number in legal)
        happened = state.observed(seat)
        known = 0 if is_new else self._told[seat]
        self._told[seat] = len(happened)
        told = (is_new, seat, self._game.players, options, state.about, state.view(seat), happened[known:], seed)
        answer = self._process.ask(told, state)
        who = f"`{self._bot}`, which plays for {self._game.seat_names[seat - 1]},"
        if "choice" in answer:
            number = answer["choice"]
            if number in legal:
                return int(number)
            named = f"the option {number}"
            if 0 <= number < self._game.machine.options:
                named = f"`{self._game.option_text(number)}`"
            why = state.refusal(number)
            raise self._process.failed(f"{who} chose {named}, which is not legal" + (f": {why}" if why else ""), _ONE_OF)
        if "text" in answer:
            meant = [number for number, text in options if text == " ".join(answer["text"].split())]
            if meant:
                return meant[0]
            raise self._process.failed(f"{who} chose `{answer['text']}`, which is no legal option", _ONE_OF)
        if "returned" in answer:
            raise self._process.failed(f"{who} chose {answer['returned']}, which is no option", _ONE_OF)
        raise self._process.failed(f"{who} raised {answer['raised']}", "", answer.get("line"))


_ONE_OF = "return one of `seen.options`, its number or its text"


class _Process:
    """The process of a player. It ends with this object."""

    def __init__(self, bot: Bot, game: Game) -> None:
        self._bot, self._game = bot, game
        self._knows_game = False
        self._code = "R808"  # of what fails; once it is loaded, R810
        self._line: int | None = None  # where the player begins
        code = "from rulesrun.interpreter.play.bots.outside_process import main; main()"
        command = [sys.executable, "-c", code, bot.file, bot.name]
        path = os.pathsep.join(filter(None, sys.path))
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
        )
        self._end = weakref.finalize(self, _end, self._child)
        self._clock = _Clock(self._child)
        loaded = self._answer("loading the file")
        self._clock.end()
        if "unusable" in loaded:
            self._end()
            text, help = loaded["unusable"], loaded.get("help", "")
            raise RulesError([fault("R808", f"`{bot}` cannot play: {text}", _span(bot.file, loaded.get("line")), help=help)])
        self._line, self._code = loaded["line"], "R810"
        self._seconds = loaded["seconds"] or SECONDS

    def ask(self, told: tuple[Any, ...], state: State) -> dict[str, Any]:
        """The answer to a decision. Worlds that the player asks for meanwhile are drawn from the state."""
        self._clock.begin(self._seconds)
        self._send(told)
        answer = self._answer("choosing")
        while "world" in answer:
            self._send(self._world(state, told[1], answer["world"]))
            answer = self._answer("choosing")
        self._clock.end()
        return answer

    def failed(self, text: str, help: str, line: int | None = None) -> RulesError:
        """What is raised when the player cannot be loaded or has not chosen."""
        self._end()
        return RulesError([fault(self._code, text, _span(self._bot.file, line or self._line), help=help)])

    def _world(self, state: State, seat: int, seed: int) -> tuple[Any, ...]:
        game = None if self._knows_game else self._game
        self._knows_game = True
        try:
            world = state.determinise(seat, Random(seed)).reseeded(seed)
        except NoWorld as none:
            return game, None, str(none)
        return game, world.to_bytes(), world.events

    def _send(self, told: object) -> None:
        data = pickle.dumps(told)
        assert self._child.stdin is not None
        with suppress(OSError):  # it has ended: the answer says so
            self._child.stdin.write(len(data).to_bytes(8, "little") + data)
            self._child.stdin.flush()

    def _answer(self, doing: str) -> dict[str, Any]:
        """The next line of the process. Raises `RulesError` if it has ended, or did not come to an end."""
        assert self._child.stdout is not None
        line = self._child.stdout.readline(LINE_LIMIT)
        if line.endswith(b"\n"):
            found: dict[str, Any] = json.loads(line)
            return found
        if self._clock.late:
            seconds = self._clock.seconds
            told = f"`{self._bot}` was still {doing} after {seconds:g} second{'' if seconds == 1 else 's'}"
            help = "let it think less"
            if self._code == "R810" and 2 * seconds <= MOST_SECONDS:
                help += f", or let it say how long it may think: `seconds = {2 * seconds:g}`"
            raise self.failed(told, help)
        self._child.kill()  # what it says is too long, or it has ended anyway
        code = self._child.wait()
        raise self.failed(f"the process of `{self._bot}` ended while it was {doing} (exit code {code})", "do not end the process")


class _Clock:
    """Kills a process that takes too long; it runs from the start, and ends with the process. ``late``: whether it did so."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self.late = False
        self.begin(LOADING)
        Thread(target=self._watch, args=(child,), daemon=True).start()

    def begin(self, seconds: float) -> None:
        self.seconds, self._until = seconds, monotonic() + seconds

    def end(self) -> None:
        self._until = math.inf

    def _watch(self, child: subprocess.Popen[bytes]) -> None:
        while child.poll() is None:
            if monotonic() > self._until:
                self.late = True
                child.kill()
            sleep(LOOK)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    child.wait()


def _span(path: str, line: int | None) -> Span | None:
    """A line of a file; its first one where none is known."""
    source = read_text(path)
    if isinstance(source, Diagnostic):
        return None
    number = min(line or 1, len(source.line_starts))
    text, start = source.line(number), source.line_starts[number - 1]
    return Span(source, start + len(text) - len(text.lstrip()), start + len(text))


__all__ = ["SECONDS", "OutsidePolicy", "policy_of"]
