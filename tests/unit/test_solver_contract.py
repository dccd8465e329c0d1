"""Solvers of linear programs: names, engines, features, and labels of what they find."""

from __future__ import annotations

import pytest

from games.kuhn import kuhn
from seqform import build_sequence_form, build_tree
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.solvers.linear.program import LPStatus, build_lp
from seqform.solvers.linear.solver import SOLVERS, Feature, LPOptions, check_options, solve_program

PROGRAM = build_lp(build_sequence_form(build_tree(kuhn())))


@pytest.mark.parametrize(
    ("name", "engine", "label"),
    [
        ("highs", None, "highs/simplex"),
        ("highs", "IPX", "highs/ipx"),
        ("clarabel", None, "clarabel"),
        ("cvxpy", "clarabel", "cvxpy/CLARABEL"),
    ],
)
def test_a_solver_is_found_by_name_and_says_what_ran(
    name: str, engine: str | None, label: str
) -> None:
    found = solve_program(PROGRAM, name, LPOptions(engine))
    assert (found.status, found.engine) == (LPStatus.OPTIMAL, label)
    assert (found.basis is not None) == (Feature.BASIS in SOLVERS.get(name).features)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("hihgs", LPOptions(), "no solver 'hihgs'.*'highs'"),
        ("highs", LPOptions("simplx"), "no highs engine 'simplx'.*'simplex'"),
        ("cvxpy", LPOptions("clarable"), "no cvxpy engine 'clarable'"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(
    name: str, options: LPOptions, words: str
) -> None:
    with pytest.raises(UnknownNameError, match=words):
        solve_program(PROGRAM, name, options)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("clarabel", LPOptions("simplex"), "'clarabel' has no engines"),
        ("cvxpy", LPOptions(time_limit=1.0), r"time_limit=1\.0.*'clarabel' or 'highs'"),
        ("cvxpy", LPOptions(threads=2), "threads=2.*'clarabel' or 'highs'"),
        ("highs", LPOptions(threads=0), "threads=0"),
        ("highs", LPOptions(time_limit=-1.0), "time_limit"),
    ],
)
def test_a_solver_says_what_it_cannot_do(name: str, options: LPOptions, words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        check_options(SOLVERS.get(name), options)
