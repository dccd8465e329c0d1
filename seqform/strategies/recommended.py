"""What a mediator recommends: how likely each action is, where the game comes if players obey.

A correlation plan says how likely sequences of both players are recommended together. Where play
comes to a node, the sequences of both lead there. So an information set is reached as often as its
nodes are, each with chance's part and the weight of the two sequences. The same with one move more
is how often an action is recommended there. The quotient is what a row says.

Where the game does not come if both obey, an own deviation or one of the other player leads there.
If the player's own recommendations lead there, the row says how these go on, whatever the other was
told. Else nothing is recommended.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_tree import chance_reach, sequences_at_nodes
from seqform.form.set_reach import divided

if TYPE_CHECKING:
    from seqform.form.correlation_plan import CorrelationPlan
    from seqform.form.sequence_form import SequenceForm
    from seqform.tree.tree import GameTree

TOLD_FROM = 1e-9
"""What is less likely than this is a rounding error of the program that the plan came from."""


@dataclass(frozen=True, eq=False)
class PlayerRecommendations:
    """What one player is told.

    Parameters
    ----------
    probability
        float64 (num_sequences,): of each sequence's last action, given that its information set is
        reached; NaN where nothing is recommended.
    reach
        float64 (num_infosets,): how often each set is reached if both obey.
    is_reached
        bool (num_infosets,).
    """

    probability: Floats
    reach: Floats
    is_reached: Mask


@dataclass(frozen=True, eq=False)
class Recommendations:
    """What both players of a game are told.

    Parameters
    ----------
    form
        The game.
    players
        One for each player.
    """

    form: SequenceForm
    players: tuple[PlayerRecommendations, ...]

    columns: ClassVar[tuple[str, ...]] = (
        "player",
        "infoset",
        "action",
        "probability",
        "reach",
        "is_reached",
    )
    """What `rows` says of each action."""

    def rows(
        self,
        player: int | None = None,
        infosets: Index | None = None,
        *,
        as_text: bool = False,
    ) -> Iterator[dict[str, Any]]:
        """Yield a row for each action; see `StrategyAnalysis.rows`."""
        for one in range(self.form.num_players) if player is None else (player,):
            every = np.arange(self.form.treeplexes[one].num_infosets)
            for infoset in (every if infosets is None else infosets).tolist():
                check_time("listing recommendations")
                yield from self._rows(one, infoset, as_text)

    def _rows(self, player: int, infoset: int, as_text: bool) -> Iterator[dict[str, Any]]:
        of, form = self.players[player], self.form
        label: Hashable = form.infoset_label(player, infoset)
        actions: Sequence[Hashable] = form.actions(player, infoset)
        if as_text:
            label, actions = form.infoset_text(player, infoset), form.action_texts(player, infoset)
        first = int(form.treeplexes[player].first_sequence[infoset])
        for sequence, action in enumerate(actions, first):
            yield {
                "player": player,
                "infoset": label,
                "action": action,
                "probability": float(of.probability[sequence]),
                "reach": float(of.reach[infoset]),
                "is_reached": bool(of.is_reached[infoset]),
            }


def recommended_together(
    plan: CorrelationPlan, most: int
) -> tuple[list[tuple[int, int, Fraction]], int]:
    """Return pairs of sequences, none empty, that are recommended together, and how many are left.

    Each pair has its probability, where the game comes to both; there are so many at most.
    """
    mine, theirs = plan.pairs.pairs.sequences
    meant = np.flatnonzero((plan.numerators != 0) & (mine > 0) & (theirs > 0)).tolist()
    found = [
        (int(mine[n]), int(theirs[n]), Fraction(int(plan.numerators[n]), plan.denominator))
        for n in meant[:most]
    ]
    return found, len(meant) - len(found)


def last_moves(form: SequenceForm, player: int) -> list[tuple[str, str]]:
    """Return information set and action of each sequence's last move, as they are written."""
    moves = (
        (form.infoset_text(player, infoset), action)
        for infoset in range(form.treeplexes[player].num_infosets)
        for action in form.action_texts(player, infoset)
    )
    return [("", ""), *moves]


def recommendations(form: SequenceForm, plan: CorrelationPlan) -> Recommendations:
    """Return what a correlation plan recommends.

    Parameters
    ----------
    form
        The game, for two players and with a tree.
    plan
        Of that game.

    Raises
    ------
    UnsupportedGameError
        If the form has no tree.
    """
    tree = form.tree
    if tree is None:
        raise UnsupportedGameError(
            "recommendations are shown of games that have a tree: solve build_tree(game)"
        )
    weights = plan.to_float()
    return Recommendations(form, tuple(_told(form, tree, plan, weights, p) for p in (0, 1)))


def _told(
    form: SequenceForm, tree: GameTree, plan: CorrelationPlan, weights: Floats, player: int
) -> PlayerRecommendations:
    """Return what one player is told."""
    treeplex, pairs = form.treeplexes[player], plan.pairs
    infosets, theirs, chance = _visits(form, tree, player)
    parents = treeplex.parent_sequence[infosets]
    comes = chance * weights[pairs.of(player, parents, theirs)]
    reach: Floats = np.bincount(infosets, comes, treeplex.num_infosets).astype(np.float64)
    counts = treeplex.num_actions[infosets]
    visit = np.repeat(np.arange(len(infosets)), counts)
    place = np.arange(len(visit)) - np.repeat(np.cumsum(counts) - counts, counts)
    moves = treeplex.first_sequence[:-1][infosets][visit] + place
    told = chance[visit] * weights[pairs.of(player, moves, theirs[visit])]
    together = np.bincount(moves, told, treeplex.num_sequences)[1:]
    alone = weights[pairs.of(player, np.arange(treeplex.num_sequences), np.zeros(1, np.int64))]
    is_reached = np.asarray(reach > TOLD_FROM)
    here = treeplex.to_actions(is_reached)
    often = np.where(here, treeplex.to_actions(reach), alone[treeplex.sequence_parent[1:]])
    often[often <= TOLD_FROM] = 0.0
    probability = divided(np.where(here, together, alone[1:]), often)
    return PlayerRecommendations(np.append(1.0, probability), reach, is_reached)


def _visits(form: SequenceForm, tree: GameTree, player: int) -> tuple[Index, Index, Floats]:
    """Return of each node of a player: its set, the other's sequence, and chance's part."""
    nodes = np.flatnonzero(tree.player == player)
    numbers = np.zeros(tree.num_infosets, dtype=np.int64)
    numbers[form.tree_infosets[player]] = np.arange(len(form.tree_infosets[player]))
    theirs = cast("Index", sequences_at_nodes(form)[1 - player, nodes].astype(np.int64))
    return numbers[tree.infoset[nodes]], theirs, chance_reach(tree)[nodes]
