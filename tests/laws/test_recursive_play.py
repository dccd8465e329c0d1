"""A person at a recursive game: what comes next is as likely as it should be; what it costs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import analyze
from seqform.form.set_reach import reach_of_others
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.outcomes_origin import OutcomesOrigin
from seqform.recursive.stage_solution import stage_game
from seqform.recursive.stage_table import Place, StageTable
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from tests.random_stages import RandomRecursive, endless

seeds = st.integers(0, 10_000)


def random_profile(graph: StageGraph, seed: int) -> StationaryProfile:
    rng = np.random.default_rng(seed)
    behaviors = [
        tuple(t.to_behavior(rng.random(t.num_sequences) + 0.01) for t in stage.form.treeplexes)
        for stage in graph.stages
    ]
    return StationaryProfile(graph, tuple(behaviors))


def tables(seed: int, players: int) -> list[StageTable]:
    graph = stage_graph(RandomRecursive(seed, players, endless=endless(seed, players, True)))
    profile = random_profile(graph, seed)
    values = Facing(profile).values()
    return [
        StageTable(profile, stage, seat, values)
        for stage in range(len(graph.stages))
        for seat in range(players)
    ]


def leads(table: StageTable, state: Place, chance: float) -> Counter[int]:
    """Return how likely each lead is, along all that a person who plays the profile may come to."""
    found: Counter[int] = Counter()
    likely = table.likely(state.sequence)
    likely = chance * likely / likely.sum()
    asked: Counter[int] = Counter()
    for pair in np.flatnonzero(likely).tolist():
        infoset = table.next_infoset(state.sequence, int(table.against.sequence[pair]))
        if infoset < 0:
            found[int(table.against.lead[pair])] += likely[pair]
        else:
            asked[infoset] += likely[pair]
    for infoset, comes in asked.items():
        here = state._replace(infoset=infoset)
        for place, share in enumerate(table.policy(here)):
            found += leads(table, table.after(here, place), comes * share)
    return found


@given(seeds, st.sampled_from((2, 3)))
@settings(max_examples=6)
def test_leads_are_as_likely_as_plans_say(seed: int, players: int) -> None:
    for table in tables(seed, players):
        plan = table.profile.plans[table.stage][table.seat]
        expected = table.against.of_plan(plan, len(table.worth))
        found = leads(table, Place(), 1.0)
        assert [found[lead] for lead in range(len(expected))] == pytest.approx(expected, abs=1e-9)


@given(seeds)
@settings(max_examples=6)
def test_decisions_cost_what_the_stage_as_a_game_says(seed: int) -> None:
    for table in tables(seed, 3):
        graph, stage, seat = table.graph, table.stage, table.seat
        form = stage_game(graph, stage, Facing(table.profile).values())
        played = analyze(form, form.profile(table.profile.behaviors[stage])).players[seat]
        for infoset in range(table.treeplex.num_infosets):
            place = Place(infoset=infoset)
            first = int(table.treeplex.first_sequence[infoset])
            worth = played.action_values[first : first + len(table.actions(place))]
            for action in range(len(worth)):
                verdict = table.verdict(place, action)
                lost = worth.max() - worth[action]  # NaN where nobody ever comes
                assert verdict.cost == pytest.approx(lost, abs=1e-9, nan_ok=True)


@given(seeds, st.sampled_from((2, 3)))
@settings(max_examples=6)
def test_outcomes_tell_how_often_others_lead_somewhere(seed: int, players: int) -> None:
    graph = stage_graph(RandomRecursive(seed, players, endless=endless(seed, players, True)))
    profile = random_profile(graph, seed)
    for number, stage in enumerate(graph.stages):
        form = stage_game(graph, number, np.zeros((len(graph.stages), players)))
        plans = profile.plans[number]
        by_nodes = reach_of_others(form, plans)
        for seat in range(players):
            found = OutcomesOrigin(stage.form).others_reach(seat, plans)
            assert found == pytest.approx(by_nodes[seat], abs=1e-12)


@given(seeds)
@settings(max_examples=6)
def test_where_all_have_met_fits_what_the_person_did(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for table in tables(seed, 3):
        state = table.deal(rng)
        while state.lead < 0:
            state = table.by_chance(state, rng)
            if state.infoset >= 0:
                state = table.after(state, int(rng.integers(len(table.actions(state)))))
        assert table.form.places[table.seat, state.entry] == state.sequence
        assert table.graph.stages[table.stage].lead[table.form.leaf[state.entry]] == state.lead
        assert table.payoffs(state) == table.graph.arrays(table.stage)[0][state.lead].tolist()
