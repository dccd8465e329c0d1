"""DensePayoffs: what a dense stage pays, where each leaf is worth so much to each seat.

Nothing is listed: what sequences are paid are sums over lines of play of chances against the
others' plans (`seqform.recursive.contraction`), times what leaves are worth. So a dense stage is a
game whose strategies are certified and shown as any other's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from seqform.base.arrays import Floats, Ints, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.form.multiples import Multiples
from seqform.recursive.contraction import last_seat

if TYPE_CHECKING:
    from seqform.recursive.dense_stage import DenseStage


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
        """Where sequences meet, leaf by leaf; deals that never come are counted, too."""
        return self.form.num_entries

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan."""
        found: Floats = self.form.leaf_chances(player, plans).gradient(self.worth[:, player])
        return found

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive."""
        worth = np.abs(self.worth[:, player])
        found: Floats = self.form.leaf_chances(player, plans).gradient(worth)
        return found

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> None:
        """Return None: chances are integers, and what leaves are worth is as given."""
        return

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
        """Refuse to list what is paid; see `_unlisted`."""
        self._unlisted()

    def denominator(self, player: int) -> int | None:
        """Return None: what leaves are worth are floats."""
        return None

    def number_errors(self, player: int) -> Floats | None:
        """Refuse to bound errors of entries; see `_unlisted`."""
        self._unlisted()

    def counted(self, multiples: Sequence[Multiples]) -> NoReturn:
        """Refuse to list what is paid; see `_unlisted`."""
        self._unlisted()

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> NoReturn:
        """Refuse to list what is paid; see `_unlisted`."""
        self._unlisted()

    def _unlisted(self) -> NoReturn:
        """Say that entries are not listed.

        Raises
        ------
        UnsupportedGameError
            Always.
        """
        raise UnsupportedGameError(
            f"this stage is held by what players are dealt, and its {self.num_nonzeros:,} payoffs "
            "are not listed one by one, as this needs: use what needs products only, such as "
            "show, evaluate, or method='dcfr'"
        )
