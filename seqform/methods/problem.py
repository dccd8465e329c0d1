"""Problem: the game of one call to `solve`, in each of the forms that methods ask for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from seqform.base.clock import Clock
from seqform.game import needs
from seqform.game.kinds import is_form, is_signal_game, is_tree, listed
from seqform.game.rules import Game

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.game.observations import SignalStructure
    from seqform.tree.tree import GameTree


class Problem:
    """A game to be solved; its tree and sequence form are made once, when they are first needed.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form.
    max_nodes
        Largest tree to build, or most states to enter.
    reduction
        The name of the reduction that made it, if any.
    clock
        Its phase ``build`` measures the seconds that tree and form take.

    Raises
    ------
    InvalidGameError
        If `game` is none, with the members that it lacks.
    """

    def __init__(
        self,
        game: Any,
        max_nodes: int | None = None,
        clock: Clock | None = None,
        reduction: str = "none",
    ) -> None:
        game = listed(game)
        if not (is_form(game) or is_tree(game) or isinstance(game, Game) or is_signal_game(game)):
            from seqform.tree.from_any import no_game

            raise no_game(game)
        self.game, self.max_nodes, self.reduction = game, max_nodes, reduction
        self._clock = clock or Clock()

    @property
    def threads(self) -> int:
        """How many threads a method may use."""
        return self._clock.threads

    @cached_property
    def tree(self) -> GameTree:
        """The game's tree."""
        from seqform.tree.from_any import build_tree
        from seqform.tree.from_signals import assemble

        if is_form(self.game) and self.game.tree is not None:
            return self.game.tree  # type: ignore[no-any-return]
        with self._clock.phase("build"):
            if "_structure" in self.__dict__ and self.max_nodes is None:
                return assemble(self.game, public=self._structure.public)
            return build_tree(self.game, self.max_nodes)

    @cached_property
    def form(self) -> SequenceForm:
        """The game's sequence form."""
        from seqform.form.from_tree import build_sequence_form

        if is_form(self.game):
            return self.game  # type: ignore[no-any-return]
        tree = self.tree
        with self._clock.phase("build"):
            return build_sequence_form(tree)

    @cached_property
    def rules(self) -> Game:
        """The game's rules; those of its tree, if it is given in another way."""
        if isinstance(self.game, Game):
            return self.game
        from seqform.tree.as_rules import TreeGame

        return TreeGame(self.tree)

    @property
    def is_form(self) -> bool:
        """Whether the game is given as a sequence form."""
        return is_form(self.game)

    @property
    def known_tree(self) -> GameTree | None:
        """The game's tree if it is given, or was built already."""
        if is_tree(self.game):
            return self.game  # type: ignore[no-any-return]
        built = self.__dict__.get("tree")
        return getattr(self.game, "tree", None) if built is None else built

    @cached_property
    def movers(self) -> tuple[int, ...]:
        """The players who have something to decide."""
        treeplexes = self.form.treeplexes
        return tuple(p for p, treeplex in enumerate(treeplexes) if treeplex.num_infosets)

    @property
    def num_sequences(self) -> int:
        """Sequences of all players."""
        return sum(treeplex.num_sequences for treeplex in self.form.treeplexes)

    @property
    def is_zero_sum(self) -> bool:
        """Whether the game is for two players and of constant sum."""
        return needs.is_zero_sum(self.form)

    @property
    def declares_perfect_information(self) -> bool:
        """Whether the game declares perfect information."""
        return needs.declares_perfect_information(self.game)

    @property
    def forgets(self) -> bool:
        """Whether merged information sets make players forget (imperfect recall)."""
        return self.is_form and bool(self.form.merged)

    @property
    def has_perfect_information(self) -> bool:
        """Whether the game has perfect information: declared, or found in the tree."""
        if self.declares_perfect_information:
            return True
        tree = self.form.tree
        return tree is not None and tree.perfect_information

    @cached_property
    def is_signal_game(self) -> bool:
        """Whether chance deals cards to two players and all actions are public."""
        return is_signal_game(self.game) and self.game.num_players == 2

    @cached_property
    def is_too_large(self) -> bool:
        """Whether the game is a signal game whose tree is too large to be built."""
        if not self.is_signal_game:
            return False
        from seqform.form.counts_from_signals import has_more_nodes

        return has_more_nodes(self._structure, self.max_nodes)

    @cached_property
    def _structure(self) -> SignalStructure:
        from seqform.game.observations import SignalStructure

        with self._clock.phase("build"):
            return SignalStructure(self.game)

    @cached_property
    def lp_nonzeros(self) -> int:
        """Nonzeros of the sequence-form linear program; 0 for a game that has none."""
        from seqform.form.sizes import form_lp_size

        form = self.form
        return form_lp_size(form).nonzeros if self.is_zero_sum else 0

    @cached_property
    def counts(self) -> dict[str, Any]:
        """The sizes of a two-player signal game without a reduction, by counting."""
        from seqform.form.counts_from_signals import count_signal_game

        structure = self._structure
        with self._clock.phase("build"):
            return count_signal_game(structure)

    @property
    def is_of_hands(self) -> bool:
        """Whether players hold hands out of ranges, and cards are dealt in public."""
        return self.form.origin.hands is not None

    @cached_property
    def merges_hands(self) -> bool:
        """Whether it is a game of hands in which these can be merged, and no card is dealt."""
        if not self.is_form or not self.is_of_hands:
            return False
        from seqform.form.merged_hands import merges_hands

        return merges_hands(self.form)

    @property
    def has_symmetries(self) -> bool:
        """Whether cards of a signal game can be exchanged, such as suits."""
        return bool(self.game.deck.symmetries)

    @property
    def counted_sequences(self) -> int:
        """Sequences of both players of a signal game, by counting."""
        return int(sum(self.counts["sequences_per_player"]))

    @property
    def shows_everybody(self) -> bool:
        """Whether there are signals that everybody sees, so that a signal game has boards."""
        from seqform.game.signals import EVERYONE

        return EVERYONE in self._structure.recipients

    @property
    def counted_nonzeros(self) -> int:
        """Nonzeros of a signal game's linear program, by counting."""
        from seqform.form.sizes import counted_lp_size

        return counted_lp_size(self.counts).nonzeros
