"""The store: all tables and their logs in one SQLite file. What is in it is on the disk before anybody is told of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from attrs import asdict

from .log import Entry
from .refusals import Refused
from .session import Plan, Seat
from .snapshots import Snapshot

VERSION = 1
FILE = "tables.sqlite"

SCHEMA = """
create table rules (digest text primary key, files text not null) without rowid;
create table tables (id text primary key, created real not null, plan text not null) without rowid;
create table tokens (token text primary key, "table" text not null, seat integer not null) without rowid;
create table log (
    "table" text not null, number integer not null, kind text not null, seat integer not null, time real not null,
    data text not null, primary key ("table", number)
) without rowid;
"""


class Store:
    """``folder``: where the file lies; it is made if it is missing. `Refused` where that cannot be."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._turn = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._base = sqlite3.connect(self.path, timeout=0.5, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            told = f"tables cannot be kept in `{folder}`: {error}"
            raise Refused("storage", told, "name another folder: `--data FOLDER`") from None
        try:
            self._open()
        except sqlite3.Error as error:
            self._base.close()
            raise self._refusal(error) from None
        except Refused:
            self._base.close()
            raise

    def _open(self) -> None:
        run = self._base.execute
        run("pragma locking_mode = exclusive")  # one server only; the lock is gone when it ends, however it ends
        run("pragma journal_mode = wal")
        run("pragma synchronous = full")
        run("begin immediate")
        version = run("pragma user_version").fetchone()[0]
        empty = not run("select count(*) from sqlite_master").fetchone()[0]
        if version != VERSION and not (version == 0 and empty):
            run("rollback")
            raise Refused(
                "storage",
                f"the tables in `{self.path}` are of version {version}, and this program reads version {VERSION}",
                "name another folder: `--data FOLDER`",
            )
        for statement in SCHEMA.split(";") if empty else ():
            run(statement)
        run(f"pragma user_version = {VERSION}")
        run("commit")

    def _refusal(self, error: sqlite3.Error) -> Refused:
        """What is said to people of an error of SQLite."""
        folder, other = self.path.parent, "name another folder: `--data FOLDER`"
        match getattr(error, "sqlite_errorname", "").split("_")[:2]:
            case ["SQLITE", "BUSY"]:
                return Refused("storage", f"another server uses the tables in `{folder}`", f"end it, or {other}", 503)
            case ["SQLITE", "READONLY" | "CANTOPEN"]:
                return Refused("storage", f"`{folder}` cannot be written to, so nothing can be kept", other, 503)
            case ["SQLITE", "FULL"]:
                return Refused("storage", "the disk is full, so this was not done", "make room and try again", 503)
            case _:
                return Refused("storage", f"this could not be kept, so it was not done ({error})", other, 503)

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._turn:
            try:
                self._base.execute("begin immediate")
                yield self._base
                self._base.execute("commit")
            except sqlite3.Error as error:
                with suppress(sqlite3.Error):
                    self._base.execute("rollback")
                raise self._refusal(error) from None

    def close(self) -> None:
        with self._turn:
            self._base.close()

    # ---- Tables

    def add(self, plan: Plan, rules: Snapshot) -> None:
        """A new table."""
        tokens = [(plan.watch, plan.id, 0)]
        tokens += [(seat.token, plan.id, number) for number, seat in enumerate(plan.seats, 1) if seat.token]
        with self._writing() as base:
            base.execute("insert or replace into rules values (?, ?)", (rules.digest, rules.as_json()))
            base.execute("insert into tables values (?, ?, ?)", (plan.id, plan.created, json.dumps(asdict(plan))))
            base.executemany("insert into tokens values (?, ?, ?)", tokens)

    def add_rules(self, rules: Snapshot) -> None:
        with self._writing() as base:
            base.execute("insert or replace into rules values (?, ?)", (rules.digest, rules.as_json()))

    def append(self, table: str, number: int, entries: Sequence[Entry]) -> None:
        """Further entries of a log, from a number on."""
        rows = [
            (table, number + place, entry.kind, entry.seat, entry.time, json.dumps(entry.data, ensure_ascii=False))
            for place, entry in enumerate(entries)
        ]
        with self._writing() as base:
            base.executemany("insert into log values (?, ?, ?, ?, ?, ?)", rows)

    def find(self, token: str) -> tuple[str, int] | None:
        """The table and seat for which a token stands."""
        row = self._read('select "table", seat from tokens where token = ?', token)
        return (row[0][0], row[0][1]) if row else None

    def plan(self, table: str) -> Plan:
        (row,) = self._read("select plan from tables where id = ?", table)
        return _plan(json.loads(row[0]))

    def plans(self) -> list[Plan]:
        """All tables, the latest first."""
        return [_plan(json.loads(row[0])) for row in self._read("select plan from tables order by created desc")]

    def log(self, table: str) -> list[Entry]:
        rows = self._read('select kind, seat, time, data from log where "table" = ? order by number', table)
        return [Entry(kind, seat, time, json.loads(data)) for kind, seat, time, data in rows]

    def rules(self, digest: str) -> Snapshot:
        (row,) = self._read("select files from rules where digest = ?", digest)
        return Snapshot.from_json(row[0])

    def _read(self, query: str, *values: object) -> list[Any]:
        with self._turn:
            try:
                return self._base.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._refusal(error) from None


def _plan(data: dict[str, Any]) -> Plan:
    seats = tuple(Seat(**seat) for seat in data["seats"])
    made: dict[str, Any] = {**data, "variants": tuple(data["variants"]), "seats": seats}
    return Plan(**made)
