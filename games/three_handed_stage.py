"""A hand of three players who go all in or fold as a stage, by what each of them holds.

`games.three_handed` says which lines there are. The players hold types, such as classes of hands,
and an outcome of the deal is an order of the three hands in strength.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from games.all_in_pots import Ranking
from games.three_handed import Hand, Line
from seqform.form.origin import Origin
from seqform.game.labels import NamedGrid, Parts, joined
from seqform.game.recursive import Leaf

if TYPE_CHECKING:  # they load scipy, which a list of games does without
    from seqform.form.treeplex import Treeplex
    from seqform.recursive.chance_tensor import ChanceTensor
    from seqform.recursive.dense_stage import DenseStage

Turn = tuple[tuple[str, ...], tuple[str, str]]
"""What was done before a seat decides, and both actions."""


class HandOrigin(Origin):
    """The names of information sets: what a player holds, and what was done before.

    Parameters
    ----------
    turns
        For each seat the situations in which it decides.
    names
        Of what it may hold.
    grid
        How that is laid out as a matrix, if in any.
    """

    def __init__(
        self, turns: list[list[Turn]], names: Sequence[str], grid: NamedGrid | None = None
    ) -> None:
        super().__init__()
        self.turns, self.names, self._grid = turns, names, grid

    @property
    def grid(self) -> NamedGrid | None:
        """How hands are laid out as a matrix."""
        return self._grid

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return what is held and what was done before, such as ``A:fold-push``."""
        return joined(self.infoset_parts(player, infoset))

    def infoset_parts(self, player: int, infoset: int) -> Parts:
        """Return what is held, and what was done before."""
        turn, held = divmod(infoset, len(self.names))
        return self.names[held], "-".join(self.turns[player][turn][0])

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return both actions."""
        return self.turns[player][infoset // len(self.names)][1]


def turns_of(hand: Hand, seat: int) -> list[Turn]:
    """Return the situations in which a seat decides, and its actions there, fold first."""
    found: dict[tuple[str, ...], list[str]] = {}
    for line in hand:
        action = line.actions[seat]
        if action is not None:
            actions = found.setdefault(line.before(seat), [])
            if action not in actions:
                actions.append(action)
    return [(before, (actions[0], actions[1])) for before, actions in found.items()]


def treeplex_of(turns: Sequence[Turn], num_types: int) -> Treeplex:
    """Return the treeplex of decisions between two actions, none after another.

    Information sets are numbered turn after turn, and in each by what is held.
    """
    from seqform.form.treeplex import Treeplex  # noqa: PLC0415

    infosets = len(turns) * num_types
    parent = np.zeros(infosets, dtype=np.int32)
    return Treeplex(parent, np.arange(1, 2 * infosets + 2, 2, dtype=np.int32))


def block_of(line: Line, seat: int, turns: Sequence[Turn]) -> int:
    """Return which block of sequences a seat plays in a line: 0 if it has nothing to decide."""
    action = line.actions[seat]
    if action is None:
        return 0
    turn = [before for before, _ in turns].index(line.before(seat))
    return 1 + 2 * turn + turns[turn][1].index(action)


def dense_hand(
    hand: Hand,
    tensor: ChanceTensor,
    orders: Sequence[Ranking],
    names: Sequence[str],
    grid: NamedGrid | None = None,
) -> DenseStage:
    """Return a hand as a stage, whose leaves are named by who stays, the strongest first.

    Parameters
    ----------
    hand
        All lines.
    tensor
        How likely types are dealt, and each order comes of them. Of two players the third seat has
        one type.
    orders
        All orders of the hands: groups of seats, the strongest first; who is in one ties.
    names
        Of the types of a seat.
    grid
        How these are laid out as a matrix, if in any.
    """
    from seqform.recursive.dense_stage import DenseLine, DenseStage  # noqa: PLC0415

    turns = [turns_of(hand, seat) for seat in range(3)]
    # an order that never comes leads nowhere of its own
    other = orders[int(tensor.possible.argmax())]
    orders = [
        order if comes else other
        for order, comes in zip(orders, tensor.possible.tolist(), strict=True)
    ]
    leaves: dict[Ranking, int] = {}
    lines = []
    for line in hand:
        leaf = [leaves.setdefault(_among(order, line.staying), len(leaves)) for order in orders]
        blocks = [block_of(line, seat, own) for seat, own in enumerate(turns)]
        lines.append(DenseLine((blocks[0], blocks[1], blocks[2]), np.array(leaf, dtype=np.int32)))
    form = DenseStage(
        tuple(treeplex_of(own, count) for own, count in zip(turns, tensor.num_types, strict=True)),
        HandOrigin(turns, names, grid),
        tuple(Leaf(name, ()) for name in leaves),
        tensor.denominator,
        tensor,
        tuple(_blocks(len(own), count) for own, count in zip(turns, tensor.num_types, strict=True)),
        tuple(lines),
    )
    form.check()
    return form


def _among(order: Ranking, staying: tuple[int, ...]) -> Ranking:
    """Return an order of those who stay."""
    groups = (tuple(seat for seat in group if seat in staying) for group in order)
    return tuple(group for group in groups if group)


def _blocks(num_turns: int, num_types: int) -> np.ndarray:
    """Return the block in which a seat has nothing to decide, and one for each turn and action."""
    infosets = np.arange(num_turns * num_types).reshape(num_turns, 1, num_types)
    sequences = 1 + 2 * infosets + np.arange(2)[:, None]
    nothing = np.zeros((1, num_types), dtype=np.int64)
    return np.concatenate([nothing, sequences.reshape(-1, num_types)])
