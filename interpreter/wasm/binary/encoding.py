"""Encodes a module as bytes: the binary format of the WebAssembly Core Specification 2.0, chapter 5.

Only instructions that the emitter uses are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from .module import Data, Function, Instruction, Module, ValueType

TYPES: dict[ValueType, int] = {"i32": 0x7F, "i64": 0x7E, "v128": 0x7B}
EMPTY = 0x40  # the type of a block without a result

# Instructions without an immediate.
PLAIN: dict[str, bytes] = {
    name: bytes((code,))
    for code, name in {
        0x00: "unreachable", 0x05: "else", 0x0B: "end", 0x0F: "return", 0x1A: "drop", 0x1B: "select",
        0x45: "i32.eqz", 0x46: "i32.eq", 0x47: "i32.ne", 0x48: "i32.lt_s", 0x49: "i32.lt_u", 0x4A: "i32.gt_s", 0x4B: "i32.gt_u",
        0x4C: "i32.le_s", 0x4D: "i32.le_u", 0x4E: "i32.ge_s", 0x4F: "i32.ge_u",
        0x50: "i64.eqz", 0x51: "i64.eq", 0x52: "i64.ne", 0x54: "i64.lt_u", 0x56: "i64.gt_u", 0x58: "i64.le_u", 0x5A: "i64.ge_u",
        0x67: "i32.clz", 0x68: "i32.ctz", 0x69: "i32.popcnt", 0x6A: "i32.add", 0x6B: "i32.sub", 0x6C: "i32.mul",
        0x6D: "i32.div_s", 0x6E: "i32.div_u", 0x6F: "i32.rem_s", 0x70: "i32.rem_u", 0x71: "i32.and", 0x72: "i32.or",
        0x73: "i32.xor", 0x74: "i32.shl", 0x75: "i32.shr_s", 0x76: "i32.shr_u",
        0x79: "i64.clz", 0x7A: "i64.ctz", 0x7B: "i64.popcnt", 0x7C: "i64.add", 0x7D: "i64.sub", 0x7E: "i64.mul",
        0x80: "i64.div_u", 0x82: "i64.rem_u", 0x83: "i64.and", 0x84: "i64.or", 0x85: "i64.xor", 0x86: "i64.shl",
        0x87: "i64.shr_s", 0x88: "i64.shr_u",
        0xA7: "i32.wrap_i64", 0xAC: "i64.extend_i32_s", 0xAD: "i64.extend_i32_u",
    }.items()
}  # fmt: skip
PLAIN |= {"i8x16.splat": b"\xfd\x0f", "i8x16.gt_s": b"\xfd\x27", "v128.bitselect": b"\xfd\x52"}

BLOCKS: dict[str, int] = {"block": 0x02, "loop": 0x03, "if": 0x04}

# Instructions with one immediate, an index or a depth.
INDEXED: dict[str, int] = {
    "br": 0x0C,
    "br_if": 0x0D,
    "call": 0x10,
    "local.get": 0x20,
    "local.set": 0x21,
    "local.tee": 0x22,
    "global.get": 0x23,
    "global.set": 0x24,
}

MEMORY: dict[str, int] = {
    "i32.load": 0x28, "i64.load": 0x29, "i32.load8_s": 0x2C, "i32.load8_u": 0x2D, "i32.load16_s": 0x2E, "i32.load16_u": 0x2F,
    "i64.load8_u": 0x31, "i64.load16_u": 0x33, "i64.load32_u": 0x35,
    "i32.store": 0x36, "i64.store": 0x37, "i32.store8": 0x3A, "i32.store16": 0x3B,
    "i64.store8": 0x3C, "i64.store16": 0x3D, "i64.store32": 0x3E,
}  # fmt: skip

VECTOR_MEMORY: dict[str, bytes] = {"v128.load": b"\xfd\x00", "v128.store": b"\xfd\x0b"}
LANES: dict[str, bytes] = {"v128.const": b"\xfd\x0c", "i8x16.shuffle": b"\xfd\x0d"}  # of 16 bytes

BULK: dict[str, bytes] = {"memory.copy": b"\xfc\x0a\x00\x00", "memory.fill": b"\xfc\x0b\x00"}


def encode(module: Module) -> bytes:
    """The bytes of a module."""
    types: dict[tuple[tuple[ValueType, ...], tuple[ValueType, ...]], int] = {}
    of_function = [types.setdefault((f.parameters, f.results), len(types)) for f in module.functions]
    exports = [(f.export, 0, number) for number, f in enumerate(module.functions) if f.export]
    return b"".join(
        (
            b"\0asm\1\0\0\0",
            _section(1, [b"\x60" + _types(taken) + _types(given) for taken, given in types]),
            _section(3, [unsigned(number) for number in of_function]),
            _section(5, [b"\1" + unsigned(module.pages) * 2]),
            _section(6, [bytes((TYPES[g.type], 1, 0x41 if g.type == "i32" else 0x42, 0, 0x0B)) for g in module.globals]),
            _section(7, [_name("memory") + b"\2\0", *(_name(n) + bytes((kind,)) + unsigned(at) for n, kind, at in exports)]),
            _section(10, [_code(function) for function in module.functions]),
            _section(11, [_data(data) for data in module.data]),
        )
    )


def unsigned(value: int) -> bytes:
    """A number >= 0 in unsigned LEB128."""
    if value < 0x80:
        return bytes((value,))
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def signed(value: int) -> bytes:
    """A number in signed LEB128."""
    if -64 <= value < 64:
        return bytes((value & 0x7F,))
    found = bytearray()
    while not -64 <= value < 64:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value & 0x7F)
    return bytes(found)


def _vector(parts: Sequence[bytes]) -> bytes:
    return unsigned(len(parts)) + b"".join(parts)


def _section(number: int, parts: Sequence[bytes]) -> bytes:
    content = _vector(parts)
    return bytes((number,)) + unsigned(len(content)) + content


def _types(types: Sequence[ValueType]) -> bytes:
    return unsigned(len(types)) + bytes(TYPES[each] for each in types)


def _name(name: str) -> bytes:
    encoded = name.encode()
    return unsigned(len(encoded)) + encoded


def _data(data: Data) -> bytes:
    return b"\0\x41" + signed(data.offset) + b"\x0b" + unsigned(len(data.content)) + data.content


def _code(function: Function) -> bytes:
    runs = [(kind, len(list(run))) for kind, run in groupby(function.locals[len(function.parameters) :])]
    declared = _vector([unsigned(length) + bytes((TYPES[kind],)) for kind, length in runs])
    content = declared + _instructions(function.body) + b"\x0b"
    return unsigned(len(content)) + content


def _instructions(body: Iterable[Instruction]) -> bytes:
    known: dict[Instruction, bytes] = _KNOWN
    found = []
    for instruction in body:
        encoded = known.get(instruction)
        if encoded is None:
            encoded = known[instruction] = _instruction(*instruction)
        found.append(encoded)
    return b"".join(found)


_KNOWN: dict[Instruction, bytes] = {}  # the same few instructions stand everywhere


def _instruction(name: str | int, *immediates: str | int) -> bytes:
    assert isinstance(name, str)
    if name in PLAIN:
        return PLAIN[name]
    if name in BLOCKS:
        kind = TYPES[immediates[0]] if immediates else EMPTY  # type: ignore[index]
        return bytes((BLOCKS[name], kind))
    if name in BULK:
        return BULK[name]
    numbers = [number for number in immediates if isinstance(number, int)]
    if name in LANES:
        return LANES[name] + bytes(numbers)
    if name == "br_table":
        return b"\x0e" + _vector([unsigned(depth) for depth in numbers[:-1]]) + unsigned(numbers[-1])
    (number,) = numbers
    if name in INDEXED:
        return bytes((INDEXED[name],)) + unsigned(number)
    if name in MEMORY:
        return bytes((MEMORY[name], 0)) + unsigned(number)
    if name in VECTOR_MEMORY:
        return VECTOR_MEMORY[name] + b"\0" + unsigned(number)
    if name == "i32.const":
        return b"\x41" + signed(_wrapped(number, 32))
    if name == "i64.const":
        return b"\x42" + signed(_wrapped(number, 64))
    raise AssertionError(f"an unknown instruction: {name}")


def _wrapped(number: int, bits: int) -> int:
    """A number with these low bits, read as a signed number."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number
