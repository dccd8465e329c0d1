"""Mutations: small changes of a module's syntax tree, each of which some test should notice.

Changed are comparisons, arithmetic, constants, boolean conditions, the choice between minimum and
maximum, and the errors that are caught. Statements are dropped. Texts, annotations, decorators and
what error messages say are left as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
PAIRS = (("min", "max"), ("any", "all"), ("minimum", "maximum"), ("floor", "ceil"))
OTHER_NAME = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
WITHOUT = {"abs", "sorted", "reversed"}
"""Functions of which the first argument can take the place of the whole call."""

SKIPPED = {"annotation", "returns", "decorator_list", "bases", "format_spec"}
"""Fields of syntax nodes that are not looked into."""


class Mutation(NamedTuple):
    """One change; `apply` makes it in the tree that was walked, for good.

    Parameters
    ----------
    line
        Where it is.
    function
        The qualified name of the outermost function that it is in, or of the class, or "".
    what
        The code before and after.
    in_default
        Whether it changes the default of a parameter.
    """

    line: int
    function: str
    what: str
    in_default: bool
    apply: Callable[[], None]


def mutations(tree: ast.Module) -> list[Mutation]:
    """Return all mutations of a module, in the order of its lines."""
    return sorted(_walk(tree, _Around(tree)), key=lambda mutation: mutation.line)


class _Around(NamedTuple):
    """What a node stands in: the nearest expression or statement, and the function or class."""

    outer: ast.AST
    name: str = ""
    in_function: bool = False
    in_default: bool = False

    def within(self, node: ast.AST, field: str) -> _Around:
        """Return what stands around a field of a node."""
        is_outer = isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.UnaryOp)
        outer = node if is_outer else self.outer
        in_default = self.in_default or field in ("defaults", "kw_defaults")
        if self.in_function or not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return _Around(outer, self.name, self.in_function, in_default)
        name = f"{self.name}.{node.name}".lstrip(".")
        return _Around(outer, name, isinstance(node, ast.FunctionDef), in_default)


def _walk(node: ast.AST, around: _Around) -> Iterator[Mutation]:
    if isinstance(node, ast.JoinedStr) or _is_for_types(node):
        return
    for field, value in ast.iter_fields(node):
        if field in SKIPPED:
            continue
        here = around.within(node, field)
        for place, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue
            if here.in_function or not isinstance(child, ast.stmt):
                for other in _alternatives(child, node, field):
                    put = _putter(node, field, place if isinstance(value, list) else None)
                    line, what = getattr(child, "lineno", 0), _what(child, other, here.outer, put)
                    yield Mutation(line, here.name, what, here.in_default, partial(put, other))
            yield from _walk(child, here)


def _is_for_types(node: ast.AST) -> bool:
    """Return whether a statement only concerns types: a protocol, or imports for annotations."""
    if isinstance(node, ast.ClassDef):
        return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _putter(parent: ast.AST, field: str, place: int | None) -> Callable[[ast.AST], None]:
    """Return what puts a node into a place of a field of a parent."""

    def put(node: ast.AST) -> None:
        if place is None:
            setattr(parent, field, node)
        else:
            getattr(parent, field)[place] = node
        ast.fix_missing_locations(parent)

    return put


def _what(child: ast.AST, other: ast.AST, outer: ast.AST, put: Callable[[ast.AST], None]) -> str:
    """Return the code before and after; of constants and signs, with what is around them."""
    if not isinstance(child, (ast.Constant, ast.UnaryOp)):
        return f"{_text(child)} -> {_text(other)}"
    before = _text(outer)
    put(other)
    after = _text(outer)
    put(child)
    return f"{before} -> {after}"


def _text(node: ast.AST) -> str:
    return "nothing" if isinstance(node, ast.Pass) else ast.unparse(node).split("\n", 1)[0]


def _alternatives(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what can stand in the place of a node."""
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            yield ast.BinOp(node.left, ARITHMETIC[type(op)](), node.right)
        case ast.UnaryOp():
            yield node.operand
        case ast.BoolOp():
            for place in range(len(node.values)):
                rest = node.values[:place] + node.values[place + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.Constant():
            yield from _constants(node, parent)
        case ast.Call():
            yield from _calls(node)
        case ast.stmt():
            yield from _statements(node, parent, field)
    if field in ("test", "ifs") and not isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        yield ast.UnaryOp(ast.Not(), node)
    if isinstance(parent, ast.ExceptHandler) and isinstance(node, ast.Tuple):
        for place in range(len(node.elts)):
            yield ast.Tuple(node.elts[:place] + node.elts[place + 1 :], ast.Load())


def _comparisons(node: ast.Compare) -> Iterator[ast.AST]:
    for place, op in enumerate(node.ops):
        for other in COMPARISONS[type(op)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def _constants(node: ast.Constant, parent: ast.AST) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(parent, ast.keyword) and parent.arg == "strict":
        return
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, float):
        yield ast.Constant(10 * value if value else 1.0)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    match node.func:
        case ast.Name(id=name) if name in WITHOUT and node.args:
            yield node.args[0]
        case ast.Attribute(attr="abs"):
            yield node.args[0]
    match node.func:
        case ast.Name(id=name) if name in OTHER_NAME:
            yield ast.Call(ast.Name(OTHER_NAME[name], ast.Load()), node.args, node.keywords)
        case ast.Attribute(value=owner, attr=name) if name in OTHER_NAME:
            other = ast.Attribute(owner, OTHER_NAME[name], ast.Load())
            yield ast.Call(other, node.args, node.keywords)


def _statements(node: ast.stmt, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield nothing (`pass`) in place of a statement that can be dropped."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.AnnAssign(value=None):
            return
        case ast.Return() if isinstance(parent, ast.FunctionDef) and node is parent.body[-1]:
            return
        case (
            ast.Expr()
            | ast.Assign()
            | ast.AnnAssign()
            | ast.AugAssign()
            | ast.Raise()
            | ast.Return()
            | ast.Continue()
            | ast.Break()
        ):
            yield ast.Pass()
