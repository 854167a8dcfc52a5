"""Suits of Power as a whole: every point of its rules has a test in the file, and play keeps to what cannot be said there."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesrun

FILE = Path(__file__).parents[2] / "games" / "masti.rules"


def test_partners_share_their_place() -> None:
    game = rulesrun.load(FILE, 4, ["partners"])
    state = game.start(1, story=False)
    while state.player:
        state.play_at_random()
    assert all(len(place) % 2 == 0 for place in state.ranking)
    assert state.team_scores[0] == state.team_scores[2] == state.scores[0] + state.scores[2]


def test_naming_the_teams_of_six_changes_nothing() -> None:
    plain, named = rulesrun.load(FILE, 6), rulesrun.load(FILE, 6, ["partners", "six"])
    assert plain.variants == named.variants == ("partners", "six")


def test_with_six_the_card_for_the_trumps_is_seen_by_its_player_alone() -> None:
    game = rulesrun.load(FILE, 6)
    state = game.start(3)
    player, number = state.player, state.legal[0]
    assert game.option_text(number).startswith("add ")
    state.play(number)
    added = next(event for event in state.events if event.kind == "act")
    assert added.text == game.option_text(number)
    for seat in range(1, 7):
        assert (added.text_for(seat) == added.text) == (seat == player)
        trumps = next(zone for zone in state.view(seat).zones if zone.name == "trumps")
        assert trumps.count == 2
        assert bool(trumps.cards) == (seat == player)


@pytest.mark.slow
def test_the_option_for_jokers_adds_a_choice() -> None:
    def verbs(optional: bool) -> set[str]:
        game = rulesrun.load(FILE, 3, options={"jokers_optional": optional})
        found: set[str] = set()
        for seed in range(10):
            state = game.start(seed, story=False)
            while state.player:
                found |= {game.option_text(number).split()[0] for number in state.legal}
                state.play_at_random()
        return found

    assert "discard" in verbs(True)
    assert "discard" not in verbs(False)


def test_titles_in_two_languages() -> None:
    game = rulesrun.load(FILE)
    assert game.title("ru") == "Масти Власти"
    assert game.title() == game.title("en") == "Suits of Power"
    with pytest.raises(ValueError, match="no title in the language `zz`: there are ru, en"):
        game.title("zz")
