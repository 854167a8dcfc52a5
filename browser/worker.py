"""What the page's worker calls: it hears messages of the page as JSON, and posts others.

A worker has a role. A *player* answers questions about rules (`answers.py`) and hosts tables (`tables.py`). An *editor* is the
language server, whose messages go to and from the page as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ..interpreter.common.deadline import OutOfTime, deadline
from ..interpreter.common.diagnostics import RulesError, render
from ..interpreter.hosting.refusals import Refused
from ..interpreter.play.arguments import ArgumentError
from .answers import Answers, Command

FOLDER: Final = Path("/page/rules")  # which only the worker has

Post = Callable[[str], None]
Hear = Callable[[str], None]


def start(role: str, command: Command, post: Post, folder: Path = FOLDER) -> Hear:
    """What hears the page's messages. ``command``: runs a command, the `main` of rulesrun's click group. ``post``: sends a
    message to the page. ``folder``: where the rules of the page are put."""
    return _editor(post) if role == "editor" else _Player(command, post, folder).hear


class _Player:
    def __init__(self, command: Command, post: Post, folder: Path) -> None:
        self._post = post
        self._answers = Answers(command, self._tell, folder)

    def _tell(self, event: str, **more: Any) -> None:
        self._say(event=event, **more)

    def _say(self, **message: Any) -> None:
        self._post(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    def hear(self, text: str) -> None:
        """Answer one question: ``{"id", "method", "params", "seconds"}``."""
        asked = json.loads(text)
        id, seconds = asked["id"], asked.get("seconds")
        try:
            with deadline(seconds):
                found = self._answers.answer(asked["method"], asked["params"], lambda data: self._say(id=id, progress=data))
            self._say(id=id, result=found)
        except Refused as refused:
            self._say(id=id, error=refused.data)
        except RulesError as error:
            self._say(id=id, error={"code": "rules", "text": "\n\n".join(map(render, error.diagnostics)), "help": ""})
        except ArgumentError as error:
            self._say(id=id, error={"code": "refused", "text": str(error), "help": ""})
        except OutOfTime:
            self._say(id=id, error={"code": "stopped", "text": f"this was stopped after {seconds:g} seconds", "help": ""})
        except MemoryError:
            self._say(id=id, error={"code": "memory", "text": "there is not enough memory for this", "help": ""})
        except RecursionError:
            self._say(id=id, error={"code": "refused", "text": "this is nested too deeply for a browser", "help": ""})
        except Exception as error:  # a mistake in rulesrun, which must not take the tables with it
            text = f"this cannot be done, since rulesrun made a mistake: {type(error).__name__}: {error}"
            self._say(id=id, error={"code": "broken", "text": text, "help": ""})


def _editor(post: Post) -> Hear:
    from importlib.metadata import version

    from ..language_server.server import make_server
    from .proofs import Proofs

    def ask(**message: Any) -> None:
        post(json.dumps(message, ensure_ascii=False))

    proofs = Proofs(ask)
    server = make_server(version("rulesrun"), proofs)

    class Writer:
        def write(self, data: bytes) -> None:
            post(json.dumps({"say": data.decode()}))

        def close(self) -> None:
            pass

    server.protocol.set_writer(Writer(), include_headers=False)

    def hear(text: str) -> None:
        message = json.loads(text)
        if "proved" in message:
            proofs.heard(message["job"], message["proved"])
        else:
            content = json.loads(message["say"], object_hook=server.protocol.structure_message)
            server.protocol.handle_message(content)

    return hear
