"""Answers the questions of a page, a method each. What a command can say, the command says: as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from ..interpreter.common.diagnostics import RulesError
from ..interpreter.hosting.refusals import Refused
from .files import Files

if TYPE_CHECKING:
    from .tables import Tables

PRINTED_LIMIT: Final = 2_000_000  # characters that a command may print; nobody reads more in a page
STEP: Final = 0.2  # seconds of play between two looks at the progress

Params = Mapping[str, Any]
Progress = Callable[[Any], None]
Command = Callable[..., int]  # the `main` of rulesrun's click group


class Answers:
    """``command``: runs a command, see `printed`. ``tell``: an event for the page, by its name. ``folder``: for the files."""

    def __init__(self, command: Command, tell: Callable[..., None], folder: Path) -> None:
        self._command, self._tell = command, tell
        self._files = Files(folder)
        self._tables: Tables | None = None
        self._methods: dict[str, Callable[[Params, Progress], Any]] = {
            "run": self._run, "table": self._table, "check": self._check, "test": self._test, "show": self._show,
            "format": self._format, "simulate": self._simulate, "lessons": self._lessons, "solved": self._solved,
            "prove": self._prove, "open": self._open, "unpack": self._unpack, "pack": self._pack, "restore": self._restore,
            "request": self._request, "connect": self._connect, "say": self._say, "leave": self._leave,
        }  # fmt: skip

    def answer(self, method: str, params: Params, progress: Progress) -> Any:
        """The answer to one question. ``progress``: hears how far it is. Raises `Refused`."""
        if method not in self._methods:
            raise Refused("message", f"there is no method `{method[:40]}`")
        return self._methods[method](params, progress)

    # ---- What commands answer

    def _data(self, *arguments: str) -> Any:
        """What a command prints as JSON. `Refused` where it says something else instead."""
        _, text, wrong = printed(self._command, list(arguments))
        if not text:
            raise Refused("refused", wrong.strip())
        return json.loads(text)

    def _run(self, params: Params, progress: Progress) -> Any:
        name = self._files.write(params)
        seat = ["--seat", str(_whole(params, "seat"))] if "seat" in params else []
        code, text, wrong = printed(self._command, [name, "--seed", str(_whole(params, "seed")), *_choice(params), *seat])
        return {"text": text + ("\n" if text and wrong else "") + wrong, "exit": code}

    def _check(self, params: Params, progress: Progress) -> Any:
        more = ["--proved"] if params.get("proved") else ["--max-seconds", str(_whole(params, "play_seconds", 10))]
        return self._data("check", self._files.write(params), "--format", "json", *more)

    def _test(self, params: Params, progress: Progress) -> Any:
        return self._data("test", self._files.write(params), "--format", "json")

    def _show(self, params: Params, progress: Progress) -> Any:
        name = self._files.write(params)
        code, text, wrong = printed(self._command, ["show", "--stage", str(params.get("stage")), name, *_choice(params)])
        return {"text": text or wrong, "exit": code}

    def _format(self, params: Params, progress: Progress) -> Any:
        from ..interpreter.common.source import Source
        from ..interpreter.formatting.style import laid_out

        name = self._files.write(params)
        found = laid_out(Source(name, str(params["files"][name])))
        if not isinstance(found, str):
            raise RulesError(found)
        return {"text": found}

    # ---- What goes on for longer

    def _table(self, params: Params, progress: Progress) -> Any:
        from ..interpreter.hosting.library import Library

        name = self._files.write(params)
        found = Library(self._files.folder).overview_of(Path(name).stem)
        if "error" in found:
            raise Refused("rules", found["error"]["text"], found["error"]["help"])
        return found

    def _simulate(self, params: Params, progress: Progress) -> Any:
        from ..interpreter.library.measuring import Simulation, plan_of
        from ..interpreter.play.game import load
        from ..interpreter.simulate.engines.engine import engine_for
        from ..interpreter.simulate.statistics.tally import Tally

        game = load(self._files.write(params), params.get("players"), params.get("variants") or (), params.get("options") or {})
        games = _whole(params, "games")
        plan = plan_of(game, games, str(params.get("bots") or "random"), _whole(params, "seed"))
        engine = engine_for(game, plan.bots, plan.engine, counts=False)
        tally, done, step, began = Tally.empty(plan.columns), 0, 1, monotonic()
        while done < games:
            count, start = min(step, games - done), monotonic()
            tally += engine.play(plan.seed, done, count).tally
            done += count
            step = max(1, min(4 * count, int(count * STEP / max(monotonic() - start, 1e-3))))
            if done < games:
                progress({"games": done, "whole": games, "statistics": Simulation(plan, tally, monotonic() - began).data})
        return Simulation(plan, tally, monotonic() - began).data

    def _prove(self, params: Params, progress: Progress) -> Any:
        from .proofs import done

        return done(str(params["content"]))

    # ---- The tour

    def _lessons(self, params: Params, progress: Progress) -> Any:
        from attrs import asdict

        from .lessons import lessons

        return [asdict(lesson) for lesson in lessons()]

    def _solved(self, params: Params, progress: Progress) -> Any:
        from .lessons import is_solved, lessons

        lesson = next((each for each in lessons() if each.number == params.get("number")), None)
        if lesson is None:
            raise Refused("message", "there is no such lesson")
        solved, missing = is_solved(lesson, str(params.get("text")))
        return {"solved": solved, "missing": missing}

    # ---- Tables

    def _hosted(self) -> Tables:
        if self._tables is None:
            from .tables import Tables

            self._tables = Tables(
                self._files.folder,
                lambda number, message: self._tell("told", number=number, message=message),
                lambda step: self._tell("kept", step=step),
            )
        return self._tables

    def _open(self, params: Params, progress: Progress) -> Any:
        """Put a pack into the folder, base64 in ``params["pack"]``."""
        from .packs import unpacked

        return {"open": unpacked(str(params["pack"]), self._files.folder)}

    def _unpack(self, params: Params, progress: Progress) -> Any:
        """What an editor shows of a pack, base64 in ``params["pack"]``."""
        from .packs import shown

        return shown(str(params["pack"]))

    def _pack(self, params: Params, progress: Progress) -> Any:
        from .packs import packed

        return {"pack": packed(Path(self._files.write(params)))}

    def _restore(self, params: Params, progress: Progress) -> Any:
        """Go on with the tables of a worker that was stopped."""
        self._hosted().restore(params["kept"])

    def _request(self, params: Params, progress: Progress) -> Any:
        if "files" in params:
            self._files.write(params)
            self._hosted().watch_rules()
            return None
        return self._hosted().request(str(params["path"]), params.get("body"))

    def _connect(self, params: Params, progress: Progress) -> Any:
        return self._hosted().connect(str(params["token"]))

    def _say(self, params: Params, progress: Progress) -> Any:
        return self._hosted().say(_whole(params, "number"), params["message"])

    def _leave(self, params: Params, progress: Progress) -> Any:
        return self._hosted().leave(_whole(params, "number"))


class _Printed(StringIO):
    """What a command prints. `Refused` where it prints without end."""

    def write(self, text: str) -> int:
        if self.tell() + len(text) > PRINTED_LIMIT:
            raise Refused("too long", f"this was stopped, since it printed more than {PRINTED_LIMIT:,} characters")
        return super().write(text)


def printed(command: Command, arguments: list[str]) -> tuple[int, str, str]:
    """Run a command: its exit code, and what it prints on standard output and error."""
    out, wrong = _Printed(), _Printed()
    with redirect_stdout(out), redirect_stderr(wrong):
        code = command(arguments, prog_name="rulesrun", standalone_mode=False)
    return code, out.getvalue(), wrong.getvalue()


def _choice(params: Params) -> list[str]:
    """The choice of a table, as commands take it."""
    found = [] if params.get("players") is None else ["--players", str(_whole(params, "players"))]
    for variant in params.get("variants") or ():
        found += ["--variant", str(variant)]
    for name, value in (params.get("options") or {}).items():
        found += ["--set", f"{name}={value}"]
    return found


def _whole(params: Params, name: str, otherwise: int | None = None) -> int:
    found = params.get(name, otherwise)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < 1 << 53:
        raise Refused("message", f"`{name}` is a whole number from 0")
    return found
