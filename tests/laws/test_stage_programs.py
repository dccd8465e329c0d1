"""Programs of stages: from whatever basis the simplex method begins, the optimum is the same."""

from __future__ import annotations

import numpy as np
import pytest

from seqform import make
from seqform.recursive.graph import StageGraph
from seqform.recursive.stage_program import StageProgram, kind, programs
from seqform.recursive.walk import stage_graph
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import build_lp


def graphs() -> list[StageGraph]:
    return [
        stage_graph(make("one-card-tournament", chips=10, cards=6)),
        stage_graph(make("kuhn-tournament", chips=6)),
        stage_graph(make("leduc-tournament", chips=6)),
    ]


def check(program: StageProgram, worth: np.ndarray, near: object, value: float) -> None:
    """See that plans are optimal, by a best response to each, and worth so much."""
    found = program.solve(worth, near)  # type: ignore[arg-type]
    form = program.form(worth)
    matrix = form.operator.to_sparse().to_csr()
    first, second = (t.to_plan(b) for t, b in zip(form.treeplexes, found.behaviors, strict=True))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert form.treeplexes[0].best_value(matrix @ second) == pytest.approx(value, abs=1e-9)
    assert form.treeplexes[1].best_value(-(matrix.T @ first)) == pytest.approx(-value, abs=1e-9)


@pytest.mark.parametrize("graph", graphs(), ids=["one card", "kuhn", "leduc"])
def test_the_optimum_is_that_of_the_program_of_the_stage_as_a_game(graph: StageGraph) -> None:
    rng = np.random.default_rng(9)
    decided, bases = 0, {}
    for stage, program in zip(graph.stages, programs(graph), strict=True):
        if not any(treeplex.num_infosets for treeplex in stage.form.treeplexes):
            continue
        decided += 1
        worth = rng.random(len(stage.leads))
        worth[rng.random(len(worth)) < 0.3] = 0.5  # some pairs of sequences are paid nothing then
        worth -= 0.5
        whole = build_lp(program.form(worth))
        value = float(whole.objective @ solve_highs(whole).primal) / whole.scale
        other = program.solve(rng.random(len(worth))).basis  # of other worths
        check(program, worth, None, value)
        check(program, worth, other, value)
        check(program, worth, bases.get(kind(stage)), value)  # of the stage before
        bases[kind(stage)] = other
    assert decided >= 2


def test_a_stage_in_which_nothing_is_paid_is_worth_nothing() -> None:
    graph = stage_graph(make("kuhn-tournament", chips=6))
    for stage, program in zip(graph.stages, programs(graph), strict=True):
        assert program.solve(np.zeros(len(stage.leads))).value == 0
