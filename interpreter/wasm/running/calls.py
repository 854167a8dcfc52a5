"""Fast calls from Python to a function of a module.

wasmtime's Python call asks for the function's type and checks and wraps every argument, each time. Its C interface has a call
that does none of this, ``wasmtime_func_call_unchecked``: arguments and results lie in one array of 16-byte cells. Here the type
is asked once and the array is made once. Where that C function is not what is expected, the public call serves.

Either way the interpreter's lock is free while the module runs. A call belongs to one store, so to one thread at a time.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import wasmtime

Call = Callable[..., int]
"""Takes numbers; an i64 may be given signed or not. Gives the result: an i32 as it is, i64s as the words of one set, 0 for none.

Raises `wasmtime.Trap`.
"""

_CELL = 16  # bytes of a `wasmtime_val_raw`


def call_of(store: wasmtime.Store, function: wasmtime.Func, lasts: list[int]) -> Call:
    """The quickest call of a function. ``lasts``: what is 1 when it begins, and 0 when it has ended."""
    return unchecked_call(store, function, lasts) if UNCHECKED else public_call(store, function, lasts)


def public_call(store: wasmtime.Store, function: wasmtime.Func, lasts: list[int]) -> Call:
    """A call through wasmtime's Python interface."""
    gives = [str(kind) for kind in function.type(store).results]

    def call(*arguments: int) -> int:
        lasts[0] = 1
        try:
            found = function(store, *map(_signed, arguments))
        finally:
            lasts[0] = 0
        return _result(gives, found if len(gives) > 1 else [found])

    return call


def unchecked_call(store: wasmtime.Store, function: wasmtime.Func, lasts: list[int]) -> Call:
    """A call through the C interface; as many arguments must be given as the function takes."""
    kind = function.type(store)
    takes, gives = len(kind.params), [str(each) for each in kind.results]
    count = max(takes, len(gives))
    cells = (ctypes.c_int64 * (2 * max(1, count)))()
    trap = ctypes.c_void_p()
    own = function._func
    fixed = (_address(store._context()), ctypes.addressof(own), ctypes.addressof(cells), count, ctypes.addressof(trap))
    small = ctypes.c_int32.from_buffer(cells)
    run, one = _unchecked, gives == ["i32"]

    def call(*arguments: int) -> int:
        if len(arguments) != takes:
            raise TypeError(f"this takes {takes} arguments, not {len(arguments)}")
        at = 0
        for argument in arguments:
            cells[at] = argument  # ctypes takes the lowest 64 bits
            at += 2
        lasts[0] = 1
        error = run(*fixed)
        lasts[0] = 0
        if error or trap:
            _raise(error, trap)
        return small.value if one else _result(gives, cells[: 2 * len(gives) : 2])

    call.kept = (store, function, own)  # type: ignore[attr-defined]  # whose addresses are used
    return call


def _result(gives: list[str], words: list[Any]) -> int:
    if gives == ["i32"]:
        return int(words[0])
    return sum((word & 0xFFFF_FFFF_FFFF_FFFF) << 64 * number for number, word in enumerate(words) if word is not None)


def _signed(value: int) -> int:
    value &= 0xFFFF_FFFF_FFFF_FFFF
    return value - (1 << 64) if value >> 63 else value


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _raise(error: int, trap: ctypes.c_void_p) -> None:
    """Raise what a call ended with, and own it, so that it is freed."""
    if error:
        raise wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, ctypes.POINTER(wasmtime._bindings.wasmtime_error_t)))
    found = wasmtime.Trap._from_ptr(ctypes.cast(trap.value, ctypes.POINTER(wasmtime._bindings.wasm_trap_t)))  # type: ignore[arg-type]
    trap.value = None
    raise found


def _prototype() -> Any:
    """The C function with plain addresses for arguments; None where wasmtime is built in another way."""
    try:
        bindings = wasmtime._bindings
        if ctypes.sizeof(bindings.wasmtime_val_raw) != _CELL or sys.byteorder != "little":
            return None
        known = bindings._wasmtime_func_call_unchecked
        if len(known.argtypes) != 5:
            return None
        address = ctypes.c_void_p.from_buffer(known).value or 0
    except AttributeError:
        return None
    pointer = ctypes.c_void_p
    return ctypes.CFUNCTYPE(pointer, pointer, pointer, pointer, ctypes.c_size_t, pointer)(address)


_unchecked = _prototype()
UNCHECKED = _unchecked is not None
