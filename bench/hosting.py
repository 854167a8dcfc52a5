"""Measures `rulesrun serve` under load: many tables at once, at which people act as fast as they are allowed to.

    python bench/hosting.py --tables 200 --seconds 20 --pause 1

Two people sit at each table, each with a connection of their own; both act by what they are told, after a pause. An act is done
when both have been told of it. Printed are the acts a second, the time from an act to everybody's screen, the server's
processor time for an act, and its memory. Clients run in this process, so that on two cores the server has one of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

GAMES = ("kingdomino", "classics/connect_four", "for_the_king", "classics/gin_rummy")
ROOT = Path(__file__).parent.parent


class Load:
    """``pause``: how long a person thinks, in seconds, at the most."""

    def __init__(self, port: int, pause: float) -> None:
        self.port, self.pause = port, pause
        self.times: list[float] = []
        self.bytes = 0
        self.refused = 0
        self.measuring = False

    def make(self, game: str, seed: int) -> list[str]:
        body = json.dumps({"game": game, "players": 2, "seed": seed, "seats": [{"kind": "open"}] * 2}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/api/tables", body)) as answer:
            return [seat["token"] for seat in json.load(answer)["seats"]]

    async def table(self, game: str, number: int) -> None:
        """Play game after game at one table."""
        while True:
            tokens = await asyncio.to_thread(self.make, game, number)
            address = f"ws://127.0.0.1:{self.port}/api/play/"
            sockets = [await connect(address + token, max_size=None, open_timeout=60) for token in tokens]
            try:
                await self.play(sockets, random.Random(number))
            finally:
                for socket in sockets:
                    await socket.close()

    async def play(self, sockets: Sequence[ClientConnection], rng: random.Random) -> None:
        places = [await self.position(socket) for socket in sockets]
        while not places[0]["over"]:
            who = next(seat for seat, place in enumerate(places) if place["decision"])
            await asyncio.sleep(rng.random() * self.pause)
            options = [option for option in places[who]["decision"]["options"] if option["legal"]]
            act = {"type": "act", "position": places[who]["number"], "option": rng.choice(options)["number"]}
            began = time.monotonic()
            await sockets[who].send(json.dumps(act))
            places = list(await asyncio.gather(*(self.position(socket) for socket in sockets)))
            if self.measuring:
                self.times.append(time.monotonic() - began)

    async def position(self, socket: ClientConnection) -> dict:  # type: ignore[type-arg]
        while True:
            text = await socket.recv()
            self.bytes += len(text) if self.measuring else 0
            message = json.loads(text)
            if message["type"] == "position":
                return message  # type: ignore[no-any-return]
            self.refused += message["type"] == "error"


async def measure(load: Load, tables: int, seconds: float, server: int) -> None:
    before = memory(server)
    playing = [asyncio.create_task(load.table(GAMES[number % len(GAMES)], number)) for number in range(tables)]
    await asyncio.sleep(min(5 + tables / 40, 30))  # all tables are there
    load.measuring = True
    began, busy = time.monotonic(), processor(server)
    await asyncio.sleep(seconds)
    load.measuring = False
    took, busy = time.monotonic() - began, processor(server) - busy
    used = memory(server) - before
    failed = sum(task.done() for task in playing)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    times = sorted(load.times)
    if not times:
        print(f"{tables:>7}   no act came through")
        return
    middle, late = (1000 * times[int(len(times) * share)] for share in (0.5, 0.95))
    print(
        f"{tables:>7} {len(times) / took:>9.0f} {middle:>10.0f} {late:>10.0f} {1000 * times[-1]:>10.0f} "
        f"{1000 * busy / len(times):>10.1f} {used / tables / 1000:>10.0f} "
        f"{load.bytes / took / 1e6:>8.1f} {failed + load.refused:>7}"
    )


def memory(process: int) -> int:
    """The resident memory of a process, in bytes (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


def processor(process: int) -> float:
    """The seconds of processor time that a process has taken (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="50,100,200,400", help="how many at once; several with commas")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--pause", type=float, default=2.0, help="people think up to so many seconds")
    given = parser.parse_args()
    heads: tuple[tuple[str, int], ...] = (("acts a s", 9), ("median ms", 10), ("95 % ms", 10), ("most ms", 10))
    heads += (("CPU ms", 10), ("kB a table", 10), ("MB a s", 8), ("errors", 7))
    print(f"{'tables':>7}", *(f"{head:>{wide}}" for head, wide in heads))
    for tables in map(int, given.tables.split(",")):
        with tempfile.TemporaryDirectory() as data:
            code = "from rulesrun.cli import main; main()"
            command = [sys.executable, "-c", code, "serve", str(ROOT / "games"), "--no-open", "--port", "0", "--data", data]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert server.stdout is not None
            try:
                port = int(server.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
                asyncio.run(measure(Load(port, given.pause), tables, given.seconds, server.pid))
            finally:
                server.kill()
                server.wait()


if __name__ == "__main__":
    main()
