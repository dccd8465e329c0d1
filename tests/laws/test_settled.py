"""Numbers for people on random games: 0 is written for 0, and for nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import SequenceForm, build_sequence_form, make, solve
from seqform.form.profile import Profile
from seqform.strategies.analyze import analyze
from seqform.strategies.settled import settled
from seqform.strategies.show.table_text import amount_text
from seqform.tree.tree import GameTree
from tests.reference import oracles
from tests.reference.walked_analysis import WalkedSet, walked
from tests.strategies import random_profile, seeds, trees

ANY = {"players": (1, 2, 3), "zero_sum": (False,), "depth": 4}


def with_a_huge_payoff(tree: GameTree, seed: int) -> SequenceForm:
    """Pay 10^19 at one end."""
    payoffs = list(tree.payoffs)
    if payoffs:
        place = np.random.default_rng(seed).integers(len(payoffs))
        payoffs[place] = (10**19,) * tree.num_players
    return build_sequence_form(replace(tree, payoffs=tuple(payoffs)))


def pure_profile(form: SequenceForm, seed: int) -> Profile:
    rng, behaviors = np.random.default_rng(seed), []
    for treeplex in form.treeplexes:
        behavior = np.zeros(treeplex.num_sequences)
        behavior[0] = 1.0
        chosen = treeplex.first_sequence[:-1] + rng.integers(treeplex.num_actions)
        behavior[chosen] = 1.0
        behaviors.append(behavior)
    return form.profile(behaviors)


def amounts(form: SequenceForm, profile: Profile) -> Any:
    """Yield pairs: a number as settled, and the true one."""
    seen = settled(analyze(form, profile))
    table = oracles.exact_behavior(oracles.tree_behavior(form, profile.behaviors))
    for player, (treeplex, of) in enumerate(zip(form.treeplexes, seen.players, strict=True)):
        for infoset, number in enumerate(form.tree_infosets[player].tolist()):
            truth: WalkedSet = walked(form.tree, table, number)
            if truth.action_values is None or truth.value is None:
                continue
            here = slice(*treeplex.first_sequence[infoset : infoset + 2])
            yield of.values[infoset], truth.value
            yield from zip(of.action_values[here], truth.action_values, strict=True)
            losses = [value - truth.value for value in truth.action_values]
            yield from zip(of.action_regrets[here], losses, strict=True)


@settings(max_examples=60)
@given(trees(**ANY), seeds, seeds)
def test_beside_a_huge_payoff_zero_is_written_for_zero_only(
    tree: GameTree, place: int, seed: int
) -> None:
    form = with_a_huge_payoff(tree, place)
    for number, truth in amounts(form, pure_profile(form, seed)):
        assert (amount_text(number, form.payoff_scale) == "0") == (truth == 0)


@settings(max_examples=40)
@given(trees(**ANY), seeds, st.booleans())
def test_what_is_zero_is_zero_whatever_is_rounded(tree: GameTree, seed: int, sparse: bool) -> None:
    form = build_sequence_form(tree)
    for number, truth in amounts(form, random_profile(form, seed, sparse)):
        assert number == 0 or truth != 0
        assert abs(number - float(truth)) <= 1e-9 * form.payoff_scale


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_what_an_exact_equilibrium_plays_has_no_regret(name: str) -> None:
    """Its plans are rounded to floats, of which tables show nothing."""
    solution = solve(make(name), method="lp", exact=True)
    exact, form = solution.exact, solution.game
    seen = settled(analyze(form, form.profile_of_plans(exact.floats())))
    for of, plan, treeplex in zip(seen.players, exact.plans, form.treeplexes, strict=True):
        reached = np.append(False, np.repeat(of.is_reached, treeplex.num_actions))
        played = reached & (plan > 0).astype(bool)
        assert not of.action_regrets[played].any()
