"""The text format of a module, as ``rulesrun show --stage wat`` prints it. Any WebAssembly assembler takes it."""

from __future__ import annotations

from collections.abc import Iterator

from .module import Function, Instruction, Module

_BYTES_OF_A_LINE = 32
DEEP = 40  # blocks in one another up to which each is indented further: a routine of many stops has hundreds


def show_module(module: Module) -> str:
    """The whole module as text."""
    lines = ["(module", f'  (memory (export "memory") {module.pages} {module.pages})']
    lines += [f"  (global ${g.name} (mut {g.type}) ({g.type}.const 0))" for g in module.globals]
    for data in module.data:
        lines.append(f"  (data (i32.const {data.offset})")
        for start in range(0, len(data.content), _BYTES_OF_A_LINE):
            content = "".join([f"\\{byte:02x}" for byte in data.content[start : start + _BYTES_OF_A_LINE]])
            lines.append(f'    "{content}"')
        lines.append("  )")
    for number, function in enumerate(module.functions):
        lines += _function(number, function, module)
    return "\n".join([*lines, ")"]) + "\n"


def _function(number: int, function: Function, module: Module) -> Iterator[str]:
    export = f' (export "{function.export}")' if function.export else ""
    takes = "".join(f" (param {kind})" for kind in function.parameters)
    gives = "".join(f" (result {kind})" for kind in function.results)
    yield f"  (func {_name(number, function)}{export}{takes}{gives}"
    own = function.locals[len(function.parameters) :]
    if own:
        yield f"    (local {' '.join(own)})"
    depth = 2
    for instruction in function.body:
        name = instruction[0]
        if name in ("end", "else"):
            depth -= 1
        yield "  " * min(depth, DEEP) + _instruction(instruction, module)
        if name in ("block", "loop", "if", "else"):
            depth += 1
    yield "  )"


def _instruction(instruction: Instruction, module: Module) -> str:
    name, *rest = instruction
    assert isinstance(name, str)
    match name:
        case "call":
            number = int(rest[0])
            return f"call {_name(number, module.functions[number])}"
        case "global.get" | "global.set":
            return f"{name} ${module.globals[int(rest[0])].name}"
        case "block" | "loop" | "if" if rest:
            return f"{name} (result {rest[0]})"
        case "v128.const":
            return " ".join(("v128.const i8x16", *map(str, rest)))
        case _ if ".load" in name or ".store" in name:
            return f"{name} offset={rest[0]} align=1"
        case _:
            return " ".join(str(part) for part in instruction)


def _name(number: int, function: Function) -> str:
    """A function as an identifier of the text format: its number and its name, in which only letters and digits are left."""
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in function.name)
    return f"${number}_{plain}"
