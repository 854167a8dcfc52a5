"""Modules as wasmtime runs them: as native code, with their memory as it is.

wasmtime's Python call asks for the function's type and checks and wraps every argument, each time. Its C interface has a call
that does none of this, ``wasmtime_func_call_unchecked``: arguments and results lie in one array of 16-byte cells. Here the type
is asked once and the array is made once. Where that C function is not what is expected, the public call serves.

Either way the interpreter's lock is free while the module runs. A call belongs to one store, so to one thread at a time.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar
from weakref import WeakSet

import wasmtime

from ...common.deadline import apart

Trap = wasmtime.Trap

# Bytes of a module whose functions are compiled one after the other: the longest can take 150 MB each for that time. The
# modules of real games have up to a quarter of it.
LARGE = 1_000_000
STACK = 512 * 1024  # bytes; functions never call themselves, and the deepest of real games takes a hundredth of it
GUARD = 1 << 28  # bytes; tables of large games lie tens of megabytes behind the record, and are read at each decision


_Owned = TypeVar("_Owned", wasmtime.Engine, wasmtime.Module, wasmtime.Store)
_open: WeakSet[wasmtime.Engine | wasmtime.Module | wasmtime.Store] = WeakSet()


@atexit.register
def _keep() -> None:
    """What is still there at the end is not freed, since threads may be playing in it that nobody waits for; and wasmtime's
    own clean-up would complain, when most of Python has gone."""
    for owned in list(_open):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(owned))


def _kept_at_the_end(owned: _Owned) -> _Owned:
    _open.add(owned)
    return owned


@cache
def engine(parallel: bool = True) -> wasmtime.Engine:
    """What compiles. With four gigabytes of addresses (not of memory) for each instance, no address of 32 bits needs a check,
    not even with a constant offset up to `GUARD`.

    ``parallel``: several functions at a time.
    """
    config = wasmtime.Config()
    config.parallel_compilation = parallel
    config.cranelift_opt_level = "speed"
    config.max_wasm_stack = STACK
    config.memory_reservation = 1 << 32
    config.memory_guard_size = GUARD
    config.memory_may_move = False
    config.memory_init_cow = False  # no file behind the memory, not even one in memory: a full disk is no hindrance
    return _kept_at_the_end(wasmtime.Engine(config))


def compile_module(content: bytes) -> wasmtime.Module:
    """Native code for the bytes of a module; threads may share it."""

    def compiled() -> wasmtime.Module:
        if len(content) < LARGE:
            return wasmtime.Module(engine(), content)
        return wasmtime.Module.deserialize(engine(), wasmtime.Module(engine(parallel=False), content).serialize())

    return _kept_at_the_end(apart(compiled))


class Opened:
    """One instance. ``memory``: its bytes. ``lasts``: what is 1 when a call begins, and 0 when it has ended."""

    def __init__(self, module: wasmtime.Module, exports: Mapping[str, Any], lasts: list[int]) -> None:
        self._store = _kept_at_the_end(wasmtime.Store(engine()))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._address = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value or 0
        content = (ctypes.c_ubyte * memory.data_len(self._store)).from_address(self._address)
        self.memory = memoryview(content).cast("B")
        self._lasts = lasts

    def call(self, name: str) -> Call:
        """The quickest call of an exported function."""
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return (unchecked_call if UNCHECKED else public_call)(self._store, function, self._lasts)

    def clear(self, address: int, size: int) -> None:
        """Let these bytes of the memory be zero; they must lie in it."""
        ctypes.memset(self._address + address, 0, size)


# ---- Calls

Call = Callable[..., int]
"""Takes numbers; an i64 may be given signed or not. Gives the result: an i32 as it is, i64s as the words of one set, 0 for none.

Raises `wasmtime.Trap`.
"""

_CELL = 16  # bytes of a `wasmtime_val_raw`


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
        kind = wasmtime._bindings.wasmtime_error_t  # pyrefly: ignore[implicit-import]  # the names of wasmtime come from it
        raise wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, ctypes.POINTER(kind)))
    found = wasmtime.Trap._from_ptr(ctypes.cast(trap.value, ctypes.POINTER(wasmtime._bindings.wasm_trap_t)))  # type: ignore[arg-type]
    trap.value = None
    raise found


def _prototype() -> Any:
    """The C function with plain addresses for arguments; None where wasmtime is built in another way."""
    try:
        bindings = wasmtime._bindings  # pyrefly: ignore[implicit-import]  # where it is not there, this is an AttributeError
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
