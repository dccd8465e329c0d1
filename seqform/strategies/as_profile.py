"""From whatever somebody calls a strategy, and a game, to a profile of its sequence form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.concepts.best_response import check_shapes
from seqform.form.from_any import form_from
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.results.solution import Solution
from seqform.strategies.given import GivenStrategy, Speaker, given_from
from seqform.tree.from_any import AnyGame
from seqform.tree.tree import GameTree

Strategy = Profile | GivenStrategy | SignalStrategy | Solution | Mapping[Any, Any] | Speaker
"""What may be given where a strategy is asked for."""


def form_of(game: AnyGame | SequenceForm | Solution, max_nodes: int | None = None) -> Any:
    """Return the sequence form of a whole game, without its tree if that is too large.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, a form, or a solution of one of them.
    max_nodes
        The largest tree to build.
    """
    if isinstance(game, Solution):
        game = game.game if isinstance(game.game, SequenceForm) else game.source
    return form_from(game, max_nodes)


def given_of(form: SequenceForm, strategy: Strategy) -> Profile | GivenStrategy:
    """Return a strategy as a profile, or as it was given, which may be in part.

    Parameters
    ----------
    form
        The game.
    strategy
        A profile, a solution, a strategy of a signal game, a strategy as given, or what
        `given_from` takes.

    Raises
    ------
    InvalidStrategyError
        If it is no strategy of this game, or a solution without a profile.
    InvalidParameterError
        If it is nothing of the kind.
    """
    if isinstance(strategy, Solution):
        return given_of(form, _profile_in(strategy, form))
    if isinstance(strategy, SignalStrategy):
        return strategy.in_form(form)
    if isinstance(strategy, Profile):
        check_shapes(form, strategy)
        return strategy
    if isinstance(strategy, GivenStrategy):
        if [len(b) for b in strategy.behaviors] != [t.num_sequences for t in form.treeplexes]:
            raise InvalidStrategyError("the strategy was given for another game")
        return strategy
    if isinstance(strategy, Mapping) or callable(strategy):
        return given_from(strategy, form)
    raise InvalidParameterError(
        "a strategy is a profile, a solution, a mapping or a callable, "
        f"not {type(strategy).__name__}"
    )


def profile_of(
    form: SequenceForm, strategy: Strategy, complete: str | Profile = "uniform"
) -> Profile:
    """Return a strategy as a profile of a game; see `given_of`.

    Parameters
    ----------
    complete
        How information sets of which a strategy says nothing are filled: see
        `GivenStrategy.completed`.
    """
    found = given_of(form, strategy)
    return found.completed(complete) if isinstance(found, GivenStrategy) else found


def _profile_in(solution: Solution, form: SequenceForm) -> Profile:
    """Return the profile of a solution; of backward induction what it finds again on the tree."""
    if solution.profile is not None:
        return solution.profile
    if solution.concept == "subgame-perfect" and form.tree is not None:
        return by_induction(form, form.tree)
    raise InvalidStrategyError(
        f"the solution holds no profile: it is of the concept {solution.concept}, and its "
        f"status is {solution.status.name}"
    )


def by_induction(form: SequenceForm, tree: GameTree) -> Profile:
    """Return the pure profile that backward induction finds; of equally good moves the first.

    Raises
    ------
    UnsupportedGameError
        If information is hidden.
    """
    from seqform.perfect_information.tree_induction import backward_induction_tree

    best = backward_induction_tree(tree).best_child
    behaviors = []
    for treeplex, infosets in zip(form.treeplexes, form.tree_infosets, strict=True):
        nodes = tree.infoset_first_node[infosets]
        behavior = np.zeros(treeplex.num_sequences)
        behavior[0] = 1.0
        behavior[treeplex.first_sequence[:-1] + best[nodes] - tree.first_child[nodes]] = 1.0
        behaviors.append(behavior)
    return form.profile(behaviors)
