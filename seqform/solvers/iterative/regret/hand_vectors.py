"""Vectors of 16 numbers in single precision, for loops that numba compiles.

A compiler finds vectors in long plain loops only. Here they are said: a number type of numba's that
LLVM holds as ``<16 x float>``, which it splits where a processor's vectors are shorter. They are
read from and written to arrays at a place counted in numbers from the start, which must be a
multiple of 16 in an array that begins where a line of the cache does: nothing checks it.

``a + b``, ``a - b``, ``a * b`` and ``a / b`` are meant number by number. What is here in few lines
for each is what `hand_vector_kernels` uses.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import float32, int64, types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    register_model,
)

from seqform.solvers.iterative.regret.hand_rounds import WIDTH

BYTES = 4 * WIDTH
FLAGS = ("contract", "nsz", "nnan", "ninf", "arcp")
"""What a compiler may take for granted: it may multiply and add in one step, and there are neither
infinities nor undefined numbers."""

LLVM = ir.VectorType(ir.FloatType(), WIDTH)


class VectorType(types.Type):
    """numba's type of a vector."""

    def __init__(self) -> None:
        super().__init__(name=f"float32x{WIDTH}")


vector = VectorType()


@register_model(VectorType)
class _Model(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, LLVM)


def _operator(symbol: Callable[..., Any], instruction: str) -> None:
    """Teach numba an operator between two vectors."""

    @infer_global(symbol)
    class _Template(ConcreteTemplate):  # numba finds it by being told here
        cases = [vector(vector, vector)]  # noqa: RUF012

    @lower_builtin(symbol, vector, vector)
    def _lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args, flags=FLAGS)


for _symbol, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _operator(_symbol, _instruction)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    """Return the address of the vector at a place of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), LLVM.as_pointer())


def _load(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    found = builder.load(_pointer(context, builder, array_type, array, place))
    found.align = BYTES
    return found


def _store(context: Any, builder: Any, array_type: Any, array: Any, place: Any, value: Any) -> None:
    builder.store(value, _pointer(context, builder, array_type, array, place), align=BYTES)


@intrinsic
def load(typing: Any, array: Any, place: Any) -> Any:
    """Return the vector at a place of an array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _load(context, builder, signature.args[0], *args)

    return vector(array, int64), generate


@intrinsic
def store(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Write a vector to a place of an array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(context, builder, signature.args[0], *args)
        return context.get_dummy_value()

    return types.none(array, int64, vector), generate


@intrinsic
def prefetch(typing: Any, array: Any, place: Any) -> Any:
    """Ask for a place of an array before it is needed; it may be beyond the end."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        address = builder.bitcast(_pointer(context, builder, signature.args[0], *args), byte)
        builder.call(function, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, int64), generate


@intrinsic
def every(typing: Any, number: Any) -> Any:
    """Return the vector of one number, again and again."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _splat(builder, args[0])

    return vector(float32), generate


def _splat(builder: Any, number: Any) -> Any:
    first = builder.insert_element(ir.Constant(LLVM, ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, first, _mask([0] * WIDTH))


def _mask(lanes: Sequence[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), list(lanes))


def _zeros() -> Any:
    return ir.Constant(LLVM, [0.0] * WIDTH)


@intrinsic
def positive(typing: Any, value: Any) -> Any:
    """Return a vector with zeros where it is negative."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        above = builder.fcmp_ordered(">", args[0], _zeros(), flags=FLAGS)
        return builder.select(above, args[0], _zeros())

    return vector(vector), generate


@intrinsic
def larger(typing: Any, first: Any, second: Any) -> Any:
    """Return the larger of two numbers, one by one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args, flags=FLAGS), *args)

    return vector(vector, vector), generate


@intrinsic
def where_positive(typing: Any, asked: Any, then: Any, otherwise: Any) -> Any:
    """Return numbers of `then` where those of `asked` are positive, and else of `otherwise`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        above = builder.fcmp_ordered(">", args[0], _zeros(), flags=FLAGS)
        return builder.select(above, args[1], args[2])

    return vector(vector, vector, vector), generate


@intrinsic
def size(typing: Any, value: Any) -> Any:
    """Return a vector's numbers without their signs."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(LLVM, [LLVM])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fabs.v{WIDTH}f32")
        return builder.call(function, args)

    return vector(vector), generate


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of 16 vectors, by exchanging ever larger blocks."""
    for step in (1, 2, 4, 8):
        low = _mask([lane if not lane & step else WIDTH + lane - step for lane in range(WIDTH)])
        high = _mask([lane + step if not lane & step else WIDTH + lane for lane in range(WIDTH)])
        for upper in range(WIDTH):
            if not upper & step:
                pair = rows[upper], rows[upper + step]
                rows[upper] = builder.shuffle_vector(*pair, low)
                rows[upper + step] = builder.shuffle_vector(*pair, high)
    return rows


@intrinsic
def transpose(
    typing: Any, source: Any, at: Any, apart: Any, target: Any, to: Any, beside: Any
) -> Any:
    """Write the columns of 16 vectors as vectors.

    The first are at `at` of `source`, so many numbers `apart`; the second at `to` of `target`.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, at, apart, target, to, beside = args
        rows = []
        for _ in range(WIDTH):
            rows.append(_load(context, builder, signature.args[0], source, at))
            at = builder.add(at, apart)
        for row in _transposed(builder, rows):
            _store(context, builder, signature.args[3], target, to, row)
            to = builder.add(to, beside)
        return context.get_dummy_value()

    return types.none(source, int64, int64, target, int64, int64), generate


@intrinsic
def transpose_chosen(
    typing: Any, source: Any, at: Any, apart: Any, rows: Any, first: Any, target: Any, to: Any,
    beside: Any,
) -> Any:  # fmt: skip
    """Write the columns of 16 vectors as vectors, where the vectors are chosen by a list.

    Vector k is at ``at + apart * rows[first + k]`` of `source`; `rows` is of int32.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, at, apart, chosen, first, target, to, beside = args
        places = context.make_array(signature.args[3])(context, builder, chosen).data
        number, rows = ir.IntType(64), []
        for lane in range(WIDTH):
            place = builder.gep(places, [builder.add(first, number(lane))])
            row = builder.mul(builder.sext(builder.load(place), number), apart)
            rows.append(_load(context, builder, signature.args[0], source, builder.add(at, row)))
        for row in _transposed(builder, rows):
            _store(context, builder, signature.args[5], target, to, row)
            to = builder.add(to, beside)
        return context.get_dummy_value()

    return types.none(source, int64, int64, rows, int64, target, int64, int64), generate
