"""What a new player asks about Kingdomino, and the sentences of its rulebook that answer; readers of the book found them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[3] / "docs" / "rulebooks" / "kingdomino.en.md"
ANSWERS = {
    "How many people can play?": ["The game is for 2 to 4 players."],
    "How many dominoes are in the box?": ["48 dominos"],
    "How many kings does each player have?": ["2 for each player with 2 players and 1 for each player with 3 or 4 players."],
    "How many dominoes go back, and may they be looked at?": [
        "Put 24 / 12 / 0 dominos (with 2 / 3 / 4 players) from the stack back into the box.", "Nobody looks at them.",
    ],
    "Where does the castle stand when the game begins?": ["Lay your castle on the middle of your kingdom."],
    "How many dominoes lie in a line?": ["Draw 4 / 3 / 4 dominos (with 2 / 3 / 4 players) from the stack to the next line."],
    "Who chooses first in the very first line?": ["Shake all kings in your hand and draw them one by one."],
    "In which order do players have their turns?": ["For each domino in the line, from the lowest number to the highest"],
    "What is done in a turn, and in which order?": [
        "Place the domino on your kingdom", "If there are dominos in the next line:", "Claim a domino from the next line",
    ],
    "How many turns does each player have with two players?": ["It is the turn of the ruler of the domino"],
    "May a domino lie beside the castle, whatever it shows?": ["the domino lies side by side with your castle or"],
    "Must the half that touches be of the same terrain?": [
        "at least one half of the domino lies side by side with a square of the same terrain as that half.",
    ],
    "Must both halves match?": ["at least one half of the domino"],
    "How large may a kingdom be?": [
        "your kingdom is at most 5 squares wide.", "your kingdom is at most 5 squares high.", "it is one square of the kingdom.",
    ],
    "Where in it may the castle be?": ["there is room for the castle to become any square of it, even a corner."],
    "May I discard a domino that I could lay?": ["You must do this: Place the domino on your kingdom."],
    "What if it fits nowhere?": ["If nothing is possible: Move the domino to your discards."],
    "May two kings stand on one domino?": ["Only if the domino has no ruler."],
    "What is different in the last round?": ["In the last one nobody claims, since no domino is left."],
    "What does a region score?": ["the number of squares in the region times the total crowns of the region."],
    "Do squares that meet at a corner belong together?": [
        "Only squares that share a side are connected, not those that meet at a corner.",
    ],
    "What breaks a tie?": ["If there is a tie: the highest territory.", "If there is still a tie: the highest crown count."],
    "What is Dynasty?": ["You play 3 games one after the other. The scores are added up."],
    "When does The Middle Kingdom score?": [
        "Middle: 10. Only if you are “full size” and the middle of your kingdom is the square of",
    ],
    "What does Harmony give?": ["Harmony: 5. Only if there are no dominos in your discards."],
    "What changes in The Mighty Duel?": [
        "Only if there are 2 players.", "Rounds: 12 instead of 6.", "Side: 7 instead of 5.", "13 wide and 13 high",
        "Full size means: your kingdom is 7 squares wide and 7 squares high",
    ],
}  # fmt: skip


def words(markdown: str) -> str:
    """The text of a book without links and marks, its blocks one after the other."""
    plain = re.sub(r" ?\[\d+\]\([^)]*\)", "", markdown)
    return " ".join(re.sub(r"^\s*(?:[-#]+|\d+\.) |\*\*|\*", "", line).strip() for line in plain.splitlines() if line.strip())


@pytest.mark.parametrize("question", ANSWERS)
def test_the_book_answers(question: str) -> None:
    book = words(BOOK.read_text(encoding="utf-8"))
    assert [sentence for sentence in ANSWERS[question] if sentence not in book] == []
