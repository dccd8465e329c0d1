"""A form in a representation that the package does not know goes all the way that games go."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seqform
from games.kuhn import kuhn
from seqform.base.errors import ResultFileError, VerificationError
from seqform.form.from_any import form_from
from seqform.form.sequence_form import SequenceForm
from seqform.report.write import report_page
from seqform.results.verification import load
from tests.toy_form import ToyForm, toy_kuhn

VALUE = Fraction(-1, 18)  # Kuhn 1950


def find(name: str, parameters: dict[str, Any]) -> Any:
    assert (name, parameters) == ("toy-kuhn", {})
    return toy_kuhn()


@pytest.fixture(scope="module")
def solution() -> seqform.Solution:
    return seqform.solve(toy_kuhn(), method="lp", prove=True)  # type: ignore[arg-type]


@pytest.fixture
def folder(solution: seqform.Solution, tmp_path: Path) -> Path:
    solution.save(tmp_path / "toy", "toy-kuhn")
    return tmp_path / "toy"


def test_it_is_solved_certified_and_proven(solution: seqform.Solution) -> None:
    assert solution.status is seqform.Status.SOLVED
    assert solution.exact is not None
    assert solution.exact.value == VALUE
    assert solution.lower <= VALUE <= solution.upper
    assert solution.profile is not None
    again = seqform.certify(toy_kuhn(), solution.profile)
    assert (again.lower, again.upper) == (solution.lower, solution.upper)
    assert isinstance(solution.source, ToyForm)
    assert isinstance(solution.game, SequenceForm)


def test_its_payoffs_are_those_of_the_tree() -> None:
    mine, whole = form_from(toy_kuhn()), form_from(kuhn())
    uniform = [[treeplex.uniform() for treeplex in form.treeplexes] for form in (mine, whole)]
    values = [
        seqform.expected_values(form, form.profile(of))
        for form, of in zip((mine, whole), uniform, strict=True)
    ]
    assert np.allclose(*values, rtol=0, atol=1e-15)


def test_an_iterative_method_solves_it() -> None:
    assert seqform.solve(toy_kuhn(), method="cfr+", gap=1e-2).nash_gap <= 1e-2  # type: ignore[arg-type]


def test_it_is_saved_and_verified_by_its_name(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {"certificate.json", "result.json", "strategy.csv"}
    verified = seqform.verify(folder, find)
    assert verified.is_proof
    assert verified.record()["exact_value"] == "-1/18"
    again = load(folder, find)
    assert again.exact is not None
    assert again.exact.value == VALUE


def test_without_its_name_it_is_not_saved_and_not_found(
    solution: seqform.Solution, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(ResultFileError, match="loaded by the game's name: give name"):
        solution.save(tmp_path / "nameless")
    with pytest.raises(ResultFileError, match="there is no game 'toy-kuhn'"):
        seqform.verify(folder)


def test_a_result_of_another_game_is_refused(folder: Path) -> None:
    def other(name: str, parameters: dict[str, Any]) -> Any:
        payoffs = toy_kuhn().payoffs
        return replace(toy_kuhn(), payoffs={pair: 2 * paid for pair, paid in payoffs.items()})

    with pytest.raises(VerificationError):
        seqform.verify(folder, other)


def test_it_is_shown(solution: seqform.Solution) -> None:
    assert solution.profile is not None
    assert solution.profile[0, "Q first", "check"] == 1.0
    assert "Q answers" in str(seqform.show(solution))


def test_it_is_reported(solution: seqform.Solution, folder: Path) -> None:
    made, saved = report_page(solution), report_page(folder, find=find)
    assert "-1/18" in made
    assert "-1/18" in saved
    assert "The game has no tree for a page to go through." in made
    assert (folder / "certificate.json").name in saved  # the page checks what was saved


def test_what_is_asked_of_games_is_asked_of_it(solution: seqform.Solution) -> None:
    assert solution.profile is not None
    value, _ = seqform.best_response(toy_kuhn(), solution.profile, 0)
    assert value == pytest.approx(float(VALUE))
    smaller, _ = seqform.reduce(toy_kuhn().explicit(), "equitable")
    assert seqform.solve(smaller).value == pytest.approx(float(VALUE))
