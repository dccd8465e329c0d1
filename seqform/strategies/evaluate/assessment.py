"""Assessments: behaviour strategies with beliefs, in fractions, on a game tree.

Kreps & Wilson, "Sequential equilibria", Econometrica 50 (1982), Section 3.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.base.number import Number, is_exact, plain
from seqform.base.summary import counted
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.tree.tree import GameTree

Beliefs = Mapping[tuple[int, Hashable], Mapping[Any, Number] | Sequence[Number]]
"""By player and label: the probability of each node of the information set, by the moves that lead
there, with 0 for those left out; or of all of them, in the tree's order."""

ROUNDING = 1e-9
"""Probabilities that are floats may sum to something else than 1 by so much."""


@dataclass(frozen=True, eq=False)
class Behavior:
    """Behaviour strategies on a tree, in fractions.

    Parameters
    ----------
    form, tree
        The game.
    nodes
        For each of the tree's information sets, its nodes.
    probabilities
        For each of the tree's information sets, the probability of each action.
    chances
        For each node the probability of the edge to it; 1 where chance does not move.
    payoffs
        For each node, what each player is paid there.
    is_exact
        Whether all numbers of the game and of the strategies are int or Fraction.
    """

    form: SequenceForm
    tree: GameTree
    nodes: list[list[int]]
    probabilities: list[list[Fraction]]
    chances: list[Fraction]
    payoffs: list[list[Fraction]]
    is_exact: bool

    def name(self, infoset: int) -> str:
        """Return an information set's label and player, for messages."""
        player = int(self.tree.infoset_player[infoset])
        return f"{plain(self.tree.infoset_labels[infoset])} of player {player}"

    def share(self, node: int) -> Fraction:
        """Return the probability of the edge to a node."""
        above = int(self.tree.parent[node])
        infoset = int(self.tree.infoset[above]) if above >= 0 else -1
        if infoset < 0:
            return self.chances[node]
        return self.probabilities[infoset][node - int(self.tree.first_child[above])]

    def values(self) -> list[list[Fraction]]:
        """Return what each player gets from each node on, what is paid there included."""
        found = [list(paid) for paid in self.payoffs]
        for node in range(self.tree.num_nodes - 1, 0, -1):
            share, above = self.share(node), found[int(self.tree.parent[node])]
            if share:
                for player, value in enumerate(found[node]):
                    above[player] += share * value
        return found


def behavior_of(form: SequenceForm, given: Profile | Sequence[Sequence[Number]]) -> Behavior:
    """Return behaviour strategies in fractions.

    Parameters
    ----------
    form
        A game with a tree.
    given
        A profile, or for each player a probability for each sequence; the first is not looked at.
        Floats are the rational numbers that they are, made to sum to 1.

    Raises
    ------
    UnsupportedGameError
        If the game has no tree, or chance has an outcome of probability 0.
    InvalidStrategyError
        If these are not behaviour strategies of the game.
    """
    tree = form.tree
    if tree is None:
        raise UnsupportedGameError(
            "beliefs are over the nodes of a tree, and this form has none: build_tree(game) has one"
        )
    chances = [tree.probabilities[p] if p >= 0 else 1 for p in tree.probability.tolist()]
    if not all(chances):
        node = next(node for node, chance in enumerate(chances) if not chance)
        raise UnsupportedGameError(
            f"chance never leads to {tree.describe(node)}, so nothing says what to believe there: "
            "leave out outcomes of probability 0"
        )
    behaviors: Sequence[Any] = given.behaviors if isinstance(given, Profile) else given
    probabilities = _probabilities(form, tree, behaviors)
    payoffs = [[Fraction(paid) for paid in pays] for pays in tree.payoffs]
    nothing = [Fraction(0)] * tree.num_players
    nodes: list[list[int]] = [[] for _ in range(tree.num_infosets)]
    for node, infoset in enumerate(tree.infoset.tolist()):
        if infoset >= 0:
            nodes[infoset].append(node)
    return Behavior(
        form,
        tree,
        nodes,
        probabilities,
        [Fraction(chance) for chance in chances],
        [payoffs[place] if place >= 0 else nothing for place in tree.payoff.tolist()],
        tree.is_exact and all(is_exact(p) for vector in behaviors for p in list(vector)[1:]),
    )


def _probabilities(
    form: SequenceForm, tree: GameTree, behaviors: Sequence[Any]
) -> list[list[Fraction]]:
    """Return the probabilities of each of the tree's information sets."""
    if len(behaviors) != form.num_players:
        raise InvalidStrategyError(
            f"{counted(len(behaviors), 'strategy', 'strategies')} given for "
            f"{counted(form.num_players, 'player')}"
        )
    found: list[list[Fraction]] = [[] for _ in range(tree.num_infosets)]
    for player, (treeplex, vector) in enumerate(zip(form.treeplexes, behaviors, strict=True)):
        if len(vector) != treeplex.num_sequences:
            raise InvalidStrategyError(
                f"player {player}: {counted(len(vector), 'probability', 'probabilities')} given "
                "for "
                f"{counted(treeplex.num_sequences, 'sequence')}, the empty one included"
            )
        first = treeplex.first_sequence.tolist()
        for number, infoset in enumerate(form.tree_infosets[player].tolist()):
            check_time("reading strategies")
            here = vector[first[number] : first[number + 1]]
            where = f"information set {plain(tree.infoset_labels[infoset])} of player {player}"
            found[infoset] = distribution(list(here), where)
    return found


def distribution(given: Sequence[Any], where: str) -> list[Fraction]:
    """Return probabilities as fractions that sum to 1.

    Raises
    ------
    InvalidStrategyError
        If one is negative or no number, or they sum to something else.
    """
    try:
        found = [Fraction(p) if is_exact(p) else Fraction(float(p)) for p in given]
    except (TypeError, ValueError, OverflowError):
        raise InvalidStrategyError(f"{where}: {list(given)} are not probabilities") from None
    if not found or min(found) < 0:
        raise InvalidStrategyError(f"{where}: {list(map(str, given))} are not probabilities")
    total = sum(found, Fraction(0))
    allowed = 0 if all(map(is_exact, given)) else ROUNDING
    if abs(total - 1) > allowed:
        raise InvalidStrategyError(
            f"{where}: the probabilities sum to {total if not allowed else float(total)}, not to 1"
        )
    return [p / total for p in found]
