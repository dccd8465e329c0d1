"""The entries of a game of hands, counted, and listed where they fit: pairs of hands, by boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Index, Ints, Mask
from seqform.base.deadline import check_time
from seqform.base.integer_matrix import largest
from seqform.base.memory import require_memory
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_ends import EndGroup
from seqform.form.payoff_sums import ratios
from seqform.form.sparse_payoff import SparsePayoff

if TYPE_CHECKING:
    from seqform.form.hand_payoff import HandPayoff

BYTES_PER_ENTRY = 90
"""While entries are sorted; 28 are kept."""


class Entries(NamedTuple):
    """Some entries: rows and columns, int64, and exact numerators."""

    rows: Index
    columns: Index
    numerators: Exact


class Chosen(NamedTuple):
    """Which sequences of both players are asked for: bool (num_sequences,) each."""

    of: tuple[Mask, Mask]


def count_entries(payoff: HandPayoff) -> int:
    """Return how many entries are not 0, or may be where hands are all in before the last card."""
    return sum(_count(payoff, group) for group in payoff.groups)


def _count(payoff: HandPayoff, group: EndGroup) -> int:
    boards, last = payoff.boards, max(group.earlier)
    if last < 0:
        return len(group.nodes)
    total, differ = 0, group.shown and group.dealt == last
    times = (group.paid != 0).sum(axis=1).tolist()
    for board in range(boards.structure.num_boards(last)):
        check_time("counting payoffs")
        if min(group.earlier) < 0:  # all hands of one player meet in the empty sequence
            player = int(group.earlier[0] < 0)
            total += len(group.nodes) * len(boards.on(player, last, board))
            continue
        here = boards.products(0, last, board)
        if differ:
            total += sum(n * of for n, of in zip(times, here.num_compared, strict=True))
        else:
            total += len(group.nodes) * here.num_disjoint
    return total


def listed(payoff: HandPayoff) -> SparsePayoff:
    """Return A with every entry stored.

    Raises
    ------
    GameTooLargeError
        If they do not fit into memory.
    """
    count = payoff.num_nonzeros
    require_memory(
        BYTES_PER_ENTRY * count,
        f"a table of {count:,} payoffs by pairs of hands",
        "use a method that needs none (method='dcfr'), or leave out hands, boards or lines",
    )
    rows, columns, numerators = gathered(entries(payoff))
    order = np.lexsort((columns, rows))
    return SparsePayoff.from_sorted(
        rows[order], columns[order], numerators[order], payoff.denominator, payoff.shape
    )


def listed_within(payoff: HandPayoff, rows: Index, columns: Index) -> sp.csr_array:
    """Return some rows and columns of A as float64 CSR; both are sorted."""
    masks = [np.zeros(size, dtype=bool) for size in payoff.shape]
    masks[0][rows], masks[1][columns] = True, True
    found = gathered(entries(payoff, Chosen((masks[0], masks[1]))))
    places = np.searchsorted(rows, found.rows), np.searchsorted(columns, found.columns)
    values = ratios(found.numerators, payoff.denominator)
    return sp.csr_array((values, places), shape=(len(rows), len(columns)))


def gathered(parts: Iterator[Entries]) -> Entries:
    """Return all entries of some parts."""
    every = list(parts)
    if not every:
        none = np.zeros(0, dtype=np.int64)
        return Entries(none, none, none)
    rows, columns, numerators = (np.concatenate(of) for of in zip(*every, strict=True))
    return Entries(rows, columns, numerators)


def entries(payoff: HandPayoff, chosen: Chosen | None = None) -> Iterator[Entries]:
    """Yield the entries that are not 0, of all sequences or of chosen ones; none comes twice."""
    for group in payoff.groups:
        last = max(group.earlier)
        for board in range(payoff.boards.structure.num_boards(max(last, 0))):
            check_time("listing payoffs")
            yield from _on_board(payoff, group, max(last, 0), board, chosen)


def _on_board(
    payoff: HandPayoff, group: EndGroup, dealt: int, board: int, chosen: Chosen | None
) -> Iterator[Entries]:
    """Yield the entries of a group whose last own actions were with a board in sight."""
    sequences = [_sequences(payoff, group, player, dealt, board) for player in (0, 1)]
    wanted = [np.ones(of.shape, dtype=bool) for of in sequences]
    if chosen is not None:
        wanted = [of[at] for of, at in zip(chosen.of, sequences, strict=True)]
    kept = [np.flatnonzero(of.any(axis=0)) for of in wanted]
    if not all(map(len, kept)):
        return
    hands = [
        payoff.boards.on(player, dealt, board)[of].astype(np.int64)
        for player, of in enumerate(kept)
    ]
    ways = _ways(payoff.boards, group, dealt, board, hands)
    weights = _pair_weights(payoff.boards, group, hands)
    for end in range(len(group.nodes)):
        numerators = sum(
            (count * paid for count, paid in zip(ways, group.paid[:, end], strict=False)),
            np.zeros_like(weights),
        )
        numerators = numerators.astype(weights.dtype) * weights
        rows, columns = (of[end, at] for of, at in zip(sequences, kept, strict=True))
        mine, theirs = (of[end, at] for of, at in zip(wanted, kept, strict=True))
        if group.earlier[0] < 0:
            numerators, rows, mine = numerators.sum(axis=0, keepdims=True), rows[:1], mine[:1]
        if group.earlier[1] < 0:
            numerators = numerators.sum(axis=1, keepdims=True)
            columns, theirs = columns[:1], theirs[:1]
        row, column = np.nonzero((numerators != 0) & mine[:, None] & theirs[None, :])
        yield Entries(rows[row], columns[column], numerators[row, column])


def _sequences(payoff: HandPayoff, group: EndGroup, player: int, dealt: int, board: int) -> Index:
    """Return the sequence of each end and hand: int64 (num_ends, num_hands)."""
    of = payoff.players[player]
    first, stride = np.array([of.where(line) for line in group.lines[player].tolist()]).T
    places = payoff.boards.places(player, dealt, board, group.earlier[player])
    found: Index = first[:, None] + stride[:, None] * places
    return found


def _ways(
    boards: HandBoards, group: EndGroup, dealt: int, board: int, hands: list[Index]
) -> list[Index]:
    """Return, by pairs of hands, on how many whole boards player 0 wins, ties and loses.

    Where nobody shows, on how many boards play ends: a list of one. int64, (hands of 0, of 1).
    """
    disjoint = np.ones((len(hands[0]), len(hands[1])), dtype=bool)
    for mine in boards.game.ranges[0].hands[hands[0]].T:
        for theirs in boards.game.ranges[1].hands[hands[1]].T:
            disjoint &= mine[:, None] != theirs[None, :]
    ways = [np.zeros(disjoint.shape, dtype=np.int64) for _ in range(3 if group.shown else 1)]
    further = boards.num_further(dealt, group.dealt)
    for longer in range(board * further, (board + 1) * further):
        alive = [boards.on(player, group.dealt, longer) for player in (0, 1)]
        is_alive = [np.isin(of, there) for of, there in zip(hands, alive, strict=True)]
        both = disjoint & is_alive[0][:, None] & is_alive[1][None, :]
        if not group.shown:
            ways[0] += both
            continue
        if not both.any():
            continue
        mine, theirs = (
            _spread(boards.strengths(player, longer), alive[player], hands[player])
            for player in (0, 1)
        )
        for at, compare in enumerate((np.greater, np.equal, np.less)):
            ways[at] += both & compare(mine[:, None], theirs[None, :])
    return ways


def _spread(strengths: Ints, alive: Ints, hands: Index) -> Ints:
    """Return how strong some hands are; anything for those that are not alive."""
    return strengths[np.minimum(np.searchsorted(alive, hands), len(alive) - 1)]


def _pair_weights(boards: HandBoards, group: EndGroup, hands: list[Index]) -> Exact:
    """Return the products of the weights of pairs: int64 where entries fit into it, else object."""
    weights = [held.weights[of] for held, of in zip(boards.game.ranges, hands, strict=True)]
    most = largest(group.paid.ravel()) * largest(weights[0]) * largest(weights[1])
    most *= boards.num_further(max(*group.earlier, 0), group.dealt)
    most *= max(map(len, hands)) ** 2
    dtype: type = np.int64 if most < 2**62 else object
    products: Exact = weights[0].astype(dtype)[:, None] * weights[1].astype(dtype)[None, :]
    return products
