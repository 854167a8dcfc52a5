"""A page for each game that comes with rulesrun: what it says of itself, its picture, and its rules."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from attrs import frozen
from rulesrun.interpreter.model.model import Model
from rulesrun.interpreter.packing.one_folder import in_one_folder
from rulesrun.interpreter.rules import Rules, read_rules

from .examples import Game
from .fences import ROOT
from .links import relative

GAMES: Final = ROOT / "games"
# The folders of games in the order of the list, with a headline and a sentence about each.
FOLDERS: Final = {
    "": ("Published games", "Their rules follow the published rulebooks, and their tests name the points of these."),
    "classics": ("Classics", "Well-known games. [The classics](../classics.md) compares them with files of others."),
    "designs": ("Our designs", "Games of our own, each for another part of the language."),
    "templates": ("A template", "A game to start from: `rulesrun new NAME` writes it into a file of yours."),
    "refused": ("A refused edition", "An edition that `rulesrun check` rejects."),
}


@frozen(slots=False)
class ShippedGame:
    """A game by its file."""

    file: Path

    @cached_property
    def rules(self) -> Rules:
        """The rules as they are read."""
        return read_rules(self.file)

    @property
    def model(self) -> Model:
        return self.rules.required()

    @property
    def folder(self) -> str:
        """The folder below `games`, or nothing."""
        return self.file.parent.relative_to(GAMES).as_posix().removeprefix(".")

    @property
    def path(self) -> str:
        """Where its page is on the site."""
        return self.file.relative_to(ROOT).with_suffix(".md").as_posix()

    @property
    def title(self) -> str:
        """Its title, in English if it has one; else its name in words."""
        titles = dict(self.model.titles)
        name = self.file.stem if self.folder == "refused" else self.model.game
        own = titles.get("en") or next(iter(titles.values()), None)
        return own if own and self.folder != "refused" else name.replace("_", " ").capitalize()

    @property
    def game(self) -> Game:
        """All its files, with its look."""
        look = self.file.with_suffix(".look.css")
        files = {os.path.realpath(one.path): one.text for one in (self.rules.source, *self.rules.beside) if one}
        files |= {os.path.realpath(look): look.read_text(encoding="utf-8")} if look.is_file() else {}
        return Game(*in_one_folder(files, os.path.realpath(self.file)))

    @property
    def about(self) -> tuple[str, ...]:
        """What it says of itself, as lines: its stories, and the comment."""
        stories = self.rules.tree.stories if self.rules.tree is not None else ()
        return (*(line for story in stories for line in (story, "")), *self.comment)

    @cached_property
    def comment(self) -> tuple[str, ...]:
        """The lines of the comment at its head, or of the one beside its first line."""
        head: list[str] = []
        for line in self.file.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                head.append(line[1:].removeprefix(" "))
            elif head or line.startswith("game "):
                beside = re.search(r"\s# ?(.*)$", line)
                return tuple(head) or ((beside[1],) if beside else ())
        return tuple(head)

    @property
    def players(self) -> str:
        low, high = self.model.players
        return f"{low} players" if low == high else f"{low} to {high} players"

    @property
    def first_sentence(self) -> str:
        """The beginning of what it says of itself, without its title."""
        text = " ".join(self.about)
        sentences = [part for part in re.split(r"(?<=[.;:]) (?=[A-Z])", text) if part.rstrip(".").lower() != self.title.lower()]
        return escaped(sentences[0].rstrip(";:") if sentences else "")


def shipped_games() -> tuple[ShippedGame, ...]:
    """All games, folder by folder."""
    found = [ShippedGame(file) for folder in FOLDERS for file in sorted((GAMES / folder).glob("*.rules"))]
    assert len(found) == len(list(GAMES.rglob("*.rules"))), "a folder of games has no place in `FOLDERS`"
    return tuple(found)


def list_of_games(games: tuple[ShippedGame, ...]) -> str:
    """The list of all games."""
    text = "# Games\n\nThese games come with rulesrun. Each page shows the rules as they stand in the file.\n"
    for folder, (headline, sentence) in FOLDERS.items():
        text += f"\n## {headline}\n\n{sentence}\n\n| game | players | |\n|---|---|---|\n"
        for game in games:
            if game.folder == folder:
                players = game.players.removesuffix(" players")
                text += f"| [{game.title}]({relative(game.path, 'games/index.md')}) | {players} | {game.first_sentence} |\n"
    return text


def game_page(game: ShippedGame) -> str:
    """The page of a game."""
    return "\n\n".join(_parts(game)) + "\n"


def _parts(game: ShippedGame) -> Iterator[str]:
    yield f"# {game.title}"
    yield from _paragraphs(game.about)
    titles = [f"{text} ({language})" for language, text in game.model.titles if text != game.title and language]
    facts = [f"For {game.players}."]
    facts += [f"Also called {', '.join(titles)}."] if titles and game.folder != "refused" else []
    variants = [f"`{variant.name}`" for variant in game.model.variants]
    facts += [f"Variants: {', '.join(variants)}."] if variants else []
    yield " ".join(facts)
    if (picture := ROOT / "docs" / "pictures" / f"{game.file.stem}.png").is_file():
        place = relative(f"pictures/{picture.name}", game.path)
        yield f"![{game.title} at the table in the browser]({place})"
    name = game.file.relative_to(ROOT).as_posix()
    yield f"## Rules\n\nThis is `{name}`."
    yield f"```rules\n{game.file.read_text(encoding='utf-8')}```"
    for source in game.rules.beside:
        path = Path(os.path.realpath(source.path)).relative_to(ROOT)
        if path.suffix == ".csv":
            yield f"## {path.name}\n\nThe rules read this table, `{path.as_posix()}`."
            yield f"```csv\n{source.text.rstrip()}\n```"


def _paragraphs(lines: tuple[str, ...]) -> Iterator[str]:
    """A comment as Markdown. Lines that are set in are shown as they stand."""
    shown: list[str] = []
    for line in (*lines, ""):
        if shown and line.startswith("  ") != shown[0].startswith("  "):
            block = "\n".join(shown)
            yield f"```text\n{block}\n```" if block.startswith("  ") else escaped(block)
            shown = []
        if line.startswith("Where ") and shown:  # `Where sources differ: ...`
            yield escaped("\n".join(shown))
            shown = []
        shown.append(line)
    yield escaped("\n".join(shown))


def escaped(text: str) -> str:
    """A text whose characters mean nothing to Markdown; words in backticks stay as they are."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<>|\\\[\]])", r"\\\1", part) for part in parts).strip()
