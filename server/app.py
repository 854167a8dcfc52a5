"""The application: routes, security headers, and the WebSocket at which people play."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from socket import gethostname
from time import monotonic
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..interpreter.hosting.host import Host, Place
from ..interpreter.hosting.messages import Data
from ..interpreter.hosting.refusals import Refused
from ..interpreter.words.words import marked

BODY_LIMIT = 200_000  # bytes of a request
FRAME_LIMIT = 20_000  # bytes of a message
BURST, A_SECOND = 40, 20.0  # messages of one connection: so many at once, then so many a second
QUEUE_LIMIT = 1000  # messages that a client has not read yet: one that reads none is let go
CONNECTIONS_LIMIT = 2000
TRANSCRIPT_LIMIT = 8_000_000  # bytes of a transcript
LOOK_EVERY = 1.0  # seconds between two looks at the rules
SLEEP_AFTER = 60  # looks
PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif"})  # beside the rules, for their looks

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def application(host: Host, web: Path, framed_by: str = "'none'") -> Starlette:
    """``web``: the folder of the page's files. ``framed_by``: the pages that may show it in a frame, in the words of a content
    security policy."""
    shell = _Shell(host)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        looking = asyncio.create_task(_look_after(host))
        yield
        looking.cancel()
        await run_in_threadpool(host.close)

    async def index(request: Request) -> Response:
        page = web / "index.html"
        return FileResponse(page) if page.is_file() else Response("the page is not installed", 404, media_type="text/plain")

    routes: list[BaseRoute] = [
        Route("/", index),
        Route("/looks/{id:path}/{name}", shell.look),
        Route("/api/games", shell.games),
        Route("/api/words/{language}", shell.words),
        Route("/api/tables", shell.make, methods=["POST"]),
        Route("/api/tables/{token}/transcript", shell.transcript),
        Route("/api/tables/{token}/rules", shell.rules),
        Route("/api/replays", shell.replay, methods=["POST"]),
        Route("/api/plays/{key}", shell.plays),
        Route("/api/plays/{key}/parquet", shell.happenings),
        WebSocketRoute("/api/play/{token}", shell.play),
    ]
    if web.is_dir():
        routes.append(Mount("/web", StaticFiles(directory=web)))
    return Starlette(routes=routes, middleware=[Middleware(_Guard, POLICY + framed_by)], lifespan=lifespan)


async def _look_after(host: Host) -> None:
    """Look for rules that change, and forget tables at which nobody looks, for as long as the server runs."""
    while True:
        for _ in range(SLEEP_AFTER):
            await asyncio.sleep(LOOK_EVERY)
            await _done(host.watch_rules)
        await _done(host.sleep)


async def _done(work: Callable[[], None]) -> None:
    """Do something again and again; where it fails, that is told, and the next time comes all the same."""
    try:
        await run_in_threadpool(work)
    except Exception:
        logging.getLogger("rulesrun").exception("looking after tables failed")


class _Guard:
    """Sets the security headers, and turns away what comes from the pages of others."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self.app = app
        self._headers = {**HEADERS, "content-security-policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if not _is_own(scope):
            refusal = JSONResponse({"error": {"code": "origin", "text": "this request comes from another page", "help": ""}}, 403)
            if scope["type"] == "http":
                await refusal(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 4403, "reason": "another origin"})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in self._headers.items() if name.encode() not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self.app(scope, receive, guarded)


def _is_own(scope: Scope) -> bool:
    """Whether a request is from our own page, or from no page at all. What only reads is anybody's."""
    headers = Headers(scope=scope)
    if not _is_ours(headers.get("host", "")):
        return False
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none") or scope.get("method") == "GET"
    if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
        return True
    return origin.partition("://")[2] == headers.get("host")


def _is_ours(host: str) -> bool:
    """Whether a host is called by its address or its own name. Any other name is one that a stranger has pointed at us."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() and not host.endswith("]") else host
    own = gethostname().casefold()
    if name.casefold() in ("localhost", own, f"{own}.local"):
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class _Shell:
    def __init__(self, host: Host) -> None:
        self._host = host
        self._connected = 0

    async def games(self, request: Request) -> Response:
        return await _answered(self._host.library.overview)

    async def words(self, request: Request) -> Response:
        return await _answered(lambda: self._host.words(request.path_params["language"]))

    async def look(self, request: Request) -> Response:
        """The look of a game, `NAME.look.css` beside `NAME.rules`, or a picture beside them. Without a look: an empty one."""
        id, name = request.path_params["id"], request.path_params["name"]
        rules = (await run_in_threadpool(self._host.library.paths)).get(id)
        if rules is not None and (name == "look.css" or Path(name).suffix in PICTURES):
            file = rules.with_suffix(".look.css") if name == "look.css" else rules.parent / name
            if file.is_file() and file.resolve().parent == rules.resolve().parent:
                return FileResponse(file, headers={"cache-control": "no-cache"})
        if name == "look.css":
            return Response("", media_type="text/css")
        return Response("there is no such picture", 404, media_type="text/plain")

    async def make(self, request: Request) -> Response:
        try:
            data = json.loads(await _body(request))
        except (ValueError, RecursionError):
            return _refusal(Refused("message", "this is no JSON"))
        except Refused as refused:
            return _refusal(refused)
        return await _answered(lambda: self._host.make(data))

    async def transcript(self, request: Request) -> Response:
        token = request.path_params["token"]
        return await _answered(lambda: self._host.place(token).session.transcript())

    async def rules(self, request: Request) -> Response:
        token = request.path_params["token"]
        return await _answered(lambda: self._host.place(token).session.rules_data())

    async def replay(self, request: Request) -> Response:
        try:
            text = (await _body(request, TRANSCRIPT_LIMIT)).decode("utf-8", "replace")
        except Refused as refused:
            return _refusal(refused)
        return await _answered(lambda: self._host.replay(text))

    async def plays(self, request: Request) -> Response:
        return await _answered(lambda: self._host.plays(request.path_params["key"]))

    async def happenings(self, request: Request) -> Response:
        try:
            found = await run_in_threadpool(self._host.happenings, request.path_params["key"])
        except Refused as refused:
            return _refusal(refused)
        name = {"content-disposition": 'attachment; filename="plays.parquet"'}
        return Response(found, media_type="application/vnd.apache.parquet", headers=name)

    async def play(self, socket: WebSocket) -> None:
        """One connection of a client, from its first message to its last."""
        await socket.accept()
        try:
            place = await run_in_threadpool(self._host.place, socket.path_params["token"])
            if self._connected >= CONNECTIONS_LIMIT:
                raise Refused("full", marked("too many people are connected; come back in a moment"), status=503)
        except Refused as refused:
            await _say(socket, _error(refused))
            await socket.close(4404, refused.code)
            return
        self._connected += 1
        try:
            await _Connection(self._host, place, socket).serve()
        finally:
            self._connected -= 1


class _Connection:
    """One client at its place."""

    def __init__(self, host: Host, place: Place, socket: WebSocket) -> None:
        self._host, self._place, self._socket = host, place, socket
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Data | None] = asyncio.Queue()
        self._left, self._since = float(BURST), monotonic()

    def tell(self, message: Data) -> None:
        """Called by any thread."""
        with suppress(RuntimeError):  # the server has stopped
            self._loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: Data) -> None:
        self._queue.put_nowait(None if self._queue.qsize() >= QUEUE_LIMIT else message)

    async def serve(self) -> None:
        session = self._place.session
        looking = await run_in_threadpool(session.connect, self._place.seat, self.tell)
        telling = asyncio.create_task(self._tell())
        try:
            while True:
                text = await self._socket.receive_text()
                await self._answer(text)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            telling.cancel()
            await asyncio.shield(run_in_threadpool(session.leave, looking))

    async def _tell(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while (message := await self._queue.get()) is not None:
                await _say(self._socket, message)
            await self._socket.close(4408, "too slow")

    async def _answer(self, text: str) -> None:
        try:
            self._check_pace()
            if len(text) > FRAME_LIMIT:
                raise Refused("too long", f"a message has at most {FRAME_LIMIT:,} characters")
            try:
                message = json.loads(text)
            except (ValueError, RecursionError):
                raise Refused("message", "this is no JSON") from None
            await run_in_threadpool(self._host.answer, self._place, message, self.tell)
        except Refused as refused:
            self._put(_error(refused))

    def _check_pace(self) -> None:
        now = monotonic()
        self._left = min(BURST, self._left + (now - self._since) * A_SECOND)
        self._since = now
        if self._left < 1:
            raise Refused("too fast", marked("slower, please: this was not read"))
        self._left -= 1


def _error(refused: Refused) -> Data:
    return {"type": "error", **refused.data}


async def _say(socket: WebSocket, message: Data) -> None:
    await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


async def _body(request: Request, limit: int = BODY_LIMIT) -> bytes:
    found = b""
    async for part in request.stream():
        found += part
        if len(found) > limit:
            raise Refused("too long", f"a request has at most {limit:,} bytes", status=413)
    return found


async def _answered(ask: Callable[[], Any]) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(ask))
    except Refused as refused:
        return _refusal(refused)


def _refusal(refused: Refused) -> Response:
    return JSONResponse({"error": refused.data}, refused.status)
