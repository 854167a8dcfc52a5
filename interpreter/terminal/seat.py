"""A person's session at a terminal: a typed line goes in, a page comes out.

The others' seats are played by bots. The person is told what their seat saw, and may go back to an earlier decision of
theirs. Nothing here reads or prints: a save is handed out as text, for the caller to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from ..play.bots.thinking import Advisor, times
from ..play.game import Option, State
from ..play.knowledge.views import view_text
from ..play.narration import headings, narrate
from ..play.page import Line, Page
from ..play.records.transcript import to_data, to_text, transcript_of
from ..play.result import heading, result, team_of
from ..players.bots import PLAYOUTS_LIMIT
from ..players.policies import Policy
from ..players.thoughts import Thought
from .options import Offer, some

COMMANDS = (
    ("NUMBER or TEXT", "take that option"),
    ("why OPTION", "say why it is allowed or not"),
    ("options", "list your options, one to a line"),
    ("all", "show options that are not allowed now too, and why not"),
    ("hint", "what a search thinks of each option (`hint 5000`: with more iterations)"),
    ("view", "what you see and know (`view all` names every card)"),
    ("log", "all that happened so far, as far as you know"),
    ("undo", "go back to your previous decision"),
    ("save FILE", "save the game"),
    ("quit", "leave; you can save the game first (Ctrl-C does the same)"),
    ("help", "show this list"),
)

@frozen
class Reply:
    """What a line typed led to. ``moved``: the game stands elsewhere now, and the page tells what is new. ``save``: the path and
    text of a file to be written. ``quit``: the person leaves."""

    page: Page
    moved: bool = False
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
        self._offer: tuple[State, int, Offer] | None = None
        self.recent: Page = ()  # what happened since the person last chose
        self._forced: list[str] = []
        self._play_on()

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
        if self._forced:
            lines.append(Line("note", f"nothing else was possible for you: {some(self._forced)}"))
        self.recent, self._forced = tuple(lines), []
        self._told = len(self.state.events)
        if self.state.fault is not None:
            return tuple(lines)
        if self.state.is_over:
            return (*lines, *result(self.state))
        return (*lines, *self.question())

    def question(self) -> Page:
        """The person's view and the legal options, numbered."""
        about = self.state.about
        return (Line("heading", f"Your turn: {about}" if about else "Your turn"), *self._view(), *_text(self.offer.numbered()))

    @property
    def offer(self) -> Offer:
        """The options of the person here."""
        if self._offer is None or self._offer[0] is not self.state or self._offer[1] != len(self.state.history):
            self._offer = self.state, len(self.state.history), Offer(self.state)
        return self._offer[2]

    def completions(self, begun: str) -> list[str]:
        """What a line that has been begun could become: commands, and options as they can be typed."""
        words = [command for command, _ in COMMANDS if command.islower()]
        words += [f"{command.split()[0]} " for command, _ in COMMANDS[1:] if not command.islower()]
        texts = self.offer.texts()
        every = [*texts, *words, *(f"why {option.text}" for option in (self.offer.all if begun.startswith("why ") else ()))]
        return [text for text in dict.fromkeys(every) if text.casefold().startswith(begun.casefold())]

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
                about = _text(filter(None, [self.state.about]))
                return Reply((*self._view(whole=bool(rest)), *about, *_text(self.offer.numbered())))
            case "log" if not rest:
                return Reply(tuple(narrate(self.state.game, self.state.events, self.seat)))
            case "options" if not rest:
                return Reply(_text(f"{number:>4}  {option.text}" for number, option in enumerate(self.offer.legal, 1)))
            case "all" if not rest:
                return Reply(_text([*self.offer.numbered(), *self.offer.refused()]))
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
        found = self.offer.allowed(text)
        if isinstance(found, str):
            refused = self.offer.any(text)
            if isinstance(refused, Option):
                found = f"{refused.text}: {refused.why_not or 'not allowed now'}"
            return Reply(_text([found]))
        before, told = self.state.clone(), self._told
        try:
            self.state.play(found.number)
            self._play_on()
            news = self.news()
        except BaseException:
            self.state, self._told, self._forced = before, told, []
            raise
        self._before.append(before)
        return Reply(news, moved=True)

    def _undo(self) -> Reply:
        if not self._before:
            return Reply(_text(["there is no earlier decision of yours to go back to"]))
        self.state = self._before.pop()
        self._told = len(self.state.events)
        self.recent = _text(["back at your previous decision"])
        return Reply((*self.recent, *self.question()), moved=True)

    def _why(self, text: str) -> Reply:
        found = self.offer.allowed(text)
        if isinstance(found, str):
            found = self.offer.any(text)
        if isinstance(found, str):
            return Reply(_text([found]))
        return Reply(_text([f"{found.text}: {found.why_not or ('it is allowed' if found.legal else 'it is not allowed now')}"]))

    def _hint(self, number: str) -> Reply:
        legal = self.offer.legal
        if number and not 1 <= int(number[:9]) <= PLAYOUTS_LIMIT:
            return Reply(_text([f"a hint has 1 to {PLAYOUTS_LIMIT:,} iterations"]))
        if len(legal) == 1:
            return Reply(_text([f"you can only {legal[0].text}"]))
        return Reply(hint_page(self._advisor.asked(self.state, int(number) if number else None), [each.text for each in legal]))

    def _play_on(self) -> None:
        """Let the bots play, and what the person cannot but do happen, until they have to choose."""
        while self.state.player:
            if self.state.player != self.seat:
                _play(self.state, self._policies)
            elif len(legal := self.state.legal) == 1:
                self._forced.append(self.state.told(legal[0]))
                self.state.play(legal[0])
            else:
                return

    # ---- What is shown

    def _view(self, whole: bool = False) -> Page:
        game = self.state.game
        lines = view_text(self.state.view(self.seat), game.seat_names, team_of(game, self.seat), whole).splitlines()
        return _text(f"  {line}" for line in lines)

    def _help(self) -> Page:
        """The commands; an option of this very decision shows what can be typed for it."""
        legal, verb = self.offer.legal, self.offer.verb
        option = next((option for option in legal if option.text != verb(option)), legal[0])
        ways = [f"`{legal.index(option) + 1}`", f"`{option.text}`"]
        shorts = [option.text[len(verb(option)) + 1 :], *self.offer.ways(option)]
        ways += [f"just `{short}`" for short in dict.fromkeys(filter(None, shorts)) if self.offer.allowed(short) == option]
        (first, meaning), *others = COMMANDS
        rows = [(first, f"{meaning}: {' or '.join(ways)}"), *others]
        wide = max(len(command) for command, _ in rows)
        return _text(f"{command:<{wide}}   {does}" for command, does in rows)


def hint_page(found: Thought, texts: Sequence[str]) -> Page:
    """What a search thinks of each option, the best first. ``texts``: of the options, in order."""
    if found.worlds == "none":
        return _text(["a search finds no game that fits what you have seen, so it knows nothing about your options"])
    tried = [place for place in found.ranking if found.visits[place]]
    wide = max(6, len(f"{max(found.visits):,}"))
    heading = "score, mean" if found.scores else "share of the win"
    lines = [f"A search of {times(found.iterations)} thinks:", f"{heading:>22}   {'visits':>{wide}}"]
    for place in tried:
        share = f"{found.scores[place]:.2f}" if found.scores else f"{100 * found.shares[place]:.0f} %"
        share = f"{'sure' if found.proved[place] else ''} {share}"
        lines.append(f"{place + 1:>4}  {share:>16}   {found.visits[place]:>{wide},}   {texts[place]}")
    left = [texts[place] for place in range(len(texts)) if not found.visits[place]]
    if left:
        lines.append(f"{len(left)} not tried: {some(left)}")
    if found.worlds == "loose":
        lines.append("(some of the games that it imagined fit what you know, but not all that has happened)")
    return _text(lines)


def _play(state: State, policies: Sequence[Policy]) -> None:
    """Let the bot of the seat that has to choose play."""
    if policies:
        state.play_by(policies[state.player - 1])
    else:
        state.play_at_random()


def _text(lines: Iterable[str]) -> Page:
    return tuple(Line("text", line) for line in lines)
