"""Rules that change while people look: what is found in them, and how the table can go on.

The acts so far are played again under the new rules, up to the first that no longer fits.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from ..common.diagnostics import Diagnostic
from ..play.game import SEAL, Game
from ..play.records.replay import acts_of, changes, replay, with_streams_of
from ..play.records.transcript import Act, transcript_of
from ..rules import Rules
from ..words.words import marked
from .eyes import WATCHING
from .library import Library, Stamps
from .messages import Data
from .refusals import Refused
from .session import Session, in_time
from .snapshots import Snapshot, snapshot_of
from .storage import Store

FINDINGS_LIMIT = 20  # findings that are told


@frozen
class _Offer:
    """Other rules under which a table could go on. ``acts``: those so far that fit them; ``same``: they lead to the same
    position."""

    game: Game
    rules: Snapshot
    acts: list[Act]
    same: bool


class RulesWatch:
    def __init__(self, library: Library, store: Store) -> None:
        self._library, self._store = library, store
        self._told: dict[str, tuple[Stamps, str]] = {}  # of each table: which state of the files was told, beside which rules
        self._offers: dict[str, _Offer] = {}

    def look(self, session: Session) -> None:
        """Tell those who look at a table if its rules have changed since it began, or since they were told."""
        if session.plan.replay:
            return
        try:
            entry = self._library.entry(session.plan.game)
        except Refused:
            return  # the file is gone: the table has its own copy
        seen = (entry.stamp, session.game.rules_hash)
        first = session.plan.id not in self._told
        if self._told.get(session.plan.id) == seen:
            return
        self._told[session.plan.id] = seen
        self._offers.pop(session.plan.id, None)
        rules = entry.rules
        if rules.model is None:
            session.tell_findings(_message(rules.diagnostics, False))
            return
        if rules.digest() == session.game.rules_hash:
            if not first:
                session.tell_findings(_message([], False))
            return
        try:
            self._propose(session, rules)
        except Refused as refused:
            session.tell_findings(_message([Diagnostic("R406", refused.text, severity="error")], False))

    def _propose(self, session: Session, rules: Rules) -> None:
        """Tell how a table could go on under other rules. `Refused` where they cannot be played, or take too long."""
        game = self._library.table(session.plan.game, session.plan.players, session.plan.variants, session.plan.options)
        with session.turn, in_time():
            played = transcript_of(session.state, None)
            again = replay(played, game)
            acts = acts_of(again.state)
            count = len(session.acts)
            same = len(acts) == count and with_streams_of(again.state, session.state.to_bytes()[SEAL:]) is not None
        if changes(played, rules) is None:
            session.tell_findings(_message(rules.diagnostics, False))  # only a variant that is not chosen here is another
            return
        self._offers[session.plan.id] = _Offer(game, snapshot_of(rules), acts, same)
        wrong = next((found.message for found in again.diagnostics if found.severity == "error"), "")
        session.tell_findings({**_message(rules.diagnostics, True), "kept": len(acts), "acts": count, "first": wrong})

    def adopt(self, session: Session, seat: int) -> None:
        """Go on under the rules as they are now. `Refused` where they cannot be played, and for those who only watch."""
        if seat == WATCHING:
            raise Refused("watching", marked("you only watch this table"))
        self._told.pop(session.plan.id, None)
        self.look(session)
        offer = self._offers.pop(session.plan.id, None)
        if offer is None:
            raise Refused("rules", marked("there are no other rules under which this table could go on"))
        self._store.add_rules(offer.rules)
        session.change_rules(seat, offer.game, offer.rules.digest, offer.acts, offer.same)


def _message(findings: list[Diagnostic] | tuple[Diagnostic, ...], can_change: bool) -> Data:
    return {"type": "findings", "findings": [_finding(each) for each in findings[:FINDINGS_LIMIT]], "can_change": can_change}


def _finding(found: Diagnostic) -> Data:
    span = found.span
    return {
        "code": found.code,
        "severity": found.severity,
        "text": found.message,
        "help": found.help or "",
        "line": None if span is None else span.line,
        "file": "" if span is None else Path(span.source.path).name,
    }
