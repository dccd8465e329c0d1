"""A game of hands in which a player follows a model with probability p, and is free otherwise.

It is as large as the game, and gone through by boards. Payoffs are ``(1 - p) x'A z + p x'A y``, for
plans x of the one, z of the other and y of the model (Johanson, Zinkevich & Bowling, "Computing
robust counter-strategies", NIPS 2007, Section 3). Smaller ones are listed
(`seqform.strategies.exploit.restricted_response`), and both are the same game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from seqform.base.pairwise_sum import most_additions
from seqform.form.followed import Followed
from seqform.form.hand_form import HandForm
from seqform.form.hand_payoff import HandPayoff
from seqform.form.hand_strategy import HandStrategy
from seqform.form.origin import DerivedOrigin, Origin
from seqform.form.profile import Profile
from seqform.form.protocol import Passage
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.unlisted_hands import UnlistedPayoffs, refuse

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure

RESTRICTED = "restricted"
"""The kind of these games."""

MIXING = 4
"""Roundings where plans are mixed: both shares become floats, there is a product, and a sum."""


@dataclass(frozen=True, eq=False)
class RestrictedHandPayoffs(UnlistedPayoffs):
    """Payoffs of a restricted game: those of the game, of which no products are made.

    Parameters
    ----------
    followed
        The model.
    """

    followed: Followed

    what = RESTRICTED

    @property
    def num_nonzeros(self) -> int:
        """What pays somebody: twice what does in the game, with the model and without."""
        return 2 * super().num_nonzeros

    def digest(self) -> bytes:
        """Return a digest of the model, and of how often it is followed."""
        player, strategy, p = self.followed
        digest = hashlib.sha256(repr((player, p)).encode())
        symmetries = strategy.structure.symmetries
        digest.update(repr([of.cards.tolist() for of in symmetries]).encode())
        for node, table in sorted(strategy.behaviors[player].items()):
            digest.update(repr((node, table.shape, str(table.dtype))).encode())
            digest.update(table.tobytes())
        return digest.digest()


class RestrictedHandOrigin(DerivedOrigin):
    """A game of hands, whose information sets and actions a restricted game has."""

    @property
    def hands(self) -> HandStructure | None:
        """The game, without the model."""
        return self.whole.hands

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the game's name of an information set."""
        return self.whole.infoset_label(player, infoset)

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions of an information set."""
        return self.whole.actions(player, infoset)


class RestrictedHandForm(ZeroSumForm):
    """A game of hands of constant sum that is restricted by a model."""

    @property
    def lists_sequences(self) -> bool:
        """Whether products with vectors over all sequences can be made: they cannot."""
        return False

    @property
    def payoff(self) -> HandPayoff:
        """Player 0's payoffs in the game, without the model."""
        return cast(HandPayoff, cast(RestrictedHandPayoffs, self.operator).payoffs)

    @property
    def structure(self) -> HandStructure:
        """The game, without the model."""
        return self.payoff.boards.structure

    @property
    def followed(self) -> Followed:
        """The model."""
        return cast(RestrictedHandPayoffs, self.operator).followed

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through by boards for a profile."""
        kept = profile.kept
        if not isinstance(kept, HandStrategy) or not kept.is_of(self.structure):
            refuse(RESTRICTED)
        from seqform.form.restricted_hand_passage import RestrictedHandPassage

        return RestrictedHandPassage(self, kept, self.followed)


def restricted_hands(form: HandForm, followed: Followed, depth: int) -> RestrictedHandForm:
    """Return the game of hands in which a player follows a model with a probability.

    Parameters
    ----------
    depth
        The most roundings that an entry of the model's plan passes through.
    """
    extra = [MIXING, MIXING]
    extra[followed.player] += depth + _additions(followed)
    operator = RestrictedHandPayoffs(form.operator, (extra[0], extra[1]), followed)
    origin: Origin = RestrictedHandOrigin(form.origin)
    return RestrictedHandForm(
        treeplexes=form.treeplexes,
        payoffs=replace(form.payoffs, operator=operator),
        origin=origin,
        unit=form.unit,
        largest_payoff=form.largest_payoff,
        num_nodes=form.num_nodes,
    )


def _additions(followed: Followed) -> int:
    """Bound the roundings of a term of what the modelled player is paid by the model.

    It is multiplied by the plan, added up on its board, multiplied by how many boards are like it,
    and added to what other boards pay.
    """
    structure, player = followed.structure, followed.player
    boards = sum(structure.num_boards(dealt) for dealt in range(structure.num_dealt + 1))
    rows = max(street.num_rows for street in followed.strategy.streets[player])
    on_board = most_additions(rows * structure.game.ranges[player].num_hands)
    return 2 + on_board + 1 + boards
