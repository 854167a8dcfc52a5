"""Modules as a browser runs them, beside Python, which is itself a module there.

Their memory is not Python's: bytes are copied in and out. JavaScript has numbers of 64 bits only as another type, so each call
converts what it gives and takes, as the function's parameters and results say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

js, ffi = import_module("js"), import_module("pyodide.ffi")  # which are there in a browser only

Trap = ffi.JsException

_WORD = (1 << 64) - 1


def compile_module(content: bytes) -> Any:
    """What the browser makes of the bytes of a module."""
    return js.WebAssembly.Module.new(ffi.to_js(content))


class Memory:
    """Bytes of a module's memory, used like a `memoryview`: slices of it are views as well."""

    def __init__(self, content: Any) -> None:
        self._content = content  # a Uint8Array
        self._size = int(content.length)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            start, end, _ = at.indices(self._size)
            return Memory(self._content.subarray(start, max(start, end)))
        return int(self._content[at])

    def __setitem__(self, at: Any, value: Any) -> None:
        if not isinstance(at, slice):
            self._content[at] = value
            return
        start, end, _ = at.indices(self._size)
        data = bytes(value)
        if len(data) != max(start, end) - start:
            raise ValueError(f"{len(data)} bytes do not fit in a place of {end - start}")
        if data:
            self._content.subarray(start, end).assign(data)

    def __eq__(self, other: object) -> bool:
        return self.tobytes() == bytes(other)  # type: ignore[call-overload, no-any-return]

    def __hash__(self) -> int:
        return id(self)

    def __buffer__(self, flags: int) -> memoryview:
        return memoryview(self.tobytes())

    def tobytes(self) -> bytes:
        """A copy."""
        return bytes(self._content.to_bytes()) if self._size else b""


class Opened:
    """See `native.Opened`. ``exports``: the parameters and results of each function, as the module's description has them."""

    def __init__(self, module: Any, exports: Mapping[str, Any], lasts: list[int]) -> None:
        self._exports = js.WebAssembly.Instance.new(module).exports
        self._types = exports
        self._content = js.Uint8Array.new(self._exports.memory.buffer)
        self.memory = Memory(self._content)

    def call(self, name: str) -> Callable[..., int]:
        """See `native.Call`."""
        takes, gives = self._types[name]
        function, big = getattr(self._exports, name), js.BigInt
        wide = [kind == "i64" for kind in takes]

        def call(*arguments: int) -> int:
            given = (big(str(value)) if is_wide else value for value, is_wide in zip(arguments, wide, strict=True))
            found = function(*given)
            if gives == ["i32"]:
                return int(found)
            words: Iterable[object] = [] if found is None else [found] if len(gives) == 1 else found
            return sum((int(str(word)) & _WORD) << 64 * number for number, word in enumerate(words))

        return call

    def clear(self, address: int, size: int) -> None:
        """See `native.Opened.clear`."""
        self._content.fill(0, address, address + size)
