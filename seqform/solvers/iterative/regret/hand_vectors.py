"""Vectors of 16 numbers in single precision, for loops that numba compiles.

A compiler finds vectors in long plain loops only. Here they are said: a number type of numba's that
LLVM holds as ``<16 x float>``, which it splits where a processor's vectors are shorter. They are
read from and written to arrays at a place counted in numbers from the start, which must be a
multiple of 16 in an array that begins where a line of the cache does: nothing checks it.

``a + b``, ``a - b``, ``a * b`` and ``a / b`` are meant number by number. What is here in few lines
for each is what `hand_vector_kernels` uses.

Arrays of uint16 hold whole numbers, or *short floats*: the first half of what single precision has,
which is the sign, the exponent and 7 bits of a mantissa.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
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
WHOLE = ir.VectorType(ir.IntType(32), WIDTH)
SHORT = ir.VectorType(ir.IntType(16), WIDTH)

CUT = 16
"""Bits of single precision that a short float lacks."""


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
def peek(typing: Any, array: Any, place: Any) -> Any:
    """Return the integer at a place of an array of int32, which is not negative."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _peek(context, builder, signature.args[0], *args)

    return int64(array, int64), generate


def _peek(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.sext(builder.load(builder.gep(data, [place])), ir.IntType(64))


@intrinsic
def fill(typing: Any, array: Any, place: Any) -> Any:
    """Return the vector of the number at a place of an array, again and again."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, place = args
        data = context.make_array(signature.args[0])(context, builder, array).data
        return _splat(builder, builder.load(builder.gep(data, [place])))

    return vector(array, int64), generate


@intrinsic
def prefetch(typing: Any, array: Any, place: Any) -> Any:
    """Ask for a place of an array before it is needed; it may be beyond the end.

    It comes as far as the second cache. The first is full of what is worked on: with a vector's
    regrets and averages ahead in it, a flop takes a third longer.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        address = builder.bitcast(_pointer(context, builder, signature.args[0], *args), byte)
        builder.call(function, [address, number(0), number(2), number(1)])
        return context.get_dummy_value()

    return types.none(array, int64), generate


@intrinsic
def every(typing: Any, number: Any) -> Any:
    """Return the vector of one number, again and again."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _splat(builder, args[0])

    return vector(float32), generate


def _splat(builder: Any, number: Any, count: int = WIDTH) -> Any:
    first = builder.insert_element(ir.Constant(LLVM, ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, first, _mask([0] * count))


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
def smaller(typing: Any, first: Any, second: Any) -> Any:
    """Return the smaller of two numbers, one by one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered("<", *args, flags=FLAGS), *args)

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


EIGHT = WIDTH // 2
HALF = ir.VectorType(ir.FloatType(), EIGHT)

Halves = Callable[[Any, int], Any]
"""Given a row's number and 0 or 1, returns half of the row, <8 x float>."""


def _load_half(
    context: Any, builder: Any, array_type: Any, array: Any, place: Any, half: int
) -> Any:
    found = builder.load(_half(context, builder, array_type, array, place, half))
    found.align = BYTES // 2
    return found


def _half(context: Any, builder: Any, array_type: Any, array: Any, place: Any, half: int) -> Any:
    """Return the address of the first or the second half of the vector at a place of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    first = builder.add(place, ir.IntType(64)(half * EIGHT))
    return builder.bitcast(builder.gep(data, [first]), HALF.as_pointer())


def _columns(builder: Any, halves: Halves) -> Iterator[tuple[int, int, Any]]:
    """Yield the columns of 16 rows by halves: the column's number, 0 or 1, <8 x float>.

    Blocks of 8 by 8 numbers fit into the registers of all processors.
    """
    for upper in (0, 1):
        for left in (0, 1):
            rows = [halves(upper * EIGHT + k, left) for k in range(EIGHT)]
            for k, column in enumerate(_transposed(builder, rows)):
                yield left * EIGHT + k, upper, column


def _write_columns(
    context: Any, builder: Any, halves: Halves, array_type: Any, target: Any, to: Any, beside: Any
) -> None:
    """Write the columns of 16 rows as vectors, the first one to `to`, so many numbers `beside`."""
    places = [to]
    for _ in range(WIDTH - 1):
        places.append(builder.add(places[-1], beside))
    for k, half, column in _columns(builder, halves):
        address = _half(context, builder, array_type, target, places[k], half)
        builder.store(column, address, align=BYTES // 2)


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of 8 rows of 8 numbers, by exchanging ever larger parts of pairs."""
    for step, masks in enumerate(PAIRED):
        apart, found = 2**step, list(rows)
        for upper in range(EIGHT):
            if not upper & apart:
                for place, mask in zip((upper, upper + apart), masks, strict=True):
                    pair = rows[upper], rows[upper + apart]
                    found[place] = builder.shuffle_vector(*pair, _mask(mask))
        rows = found
    return [rows[place] for place in FOUND_AT]


PAIRED = (
    ((0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)),
    ((0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)),
    ((0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)),
)
"""What a pair of rows is made into, step by step: one instruction each of most processors."""

FOUND_AT = (0, 2, 1, 3, 4, 6, 5, 7)
"""Where columns are after these steps."""


@intrinsic
def transpose(
    typing: Any, source: Any, at: Any, apart: Any, target: Any, to: Any, beside: Any
) -> Any:
    """Write the columns of 16 vectors as vectors.

    The first are at `at` of `source`, so many numbers `apart`; the second at `to` of `target`.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, at, apart, target, to, beside = args
        rows = [at]
        for _ in range(WIDTH - 1):
            rows.append(builder.add(rows[-1], apart))

        def halves(k: int, half: int) -> Any:
            return _load_half(context, builder, signature.args[0], source, rows[k], half)

        _write_columns(context, builder, halves, signature.args[3], target, to, beside)
        return context.get_dummy_value()

    return types.none(source, int64, int64, target, int64, int64), generate


@intrinsic
def transpose_into(
    typing: Any, source: Any, at: Any, apart: Any, factors: Any, rows: Any, first: Any,
    target: Any, to: Any, beside: Any,
) -> Any:  # fmt: skip
    """Add the columns of 16 vectors, times factors, to vectors that are chosen by a list.

    Column k times ``factors[first + k]`` is added to ``to + beside * rows[first + k]`` of `target`;
    `rows` is of int32, and may say the same more than once.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, at, apart, factors, chosen, first, target, to, beside = args
        kinds = signature.args
        given, factor, places = [at], [], []
        for _ in range(WIDTH - 1):
            given.append(builder.add(given[-1], apart))
        numbers = context.make_array(kinds[3])(context, builder, factors).data
        for place in _following(builder, first, 1):
            row = _peek(context, builder, kinds[4], chosen, place)
            places.append(builder.add(to, builder.mul(row, beside)))
            factor.append(_splat(builder, builder.load(builder.gep(numbers, [place])), EIGHT))

        def halves(k: int, half: int) -> Any:
            return _load_half(context, builder, kinds[0], source, given[k], half)

        for k, half, column in _columns(builder, halves):
            more = builder.fmul(column, factor[k], flags=FLAGS)
            was = _load_half(context, builder, kinds[6], target, places[k], half)
            address = _half(context, builder, kinds[6], target, places[k], half)
            builder.store(builder.fadd(was, more, flags=FLAGS), address, align=BYTES // 2)
        return context.get_dummy_value()

    return (
        types.none(source, int64, int64, factors, rows, int64, target, int64, int64),
        generate,
    )


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
        rows = []
        for place in _following(builder, first, 1):
            row = _peek(context, builder, signature.args[3], chosen, place)
            rows.append(builder.add(at, builder.mul(row, apart)))

        def halves(k: int, half: int) -> Any:
            return _load_half(context, builder, signature.args[0], source, rows[k], half)

        _write_columns(context, builder, halves, signature.args[5], target, to, beside)
        return context.get_dummy_value()

    return types.none(source, int64, int64, rows, int64, target, int64, int64), generate


def _following(builder: Any, first: Any, apart: int) -> list[Any]:
    """Return 16 places, the first and those that follow."""
    return [builder.add(first, ir.IntType(64)(apart * k)) for k in range(WIDTH)]


@intrinsic
def transpose_met(
    typing: Any, sums: Any, rows: Any, cards: Any, first: Any, reached: Any, at: Any, same: Any,
    target: Any, to: Any,
) -> Any:  # fmt: skip
    """Write by hand what 16 hands meet in a vector of lanes.

    That is the sum over all at `rows` of `sums`, less the sums of both of a hand's cards, and once
    more the reach of the same hand, at ``at + 16 * same[first + k]`` of `reached`.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sums, start, cards, first, reached, at, same, target, to = args
        met = _met(context, builder, signature.args, sums, start, cards, first)
        again = []
        for place in _following(builder, first, 1):
            row = _peek(context, builder, signature.args[6], same, place)
            again.append(builder.add(at, builder.mul(row, ir.IntType(64)(WIDTH))))

        def halves(k: int, half: int) -> Any:
            reach = _load_half(context, builder, signature.args[4], reached, again[k], half)
            return builder.fadd(met(k, half), reach, flags=FLAGS)

        beside = ir.IntType(64)(WIDTH)
        _write_columns(context, builder, halves, signature.args[7], target, to, beside)
        return context.get_dummy_value()

    return (
        types.none(sums, int64, cards, int64, reached, int64, same, target, int64),
        generate,
    )


@intrinsic
def transpose_beaten(
    typing: Any, sums: Any, rows: Any, cards: Any, first: Any, duel: Any, at: Any, target: Any,
    to: Any,
) -> Any:  # fmt: skip
    """Write by hand how many more 16 hands beat in a vector of lanes than beat them.

    That is what is at `at` of `duel` and behind, less what they meet, but for the same hand.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sums, start, cards, first, duel, at, target, to = args
        met = _met(context, builder, signature.args, sums, start, cards, first)
        rows = _following(builder, at, WIDTH)

        def halves(k: int, half: int) -> Any:
            beaten = _load_half(context, builder, signature.args[4], duel, rows[k], half)
            return builder.fsub(beaten, met(k, half), flags=FLAGS)

        beside = ir.IntType(64)(WIDTH)
        _write_columns(context, builder, halves, signature.args[6], target, to, beside)
        return context.get_dummy_value()

    return types.none(sums, int64, cards, int64, duel, int64, target, int64), generate


def _met(
    context: Any, builder: Any, kinds: Any, sums: Any, start: Any, cards: Any, first: Any
) -> Halves:
    """Return what gives, for each of 16 hands, the sum of all hands less those with its cards."""
    rows = []
    for place in _following(builder, builder.mul(first, ir.IntType(64)(2)), 2):
        pair = (builder.add(place, ir.IntType(64)(card)) for card in (0, 1))
        found = [_peek(context, builder, kinds[2], cards, where) for where in pair]
        rows.append([builder.add(start, row) for row in found])
    total = [_load_half(context, builder, kinds[0], sums, start, half) for half in (0, 1)]

    def halves(k: int, half: int) -> Any:
        met = total[half]
        for row in rows[k]:
            less = _load_half(context, builder, kinds[0], sums, row, half)
            met = builder.fsub(met, less, flags=FLAGS)
        return met

    return halves


def _short(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    """Return the address of 16 numbers of 16 bits at a place of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), SHORT.as_pointer())


def _load_short(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    found = builder.load(_short(context, builder, array_type, array, place))
    found.align = BYTES // 2
    return found


def _store_short(
    context: Any, builder: Any, array_type: Any, array: Any, place: Any, value: Any
) -> None:
    address = _short(context, builder, array_type, array, place)
    builder.store(builder.trunc(value, SHORT), address, align=BYTES // 2)


def _every_whole(number: int) -> Any:
    return ir.Constant(WHOLE, [number] * WIDTH)


@intrinsic
def kept(typing: Any, array: Any, place: Any) -> Any:
    """Return the vector at a place of an array, of float32 or of short floats."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        if kind.dtype == float32:
            return _load(context, builder, kind, *args)
        bits = builder.zext(_load_short(context, builder, kind, *args), WHOLE)
        return builder.bitcast(builder.shl(bits, _every_whole(CUT)), LLVM)

    return vector(array, int64), generate


@intrinsic
def keep_short(
    typing: Any, array: Any, place: Any, value: Any, scatter: Any, at: Any, dithers: Any, k: Any
) -> Any:
    """Write a vector as short floats, each rounded up or down by chance.

    Chance is number k of `dithers` plus what is at `at` of `scatter`, both of int32; its highest
    bits count. Numbers have to be well below the largest of single precision.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, place, value, scatter, at, dithers, k = args
        chance = _chance(context, builder, signature.args[3:], scatter, at, dithers, k)
        dither = builder.lshr(chance, _every_whole(32 - CUT))
        bits = builder.add(builder.bitcast(value, WHOLE), dither)
        short = builder.lshr(bits, _every_whole(CUT))
        _store_short(context, builder, signature.args[0], array, place, short)
        return context.get_dummy_value()

    return types.none(array, int64, vector, scatter, int64, dithers, int64), generate


def _chance(
    context: Any, builder: Any, kinds: Any, scatter: Any, at: Any, dithers: Any, k: Any
) -> Any:
    """Return 32 bits for each of 16 hands."""
    data = context.make_array(kinds[0])(context, builder, scatter).data
    of_hands = builder.load(builder.bitcast(builder.gep(data, [at]), WHOLE.as_pointer()))
    of_hands.align = BYTES
    numbers = context.make_array(kinds[2])(context, builder, dithers).data
    number = builder.load(builder.gep(numbers, [k]))
    first = builder.insert_element(ir.Constant(WHOLE, ir.Undefined), number, ir.IntType(32)(0))
    return builder.add(of_hands, builder.shuffle_vector(first, first, _mask([0] * WIDTH)))


@intrinsic
def chance(typing: Any, scatter: Any, at: Any, dithers: Any, k: Any) -> Any:
    """Return a vector of multiples of 1/256 from 0 to less than 1; see `keep_short`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.lshr(_chance(context, builder, signature.args, *args), _every_whole(24))
        share = ir.Constant(LLVM, [1 / 256] * WIDTH)
        return builder.fmul(builder.sitofp(bits, LLVM), share, flags=FLAGS)

    return vector(scatter, int64, dithers, int64), generate


@intrinsic
def load_whole(typing: Any, array: Any, place: Any) -> Any:
    """Return the vector of the whole numbers at a place of an array of uint16."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        short = _load_short(context, builder, signature.args[0], *args)
        return builder.sitofp(builder.zext(short, WHOLE), LLVM)

    return vector(array, int64), generate


@intrinsic
def store_whole(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Write a vector of whole numbers to a place of an array of uint16."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, place, value = args
        whole = builder.fptosi(value, WHOLE)
        _store_short(context, builder, signature.args[0], array, place, whole)
        return context.get_dummy_value()

    return types.none(array, int64, vector), generate


@intrinsic
def floor(typing: Any, value: Any) -> Any:
    """Return the whole parts of numbers that are not negative."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.sitofp(builder.fptosi(args[0], WHOLE), LLVM)

    return vector(vector), generate
