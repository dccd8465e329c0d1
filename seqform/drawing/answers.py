"""What a picture shows of a solution: values and moves."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from seqform.base.arrays import Floats, Mask, Numbers
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    SolverError,
    UnsupportedGameError,
)
from seqform.base.number import Number
from seqform.drawing.signal_answer import SignalAnswer
from seqform.form.counts_from_signals import is_too_large
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game import needs
from seqform.game.below import Below
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.methods.solve import solve
from seqform.results.on_tree import judged_on
from seqform.results.solution import Solution
from seqform.results.status import Status
from seqform.strategies.analysis import PLAYED_FROM
from seqform.strategies.settled import settled_on_tree
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.path_of_labels import find_state
from seqform.tree.tree import GameTree
from seqform.tree.views import RulesView, SignalView, TreeView, View, view

if TYPE_CHECKING:
    from seqform.perfect_information import Induction, TreeInduction

MAX_STATES = 2_000_000
"""States of a game that are solved to draw some of them; a minute."""


def answer(game: AnyGame, start: str) -> tuple[View, Any, Answer]:
    """Solve a game; return a view of it, the state that `start` leads to, and the solution.

    Backward induction where every information set is a single node, else an equilibrium of the
    tree.

    Raises
    ------
    UnknownNameError
        If `start` leads nowhere; before the game is solved.
    UnsupportedGameError
        If the game has hidden information and is not for two players and zero sum.
    GameTooLargeError
        If it has too many states, or its tree is needed and too large.
    SolverError
        If no equilibrium was found.
    """
    seen: View = view(game)
    state = find_state(seen, start)
    if isinstance(seen, RulesView):
        try:
            return seen, state, RulesAnswer(seen.game, _induction(seen.game, state))
        except UnsupportedGameError:  # information is hidden
            pass
    tree = build_tree(game)
    seen = TreeView(tree, game if hasattr(game, "draw") else None)
    return seen, find_state(seen, start), _solved(tree)


def given_answer(
    game: AnyGame, start: str, solution: Any, as_signals: bool = False
) -> tuple[View, Any, Answer]:
    """Return what `answer` does, of a solution that is there already.

    Parameters
    ----------
    solution
        A `Solution` of a form that has a tree, or by backward induction; or what that returned,
        `Induction` or `TreeInduction`.
    as_signals
        Whether to draw the deals of a signal game, not its tree. Games that are too large for a
        tree are drawn so anyway.

    Raises
    ------
    InvalidParameterError
        If it is none of these, or of another game.
    """
    from seqform.perfect_information.induction import Induction
    from seqform.perfect_information.tree_induction import TreeInduction

    found = getattr(solution, "answer", solution)
    if isinstance(found, Induction):
        known = getattr(found.game, "tree", None)  # of a tree seen as rules
        rules = view(known if isinstance(known, GameTree) else found.game)
        return rules, find_state(rules, start), RulesAnswer(found.game, found)
    if isinstance(found, TreeInduction):
        tree = build_tree(game)
        answered = TreeAnswer.of_induction(tree, found)
    elif isinstance(found, Profile):
        dealt = solution.source
        if isinstance(dealt, SignalGame) and (as_signals or is_too_large(dealt)):
            deals = SignalView(dealt)
            return deals, find_state(deals, start), SignalAnswer(deals, solution.strategy)
        if solution.game.tree is None and isinstance(solution.source, SignalGame):
            solution = judged_on(build_tree(solution.source), solution)
        answered = TreeAnswer.of_profile(solution.game, found)
        tree = answered.tree
    else:
        raise InvalidParameterError(
            f"the solution holds {_kind(found)}, so there is nothing to draw; "
            "give True, a Solution with a profile, or what backward induction returned"
        )
    if isinstance(game, GameTree) and game.num_nodes != tree.num_nodes:
        raise InvalidParameterError(
            f"the solution is of a game of {tree.num_nodes:,} nodes, and the game to be drawn has "
            f"{game.num_nodes:,}; give the game that was solved"
        )
    seen = TreeView(tree, game if hasattr(game, "draw") else None)
    return seen, find_state(seen, start), answered


def _kind(found: object) -> str:
    """Say what a solution holds."""
    return "no answer" if found is None else f"{type(found).__name__}, which names no moves"


def _induction(game: Game, state: Any) -> Induction:
    """Solve a game by backward induction, from `state` on if nothing else can matter."""
    from seqform.perfect_information import backward_induction

    try:
        return backward_induction(
            Below(game, state) if needs.declares_perfect_information(game) else game,
            max_nodes=MAX_STATES,
        )
    except GameTooLargeError:
        raise GameTooLargeError(
            f"too large to be solved for a picture: more than {MAX_STATES:,} states, or than fit "
            "into memory; leave out solution and values, or begin further down (start=...)"
        ) from None


class Answer(Protocol):
    """What a solution says at each state."""

    def value(self, state: Any) -> tuple[Number, ...] | None:
        """Return what each player gets from this state on, what it pays on arrival included.

        None if play from there on comes to where the solution says nothing.
        """

    def behavior(self, state: Any) -> Sequence[float] | None:
        """Return the probability of each move of a decision; None where it says nothing."""

    def is_reached(self, state: Any) -> bool:
        """Return whether a decision counts: every one in which all play is meant to be best."""


class RulesAnswer:
    """Backward induction on the rules of a game."""

    def __init__(self, game: Game, induction: Induction) -> None:
        self.game, self.induction = game, induction

    def value(self, state: Any) -> tuple[Number, ...]:
        """Return the value of the subgame."""
        return self.induction.values_of(state)

    def behavior(self, state: Any) -> list[float]:
        """Return one for the best action, zero for the others."""
        best = self.induction.best_action(state)
        return [float(action == best) for action in self.game.actions(state)]

    def is_reached(self, state: Any) -> bool:
        """Return True: in every subgame, play is best."""
        return True


class TreeAnswer:
    """What was solved on a tree.

    Parameters
    ----------
    tree
        The game.
    weights
        Of the edge into each node, float64 (num_nodes,); NaN below decisions that the player's own
        moves never lead to, where a profile says nothing.
    values
        Of the nodes, floats or exact numbers, (num_nodes, num_players).
    reached
        Bool (num_infosets,): whether play comes to each information set of the tree. None where
        play is best in every subgame, so that all count.
    """

    def __init__(
        self, tree: GameTree, weights: Floats, values: Numbers, reached: Mask | None = None
    ) -> None:
        self.tree, self.weights, self.values, self.reached = tree, weights, values, reached

    @classmethod
    def of_induction(cls, tree: GameTree, induction: TreeInduction) -> TreeAnswer:
        """Return what backward induction says.

        Raises
        ------
        InvalidParameterError
            If it is of another tree.
        """
        if len(induction.best_child) != tree.num_nodes:
            raise InvalidParameterError(
                f"the solution is of a game of {len(induction.best_child):,} nodes, and the game "
                f"to be drawn has {tree.num_nodes:,}; give the game that was solved"
            )
        weights = np.zeros(tree.num_nodes)
        weights[induction.best_child[tree.player >= 0]] = 1.0
        return cls(tree, weights, induction.values)

    @classmethod
    def of_profile(cls, form: SequenceForm, profile: Profile) -> TreeAnswer:
        """Return what a profile of a sequence form with a tree says."""
        tree, weights = _tree_of(form), edge_weights(form, profile)
        sizes = node_values(tree, weights, abs(tree.node_payoffs))
        values = settled_on_tree(tree, node_values(tree, weights, tree.node_payoffs), sizes)
        return cls(tree, weights, values, reached_infosets(tree, weights))

    def value(self, state: int) -> tuple[Number, ...] | None:
        """Return the node's value, if it has one."""
        values = tuple(self.values[state].tolist())
        return None if any(map(isnan, values)) else values

    def behavior(self, state: int) -> Sequence[float] | None:
        """Return the weights of the edges to the node's children, if they have any."""
        children = self.tree.children(state)
        weights = self.weights[children.start : children.stop]
        return None if np.isnan(weights).any() else weights.tolist()

    def is_reached(self, state: int) -> bool:
        """Return whether play ever comes to the node's information set."""
        return self.reached is None or bool(self.reached[self.tree.infoset[state]])


def _solved(tree: GameTree) -> TreeAnswer:
    """Solve a tree, by backward induction if nothing is hidden."""
    if tree.perfect_information:
        from seqform.perfect_information import backward_induction_tree

        return TreeAnswer.of_induction(tree, backward_induction_tree(tree, exact=True))
    solution, profile = solution_of(tree)
    return TreeAnswer.of_profile(solution.game, profile)


def solution_of(game: AnyGame) -> tuple[Solution, Profile]:
    """Solve a game to draw what is played; return its profile beside the solution.

    Raises
    ------
    SolverError
        If no equilibrium was found.
    """
    solution = solve(game)
    if solution.profile is None or solution.status is not Status.SOLVED:
        raise SolverError(
            f"no equilibrium to draw: {solution.status.value}; or leave out solution and values"
        )
    return solution, solution.profile


def _tree_of(form: SequenceForm) -> GameTree:
    if form.tree is None:
        raise UnsupportedGameError(
            "there is no tree to draw the answer on: the game was solved without one; solve "
            "build_tree(game), or leave out solution and values"
        )
    return form.tree


def edge_weights(form: SequenceForm, profile: Profile) -> Floats:
    """Return the probability of each edge under a profile, float64 (num_nodes,).

    Of the edge into each node of the form's tree; 1 where no player chose.
    Probabilities below `PLAYED_FROM` become 0, those as near to one 1. They are NaN where the
    player's own moves never lead: what a profile holds there was not solved for.
    """
    tree = _tree_of(form)
    weights = np.ones(tree.num_nodes)
    above = tree.parent
    position = np.arange(tree.num_nodes) - tree.first_child[above]
    for player, (treeplex, infosets) in enumerate(
        zip(form.treeplexes, form.tree_infosets, strict=True)
    ):
        first = np.zeros(tree.num_infosets, dtype=np.int64)
        first[infosets] = treeplex.first_sequence[:-1]
        # Never the root: its parent, -1, is the last node, an end.
        chosen = np.flatnonzero(tree.player[above] == player)
        sequences = first[tree.infoset[above[chosen]]] + position[chosen]
        behavior = profile.behaviors[player].copy()
        behavior[behavior < PLAYED_FROM] = 0.0
        behavior[behavior > 1 - PLAYED_FROM] = 1.0
        reached = treeplex.to_plan(behavior)[treeplex.sequence_parent[sequences]] > 0
        weights[chosen] = np.where(reached, behavior[sequences], np.nan)
    return weights


def reached_infosets(tree: GameTree, weights: Floats) -> Mask:
    """Return which information sets of a tree play comes to, bool (num_infosets,).

    Moves have the probabilities `weights`, float64 (num_nodes,), and those that are NaN none.
    """
    step = np.nan_to_num(weights * tree.edge_probabilities) > 0
    for level in tree.levels():
        step[level] &= step[tree.parent[level]]
    reached = np.zeros(tree.num_infosets, dtype=bool)
    reached[tree.infoset[step & (tree.player >= 0)]] = True
    return reached


def node_values(tree: GameTree, weights: Floats, paid: Floats) -> Floats:
    """Return what each player gets from each node on, float64 (num_nodes, num_players).

    Moves have the probabilities `weights`, float64 (num_nodes,), and nodes pay `paid`, float64
    (num_nodes, num_players). Values that depend on a probability that is NaN are NaN.
    """
    values = paid.copy()
    probability = (weights * tree.edge_probabilities)[:, None]
    for level in reversed(tree.levels()):
        played = probability[level] != 0
        paid = np.where(played, probability[level] * values[level], 0.0)
        np.add.at(values, tree.parent[level], paid)
    return values
