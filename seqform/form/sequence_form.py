"""SequenceForm: one treeplex per player, and what their realization plans pay.

The realization plans x of player 0 and y of player 1 satisfy the constraints E x = e and F y = f.
Player 0's expected payoff is x' A y (von Stengel, "Efficient computation of behavior strategies",
GEB 14, 1996, Section 4).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.errors import NotForThisGameError
from seqform.base.number import Number, check_index, check_player
from seqform.base.summary import Rows, Summarized, counts_text
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.merging import Merging
from seqform.form.origin import Origin, QuotientOrigin
from seqform.form.payoff import PayoffOperator, Payoffs, ZeroSumPayoffs
from seqform.form.profile import Profile
from seqform.form.protocol import Passage
from seqform.form.treeplex import Treeplex
from seqform.game import needs
from seqform.game.kinds import FormKind
from seqform.game.labels import GivenLabels, Parts
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.game.observations import Classes, SignalStructure


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm(FormKind, Summarized):
    """A game as its players' sequences meet; two-player constant-sum ones are a `ZeroSumForm`.

    Parameters
    ----------
    treeplexes
        One per player.
    payoffs
        What the players' plans pay.
    origin
        What the form was made of; it knows the names of information sets and actions.
    unit
        What payoffs are counted in.
    largest_payoff
        The largest absolute payoff at any node that chance lets happen.
    num_nodes
        Nodes of the game's tree, which need not have been built.
    merged
        For each player, which information sets have to play alike, where somebody forgets something
        by that (imperfect recall); empty otherwise.
    """

    treeplexes: tuple[Treeplex, ...]
    payoffs: Payoffs
    origin: Origin
    unit: str
    largest_payoff: float
    num_nodes: int
    merged: tuple[Merging, ...] = ()

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return len(self.treeplexes)

    @property
    def constant_sum(self) -> Number | None:
        """What the players' payoffs add up to at every leaf, or None if that varies."""
        return self.payoffs.constant_sum

    @property
    def payoff_scale(self) -> float:
        """What tolerances are relative to: the largest payoff, or 1 if nothing is ever paid."""
        return self.largest_payoff or 1.0

    @property
    def lists_sequences(self) -> bool:
        """Whether vectors over all sequences can be made, where they fit into memory."""
        return True

    @property
    def tree(self) -> GameTree | None:
        """The tree that the form was made of, if any."""
        return self.origin.tree

    @property
    def tree_infosets(self) -> tuple[Index, ...]:
        """For each player, the tree's numbers of its information sets; empty without a tree."""
        return self.origin.tree_infosets

    @property
    def signals(self) -> tuple[SignalStructure, Classes] | None:
        """The signal game that the form was made of, if any, and its classes of observations."""
        return self.origin.signals

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through for a profile of it: here by vectors, at once.

        Parameters
        ----------
        in_integers
            For products in integers, and not in floats.

        Raises
        ------
        InvalidStrategyError
            If the profile is of another game.
        """
        return ExplicitPassage(self, profile)

    def judged(self, profile: Profile) -> Passage:
        """Return that where only sums over all blocks are asked for, and maxima on the way.

        Then a block may stand for others that profile and game make alike; errors as for `through`.
        """
        return self.through(profile)

    def explicit(self) -> SequenceForm:
        """Return the form itself, which lists every sequence."""
        return self

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan.

        float64 (num_sequences,), in the game's unit.

        Raises
        ------
        InvalidParameterError
            If there is no such player.
        """
        check_player(player, self.num_players)
        return self.payoffs.gradient(player, plans)

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive, for bounds on rounding errors."""
        check_player(player, self.num_players)
        return self.payoffs.absolute_gradient(player, plans)

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> Floats | None:
        """Bound what errors of the entries add to the gradient; None if they are rounded once."""
        check_player(player, self.num_players)
        return self.payoffs.error_gradient(player, plans)

    def roundings(self, player: int) -> int:
        """Return the most roundings that a term of the player's gradient passes through."""
        check_player(player, self.num_players)
        return self.payoffs.roundings(player)

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the game's own name of an information set.

        Raises
        ------
        InvalidParameterError
            If there is no such player or information set.
        """
        self._check_infoset(player, infoset)
        return self.origin.infoset_label(player, infoset)

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions of an information set; errors as for `infoset_label`."""
        self._check_infoset(player, infoset)
        return self.origin.actions(player, infoset)

    def infoset_text(self, player: int, infoset: int) -> str:
        """Return how an information set is written in tables; errors as for `infoset_label`."""
        self._check_infoset(player, infoset)
        return self.origin.infoset_text(player, infoset)

    def infoset_parts(self, player: int, infoset: int) -> Parts | None:
        """Return what the player holds there and what all have seen, if the game says so.

        Errors as for `infoset_label`.
        """
        self._check_infoset(player, infoset)
        return self.origin.infoset_parts(player, infoset)

    def action_texts(self, player: int, infoset: int) -> tuple[str, ...]:
        """Return how the actions of an information set are written; errors as above."""
        self._check_infoset(player, infoset)
        return self.origin.action_texts(player, infoset)

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the players; empty if they have none but their numbers."""
        return self.origin.player_names

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kind of each card, such as its rank, where several cards are of one kind."""
        return self.origin.card_kinds

    def hands_meant(self, player: int, text: str) -> frozenset[str] | None:
        """Return the hands of a player that a text such as QQ+ stands for, as they are written.

        None where hands are not written together.

        Raises
        ------
        InvalidParameterError
            If it is no such text.
        """
        return self.origin.hands_meant(player, text)

    def player_text(self, player: int) -> str:
        """Return how a player is written: by the number, and the name if there is one."""
        return GivenLabels(self.player_names).player(player)

    def _check_infoset(self, player: int, infoset: int) -> None:
        check_player(player, self.num_players)
        count = self.treeplexes[player].num_infosets
        check_index(infoset, count, "information set", f"of player {player}")

    def profile(self, behaviors: Sequence[Floats]) -> Profile:
        """Return the profile of one behaviour strategy per player.

        Raises
        ------
        InvalidStrategyError
            If one is not a behaviour strategy; it names the information set by its label.
        """
        made = Profile.from_behaviors(self.treeplexes, behaviors, self.infoset_label)
        return made.of(self)

    def profile_of_plans(self, plans: Sequence[Floats]) -> Profile:
        """Return the profile of a solver's plans, which may be slightly off.

        Raises
        ------
        InvalidStrategyError
            If there is not one finite plan of the right length per player.
        """
        return Profile.from_plans(self.treeplexes, plans, self.infoset_label).of(self)

    def quotient(
        self,
        treeplexes: Sequence[Treeplex],
        images: Sequence[Ints],
        members: Sequence[Index],
    ) -> SequenceForm:
        """Return the form in which sequences with one image are one, their payoffs added up.

        Parameters
        ----------
        treeplexes
            The smaller treeplex of each player.
        images
            For each player int32 (num_sequences,): the smaller treeplex's sequence for each one.
        members
            For each player, an information set of this form for each of the smaller treeplex.
        """
        sizes = [treeplex.num_sequences for treeplex in treeplexes]
        return replace(
            self,
            treeplexes=tuple(treeplexes),
            payoffs=self.payoffs.merged(images, sizes),
            origin=QuotientOrigin(self.origin, tuple(members)),
        )

    def zero_sum(self) -> ZeroSumForm:
        """Return the form itself, for a method that needs two players and constant sum.

        Raises
        ------
        NotForThisGameError
            R10: for any other game.
        """
        raise NotForThisGameError(needs.why_not_zero_sum("R10: this method is for", self))

    def zero_sum_operator(self) -> PayoffOperator:
        """Return A of a zero-sum game; errors as for `zero_sum`."""
        return self.zero_sum().operator

    def summary(self) -> Rows:
        """Return players, sizes and kind of payoffs."""
        return [
            ("players", f"{self.num_players}"),
            ("nodes", f"{self.num_nodes:,}"),
            ("infosets", counts_text([t.num_infosets for t in self.treeplexes])),
            ("sequences", counts_text([t.num_sequences for t in self.treeplexes])),
            ("nonzeros", f"{self.payoffs.num_nonzeros:,}"),
            ("sum", "general" if self.constant_sum is None else f"{self.constant_sum}"),
            ("unit", self.unit),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class ZeroSumForm(SequenceForm):
    """A two-player game in which what both get adds up to the same everywhere."""

    payoffs: ZeroSumPayoffs

    @property
    def operator(self) -> PayoffOperator:
        """A, player 0's payoffs."""
        return self.payoffs.operator

    @property
    def constant_sum(self) -> Number:
        """What both players' payoffs add up to at every leaf."""
        return self.payoffs.constant_sum

    @property
    def sum_spread(self) -> float:
        """How far the payoffs of a game with floats may add up to something else."""
        return self.payoffs.sum_spread

    def without_constant(self) -> ZeroSumForm:
        """Return the zero-sum game in which player 1 pays what player 0 gets."""
        return replace(self, payoffs=replace(self.payoffs, constant_sum=0, sum_spread=0.0))

    def with_operator(self, operator: PayoffOperator) -> ZeroSumForm:
        """Return the form with another operator, such as the same one kept in another way."""
        return replace(self, payoffs=replace(self.payoffs, operator=operator))

    def zero_sum(self) -> ZeroSumForm:
        """Return the form itself."""
        return self
