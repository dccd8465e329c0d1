"""A signal game laid out for fast passes.

Rounds of betting are small treeplexes, and cards are blocks of classes that can meet.

An *entry* is a public node at which a stage begins: one for each line of betting that leads there.
Entries whose rounds have the same shape form a *group* and are handled side by side: vectors of a
group have shape (classes, slots, entries). Slot 0 of a player is the way into the round, slot 1 + k
its action k in the round.

Classes of both players that can meet (those of one board, in poker) form a *block*. Within it the
payoffs of an outcome are kept as

    u[c] * (sum of v[d] r[d] over d < lo[c]  -  the same over d >= hi[c])  +  corrections

if the classes can be ordered such that this holds with few corrections. At a showdown the
corrections are for the card that both cannot hold. Where nobody compares hands (a fold), lo = hi =
everything. Otherwise all entries are corrections. The form is found from the integers and checked
against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from seqform.base.arrays import Floats, Index, Mask, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import pair_table
from seqform.game.observations import Classes, SignalStructure, parent_classes
from seqform.game.rules import CHANCE, TERMINAL

LARGEST_BLOCK = 4_000_000
"""Entries of a block above which no order is looked for."""


class Round(NamedTuple):
    """What a group of entries has in common.

    Parameters
    ----------
    nodes
        For each player, int64 (num_nodes, 3): first action, number of actions, slot above; parents
        first.
    terminals
        int64 (num_terminals, 3): slot of player 0, slot of player 1, row of the outcome among the
        stage's.
    ends
        int64 (num_ends, 2): slots at which the round goes on to the next stage.
    """

    nodes: tuple[Index, Index]
    terminals: Index
    ends: Index

    def num_actions(self, player: int) -> int:
        """Return a player's actions in the round."""
        return int(self.nodes[player][:, 1].sum())


class StageGroup(NamedTuple):
    """Entries with the same round: `stakes` is float64 (num_terminals, num_entries).

    `decisions` holds for each player the public nodes, int64 (num_nodes, num_entries). `columns`,
    int64 (num_entries,), is the end of the stage before at which each entry begins, as
    ``first_column + end * num_entries + entry`` of that stage's group.
    """

    round: Round
    stakes: Floats
    decisions: tuple[Index, Index]
    columns: Index
    first_column: int

    @property
    def num_entries(self) -> int:
        """Entries of the group."""
        return len(self.columns)


class Outcomes(NamedTuple):
    """What a player is paid at each outcome of a stage (rows), by position of its classes.

    See the head of this module.

    `structured` is bool (outcomes, blocks), and `flat` says where lo and hi are everything. The
    corrections of position c at outcome o are ``start[o, c]:start[o, c + 1]`` in `other` (positions
    of the opponent) and `value`.
    """

    structured: Mask
    flat: Mask
    u: Floats
    v: Floats
    lo: Index
    hi: Index
    start: Index
    other: Index
    value: Floats


@dataclass(frozen=True, eq=False)
class Stage:
    """The groups of a stage, and its classes.

    `order[player]` lists these by position, blocks one after the other.

    `blocks[player]` is where each block starts, int64 (num_blocks + 1,). `parent[player]` is the
    position, in the stage before, that each position came from. `num_columns` is the number of ends
    of all groups times their entries.
    """

    groups: tuple[StageGroup, ...]
    order: tuple[Index, Index]
    blocks: tuple[Index, Index]
    parent: tuple[Index, Index]
    outcomes: tuple[Outcomes, Outcomes]
    num_columns: int


def lay_out(structure: SignalStructure, classes: Classes) -> tuple[Stage, ...]:
    """Return the stages of a signal game under classes of observations.

    Raises
    ------
    UnsupportedGameError
        If some line of betting skips a stage.
    """
    grouped = _groups(structure)
    stages: list[Stage] = []
    for number, groups in enumerate(grouped):
        rows = [row for row, (_, stage) in enumerate(structure.outcomes) if stage == number]
        tables = [pair_table(structure, classes, row, [number, number]) for row in rows]
        met = pair_table(structure, classes, None, [number, number])
        order, blocks = _blocks(met, tables)
        above = stages[-1].order if stages else order
        parent = tuple(
            _parents(structure, classes, player, number, order[player], above[player])
            for player in (0, 1)
        )
        ways = structure.game.deck.num_ways(structure.stages[-1])
        outcomes = tuple(_outcomes(met, tables, order, blocks, player, ways) for player in (0, 1))
        columns = sum(len(group.round.ends) * group.num_entries for group in groups)
        stages.append(
            Stage(
                tuple(groups),
                order,
                blocks,
                (parent[0], parent[1]),
                (outcomes[0], outcomes[1]),
                columns,
            )
        )
    return tuple(stages)


def _parents(
    structure: SignalStructure,
    classes: Classes,
    player: int,
    stage: int,
    order: Index,
    above: Index,
) -> Index:
    """Return for each position the one that it came from at the stage before.

    Positions are those of a player's classes; at the first stage it is 0.
    """
    if stage == 0:
        return np.zeros(len(order), dtype=np.int64)
    place = np.empty(len(above), dtype=np.int64)
    place[above] = np.arange(len(place))
    return place[parent_classes(structure, classes, player, stage)[order]]


def _groups(structure: SignalStructure) -> list[list[StageGroup]]:
    """Return the groups of each stage, in the order in which their first entries come."""
    public = structure.public
    first_child = _first_children(public.num_children)
    entries = [(_next_entry(public.player, first_child, 0), 0)]
    stages = []
    for stage in range(structure.num_stages):
        rows = {
            row: i
            for i, row in enumerate(
                row for row, (_, at) in enumerate(structure.outcomes) if at == stage
            )
        }
        walks = [(_walk(structure, first_child, rows, node), column) for node, column in entries]
        by_shape: dict[Any, list[tuple[_Walk, int]]] = {}
        for walk, column in walks:
            by_shape.setdefault(walk.shape, []).append((walk, column))
        groups, entries, first_column = [], [], 0
        for members in by_shape.values():
            group = _group(structure, members, first_column)
            groups.append(group)
            ends = [
                (walk.ends[k], first_column + k * len(members) + e)
                for k in range(len(group.round.ends))
                for e, (walk, _) in enumerate(members)
            ]
            for node, column in ends:
                entry = _next_entry(public.player, first_child, node)
                if structure.stage_of_node[entry] != stage + 1:
                    raise UnsupportedGameError(
                        f"the line {public.history(entry)!r} skips a stage; "
                        "use an engine for treeplexes"
                    )
                entries.append((entry, column))
            first_column += len(ends)
        stages.append(groups)
    return stages


class _Walk(NamedTuple):
    """One round from its entry: its shape, and the public nodes in it."""

    shape: tuple[Any, ...]
    decisions: tuple[list[int], list[int]]
    terminals: list[int]
    ends: list[int]


def _walk(
    structure: SignalStructure, first_child: list[int], rows: dict[int, int], entry: int
) -> _Walk:
    public = structure.public
    nodes: tuple[list[Any], list[Any]] = ([], [])
    terminals, ends, actions = [], [], [0, 0]
    walk = _Walk((), ([], []), [], [])
    queue = [(entry, (0, 0))]
    for node, slots in queue:
        player = public.player[node]
        if player == TERMINAL:
            terminals.append((*slots, rows[public.outcome[node]]))
            walk.terminals.append(node)
        elif player == CHANCE:
            ends.append(slots)
            walk.ends.append(node)
        else:
            count, start = public.num_children[node], actions[player]
            nodes[player].append((start, count, slots[player]))
            walk.decisions[player].append(node)
            actions[player] += count
            for i in range(count):
                slot = 1 + start + i
                queue.append(
                    (first_child[node] + i, (slot, slots[1]) if player == 0 else (slots[0], slot))
                )
    return walk._replace(shape=(tuple(nodes[0]), tuple(nodes[1]), tuple(terminals), tuple(ends)))


def _group(
    structure: SignalStructure, members: Sequence[tuple[_Walk, int]], first_column: int
) -> StageGroup:
    shape = members[0][0].shape
    tables = [
        np.array(part, dtype=np.int64).reshape(len(part), width)
        for part, width in zip(shape, (3, 3, 3, 2), strict=True)
    ]
    stakes = np.array(
        [[float(structure.public.stake[node]) for node in walk.terminals] for walk, _ in members]
    ).T
    decisions = tuple(
        np.array([walk.decisions[player] for walk, _ in members], dtype=np.int64).T
        for player in (0, 1)
    )
    columns = np.array([column for _, column in members], dtype=np.int64)
    shared = Round((tables[0], tables[1]), tables[2], tables[3])
    return StageGroup(
        shared,
        np.ascontiguousarray(stakes).reshape(len(tables[2]), len(members)),
        (decisions[0], decisions[1]),
        columns,
        first_column,
    )


def _first_children(num_children: list[int]) -> list[int]:
    first, total = [], 1
    for count in num_children:
        first.append(total)
        total += count
    return first


def _next_entry(player: list[int], first_child: list[int], node: int) -> int:
    while player[node] == CHANCE:
        node = first_child[node]
    return node


def _blocks(
    met: sp.csr_array, tables: list[sp.csr_array]
) -> tuple[tuple[Index, Index], tuple[Index, Index]]:
    """Return both players' classes by block, then by how well they do; and block starts."""
    rows, columns = met.shape
    graph = (
        sp.block_array([[None, met], [met.T, None]])
        if met.nnz
        else sp.csr_array((rows + columns, rows + columns))
    )
    count, component = connected_components(graph, directed=False)
    worth = [np.zeros(rows), np.zeros(columns)]
    for table in tables:  # the first outcome that tells hands apart decides the order
        if any(w.any() for w in worth):
            break
        for player, axis in ((0, 1), (1, 0)):
            total, weight = (np.asarray(m.sum(axis=axis), dtype=np.float64) for m in (table, met))
            worth[player] = (total if player == 0 else -total) / np.maximum(weight, 1.0)
        if all(np.ptp(w) < 1e-12 for w in worth):
            worth = [np.zeros(rows), np.zeros(columns)]
    orders, starts = [], []
    for player, part in ((0, component[:rows]), (1, component[rows:])):
        orders.append(np.lexsort((worth[player], part)).astype(np.int64))
        starts.append(
            np.concatenate([[0], np.cumsum(np.bincount(part, minlength=count))]).astype(np.int64)
        )
    return (orders[0], orders[1]), (starts[0], starts[1])


def _outcomes(
    met: sp.csr_array,
    tables: list[sp.csr_array],
    order: tuple[Index, Index],
    blocks: tuple[Index, Index],
    player: int,
    ways: int,
) -> Outcomes:
    """Take the payoffs of a player apart, block by block."""
    mine, theirs = order[player], order[1 - player]
    met = (met if player == 0 else met.T).tocsr()[mine][:, theirs]
    signed = [(table if player == 0 else -table.T).tocsr()[mine][:, theirs] for table in tables]
    shape = (len(tables), len(blocks[0]) - 1)
    found = Outcomes(
        structured=np.zeros(shape, dtype=np.bool_),
        flat=np.zeros(shape, dtype=np.bool_),
        u=np.zeros((len(tables), len(mine))),
        v=np.zeros((len(tables), len(theirs))),
        lo=np.zeros((len(tables), len(mine)), dtype=np.int64),
        hi=np.zeros((len(tables), len(mine)), dtype=np.int64),
        start=np.zeros((len(tables), len(mine) + 1), dtype=np.int64),
        other=np.zeros(0, dtype=np.int64),
        value=np.zeros(0),
    )
    left = [_Left() for _ in tables]
    for block in range(shape[1]):
        rows = slice(*blocks[player][block : block + 2])
        columns = slice(*blocks[1 - player][block : block + 2])
        size = (rows.stop - rows.start) * (columns.stop - columns.start)
        met_here = _dense(met, rows, columns) if 0 < size <= LARGEST_BLOCK else np.zeros((0, 0))
        factors = _factors(met_here)
        for row, (table, of) in enumerate(zip(signed, left, strict=True)):
            rest = None
            if factors is not None:
                dense = _dense(table, rows, columns)
                rest = _take_apart(found, row, block, (rows, columns), dense, met_here, factors)
            if rest is None:
                of.add_rows(table, rows)
            else:
                of.add_nonzeros(rest, columns)
    return found._replace(
        v=found.v / ways,
        start=_starts([of.lengths for of in left]).reshape(found.start.shape),
        other=np.concatenate([np.zeros(0, dtype=np.int64), *(o for of in left for o in of.other)]),
        value=np.concatenate([np.zeros(0), *(v / ways for of in left for v in of.value)]),
    )


class _Left:
    """What is left of an outcome's payoffs, row after row, beside what has a structure."""

    def __init__(self) -> None:
        self.lengths: list[Index] = []
        self.other: list[Index] = []
        self.value: list[Floats] = []

    def add_rows(self, table: sp.csr_array, rows: slice) -> None:
        """Add rows of a table as they are."""
        starts = table.indptr[rows.start : rows.stop + 1]
        self.lengths.append(np.diff(starts))
        self.other.append(table.indices[starts[0] : starts[-1]].astype(np.int64))
        self.value.append(table.data[starts[0] : starts[-1]].astype(np.float64))

    def add_nonzeros(self, rest: Floats, columns: slice) -> None:
        """Add what is not 0 in a block, which has these columns of the whole."""
        row, column = np.nonzero(rest)
        self.lengths.append(np.bincount(row, minlength=len(rest)))
        self.other.append(column + columns.start)
        self.value.append(rest[row, column])


def _dense(table: sp.csr_array, rows: slice, columns: slice) -> Numbers:
    """Return a block of a table, whose rows have no entries in other columns."""
    starts = table.indptr[rows.start : rows.stop + 1]
    entries = slice(starts[0], starts[-1])
    dense = np.zeros((rows.stop - rows.start, columns.stop - columns.start), table.dtype)
    row = np.repeat(np.arange(len(dense)), np.diff(starts))
    dense[row, table.indices[entries] - columns.start] = table.data[entries]
    return dense


def _take_apart(
    found: Outcomes,
    row: int,
    block: int,
    where: tuple[slice, slice],
    dense: Numbers,
    ways: Numbers,
    factors: tuple[Floats, Floats],
) -> Floats | None:
    """Write the structure of a block to `found`, and return what is left over; None if it has none.

    `dense` is what is paid, and `ways` in how many ways hands meet: the product of `factors` in
    most places.
    """
    scale = _scale(dense, ways)
    if scale == 0:
        return None
    u, v = factors
    sign = np.sign(dense)
    flat = bool((sign[ways > 0] == np.sign(scale)).all())
    lo, hi = np.full(len(u), len(v)), np.full(len(u), len(v))
    if flat:
        pattern = np.full(dense.shape, np.sign(scale))
    else:
        lo, hi = (sign > 0).sum(axis=1), len(v) - (sign < 0).sum(axis=1)
        at = np.arange(len(v))
        pattern = (at < lo[:, None]).astype(np.float64) - (at >= hi[:, None])
    model = abs(scale) * np.outer(u, v) * pattern
    rest: Floats = dense - model
    rest[np.abs(rest) <= 1e-9 * np.abs(model)] = 0.0
    if np.count_nonzero(rest) > 2 * max(dense.shape):
        return None
    rows, columns = where
    found.structured[row, block], found.flat[row, block] = True, flat
    found.u[row, rows] = abs(scale) * u * (np.sign(scale) if flat else 1.0)
    found.v[row, columns], found.lo[row, rows], found.hi[row, rows] = v, lo, hi
    return rest


def _starts(lengths: list[list[Index]]) -> Index:
    """Return where rows begin, int64 (outcomes, rows + 1); those of an outcome follow the last."""
    ends = [np.concatenate([np.zeros(1, dtype=np.int64), *of]).cumsum() for of in lengths]
    before = np.cumsum([0, *(int(of[-1]) for of in ends)])[:-1]
    return np.array([of + at for of, at in zip(ends, before, strict=True)], dtype=np.int64)


def _scale(dense: Numbers, ways: Numbers) -> float:
    """Return the number by which payoffs exceed the ways to meet; 0 if there is none.

    It has the sign of most of them.
    """
    at = dense != 0
    ratios = dense[at] / np.maximum(ways[at], 1)
    if not len(ratios) or np.ptp(np.abs(ratios)) > 1e-12 * np.abs(ratios).max():
        return 0.0
    return float(abs(ratios[0]) * (1 if ratios.sum() >= 0 else -1))


def _factors(ways: Numbers) -> tuple[Floats, Floats] | None:
    """Return u and v with ``ways == outer(u, v)`` in most places, if any.

    They are medians of ratios, which a few exceptions do not move.
    """
    if min(ways.shape) < 5:
        return None
    table = ways.astype(np.float64)
    table[table == 0] = np.nan
    if (np.isnan(table).sum(axis=0) > 1).any() or (np.isnan(table).sum(axis=1) > 1).any():
        return None
    u = _medians(table / table[0])
    return u, _medians((table / u[:, None]).T)


def _medians(table: Floats) -> Floats:
    """Return the median of each row that is not empty; what is not a number is left out.

    `np.nanmedian` returns the same, in ten times the time.
    """
    ascending = np.sort(table, axis=1)  # what is no number comes last
    count = (~np.isnan(table)).sum(axis=1)
    row = np.arange(len(table))
    medians: Floats = (ascending[row, (count - 1) // 2] + ascending[row, count // 2]) / 2
    return medians
