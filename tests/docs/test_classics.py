"""The page on the classics gives their sizes, counted here, beside those of others' files, which are facts."""

from __future__ import annotations

import re

from attrs import frozen

from .markdown import DOCS, ROOT, Fence, check_page

PAGE = DOCS / "classics.md"


@frozen
class Size:
    """``whole``: the characters of the file as it stands; the others: of what is compared."""

    tokens: int
    characters: int
    whole: int


# As counted by `size` of what the page says is counted, at the versions that it names.
OTHERS = {
    "tic_tac_toe": ("Ludii", Size(63, 193, 1162)),
    "connect_four": ("Ludii", Size(259, 853, 2856)),
    "breakthrough": ("Ludii", Size(265, 1184, 2745)),
    "othello": ("Ludii", Size(434, 1904, 6519)),
    "hex": ("Ludii", Size(327, 1691, 2981)),
    "nim": ("Ludii", Size(1095, 3093, 6069)),
    "kuhn_poker": ("RECYCLE", Size(483, 1310, 2433)),
    "leduc_poker": ("RECYCLE", Size(636, 1712, 3044)),
    "blackjack": ("RECYCLE", Size(1026, 2859, 5030)),
    "goofspiel": ("RECYCLE", Size(656, 1738, 3165)),
    "hearts": ("RECYCLE", Size(1189, 3161, 7909)),
    "spades": ("RECYCLE", Size(1356, 3626, 9119)),
    "crazy_eights": ("RECYCLE", Size(724, 1975, 4337)),
    "thirty_one": ("RECYCLE", Size(1019, 2804, 5016)),
}
OPENSPIEL = {
    "tic_tac_toe": Size(3014, 12939, 16667),
    "connect_four": Size(4603, 19900, 26271),
    "breakthrough": Size(3169, 11703, 16595),
    "othello": Size(2714, 10575, 14218),
    "hex": Size(3213, 14043, 20793),
    "backgammon": Size(9610, 36121, 56794),
    "go": Size(8029, 32511, 47365),
    "nim": Size(1946, 7775, 11239),
    "kalah": Size(1900, 7196, 10063),  # `mancala` there
    "dots_and_boxes": Size(4956, 18440, 25211),
    "draughts": Size(4305, 19340, 27480),  # `checkers` there
    "nine_mens_morris": Size(3350, 12554, 17362),
    "kuhn_poker": Size(3800, 14844, 22542),
    "leduc_poker": Size(6151, 25810, 42778),
    "liars_dice": Size(4040, 17178, 28330),
    "blackjack": Size(3583, 14395, 20442),
    "goofspiel": Size(6367, 26358, 39077),
    "oh_hell": Size(6513, 26199, 36101),
    "hearts": Size(7981, 31490, 42755),
    "spades": Size(5535, 22114, 30994),
    "euchre": Size(8304, 33664, 43683),
    "cribbage": Size(7317, 25834, 35007),
    "crazy_eights": Size(5289, 22529, 32556),
    "go_fish": Size(5548, 20733, 27555),
    "gin_rummy": Size(13143, 52794, 73321),  # with its `gin_rummy_utils`
}
ALONE = {"chinese_checkers"}  # of which we know no other file
LONGER = {"tic_tac_toe": "characters tokens", "crazy_eights": "characters", "hearts": "characters"}  # the page says why


def size(rules: str, whole: int = 0) -> Size:
    """How many words, numbers, texts in quotes and signs there are, and how many characters."""
    return Size(len(re.findall(r'"[^"]*"|\w+|[^\w\s]', rules)), len(re.sub(r"\s+", " ", rules).strip()), whole)


def rules_of(name: str) -> str:
    """A file of ours without its tests."""
    return (ROOT / "games" / "classics" / f"{name}.rules").read_text(encoding="utf-8").partition('\ntest "')[0]


def bare(rules: str) -> str:
    """Without comments and title."""
    assert not re.search(r'^[^"#\n]*"[^"\n]*#', rules, re.M), "a # in a text is no comment"
    return re.sub(r"^ +title .*|#.*", "", rules, flags=re.M)


def ours(name: str) -> Size:
    return size(bare(rules_of(name)), len(rules_of(name)))


def longer(name: str, theirs: Size) -> set[str]:
    """In what a file of ours is not the shorter one."""
    return {what for what in ("tokens", "characters", "whole") if getattr(ours(name), what) >= getattr(theirs, what)}


def columns(name: str, theirs: Size | None, part: int = 1) -> str:
    """Three columns, with a mark at each number that ours is not below; ``part``: of how much of theirs it is asked."""
    if theirs is None:
        return f"{'-':>6}  {'-':>10}  {'-':>10} "
    theirs = Size(theirs.tokens // part, theirs.characters // part, theirs.whole // part)
    marks = {what: "!" if what in longer(name, theirs) else " " for what in ("tokens", "characters", "whole")}
    return f"{theirs.tokens:6,}{marks['tokens']} {theirs.characters:10,}{marks['characters']} {theirs.whole:10,}{marks['whole']}"


def sizes() -> str:
    head = "tokens  characters       whole"
    lines = [f"{'':18}{'ours':31}{'others':41}a quarter of OpenSpiel's", f"{'':18}{head}          {head}  {head}"]
    for name in sorted({*OTHERS, *OPENSPIEL, *ALONE}):
        whose, theirs = OTHERS.get(name, ("", None))
        own = ours(name)
        beside = f"{whose:8} {columns(name, theirs)} {columns(name, OPENSPIEL.get(name), 4)}"
        lines.append(f"{name:16} {own.tokens:7,} {own.characters:11,} {own.whole:11,} {beside}".rstrip())
    return "\n".join(lines) + "\n"


def test_the_page_gives_the_sizes() -> None:
    def real(fence: Fence, _: int) -> str | None:
        return sizes() if fence.info == ("text", "sizes") else None

    check_page(PAGE, real)


def test_every_classic_is_in_it() -> None:
    files = {path.stem for path in (ROOT / "games" / "classics").glob("*.rules")}
    assert files == {*OTHERS, *OPENSPIEL, *ALONE}


def test_they_are_as_short_as_the_page_says() -> None:
    for name, whole in OPENSPIEL.items():
        assert longer(name, Size(whole.tokens // 4, whole.characters // 4, whole.whole // 4)) == set(), name
    for name, (_, theirs) in OTHERS.items():
        assert longer(name, theirs) == set(LONGER.get(name, "").split()), name
    without = {name: re.sub(r"^option .*", "", bare(rules_of(name)).partition("\nvariant ")[0], flags=re.M) for name in LONGER}
    assert size(without["tic_tac_toe"]).tokens < OTHERS["tic_tac_toe"][1].tokens
    assert size(without["hearts"]).characters < OTHERS["hearts"][1].characters
