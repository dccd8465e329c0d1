"""From whatever somebody calls a strategy, and a game, to a profile of its sequence form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    UnsupportedGameError,
)
from seqform.concepts.best_response import check_shapes
from seqform.exact.gains import check_exact
from seqform.form.from_any import form_from
from seqform.form.keeping import Kept, is_kept
from seqform.form.mixed_strategy import MixedStrategy
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.results.solution import Solution
from seqform.strategies.exactly import ExactStrategies
from seqform.strategies.given import GivenStrategy
from seqform.strategies.mixed import given_from_mixtures
from seqform.strategies.read_given import Policy, given_from
from seqform.tree.from_any import AnyGame
from seqform.tree.tree import GameTree

Strategy = (
    Profile
    | GivenStrategy
    | Kept
    | Solution
    | Mapping[Any, Any]
    | Policy
    | Sequence[MixedStrategy | None]
)
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
        A profile, a solution, a strategy of a signal game, a strategy as given, what `given_from`
        takes, or for each player a `MixedStrategy` of the reduced normal form, or None.

    Raises
    ------
    InvalidStrategyError
        If it is no strategy of this game, or a solution without a profile.
    InvalidParameterError
        If it is nothing of the kind.
    """
    if isinstance(strategy, Solution):
        return given_of(form, _profile_in(strategy, form))
    if is_kept(strategy):
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
    if isinstance(strategy, (tuple, list)) and all(_is_mixed(of) for of in strategy):
        return given_from_mixtures(form, strategy)
    raise InvalidParameterError(
        "a strategy is a profile, a solution, a mapping or a callable, "
        f"not {type(strategy).__name__}"
    )


def _is_mixed(strategy: object) -> bool:
    return strategy is None or isinstance(strategy, MixedStrategy)


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


MOST_ENTRIES = 200_000
"""Payoff entries of a game up to which given fractions are computed with unless that is asked for;
a million take a second for each player."""


def exact_of(
    form: SequenceForm,
    given: Profile | GivenStrategy,
    complete: str | Profile,
    exact: bool | None,
    played: SequenceForm | None = None,
) -> ExactStrategies | None:
    """Return strategies in fractions, completed, where they were given so and the game is exact.

    Parameters
    ----------
    form
        The game.
    given
        What `given_of` returned.
    complete
        As for `profile_of`.
    exact
        True: raise where that is not so. False: None in any case. None: None where it is not so, or
        the game is too large for it to go unnoticed.
    played
        The form in which they are played, if it is another one.

    Raises
    ------
    InvalidStrategyError
        If `exact` is True and the strategies are not given in fractions.
    UnsupportedGameError
        If `exact` is True and the game has floats.
    """
    payoffs = (played or form).payoffs
    if exact is False or (exact is None and payoffs.num_nonzeros > MOST_ENTRIES):
        return None
    found: ExactStrategies | str = "a profile holds floats"
    if isinstance(given, GivenStrategy):
        found = given.in_fractions(complete)
    if exact and isinstance(found, str):
        raise InvalidStrategyError(
            f"exact=True needs a strategy in fractions, and here {found}; give numbers such as 1/3 "
            "or 0.25 in a file, or int and Fraction in Python"
        )
    if isinstance(found, str):
        return None
    try:
        check_exact(played or form)
    except UnsupportedGameError:
        if exact:
            raise
        return None
    return found


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
