"""The sequence form of an unabstracted signal game, whose vectors and matrices may never be made.

Counts are known without them. What has the size of the game is made when somebody asks for it,
unless it does not fit into memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from seqform.base.arrays import Ints
from seqform.base.integer_matrix import longest
from seqform.base.memory import require_memory
from seqform.form.board_game import BoardGame, board_game, most_following
from seqform.form.counts_from_signals import count_sequences
from seqform.form.from_signals import (
    SequenceNumbering,
    SignalOrigin,
    build_signal_form,
    count_nodes,
    kronecker_payoff,
    largest_payoff,
)
from seqform.form.kronecker import KroneckerPayoff, Term
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.profile import Profile
from seqform.form.protocol import Passage
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.treeplex import Treeplex
from seqform.game.observations import SignalStructure

if TYPE_CHECKING:
    from seqform.form.signal_strategy import SignalStrategy

BYTES_PER_SEQUENCE = 60
"""Measured on decks of 5 to 8 ranks: 46 for a game's treeplexes, a profile and its certificate."""


FEW_SEQUENCES = 500_000
"""Of both players together: up to so many, vectors are quicker than loading compiled loops."""


def whole_form(structure: SignalStructure) -> ZeroSumForm:
    """Return the sequence form of the unabstracted game.

    Raises
    ------
    GameTooLargeError
        If it does not fit into memory together with a profile: at once where it cannot be gone
        through board by board, and else when its vectors are asked for.
    UnsupportedGameError
        If the game is not zero-sum or has payoffs that are not exact.
    """
    boards = board_game(structure)
    if boards is None:
        require(structure)
        return build_signal_form(structure)
    mine, theirs = (of.numbering for of in boards.betting)
    shape = mine.num_sequences, theirs.num_sequences
    payoff = CountedPayoff(shape, LaterTerms(boards), boards.denominator, boards=boards)
    return WholeForm(
        treeplexes=(CountedTreeplex(boards, 0), CountedTreeplex(boards, 1)),
        payoffs=ZeroSumPayoffs(payoff),
        origin=SignalOrigin(structure, structure.identity, (mine, theirs)),
        unit=getattr(structure.game, "unit", "units"),
        largest_payoff=largest_payoff(structure),
        num_nodes=count_nodes(structure),
        boards=boards,
    )


@dataclass(frozen=True, eq=False, repr=False)
class WholeForm(ZeroSumForm):
    """The sequence form of an unabstracted signal game that can be gone through board by board.

    Parameters
    ----------
    boards
        The game by boards.
    """

    boards: BoardGame = field(kw_only=True)

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through for a profile of it.

        Board by board where the profile is kept by classes of observations and the game is large;
        in integers, where also sums fit. Else by vectors.
        """
        strategy = profile.kept
        is_kept = strategy is not None and strategy.structure is self.boards.structure
        is_large = sum(treeplex.num_sequences for treeplex in self.treeplexes) > FEW_SEQUENCES
        if not (is_kept and is_large):
            return super().through(profile, in_integers=in_integers)
        from seqform.form.board_passage import BoardPassage, holds_integers  # they load numba

        if in_integers and not holds_integers(self):
            return super().through(profile, in_integers=in_integers)
        return BoardPassage(self, cast("SignalStrategy", strategy))  # as it is of the structure


class CountedTreeplex(Treeplex):
    """A player's treeplex, of which only counts are known until more is asked for."""

    def __init__(self, boards: BoardGame, player: int) -> None:
        self._boards, self._player = boards, player

    @property
    def _numbering(self) -> SequenceNumbering:
        return self._boards.betting[self._player].numbering

    @cached_property
    def _made(self) -> Treeplex:
        require(self._boards.structure)
        return self._numbering.treeplex

    @property
    def parent_sequence(self) -> Ints:
        """The sequence that leads to each information set, made now."""
        return self._made.parent_sequence

    @property
    def first_sequence(self) -> Ints:
        """Where the sequences of each information set begin, made now."""
        return self._made.first_sequence

    @property
    def num_infosets(self) -> int:
        """Information sets of the player, counted."""
        return self._numbering.num_infosets

    @property
    def num_sequences(self) -> int:
        """Sequences, counted."""
        return self._numbering.num_sequences

    @property
    def num_runs(self) -> int:
        """How many steps a pass takes: the most own moves."""
        return len(self._boards.betting[self._player].levels)

    @property
    def most_actions(self) -> int:
        """Actions of the largest information set."""
        return int(self._numbering.num_actions.max(initial=0))

    @cached_property
    def most_following(self) -> int:
        """The most information sets that follow one sequence."""
        return most_following(self._boards, self._player)


class LaterTerms(Sequence[Term]):
    """What a game's payoffs add up, made when it is asked for."""

    def __init__(self, boards: BoardGame) -> None:
        self._boards = boards

    @cached_property
    def _made(self) -> Sequence[Term]:
        structure = self._boards.structure
        require(structure)
        players = tuple(of.numbering for of in self._boards.betting)
        return kronecker_payoff(structure, structure.identity, players).terms

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, place: Any) -> Any:
        return self._made[place]


@dataclass(frozen=True, eq=False)
class CountedPayoff(KroneckerPayoff):
    """Payoffs of which only counts are known until more is asked for."""

    boards: BoardGame = field(kw_only=True)

    @property
    def is_exact(self) -> bool:
        """Whether numerators are known: a game without them has no boards."""
        return True

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries, counted board by board."""
        groups = zip(self.boards.groups, self.boards.counts, strict=True)
        return sum(int(group.stakes.nnz) * counts.entries for group, counts in groups)

    def roundings(self, axis: int) -> int:
        """Return the most roundings that a term of a product passes through."""
        rows = []
        for group, counts in zip(self.boards.groups, self.boards.counts, strict=True):
            stakes = group.stakes.T.tocsr() if axis else group.stakes
            rows.append(longest(stakes) + counts.longest[axis])
        return self.most_roundings(rows)


def require(structure: SignalStructure) -> None:
    """See that the vectors of the unabstracted game fit into memory.

    Raises
    ------
    GameTooLargeError
        If they do not.
    """
    size = sum(count_sequences(structure)[1])
    require_memory(
        BYTES_PER_SEQUENCE * size, f"a profile with {size:,} sequences", "use a smaller deck"
    )
