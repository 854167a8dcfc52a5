"""Translates small Python functions, written in the subset that `dialect.py` defines, to WebAssembly functions.

``m.name(...)`` is an instruction or a function of the module, ``m.name`` a global, ``at.name`` a constant; another function is
called by its own name, its first parameters ``m`` and ``at`` left out. Types are those of the annotations: ``int`` is an i32,
``Word`` an i64, ``bool`` an i32; a local has the type of its first assignment. Short functions are written where they are called.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from attrs import frozen

from ...binary.code import Code
from ...binary.module import Function, Instruction, ValueType

_TYPES: dict[str, ValueType] = {"int": "i32", "bool": "i32", "Word": "i64"}
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "div_u", ast.Mod: "rem_u", ast.BitAnd: "and",
    ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "shr_u",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], str] = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_LOADS: dict[str, tuple[str, ValueType]] = {
    "load8": ("i32.load8_u", "i32"),
    "load16": ("i32.load16_u", "i32"),
    "load32": ("i32.load", "i32"),
    "load64": ("i64.load", "i64"),
}
_STORES = {"store8": "i32.store8", "store16": "i32.store16", "store32": "i32.store", "store64": "i64.store"}
_BLOCKS = {"copy": "memory.copy", "fill": "memory.fill"}
WRITTEN_INLINE = 120  # nodes of a function's syntax tree, up to which it is written where it is called


@frozen
class Callables:
    """A function of the module that ``m`` offers: its number, parameters and results."""

    number: int
    parameters: tuple[ValueType, ...] = ()
    result: ValueType | None = None


@frozen
class _Definition:
    """A function to be translated. ``names``: what else its names can mean."""

    syntax: ast.FunctionDef
    names: Mapping[str, Any]
    parameters: tuple[ValueType, ...]
    result: ValueType | None
    is_short: bool

    @property
    def arguments(self) -> list[str]:
        return [argument.arg for argument in self.syntax.args.args if _is_data(argument)]


class FromPython:
    """Translates functions, each when it is first called. ``add``: gives a function that is made later its number.

    ``known``: the functions that ``m`` offers; ``variables``: its globals, all i32; ``at``: what holds the addresses.
    """

    def __init__(
        self,
        add: Callable[[str, Callable[[], Function]], int],
        known: Mapping[str, Callables],
        variables: Mapping[str, int],
        at: object,
    ) -> None:
        self._add = add
        self.known = known
        self.variables = variables
        self.at = at
        self._callables: dict[FunctionType, Callables] = {}

    def function(self, function: Any, export: str = "") -> Callables:
        """A function's number and type."""
        found = self._callables.get(function)
        if found is None:
            defined = definition(function)
            name = f"{function.__module__}.{function.__name__}"
            number = self._add(name, lambda: _Body(self, defined).function(export))
            found = self._callables[function] = Callables(number, defined.parameters, defined.result)
        return found


@cache
def definition(function: Any) -> _Definition:
    """What is known of a function without translating it."""
    syntax = _definitions(inspect.getfile(function))[function.__name__]
    parameters = tuple(_type(argument.annotation) for argument in syntax.args.args if _is_data(argument))
    result = None if _says_none(syntax.returns) else _type(syntax.returns)
    is_short = sum(1 for stmt in syntax.body for _ in ast.walk(stmt)) <= WRITTEN_INLINE
    return _Definition(syntax, function.__globals__, parameters, result, is_short)


@cache
def _definitions(path: str) -> dict[str, ast.FunctionDef]:
    """The functions of a file."""
    body = ast.parse(Path(path).read_text(encoding="utf-8")).body
    return {stmt.name: stmt for stmt in body if isinstance(stmt, ast.FunctionDef)}


def _is_data(argument: ast.arg) -> bool:
    return argument.arg not in ("m", "at")


def _says_none(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Constant) and annotation.value is None


def _type(annotation: ast.expr | None) -> ValueType:
    assert isinstance(annotation, ast.Name), "every parameter says its type"
    return _TYPES[annotation.id]


class _Body:
    """The code of one function, short ones that it calls included."""

    def __init__(self, whole: FromPython, defined: _Definition) -> None:
        self.whole = whole
        self.defined = defined
        self.code = Code(defined.parameters, [] if defined.result is None else [defined.result])
        self.locals = {name: (number, defined.parameters[number]) for number, name in enumerate(defined.arguments)}
        self.loops: list[tuple[int, int]] = []  # where `break` and `continue` go
        self.end: int | None = None  # of a function that is written inline: where its end is
        self.inside: list[str] = []  # the functions that are being written inline

    def function(self, export: str) -> Function:
        self.statements(self.defined.syntax.body)
        if self.defined.result is not None:
            self.code.add("unreachable")  # every path has returned
        return self.code.function(self.defined.syntax.name, export)

    def inline(self, defined: _Definition, given: Sequence[ast.expr]) -> None:
        """Write a function where it is called. What it returns is left on the stack."""
        code = self.code
        places: dict[str, tuple[int, ValueType]] = {}
        for name, arg, kind in zip(defined.arguments, given, defined.parameters, strict=True):
            self.value(arg, kind)
            places[name] = code.local(kind), kind
            code.set(places[name][0])
        before = self.defined, self.locals, self.end
        self.defined, self.locals = defined, places
        self.inside.append(defined.syntax.name)
        *first, last = defined.syntax.body
        if isinstance(last, ast.Return) and last.value is not None and all(isinstance(stmt, ast.Expr) for stmt in first):
            self.statements(first)
            self.value(last.value, defined.result)
        else:
            with code.block("block", defined.result) as self.end:
                self.statements(defined.syntax.body)
                if defined.result is not None:
                    code.add("unreachable")
        self.inside.pop()
        self.defined, self.locals, self.end = before

    # ---- Statements

    def statements(self, body: list[ast.stmt]) -> None:
        for stmt in body:
            self.statement(stmt)

    def statement(self, stmt: ast.stmt) -> None:
        code = self.code
        match stmt:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="m"), attr=name)], value=value):
                self.value(value, "i32")
                code.add("global.set", self.whole.variables[name])
            case ast.AugAssign(target=ast.Attribute(value=ast.Name(id="m"), attr=name), op=op, value=value):
                code.add("global.get", self.whole.variables[name])
                self.value(value, "i32")
                code.add(f"i32.{_BINARY[type(op)]}")
                code.add("global.set", self.whole.variables[name])
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.store(name, self.value(value, self.locals[name][1] if name in self.locals else None))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                number, kind = self.locals[name]
                code.get(number)
                self.value(value, kind)
                code.add(f"{kind}.{_BINARY[type(op)]}")
                code.set(number)
            case ast.If(test=test, body=then, orelse=otherwise):
                self.condition(test)
                with code.when():
                    self.statements(then)
                    if otherwise:
                        code.otherwise()
                        self.statements(otherwise)
            case ast.While(test=test, body=body):
                with code.block() as done, code.block("loop") as again:
                    if not (isinstance(test, ast.Constant) and test.value is True):
                        self.condition(test)
                        code.add("i32.eqz")
                        code.br_if(done)
                    self.loops.append((done, again))
                    self.statements(body)
                    self.loops.pop()
                    code.br(again)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), body=body):
                self.counting(name, args, body)
            case ast.Break():
                code.br(self.loops[-1][0])
            case ast.Continue():
                code.br(self.loops[-1][1])
            case ast.Return(value=value):
                if value is not None:
                    self.value(value, self.defined.result)
                if self.end is None:
                    code.add("return")
                else:
                    code.br(self.end)
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.Expr(value=value):
                if self.call(value) is not None:
                    code.add("drop")
            case _:
                raise AssertionError(f"no statement that can be translated: {ast.unparse(stmt)}")

    def counting(self, name: str, args: list[ast.expr], body: list[ast.stmt]) -> None:
        """``for name in range(...)``: the end is found once."""
        assert len(args) <= 2, "a range with steps cannot be translated"
        code = self.code
        end = code.local("i32")
        self.value(args[-1], "i32")
        code.set(end)
        if len(args) == 2:
            self.value(args[0], "i32")
        else:
            code.i32(0)
        self.store(name, "i32")
        number = self.locals[name][0]
        with code.block() as done, code.block("loop") as again:
            code.get(number)
            code.get(end)
            code.add("i32.ge_s")
            code.br_if(done)
            with code.block() as following:
                self.loops.append((done, following))
                self.statements(body)
                self.loops.pop()
            code.get(number)
            code.i32(1)
            code.add("i32.add")
            code.set(number)
            code.br(again)

    def store(self, name: str, kind: ValueType) -> None:
        if name not in self.locals:
            self.locals[name] = (self.code.local(kind), kind)
        self.code.set(self.locals[name][0])

    # ---- Expressions

    def condition(self, test: ast.expr) -> None:
        """Leave a number that is not 0 where it holds."""
        if self.value(test) == "i64":
            self.code.i64(0)
            self.code.add("i64.ne")

    def value(self, value: ast.expr, wanted: ValueType | None = None) -> ValueType:
        """Leave a value on the stack; its type, which is the wanted one if one is wanted. A number can become a word."""
        kind = self.type(value)
        if isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id not in self.locals):
            kind = wanted or kind
        self._value(value, kind)
        if wanted is None or wanted == kind:
            return kind
        assert wanted == "i64", f"int() is missing: {ast.unparse(value)}"
        self.code.add("i64.extend_i32_u")
        return wanted

    def _value(self, value: ast.expr, kind: ValueType) -> None:
        code = self.code
        match value:
            case ast.Constant(value=bool() | int() as number):
                code.add(f"{kind}.const", int(number) & 0xFFFF_FFFF_FFFF_FFFF if kind == "i64" else int(number))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                code.i32(-number)
            case ast.Name(id=name) if name in self.locals:
                code.get(self.locals[name][0])
            case ast.Name(id=name):
                code.add(f"{kind}.const", self.defined.names[name])
            case ast.Attribute(value=ast.Name(id="m"), attr=name):
                code.add("global.get", self.whole.variables[name])
            case ast.Attribute(value=ast.Name(id="at"), attr=name):
                code.i32(getattr(self.whole.at, name))
            case ast.Call():
                assert self.call(value) is not None
            case ast.BinOp(left=left, op=op, right=right):
                self.value(left, kind)
                self.value(right, kind)
                code.add(f"{kind}.{_BINARY[type(op)]}")
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=[first, *others])]):
                for index, one_of in enumerate((first, *others)):
                    self.value(left, "i32")
                    self.value(one_of, "i32")
                    code.add("i32.eq")
                    if index:
                        code.add("i32.or")
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                each = self.widest(left, right)
                self.value(left, each)
                self.value(right, each)
                signs = "" if isinstance(op, ast.Eq | ast.NotEq) else "_s" if each == "i32" else "_u"
                code.add(f"{each}.{_COMPARED[type(op)]}{signs}")
            case ast.BoolOp(op=op, values=[first, *rest]):
                self.condition(first)
                for part in rest:
                    with code.when("i32"):
                        if isinstance(op, ast.Or):
                            code.i32(1)
                            code.otherwise()
                            self.condition(part)
                        else:
                            self.condition(part)
                            code.otherwise()
                            code.i32(0)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.condition(operand)
                code.add("i32.eqz")
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                self.condition(test)
                with code.when(kind):
                    self.value(body, kind)
                    code.otherwise()
                    self.value(otherwise, kind)
            case _:
                raise AssertionError(f"no expression that can be translated: {ast.unparse(value)}")

    def widest(self, *values: ast.expr) -> ValueType:
        return "i64" if "i64" in [self.type(value) for value in values] else "i32"

    def type(self, value: ast.expr) -> ValueType:
        """The type of a value; of plain numbers, i32."""
        match value:
            case ast.Name(id=name) if name in self.locals:
                return self.locals[name][1]
            case ast.Call(func=ast.Name(id="Word")):
                return "i64"
            case ast.Call(func=ast.Name(id="int")):
                return "i32"
            case ast.Call(func=ast.Name(id=name)):
                return definition(self.defined.names[name]).result or "i32"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="m"), attr=name)):
                return _LOADS[name][1] if name in _LOADS else self.offered(name).result or "i32"
            case ast.BinOp(left=left, right=right):
                return self.widest(left, right)
            case ast.IfExp(body=body, orelse=otherwise):
                return self.widest(body, otherwise)
            case _:
                return "i32"

    def offered(self, name: str) -> Callables:
        """What ``m`` offers beside loads and stores: the instructions that have names of their own, and functions."""
        if name in ("count", "lowest"):
            return Callables(-1, ("i64",), "i32")
        return self.whole.known[name]

    def call(self, value: ast.expr) -> ValueType | None:
        """A call; the type of what it leaves."""
        code = self.code
        match value:
            case ast.Call(func=ast.Name(id="Word"), args=[number]):
                if self.value(number) == "i32":
                    code.add("i64.extend_i32_u")
                return "i64"
            case ast.Call(func=ast.Name(id="int"), args=[word]):
                if self.value(word) == "i64":
                    code.add("i32.wrap_i64")
                return "i32"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="m"), attr=name), args=args) if name in _LOADS:
                instruction, kind = _LOADS[name]
                self.value(args[0], "i32")
                code.add(instruction, 0)
                return kind
            case ast.Call(func=ast.Attribute(value=ast.Name(id="m"), attr=name), args=args) if name in _STORES:
                self.value(args[0], "i32")
                self.value(args[1], "i64" if name == "store64" else "i32")
                code.add(_STORES[name], 0)
                return None
            case ast.Call(func=ast.Attribute(value=ast.Name(id="m"), attr=name), args=args) if name in _BLOCKS:
                for arg in args:
                    self.value(arg, "i32")
                code.add(_BLOCKS[name])
                return None
            case ast.Call(func=ast.Attribute(value=ast.Name(id="m"), attr="leave_off")):
                code.add("unreachable")
                return None
            case ast.Call(func=ast.Attribute(value=ast.Name(id="m"), attr=name), args=args):
                known = self.offered(name)
                for arg, kind in zip(args, known.parameters, strict=True):
                    self.value(arg, kind)
                if known.number < 0:
                    instructions: tuple[Instruction, ...] = (("i64.popcnt" if name == "count" else "i64.ctz",), ("i32.wrap_i64",))
                    code.out.extend(instructions)
                else:
                    code.add("call", known.number)
                return known.result
            case ast.Call(func=ast.Name(id=name), args=args):
                given = [arg for arg in args if not (isinstance(arg, ast.Name) and arg.id in ("m", "at"))]
                defined = definition(self.defined.names[name])
                if defined.is_short and name not in self.inside:
                    self.inline(defined, given)
                    return defined.result
                known = self.whole.function(self.defined.names[name])
                for arg, kind in zip(given, known.parameters, strict=True):
                    self.value(arg, kind)
                code.add("call", known.number)
                return known.result
            case _:
                raise AssertionError(f"no call that can be translated: {ast.unparse(value)}")
