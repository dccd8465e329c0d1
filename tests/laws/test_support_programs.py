"""Small programs around some strategies find what the whole program of a stage does."""

from __future__ import annotations

import numpy as np
import pytest

from games.blinds import Blinds
from games.one_card_tournament import one_card_hands
from seqform import make
from seqform.recursive import support_program
from seqform.recursive.graph import StageGraph
from seqform.recursive.stage_program import programs
from seqform.recursive.support_program import Settled, optimum_near
from seqform.recursive.walk import stage_graph


def graphs() -> list[StageGraph]:
    return [
        stage_graph(make("one-card-tournament", chips=10, cards=6)),
        stage_graph(make("kuhn-tournament", chips=6)),
        stage_graph(make("leduc-tournament", chips=6)),
    ]


@pytest.mark.parametrize("graph", graphs(), ids=["one card", "kuhn", "leduc"])
def test_values_are_those_of_the_whole_program(
    graph: StageGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support_program, "SMALL", 0)
    monkeypatch.setattr(support_program, "FEW", 1.0)
    rng = np.random.default_rng(9)
    solved = 0
    for number, program in enumerate(programs(graph)):
        if not any(t.num_infosets for t in graph.stages[number].form.treeplexes):
            continue
        worth = rng.random(len(graph.stages[number].leads))
        whole = program.solve(worth)
        other = program.solve(rng.random(len(worth)))  # what is optimal for other worths
        form = program.form(worth)
        found = optimum_near(form, other.behaviors)
        if found is None:
            continue
        solved += 1
        assert found.value == pytest.approx(whole.value, abs=1e-9)
        paid = form.operator.to_sparse().to_csr() @ found.plans[1]
        assert form.treeplexes[0].best_value(paid) == pytest.approx(whole.value, abs=1e-9)
        for treeplex, plan in zip(form.treeplexes, found.plans, strict=True):
            assert max(treeplex.residuals(plan)) < 1e-12
    assert solved >= 2


def test_what_is_settled_needs_no_variable() -> None:
    form = Blinds(1, 2).hand(one_card_hands(3), 5, limps=True)
    treeplex = form.treeplexes[0]  # fold, limp, push with each card; then fold, call after a limp
    played = np.zeros(treeplex.num_sequences, dtype=np.bool_)
    played[[0, 1, 5, 6, 8, 12, 13, 14]] = True  # the second card mixes, twice
    settled = Settled.on(treeplex, played)
    assert settled.choices.num_infosets == 2
    plan = settled.matrix @ settled.choices.to_plan(settled.choices.uniform())
    assert plan[played].tolist() == [1, 1, 0.5, 0.5, 1, 0.25, 0.25, 1]
    assert max(treeplex.residuals(plan)) < 1e-12
