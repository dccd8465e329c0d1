"""DensePayoffs: what a dense stage pays, where each leaf is worth so much to each seat.

What sequences are paid are sums over lines of play of chances against the others' plans
(`seqform.recursive.contraction`), times what leaves are worth. So a dense stage is a game whose
strategies are certified and shown as any other's. Entries are listed when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ulp
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Ints, Numbers
from seqform.form.multiples import Multiples
from seqform.form.payoff_tensor import PayoffTensor
from seqform.recursive.contraction import last_seat

if TYPE_CHECKING:
    from seqform.recursive.dense_stage import DenseStage

LEAST = ulp(0.0)
"""The least positive float: twice what one product loses where it vanishes."""


@dataclass(frozen=True, eq=False)
class DensePayoffs:
    """What the players of a dense stage are paid; see `seqform.form.payoff.Payoffs`.

    Parameters
    ----------
    form
        The stage.
    worth
        What leaves are worth to each seat, float64 (num_leaves, num_seats).
    """

    form: DenseStage
    worth: Floats

    constant_sum = None

    @property
    def num_nonzeros(self) -> int:
        """Where sequences meet, if all types can be dealt together."""
        lines = {line.blocks: line for line in self.form.lines}
        return sum(map(self.form.meeting_in, lines.values()))

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan."""
        found: Floats = self.form.leaf_chances(player, plans).gradient(self.worth[:, player])
        return found

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive."""
        worth = np.abs(self.worth[:, player])
        found: Floats = self.form.leaf_chances(player, plans).gradient(worth)
        return found

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Bound what vanishes below the least float beyond what forms with entries lose.

        A product of a plan with an integer loses nothing. One of such sums with another plan may,
        for each line, outcome, and pair of types, and so may two of each pair with a leaf.
        """
        form, types = self.form, self.form.tensor.num_types
        pairs = types[last_seat(form, player)] * types[player]
        count = (form.tensor.num_outcomes + 2) * len(form.lines) * pairs
        lost = LEAST * count * (1 + float(np.abs(self.worth).max(initial=0.0)))
        return np.full(form.treeplexes[player].num_sequences, lost)

    def roundings(self, player: int) -> int:
        """Return the most roundings that a term of the player's gradient passes through.

        Weights are integers, and exact. There are four products: with both plans, with what a leaf
        is worth, and by the denominator, which is rounded, too. Added up are the types of all
        seats, the outcomes, and the lines and leaves at which a sequence ends.
        """
        form = self.form
        types = form.tensor.num_types
        added = types[form.summed_first(player)] + types[last_seat(form, player)] + types[player]
        ends = sum(1 for _ in form.parts(player))
        return 5 + added + form.tensor.num_outcomes + ends

    def fingerprint(self) -> Iterator[bytes]:
        """Yield what chances are made of, and what leaves are worth."""
        parts: list[bytes] = []
        self.form.feed(parts.append, np.arange(len(self.form.leaves), dtype=np.int32))
        yield from parts
        yield np.ascontiguousarray(self.worth).tobytes()

    def entries(self, player: int) -> tuple[list[Ints], Numbers]:
        """Return where sequences meet, and what that pays; errors as for `listed`."""
        return self.listed.entries(player)

    def denominator(self, player: int) -> None:
        """Return None: what leaves are worth are floats."""
        return

    def number_errors(self, player: int) -> Floats | None:
        """Bound the errors of these numbers; errors as for `listed`."""
        return self.listed.number_errors(player)

    def counted(self, multiples: Sequence[Multiples]) -> PayoffTensor:
        """Return the payoffs when each sequence counts so many times, every entry stored."""
        return self.listed.counted(multiples)

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> PayoffTensor:
        """Return the payoffs of the mapped sequences, every entry stored."""
        return self.listed.merged(images, sizes)

    @cached_property
    def listed(self) -> PayoffTensor:
        """The payoffs with every entry stored.

        Raises
        ------
        GameTooLargeError
            If they do not fit into memory.
        """
        return self.form.listed().payoffs(self.worth)
