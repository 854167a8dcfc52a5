"""A person's session at a terminal: a typed line goes in, a page comes out.

The others' seats are played by bots. The person is told what their seat saw, and may go back to an earlier decision of
theirs. Nothing here reads or prints: a save is handed out as text, for the caller to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from attrs import frozen

from ..common.display import padded, width
from ..play.bots.thinking import Advisor
from ..play.game import Option, State
from ..play.knowledge.views import view_text
from ..play.narration import headings, narrate
from ..play.page import Line, Page
from ..play.records.transcript import to_data, to_text, transcript_of
from ..play.result import heading, result, team_of
from ..players.bots import PLAYOUTS_LIMIT
from ..players.policies import Policy
from ..players.thoughts import Thought
from ..words.words import ENGLISH, Words, marked
from .options import Offer, some

COMMANDS = (
    (marked("NUMBER or TEXT"), marked("take that option")),
    (marked("why OPTION"), marked("say why it is allowed or not")),
    (marked("options"), marked("list your options, one to a line")),
    (marked("all"), marked("show options that are not allowed now too, and why not")),
    (marked("hint"), marked("what a search thinks of each option (`hint 5000`: with more iterations)")),
    (marked("view"), marked("what you see and know (`view all` names every card)")),
    (marked("log"), marked("all that happened so far, as far as you know")),
    (marked("undo"), marked("go back to your previous decision")),
    (marked("save FILE"), marked("save the game")),
    (marked("quit"), marked("leave; you can save the game first (Ctrl-C does the same)")),
    (marked("help"), marked("show this list")),
)


NO_GAME = marked("a search finds no game that fits what you have seen, so it knows nothing about your options")


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
        self,
        state: State,
        seat: int,
        seed: int | None,
        before: Iterable[State] = (),
        saved_in: str = "",
        policies: Sequence[Policy] = (),
        advisor: Advisor | None = None,
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

    def opening(self) -> Page:
        """What the person reads first: the game, who they are, and the news."""
        name = self.state.game.seat_names[self.seat - 1]
        you = Line("table", self.words.phrase("you are {player}; `help` says what you can type", player=name))
        here = headings(self.state.game, self.state.events, self._told)
        return (*heading(self.state.game), you, *here, *self.news())

    def news(self) -> Page:
        """What happened since the person was last told, then what there is to decide (or how it ended)."""
        lines = narrate(self.state.game, self.state.events, self.seat, self._told)
        if self._forced:
            acts = some(self._forced, self.words)
            lines.append(Line("note", self.words.phrase("nothing else was possible for you: {acts}", acts=acts)))
        self.recent = tuple(lines)
        self._forced = []
        self._told = len(self.state.events)
        if self.state.fault is not None:
            return tuple(lines)
        if self.state.is_over:
            return (*lines, *result(self.state))
        return (*lines, *self.question())

    def question(self) -> Page:
        """The person's view and the legal options, numbered."""
        about, words = self.state.about, self.words
        task = words.phrase("Your turn: {task}", task=about) if about else words.phrase("Your turn")
        return (Line("heading", task), *self._view(), *_text(self.offer.numbered()))

    @property
    def offer(self) -> Offer:
        """The options of the person here."""
        if self._offer is None or self._offer[0] is not self.state or self._offer[1] != len(self.state.history):
            self._offer = self.state, len(self.state.history), Offer(self.state)
        return self._offer[2]

    def completions(self, begun: str) -> list[str]:
        """What a line that has been begun could become: commands, and options as they can be typed."""
        typed = [command for command, _ in COMMANDS if command.islower()]
        typed += [f"{command.split()[0]} " for command, _ in COMMANDS[1:] if not command.islower()]
        typed += [f"{own} " if f"{command} " in typed else own for own, command in self._own_commands.items()]
        texts, asked = self.offer.texts(), begun.partition(" ")[0]
        asks = " " in begun and self._own_commands.get(asked.casefold(), asked) == "why"
        every = [*texts, *typed, *(f"{asked} {option.text}" for option in (self.offer.all if asks else ()))]
        return [text for text in dict.fromkeys(every) if text.casefold().startswith(begun.casefold())]

    def answer(self, typed: str) -> Reply:
        """Do what a typed line says. What is interrupted is not done: the game stands where it was."""
        text = " ".join(typed.split())
        word, _, rest = text.partition(" ")
        word = self._own_commands.get(word.casefold(), word)
        rest = self._own_commands.get(rest.casefold(), rest) if word == "view" else rest
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
                if word == "save":
                    return self._told_that(self.words.phrase("save what? a file name"))
                return self._told_that(self.words.phrase("why what? a number or the text of an option"))
            case "save":
                return Reply((), save=(typed.split(None, 1)[1].strip(), self.saved))
            case _:
                return self._play(text)

    @property
    def words(self) -> Words:
        """Of the language of the game."""
        return self.state.game.words

    @property
    def _own_commands(self) -> dict[str, str]:
        """The commands as they are typed in the language of the game, and what they are in English."""
        if not self.state.game.speaks:
            return {}
        return {self.words.phrase(command).split()[0].casefold(): command.split()[0] for command, _ in COMMANDS[1:]}

    def _told_that(self, text: str) -> Reply:
        return Reply(_text([text]))

    # ---- Commands

    def _play(self, text: str) -> Reply:
        found = self.offer.allowed(text)
        if isinstance(found, str):
            refused = self.offer.any(text)
            if isinstance(refused, Option):
                found = f"{refused.text}: {refused.why_not or self.words.phrase('not allowed now')}"
            return Reply(_text([found]))
        before, told = self.state.clone(), self._told
        try:
            self.state.play(found.number)
            self._play_on()
            news = self.news()
        except BaseException:
            self.state, self._told = before, told
            self._forced = []
            raise
        self._before.append(before)
        return Reply(news, moved=True)

    def _undo(self) -> Reply:
        if not self._before:
            return self._told_that(self.words.phrase("there is no earlier decision of yours to go back to"))
        self.state = self._before.pop()
        self._told = len(self.state.events)
        self.recent = _text([self.words.phrase("back at your previous decision")])
        return Reply((*self.recent, *self.question()), moved=True)

    def _why(self, text: str) -> Reply:
        found = self.offer.allowed(text)
        if isinstance(found, str):
            found = self.offer.any(text)
        if isinstance(found, str):
            return Reply(_text([found]))
        words = self.words
        why = words.phrase("it is allowed") if found.legal else found.why_not or words.phrase("it is not allowed now")
        return self._told_that(f"{found.text}: {why}")

    def _hint(self, number: str) -> Reply:
        legal = self.offer.legal
        if number and not 1 <= int(number[:9]) <= PLAYOUTS_LIMIT:
            return self._told_that(self.words.phrase("a hint has 1 to {number} iterations", number=f"{PLAYOUTS_LIMIT:,}"))
        if len(legal) == 1:
            return self._told_that(self.words.phrase("you can only {act}", act=legal[0].text))
        thought = self._advisor.asked(self.state, int(number) if number else None)
        return Reply(hint_page(thought, [each.text for each in legal], self.words))

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
        words = self.words
        shorts = [short for short in dict.fromkeys(filter(None, shorts)) if self.offer.allowed(short) == option]
        ways += [words.phrase("just `{text}`", text=short) for short in shorts]
        (first, meaning), *others = ((words.phrase(command), words.phrase(does)) for command, does in COMMANDS)
        told = reduce(lambda one, other: words.phrase("{first} or {last}", first=one, last=other), ways)
        rows = [(first, f"{meaning}: {told}"), *others]
        wide = max(width(command) for command, _ in rows)
        return _text(f"{padded(command, wide)}   {does}" for command, does in rows)


def hint_page(found: Thought, texts: Sequence[str], words: Words = ENGLISH) -> Page:
    """What a search thinks of each option, the best first. ``texts``: of the options, in order."""
    if found.worlds == "none":
        return _text([words.phrase(NO_GAME)])
    tried = [place for place in found.ranking if found.visits[place]]
    wide = max(6, len(f"{max(found.visits):,}"))
    heading = words.phrase("score, mean") if found.scores else words.phrase("share of the win")
    visits, sure = words.phrase("visits"), words.phrase("sure")
    search = words.phrase_for(
        found.iterations,
        "A search of {count} iteration thinks:",
        "A search of {count} iterations thinks:",
        count=f"{found.iterations:,}",
    )
    lines = [search, f"{heading:>22}   {visits:>{wide}}"]
    for place in tried:
        share = f"{found.scores[place]:.2f}" if found.scores else f"{100 * found.shares[place]:.0f} %"
        share = f"{sure if found.proved[place] else ''} {share}"
        lines.append(f"{place + 1:>4}  {share:>16}   {found.visits[place]:>{wide},}   {texts[place]}")
    left = [texts[place] for place in range(len(texts)) if not found.visits[place]]
    if left:
        lines.append(words.phrase("{number} not tried: {options}", number=len(left), options=some(left, words)))
    if found.worlds == "loose":
        lines.append(words.phrase("(some of the games that it imagined fit what you know, but not all that has happened)"))
    return _text(lines)


def _play(state: State, policies: Sequence[Policy]) -> None:
    """Let the bot of the seat that has to choose play."""
    if policies:
        state.play_by(policies[state.player - 1])
    else:
        state.play_at_random()


def _text(lines: Iterable[str]) -> Page:
    return tuple(Line("text", line) for line in lines)
