"""Packing a record and unpacking it is the identity, and a record of zero bytes is the fresh one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.analysis.layout import allocate
from rulesrun.interpreter.machine.machine import Field, Place, Region
from rulesrun.interpreter.machine.record import Record, hash_of

REGIONS: list[Region] = ["game", "knowledge"]

numbers = st.builds(
    lambda low, span, length, region: Field("f", region, length, low, low + span),
    st.integers(-(2**40), 2**40),
    st.integers(0, 2**63),
    st.integers(1, 5),
    st.sampled_from(REGIONS),
)
sets = st.builds(
    lambda bits, length, region: Field("f", region, length, bits=bits),
    st.integers(1, 200),
    st.integers(1, 5),
    st.sampled_from(REGIONS),
)


@st.composite
def records(draw: st.DrawFn) -> tuple[Record, list[tuple[Field, Place, list[int]]]]:
    """A record with some fields, and values for each of their elements."""
    fields = [
        Field(f"field {i}", found.region, found.length, found.low, found.high, found.bits)
        for i, found in enumerate(draw(st.lists(numbers | sets, max_size=6)))
    ]
    layout, _ = allocate(fields, {}, {}, (), 2)
    filled = []
    for field in fields:
        value = st.integers(0, (1 << field.bits) - 1) if field.bits else st.integers(field.low, field.high)
        filled.append((field, layout.record[field], draw(st.lists(value, min_size=field.length, max_size=field.length))))
    return Record(layout), filled


@pytest.mark.slow
@given(records())
def test_unpack_undoes_pack(case: tuple[Record, list[tuple[Field, Place, list[int]]]]) -> None:
    record, filled = case
    cells = record.fresh()
    for _, place, values in filled:
        cells[place.slot : place.slot + place.length] = values
    data = record.pack(cells)
    assert len(data) == record.layout.size
    assert record.unpack(data) == cells
    for _, place, values in filled:  # each element lies where the layout says, little-endian, value - low
        for i, value in enumerate(values):
            start = place.offset + i * place.width
            assert int.from_bytes(data[start : start + place.width], "little") == value - place.low


@pytest.mark.slow
@given(records())
def test_zero_bytes_are_the_fresh_record(case: tuple[Record, list[tuple[Field, Place, list[int]]]]) -> None:
    record, _ = case
    assert record.pack(record.fresh()) == bytes(record.layout.size)


@pytest.mark.slow
@given(records())
def test_elements_are_aligned_and_apart(case: tuple[Record, list[tuple[Field, Place, list[int]]]]) -> None:
    record, _ = case
    end = 0
    for place in record.layout.record.values():
        assert place.offset >= end
        assert place.offset % min(place.width, 8) == 0
        end = place.offset + place.width * place.length
    assert record.layout.size >= end
    assert record.layout.size % 8 == 0


def test_another_size_is_refused() -> None:
    layout, _ = allocate([Field("x", "game", high=9)], {}, {}, (), 2)
    with pytest.raises(ValueError, match="bytes, not 3"):
        Record(layout).unpack(b"abc")


@pytest.mark.parametrize(
    ("field", "value"),
    [(Field("x", "game", low=-1, high=9), -2), (Field("x", "game", high=9), 256), (Field("x", "game", bits=100), 1 << 128)],
)
def test_a_value_that_does_not_fit_is_named(field: Field, value: int) -> None:
    layout, _ = allocate([field], {}, {}, (), 2)
    record = Record(layout)
    cells = record.fresh()
    cells[layout.record[field].slot] = value
    with pytest.raises(ValueError, match=f"{value} in x does not fit"):
        record.pack(cells)


def test_the_hash_is_of_the_game_region_alone() -> None:
    field, known = Field("x", "game", high=9), Field("y", "knowledge", high=9)
    layout, _ = allocate([field, known], {}, {}, (), 2)
    record = Record(layout)
    cells = record.fresh()
    before = hash_of(record.game(record.pack(cells)))
    cells[layout.record[known].slot] = 5
    assert hash_of(record.game(record.pack(cells))) == before
    cells[layout.record[field].slot] = 5
    assert hash_of(record.game(record.pack(cells))) != before
    assert 0 <= before < 2**64


def test_a_field_cannot_be_declared_twice() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        allocate([Field("x", "game", high=9), Field("x", "game", high=9)], {}, {}, (), 2)
