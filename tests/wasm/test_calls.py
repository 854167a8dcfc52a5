"""Calls into a module: both ways give the same, traps are raised by both, and other threads run meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import wasmtime
from rulesrun.interpreter.wasm.running.native import UNCHECKED, Call, public_call, unchecked_call

TEXT = """
(module
  (global $count (mut i32) (i32.const 0))
  (func (export "nothing"))
  (func (export "count") (result i32) (global.set $count (i32.add (global.get $count) (i32.const 1))) (global.get $count))
  (func (export "less") (param i32 i64) (result i32) (i32.sub (local.get 0) (i32.wrap_i64 (local.get 1))))
  (func (export "word") (param i64) (result i64) (i64.xor (local.get 0) (i64.const -1)))
  (func (export "words") (param i32) (result i64 i64) (i64.extend_i32_s (local.get 0)) (i64.const 1))
  (func (export "trap") (param i32) (result i32) (i32.div_u (i32.const 1) (local.get 0)))
  (func $deep (export "deep") (result i32) (i32.add (call $deep) (i32.const 1)))
  (func (export "work") (param i32)
    (loop $more (br_if $more (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))
"""

MAKERS = [public_call, *([unchecked_call] if UNCHECKED else [])]


@pytest.fixture(params=MAKERS, ids=lambda make: make.__name__)
def export(request: pytest.FixtureRequest) -> Callable[[str], Call]:
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, bytes(wasmtime.wat2wasm(TEXT)))
    exports = wasmtime.Instance(store, module, []).exports(store)
    return lambda name: request.param(store, exports[name], [0])


def test_this_wasmtime_has_the_quick_call() -> None:
    assert UNCHECKED


def test_numbers_go_in_and_come_out(export: Callable[[str], Call]) -> None:
    assert export("nothing")() == 0
    assert [export("count")() for _ in range(3)] == [1, 2, 3]
    assert export("less")(3, 5) == -2
    assert export("less")(-(2**31), 2**64 - 1) == -(2**31) + 1
    assert export("less")(2**31 - 1, 0) == 2**31 - 1
    assert export("word")(0) == export("word")(2**64) == 2**64 - 1
    assert export("word")(-1) == export("word")(2**64 - 1) == 0
    assert export("words")(-1) == 2**65 - 1


def test_traps_are_raised_and_what_comes_after_is_as_before(export: Callable[[str], Call]) -> None:
    trap, deep = export("trap"), export("deep")
    for _ in range(3):
        with pytest.raises(wasmtime.Trap, match="divide by zero"):
            trap(0)
        assert trap(1) == 1
        with pytest.raises(wasmtime.Trap, match="stack"):
            deep()


def test_a_wrong_number_of_arguments_never_reaches_the_module(export: Callable[[str], Call]) -> None:
    for arguments in ((), (1,), (1, 2, 3)):
        with pytest.raises((TypeError, wasmtime.WasmtimeError)):
            export("less")(*arguments)


@pytest.mark.clock
def test_other_threads_run_meanwhile(export: Callable[[str], Call]) -> None:
    work = export("work")
    started, ended = threading.Event(), threading.Event()
    seen = 0

    def run() -> None:
        started.set()
        work(600_000_000)
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    started.wait()
    while not ended.is_set():
        seen += 1
    thread.join()
    assert seen > 10_000  # a call that keeps the lock lets nobody else count
