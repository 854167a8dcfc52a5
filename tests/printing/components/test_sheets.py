"""Laws of sheets: nothing overlaps, nothing leaves the paper, and backs lie behind their fronts."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.printing.components.sheets import (
    MARGIN,
    MARKS,
    OVERLAP,
    PAPERS,
    Arrangement,
    Paper,
    Place,
    arranged,
    mirrored,
    windows,
)

papers = st.sampled_from(sorted(PAPERS.values(), key=lambda paper: paper.name))
lengths = st.floats(5, 400, allow_nan=False)
bleeds = st.sampled_from([0.0, 1.5, 3.0, 5.0])
NEAR = 1e-3


def grown(place: Place, bleed: float) -> tuple[float, float, float, float]:
    return place.x - bleed, place.y - bleed, place.x + place.width + bleed, place.y + place.height + bleed


@pytest.mark.slow
@given(lengths, lengths, papers, bleeds)
def test_components_lie_apart_inside_of_the_margins(width: float, height: float, paper: Paper, bleed: float) -> None:
    found = arranged(width, height, paper, bleed)
    if found is None:
        room = paper.width - 2 * (MARGIN + MARKS), paper.height - 2 * (MARGIN + MARKS)
        sides = sorted((width + 2 * bleed, height + 2 * bleed))
        assert sides[0] > room[0] or sides[1] > room[1]
        return
    boxes = [grown(place, bleed) for place in found.places]
    assert len(boxes) == found.columns * found.rows
    for left, top, right, bottom in boxes:
        assert left >= MARGIN + MARKS - NEAR
        assert top >= MARGIN + MARKS - NEAR
        assert right <= paper.width - MARGIN - MARKS + NEAR
        assert bottom <= paper.height - MARGIN - MARKS + NEAR
    for one, other in combinations(boxes[:30], 2):
        assert one[2] <= other[0] + NEAR or other[2] <= one[0] + NEAR or one[3] <= other[1] + NEAR or other[3] <= one[1] + NEAR


@pytest.mark.slow
@given(lengths, lengths, papers, bleeds)
def test_a_back_lies_behind_its_front(width: float, height: float, paper: Paper, bleed: float) -> None:
    found = arranged(width, height, paper, bleed)
    for place in found.places[:20] if found else ():
        behind = mirrored(place, paper)
        assert behind.x + behind.width == pytest.approx(paper.width - place.x)  # the paper is turned over along its long edge
        assert (behind.y, behind.width, behind.height) == (place.y, place.width, place.height)
        assert mirrored(behind, paper).x == pytest.approx(place.x)


@pytest.mark.slow
@given(lengths, lengths, papers, bleeds, st.integers(1, 40))
def test_each_side_of_a_component_is_cut(width: float, height: float, paper: Paper, bleed: float, number: int) -> None:
    found = arranged(width, height, paper, bleed)
    if found is None:
        return
    number = min(number, len(found.places))
    across, down = found.cuts(number)
    wanted = found.places[:number]
    for place in wanted:
        for x in (place.x, place.x + place.width):
            assert min(abs(x - cut) for cut in across) < NEAR
        for y in (place.y, place.y + place.height):
            assert min(abs(y - cut) for cut in down) < NEAR
    if bleed == 0:
        assert len(across) == min(number, found.columns) + 1  # neighbours share a cut


@given(lengths, lengths, papers)
def test_the_pages_of_a_board_overlap_and_show_all_of_it(width: float, height: float, paper: Paper) -> None:
    found = windows(width, height, paper)
    for part in found:
        assert part.width <= paper.width - 2 * (MARGIN + MARKS) + NEAR
        assert part.height <= paper.height - 2 * (MARGIN + MARKS) + NEAR
    row = [part for part in found if part.row == 0]
    assert row[0].x == 0
    assert row[-1].x + row[-1].width == pytest.approx(width)
    for one, other in pairwise(row):
        assert one.x + one.width - other.x == pytest.approx(OVERLAP)


@pytest.mark.parametrize(("paper", "bleed", "number"), [("A4", 0.0, 9), ("Letter", 0.0, 9), ("A4", 3.0, 8), ("Letter", 3.0, 6)])
def test_how_many_cards_a_sheet_holds(paper: str, bleed: float, number: int) -> None:
    found = arranged(63, 88, PAPERS[paper], bleed)
    assert isinstance(found, Arrangement)
    assert len(found.places) == number
