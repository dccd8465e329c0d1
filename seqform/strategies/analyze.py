"""analyze: how often each information set is reached, what its actions are worth, and what is lost.

Everything is a pass over a player's sequences. The gradient says what each sequence pays against
the others' plans; a backward pass adds up what follows it. These are counterfactual values: those
of the set, weighted with the probability that the others and chance lead there (Zinkevich,
Johanson, Bowling & Piccione, "Regret minimization in games with incomplete information", NIPS 2007,
Section 3). Divided by that probability they are expected payoffs, given that the set is reached.
The player's own part cancels, by perfect recall; so there are such payoffs where only the player's
own moves never lead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.concepts.best_response import check_shapes
from seqform.form.from_any import Formed, form_from
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.set_reach import divided, reach_of_others, set_reach
from seqform.form.treeplex import Treeplex
from seqform.strategies.analysis import PLAYED_FROM, PlayerAnalysis, StrategyAnalysis
from seqform.strategies.as_profile import Strategy, exact_of, given_of
from seqform.strategies.given import GivenStrategy

if TYPE_CHECKING:
    from seqform.strategies.exactly import ExactStrategies
    from seqform.tree.tree import GameTree


MOST_NODES = 20_000
"""Nodes of a tree up to which given fractions are computed with unless that is asked for."""


def analyze(
    game: Formed,
    profile: Strategy,
    *,
    complete: str | Profile = "uniform",
    exact: bool | None = None,
) -> StrategyAnalysis:
    """Return reach, values, regrets and beliefs of every information set under a profile.

    For any number of players and any sums; no tree is needed of a signal game.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, or a sequence form.
    profile
        One behaviour strategy for each player, or whatever else `evaluate` takes.
    complete
        How information sets of which a strategy says nothing are filled.
    exact
        Whether to find all of it in fractions too. By default where the strategy and the game are
        given in integers, fractions, or decimals in a text, and the tree is small.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game, or `exact` is True and it is not in fractions.
    UnsupportedGameError
        If the form is a quotient, which does not say how often its sets are reached; or `exact` is
        True and the game has floats, or no tree.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> from seqform import build_sequence_form, build_tree, Profile
    >>> form = build_sequence_form(build_tree(kuhn()))
    >>> seen = analyze(form, Profile.uniform(form.treeplexes))
    >>> seen.players[1].values.round(3).tolist()
    [-0.75, 0.25, 1.25, -1.5, -0.5, 0.5]
    >>> seen = analyze(form, lambda player, infoset, actions: None)  # filled uniformly
    >>> seen.exact[1, "Q:bet"].beliefs
    {('J', 'Q', 'bet'): Fraction(1, 2), ('K', 'Q', 'bet'): Fraction(1, 2)}
    """
    form = form_from(game)
    if isinstance(profile, Profile):
        check_shapes(form, profile)
        if exact:
            exact_of(form, profile, complete, exact)  # which it is not
        return _in_floats(form, profile)
    given = given_of(form, profile)
    fractions = exact_of(form, given, complete, exact)
    filled = given.completed(complete) if isinstance(given, GivenStrategy) else given
    found = _in_floats(form, filled)
    tree = form.tree
    if exact and tree is None:
        raise UnsupportedGameError(
            "exact=True needs the game's tree, and this form was made without one"
        )
    if fractions is None or tree is None or (exact is None and tree.num_nodes > MOST_NODES):
        return found
    return replace(found, exact=_in_fractions(form, filled, tree, fractions))


def _in_fractions(
    form: SequenceForm, profile: Profile, tree: GameTree, strategies: ExactStrategies
) -> StrategyAnalysis:
    """Return the analysis of strategies in fractions."""
    from seqform.strategies.exact_analysis import ExactWalk

    walk = ExactWalk(strategies, tree)
    nodes = walk.nodes()
    players = (PlayerAnalysis(**walk.player(player)) for player in range(form.num_players))
    found = StrategyAnalysis(form, profile, tuple(players), nodes.beliefs)
    found.__dict__["nodes"] = nodes
    return found


def _in_floats(form: SequenceForm, profile: Profile) -> StrategyAnalysis:
    """Return the analysis of a profile, in floats."""
    reach = set_reach(form, profile.plans)
    played = _played(form, profile)
    often = reach.others if played is profile.plans else reach_of_others(form, played)
    players = []
    for player, treeplex in enumerate(form.treeplexes):
        check_time("looking at a strategy")
        own = played[player][treeplex.parent_sequence]
        gradient = form.gradient(player, profile.plans)
        worth, sums = worth_of(treeplex, profile.behaviors[player], gradient, reach.paid[player])
        is_reached = (own > 0) & (often[player] > 0)
        others = reach.others[player]
        players.append(_player(treeplex, profile, player, others, is_reached, worth, sums))
    return StrategyAnalysis(form, profile, tuple(players), reach.beliefs)


def _played(form: SequenceForm, profile: Profile) -> tuple[Floats, ...]:
    """Return the plans without actions below `PLAYED_FROM`, which then sum to less than one."""
    if all(((b == 0) | (b >= PLAYED_FROM)).all() for b in profile.behaviors):
        return profile.plans
    kept = (np.where(b < PLAYED_FROM, 0.0, b) for b in profile.behaviors)
    return tuple(t.to_plan(b) for t, b in zip(form.treeplexes, kept, strict=True))


def worth_of(
    treeplex: Treeplex, behavior: Floats, gradient: Floats, paid: Floats
) -> tuple[Floats, Floats]:
    """Return the counterfactual values of all sequences and of all information sets.

    Parameters
    ----------
    behavior, gradient
        Of the player, float64 (num_sequences,).
    paid
        Float64 (num_infosets,): what was paid before, weighted with the reach by the others.
    """
    worth, sums = gradient.copy(), np.zeros(treeplex.num_infosets)
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        sums[infosets] = np.add.reduceat(behavior[sequences] * worth[sequences], starts)
        np.add.at(worth, treeplex.parent_sequence[infosets], sums[infosets])
    worth[1:] += np.repeat(paid, treeplex.num_actions)
    return worth, sums + paid


def _player(
    treeplex: Treeplex,
    profile: Profile,
    player: int,
    others: Floats,
    is_reached: Mask,
    worth: Floats,
    sums: Floats,
) -> PlayerAnalysis:
    values = divided(sums, others)
    each = np.append(1.0, np.repeat(others, treeplex.num_actions))
    action_values = divided(worth, each)
    regrets = action_values - np.append(worth[0], np.repeat(values, treeplex.num_actions))
    most = np.maximum.reduceat(regrets[1:], treeplex.first_sequence[:-1] - 1) if len(sums) else sums
    return PlayerAnalysis(
        probability=profile.behaviors[player],
        own_reach=profile.plans[player][treeplex.parent_sequence],
        others_reach=others,
        is_reached=is_reached,
        counterfactual_action_values=worth,
        counterfactual_values=sums,
        action_values=action_values,
        values=values,
        action_regrets=regrets,
        regrets=np.maximum(most, 0.0),
    )
