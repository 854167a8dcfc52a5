"""A person's session at a terminal: a typed line goes in, a page comes out.

The others' seats are played by bots. The person is told what their seat saw, and may go back to an earlier decision of
theirs. Nothing here reads or prints: a save is handed out as text, for the caller to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches

from attrs import evolve, frozen

from ..common.diagnostics import Diagnostic, RulesError, fault
from ..common.nouns import spoken
from ..play.game import SEAL, Game, Option, State
from ..play.narration import headings, narrate
from ..play.page import Line, Page
from ..play.replay import Replayed, acts_of, replay, with_streams_of
from ..play.result import heading, result, team_of
from ..play.thinking import Advisor, play_again, times
from ..play.transcript import Act, Transcript, to_data, to_text, transcript_of
from ..play.views import view_text
from ..players.bots import PLAYOUTS_LIMIT
from ..players.policies import Policy
from ..players.thoughts import Thought

COMMANDS = (
    ("NUMBER or TEXT", "take that option"),
    ("why OPTION", "say why it is allowed or not"),
    ("all", "show options that are not allowed now too, and why not"),
    ("hint", "what a search thinks of each option (`hint 5000`: with more iterations)"),
    ("view", "what you see and know (`view all` names every card)"),
    ("undo", "go back to your previous decision"),
    ("save FILE", "save the game"),
    ("quit", "leave; you can save the game first (Ctrl-C does the same)"),
    ("help", "show this list"),
)
COUNTED = 5  # options that only count up have a line each when they are no more than these
WITHOUT_BRACKETS = str.maketrans("[]", "  ")  # tests write `play [red 3]`, and options are shown as `play red 3`
MEANT_SHOWN = 8  # options that a text could mean, as a message names them


@frozen
class Reply:
    """What a line typed led to. ``save``: the path and text of a file to be written. ``quit``: the person leaves."""

    page: Page
    save: tuple[str, str] | None = None
    quit: bool = False


class Session:
    """One person's game. ``state``: where it stands. ``seed``: under which it began, for the transcript.

    ``before``: of a continued game, the game at each earlier decision of the person. ``saved_in``: the file that holds the
    game as it stands, with which it began. ``policies``: of the bot of each seat (none: all play at random). ``advisor``: who
    gives hints.
    """

    def __init__(
        self, state: State, seat: int, seed: int | None, before: Iterable[State] = (), saved_in: str = "",
        policies: Sequence[Policy] = (), advisor: Advisor | None = None,
    ) -> None:
        self.state = state
        self._advisor = advisor or Advisor(state.game)
        self._policies = policies
        self.seat = seat
        self.seed = seed
        acts = [number for number, event in enumerate(state.events) if event.kind == "act" and event.player == seat]
        self._told = max(acts, default=0)  # events the person has been told; of a continued game, up to their last act
        self._before = list(before)
        self._saved = (saved_in, self.saved) if saved_in else ("", "")
        self._let_bots_play()

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def saved(self) -> str:
        """The game as a file's text, from which it can be continued."""
        return to_text(to_data(transcript_of(self.state, self.seed, self.seat, save=True)))

    @property
    def saved_in(self) -> str:
        """The file that holds the game as it stands now; "" when none does."""
        path, text = self._saved
        return path if text == self.saved else ""

    def was_saved(self, path: str) -> None:
        """Take note that a file holds the game as it stands now."""
        self._saved = (path, self.saved)

    def opening(self, language: str | None = None) -> Page:
        """What the person reads first: the game, who they are, and the news."""
        you = Line("table", f"you are {self.state.game.seat_names[self.seat - 1]}; `help` says what you can type")
        here = headings(self.state.game, self.state.events, self._told)
        return (*heading(self.state.game, language=language), you, *here, *self.news())

    def news(self) -> Page:
        """What happened since the person was last told, then what there is to decide (or how it ended)."""
        lines = narrate(self.state.game, self.state.events, self.seat, self._told)
        self._told = len(self.state.events)
        if self.state.fault is not None:
            return tuple(lines)
        if self.state.is_over:
            return (*lines, *result(self.state))
        return (*lines, *self.question())

    def question(self) -> Page:
        """The person's view and the legal options, numbered."""
        about = self.state.about
        return (Line("heading", f"Your turn: {about}" if about else "Your turn"), *self._view(), *self._options())

    def answer(self, typed: str) -> Reply:
        """Do what a typed line says. What is interrupted is not done: the game stands where it was."""
        text = " ".join(typed.split())
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "":
                return Reply(())
            case "quit" | "exit" | "q" if not rest:
                return Reply((), quit=True)
            case "help" | "?" if not rest:
                return Reply(self._help())
            case "view" if rest.casefold() in ("", "all"):
                return Reply((*self._view(whole=bool(rest)), *_text(filter(None, [self.state.about])), *self._options()))
            case "all" if not rest:
                return Reply((*self._options(), *self._refused()))
            case "undo" if not rest:
                return self._undo()
            case "hint" if not rest or rest.replace(",", "").isdecimal():
                return self._hint(rest.replace(",", ""))
            case "why" if rest:
                return self._why(rest)
            case "why" | "save" if not rest:
                return Reply(_text([f"{word} what? {'a file name' if word == 'save' else 'a number or the text of an option'}"]))
            case "save":
                return Reply((), save=(typed.split(None, 1)[1].strip(), self.saved))
            case _:
                return self._play(text)

    # ---- Commands

    def _play(self, text: str) -> Reply:
        found = self._meant(text, self._legal())
        if isinstance(found, str):
            refused = self._meant(text, self._offered())
            if isinstance(refused, Option):
                found = f"{refused.text}: {refused.why_not or 'not allowed now'}"
            return Reply(_text([found]))
        before, told = self.state.clone(), self._told
        try:
            self.state.play(found.number)
            self._let_bots_play()
            news = self.news()
        except BaseException:
            self.state, self._told = before, told
            raise
        self._before.append(before)
        return Reply(news)

    def _undo(self) -> Reply:
        if not self._before:
            return Reply(_text(["there is no earlier decision of yours to go back to"]))
        self.state = self._before.pop()
        self._told = len(self.state.events)
        return Reply((*_text(["back at your previous decision"]), *self.question()))

    def _why(self, text: str) -> Reply:
        found = self._meant(text, self._legal())
        if isinstance(found, str):
            found = self._meant(text, self._offered())
        if isinstance(found, str):
            return Reply(_text([found]))
        return Reply(_text([f"{found.text}: {found.why_not or ('it is allowed' if found.legal else 'it is not allowed now')}"]))

    def _hint(self, number: str) -> Reply:
        legal = self._legal()
        if number and not 1 <= int(number[:9]) <= PLAYOUTS_LIMIT:
            return Reply(_text([f"a hint has 1 to {PLAYOUTS_LIMIT:,} iterations"]))
        if len(legal) == 1:
            return Reply(_text([f"you can only {legal[0].text}"]))
        return Reply(hint_page(self._advisor.asked(self.state, int(number) if number else None), [each.text for each in legal]))

    def _let_bots_play(self) -> None:
        while self.state.player not in (0, self.seat):
            _play(self.state, self._policies)

    # ---- What is shown

    def _view(self, whole: bool = False) -> Page:
        game = self.state.game
        lines = view_text(self.state.view(self.seat), game.seat_names, team_of(game, self.seat), whole).splitlines()
        return _text(f"  {line}" for line in lines)

    def _options(self) -> Page:
        return _text(_numbered([option.text for option in self._legal()]))

    def _refused(self) -> Page:
        """Every option that is not allowed, by reason; what one verb could take stands behind the verb."""
        by_reason: dict[str, dict[str, list[str]]] = {}
        for option in self._offered():
            if not option.legal:
                verb = self._verb(option)
                taken = option.text[len(verb) + 1 :]
                by_reason.setdefault(option.why_not or "not allowed now", {}).setdefault(verb, []).append(taken)
        lines = []
        for reason, by_verb in by_reason.items():
            lines.append(f"   -  {reason}:")
            lines += [f"        {verb} {', '.join(taken)}".rstrip() for verb, taken in by_verb.items()]
        return _text(lines)

    def _verb(self, option: Option) -> str:
        """The words of an option that do not depend on what it takes."""
        return self.state.game.machine.group_of(option.number).text

    def _by_verb(self, option: Option) -> str:
        """An option as a test in the rules names it: by its verb, also where it is shown by another text."""
        group = self.state.game.machine.group_of(option.number)
        return f"{group.verb}{option.text[len(group.text) :]}"

    def _help(self) -> Page:
        """The commands; an option of this very decision shows what can be typed for it."""
        legal = self._legal()
        option = next((option for option in legal if option.text != self._verb(option)), legal[0])
        ways = [f"`{legal.index(option) + 1}`", f"`{option.text}`"]
        short = option.text[len(self._verb(option)) + 1 :]
        if short and self._meant(short, legal) == option:
            ways.append(f"just `{short}`")
        (first, meaning), *others = COMMANDS
        rows = [(first, f"{meaning}: {' or '.join(ways)}"), *others]
        wide = max(len(command) for command, _ in rows)
        return _text(f"{command:<{wide}}   {does}" for command, does in rows)

    def _offered(self) -> tuple[Option, ...]:
        decision = self.state.decision
        return () if decision is None else decision.options

    def _legal(self) -> tuple[Option, ...]:
        game = self.state.game
        return tuple(Option(number, game.option_text(number), True) for number in self.state.legal)

    def _meant(self, text: str, options: Sequence[Option]) -> Option | str:
        """The option that a number or text means; or what is unclear about it."""
        if text.isdecimal():
            number = int(text) if len(text) < 9 else 0
            count = len(self._legal())
            return self._legal()[number - 1] if 1 <= number <= count else f"the options are 1 to {count}"
        wanted = " ".join(spoken(text).casefold().translate(WITHOUT_BRACKETS).split())
        named = [(option, spoken(option.text).casefold()) for option in options]
        as_tests_say = [option for option in options if spoken(self._by_verb(option)).casefold() == wanted]
        told = [option for option in options if spoken(self.state.told(option.number)).casefold() == wanted]
        words = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        for fits in (
            told,
            [option for option, name in named if name == wanted],
            as_tests_say,
            [option for option, name in named if name.startswith(f"{wanted} ")],
            [option for option, name in named if words.search(name)],
        ):
            if len(fits) == 1:
                return fits[0]
            if fits:
                return f"`{text}` could be {_some([option.text for option in fits])}"
        near = get_close_matches(wanted, [name for _, name in named], n=1, cutoff=0.6)
        return f"there is no option `{text}`" + (f"; did you mean `{near[0]}`?" if near else "; `help` says what you can type")


def hint_page(found: Thought, texts: Sequence[str]) -> Page:
    """What a search thinks of each option, the best first. ``texts``: of the options, in order."""
    if found.worlds == "none":
        return _text(["a search finds no game that fits what you have seen, so it knows nothing about your options"])
    tried = [place for place in found.ranking if found.visits[place]]
    wide = max(6, len(f"{max(found.visits):,}"))
    lines = [f"A search of {times(found.iterations)} thinks:", f"{'share of the win':>22}   {'visits':>{wide}}"]
    for place in tried:
        share = f"{'sure' if found.proved[place] else ''} {100 * found.shares[place]:.0f} %"
        lines.append(f"{place + 1:>4}  {share:>16}   {found.visits[place]:>{wide},}   {texts[place]}")
    left = [texts[place] for place in range(len(texts)) if not found.visits[place]]
    if left:
        lines.append(f"{len(left)} not tried: {_some(left)}")
    if found.worlds == "loose":
        lines.append("(some of the games that it imagined fit what you know, but not all that has happened)")
    return _text(lines)


def _play(state: State, policies: Sequence[Policy]) -> None:
    """Let the bot of the seat that has to choose play."""
    if policies:
        state.play_by(policies[state.player - 1])
    else:
        state.play_at_random()


def resumed(
    transcript: Transcript, game: Game, path: str, policies: Sequence[Policy] = (), advisor: Advisor | None = None
) -> tuple[Session, tuple[Diagnostic, ...]]:
    """The game that was saved in the file at a path, ready to go on; and what has changed since (R703).

    Where the rules have changed, the acts are played again as far as they fit. If they lead to the same position, chance and the
    bots go on as they would have; else with new random streams. Raises `RulesError` where `position_of` does.
    """
    again = replay(transcript, game)
    seat = transcript.seat or 1
    if transcript.position is None or transcript.rules_hash == game.rules_hash:
        state = position_of(transcript, again)
        before = decisions_before(transcript, state, seat, policies)
        return Session(state, seat, transcript.seed, before, path, policies, advisor), ()
    acts = acts_of(again.state)
    same = with_streams_of(again.state, transcript.position[SEAL:]) if len(acts) == len(transcript.acts) else None
    if same is not None:
        before = decisions_before(evolve(transcript, acts=tuple(acts)), same, seat, policies)
        return Session(same, seat, transcript.seed, before, path, policies, advisor), again.diagnostics
    state = _anew(again.state, transcript)
    warnings = (*map(_left_out, again.diagnostics), *_kept(again, transcript))
    return Session(state, seat, None, list(_decisions(transcript, game, acts, seat)), "", policies, advisor), warnings


def _anew(state: State, transcript: Transcript) -> State:
    """A state of a saved game whose chance and bots begin anew."""
    return state.reseeded(transcript.seed or 0, len(state.history))


def _decisions(transcript: Transcript, game: Game, acts: Sequence[Act], seat: int) -> Iterator[State]:
    """The game at each decision of a seat among these acts, each with new random streams."""
    state = game.start()
    for act in acts:
        if act.player == seat:
            yield _anew(state, transcript)
        state.follow((act.option,))


def _left_out(found: Diagnostic) -> Diagnostic:
    """What a replay under other rules found, said of a game that goes on: an act that does not fit ends what is kept of it."""
    if found.code != "R704":
        return found
    return evolve(found, code="R703", severity="warning", message=f"{found.message}; the game goes on from before it")


def _kept(again: Replayed, transcript: Transcript) -> Iterator[Diagnostic]:
    """How much of a saved game is kept under other rules."""
    kept, whole = (sum(act.player > 0 for act in acts) for acts in (acts_of(again.state), transcript.acts))
    told = "chance and the bots begin anew from here"
    if kept < whole:
        told = f"of the {whole} acts of this game the first {kept} fit the rules as they are now, and are kept; {told}"
    yield Diagnostic("R703", told, severity="warning")


def decisions_before(transcript: Transcript, state: State, seat: int, policies: Sequence[Policy] = ()) -> list[State]:
    """The game at each decision of a seat that led to a saved game, each with the random streams that it had then.

    The game is played again from its seed: chance and the bots do again what they did. In a game without a seed, and where what
    they do is no longer the same, the streams begin anew instead.
    """
    found = [] if transcript.seed is None else _played_again(transcript, state, seat, policies)
    return found or list(_decisions(transcript, state.game, transcript.acts, seat))


def _played_again(transcript: Transcript, state: State, seat: int, policies: Sequence[Policy]) -> list[State]:
    again = state.game.start(transcript.seed)
    found: list[State] = []
    for act in transcript.acts:
        if act.player == 0 or again.player != act.player:
            continue  # chance happens by itself
        if act.option not in again.legal:
            return []
        if act.player == seat:
            found.append(again.clone())
            again.play(act.option)
        elif policies:
            play_again(again, policies[act.player - 1], act.option)
        else:
            again.play_at_random()
    return found if again.to_bytes() == state.to_bytes() else []


def position_of(transcript: Transcript, again: Replayed) -> State:
    """The game that was saved: its acts were played ``again``, and now its random streams are put back.

    Raises `RulesError`: R701 for no saved game or a position that is not the one to which the acts lead, R704 for an act that
    does not fit.
    """
    found, game = [*again.diagnostics], again.state.game
    if transcript.position is None:
        found = [fault("R701", "this is no saved game: it has no position to go on from", help="`rulesrun replay` shows it")]
    elif not found:
        if with_streams_of(again.state, transcript.position[SEAL:]) is not None:
            with suppress(ValueError):
                return game.from_bytes(transcript.position, events=again.state.events)
        found = [fault("R701", "this saved game is damaged: its position is not the one to which its acts lead")]
    raise RulesError(found)


def _numbered(texts: Sequence[str]) -> Iterator[str]:
    """The options with their numbers; a long row of them that only counts up is one line: ``1-30  bid 1..30``."""
    split = [re.fullmatch(r"(.*?)(\d+)", text) for text in texts]
    start = 0
    while start < len(texts):
        end = start + 1
        first = split[start]
        if first is not None:
            while end < len(texts) and texts[end] == f"{first[1]}{int(first[2]) + end - start}":
                end += 1
        if first is not None and end - start > COUNTED:
            yield f"{start + 1:>4}-{end}  {texts[start]}..{int(first[2]) + end - start - 1}"
        else:
            yield from (f"{number + 1:>4}  {texts[number]}" for number in range(start, end))
        start = end


def _text(lines: Iterable[str]) -> Page:
    return tuple(Line("text", line) for line in lines)


def _some(texts: Sequence[str]) -> str:
    rest = len(texts) - MEANT_SHOWN
    return ", ".join(texts[:MEANT_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
