"""Saved correlated equilibria, what is refused, and certificates that false answers fail."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.battleship import battleship
from games.random_games import random_game
from games.satisfiability import satisfiability
from games.sheriff import sheriff
from games.textbook import chicken
from seqform import (
    SequenceForm,
    Status,
    TreeBuilder,
    build_sequence_form,
    build_tree,
    load,
    make,
    solve,
    verify,
)
from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    NotForThisGameError,
    OutOfTimeError,
    ResultFileError,
    SeqformError,
    UnknownNameError,
    VerificationError,
)
from seqform.concepts.concept import CONCEPTS
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.concepts.correlated_files import number_text
from seqform.concepts.trigger_deviations import payoff_error
from seqform.form.correlation_plan import product_plan
from seqform.form.integer_payoffs import integer_payoffs
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.whole_form import whole_form
from seqform.game.observations import SignalStructure
from seqform.results.correlated_task import CorrelatedTask

KINDS = ("efce", "efcce", "nfcce")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"exact": False}, {"optimize": "none"}])
def test_results_are_saved_and_verified(kind: str, options: Any, tmp_path: Path) -> None:
    solution = solve(make("two-player-tree"), method=kind, **options)
    solution.save(tmp_path / "r", "two-player-tree")
    found = verify(tmp_path / "r")
    assert found.certificate.record() == solution.certificate.record()
    assert (found.certificate.bound is None) == ("optimize" in options)
    assert load(tmp_path / "r").status is solution.status


def saved(tmp_path: Path, **options: Any) -> Path:
    solve(sheriff(1, 1, 1), method="efce", **options).save(tmp_path / "r", "sheriff")
    return tmp_path / "r"


def rewrite(path: Path, row: int, cell: int, text: str) -> None:
    rows = list(csv.reader(path.read_text().splitlines()))
    rows[row][cell] = text
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.mark.parametrize(
    ("file", "row", "cell", "text", "message"),
    [
        ("strategy.csv", 0, 0, "sequence", "does not begin"),
        ("strategy.csv", 1, 6, "2/2", "lowest terms"),
        ("strategy.csv", 1, 6, "1.0", "lowest terms"),
        ("strategy.csv", 1, 0, "-1", "no number of a thing"),
        ("strategy.csv", 2, 3, "999", "no relevant pair"),
        ("strategy.csv", 2, 5, "sing", "other last moves"),
        ("bound.csv", 1, 0, "height", "1 weight, not 2"),
        ("bound.csv", 3, 0, "bottom", "no bottom|is no number"),
        ("bound.csv", 4, 4, "0", "rows that say|expected"),
    ],
)
def test_damaged_files_are_refused(
    file: str, row: int, cell: int, text: str, message: str, tmp_path: Path
) -> None:
    folder = saved(tmp_path)
    rewrite(folder / file, row, cell, text)
    with pytest.raises(ResultFileError, match=message) as caught:
        verify(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"optimize": "none"}, {"optimize": "-player1"}])
def test_distributions_are_saved_and_verified(kind: str, options: Any, tmp_path: Path) -> None:
    solution = solve(make("signalling"), method=kind, **options)
    solution.save(tmp_path / "r", "signalling")
    found = verify(tmp_path / "r")
    assert found.certificate.record() == solution.certificate.record()
    assert found.certificate.num_drawn == solution.certificate.num_drawn >= 1
    assert found.certificate.triangle == ""
    assert load(tmp_path / "r").status is Status.SOLVED


@pytest.mark.parametrize(
    ("cell", "text", "error", "message"),
    [
        (0, "1 2", InvalidStrategyError, "player 0 is to play in a pair is no reduced"),
        (1, "", InvalidStrategyError, "player 1 is to play in a pair is no reduced"),
        (0, "99", ResultFileError, "no such sequence"),
        (0, "x", ResultFileError, "no number"),
        (2, "1/1", ResultFileError, "lowest terms"),
        (2, "9", InvalidStrategyError, "add up to 1"),
        (2, "-1", InvalidStrategyError, "is negative"),
    ],
)
def test_damaged_distributions_are_refused(
    cell: int, text: str, error: type[Exception], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "r"
    solve(make("satisfiability"), method="efce").save(folder, "satisfiability")
    rewrite(folder / "distribution.csv", 1, cell, text)
    with pytest.raises((error, VerificationError), match=message):
        verify(folder)


def test_a_result_without_its_distribution_claims_too_much(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    solve(make("satisfiability"), method="efce").save(folder, "satisfiability")
    (folder / "distribution.csv").unlink()
    with pytest.raises((InvalidStrategyError, VerificationError)):
        verify(folder)


def of_a_formula(change: Any) -> Any:
    solution = solve(make("satisfiability"), method="efce")
    return CONCEPTS.get("efce").certify(solution.game, change(solution.answer))


def test_false_bounds_on_distributions_are_refused() -> None:
    def lower(answer: Any) -> Any:
        return replace(answer, multipliers=replace(answer.multipliers, top=1))

    def priced(answer: Any) -> Any:
        prices = answer.multipliers.prices
        return replace(
            answer, multipliers=replace(answer.multipliers, prices=(prices[0] + 1, prices[1]))
        )

    def other(answer: Any) -> Any:
        plans = answer.mixture.plans
        others = replace(answer.mixture, plans=(plans[0][:, [0, 2, 1, 3, 4]], plans[1]))
        return replace(answer, mixture=others)

    with pytest.raises(InvalidStrategyError, match="worth more than the bound"):
        of_a_formula(lower)
    with pytest.raises(InvalidStrategyError, match="has no prices"):
        of_a_formula(priced)
    with pytest.raises(InvalidStrategyError, match="not that of the distribution"):
        of_a_formula(other)


def test_missing_files_are_refused(tmp_path: Path) -> None:
    folder = saved(tmp_path)
    (folder / "strategy.csv").unlink()
    with pytest.raises(ResultFileError, match="does not exist"):
        verify(folder)


@pytest.mark.parametrize(("key", "value"), [("bound", "7"), ("values", [9.0, 0.0]), ("gains", 0)])
def test_false_claims_are_found(key: str, value: Any, tmp_path: Path) -> None:
    folder = saved(tmp_path)
    claims = json.loads((folder / "result.json").read_text())
    claims[key] = value
    (folder / "result.json").write_text(json.dumps(claims))
    with pytest.raises(VerificationError, match=key):
        verify(folder)


def test_a_result_without_its_bound_claims_too_much(tmp_path: Path) -> None:
    folder = saved(tmp_path)
    (folder / "bound.csv").unlink()
    with pytest.raises(VerificationError, match=r"bound|objective"):
        verify(folder)


def certified(change: Any) -> Any:
    solution = solve(chicken(), method="efce")
    return CONCEPTS.get("efce").certify(solution.game, change(solution.answer))


def with_plan(answer: Any, place: int, more: int) -> Any:
    numerators = answer.plan.numerators.copy()
    numerators[place] += more
    return replace(answer, plan=replace(answer.plan, numerators=numerators))


@pytest.mark.parametrize(("place", "more"), [(0, 1), (1, 1), (8, -1), (8, -100), (4, 1)])
def test_plans_that_break_constraints_are_refused(place: int, more: int) -> None:
    with pytest.raises(InvalidStrategyError, match="weight"):
        certified(lambda answer: with_plan(answer, place, more))


def test_sums_of_either_player_alone_are_checked() -> None:
    """Pairs 5 to 8 are those of both moves; the same is moved along a column, or along a row."""
    for less, more, player in ((8, 6, 1), (8, 7, 0)):
        with pytest.raises(InvalidStrategyError, match=f"moves of player {player} there"):
            certified(lambda a, less=less, more=more: with_plan(with_plan(a, less, -1), more, 1))


def test_the_least_gain_counts() -> None:
    b = TreeBuilder(num_players=2)
    for end, paid in zip(b.decision(b.root, 0, "h", ["a", "b"]), (0, 1), strict=True):
        b.terminal(end, (paid, 0))
    form = build_sequence_form(b.freeze())
    plan = product_plan(relevant_pairs(form), [np.array([1, 1, 0]), np.array([1])], (1, 1))
    for kind in KINDS:
        certificate = CONCEPTS.get(kind).certify(form, CorrelatedAnswer(plan))
        assert certificate.gains == (1, 0)
        assert certificate.where == (", from information set h on", "")


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_are_no_continuation_prove_nothing(kind: str) -> None:
    solution = solve(sheriff(2, 2, 2), method=kind, optimize="-welfare")
    answer, treeplexes = solution.answer, solution.game.treeplexes
    found = answer.multipliers.deviations
    tried = 0
    for player, mine in enumerate(found):
        for place, sequence in enumerate(mine.sequence.tolist()):
            if treeplexes[player].sequence_parent[sequence] not in mine.sequence:
                continue  # it may be where the deviation begins
            weight = mine.weight.copy()
            weight[place] += 1
            changed = [*found]
            changed[player] = mine._replace(weight=weight)
            multipliers = replace(answer.multipliers, deviations=tuple(changed))
            with pytest.raises(InvalidStrategyError, match="no continuation"):
                CONCEPTS.get(kind).certify(solution.game, replace(answer, multipliers=multipliers))
            tried += 1
            break
    assert tried


@pytest.mark.parametrize("name", ["trigger", "sequence", "weight"])
def test_false_weights_of_deviations_prove_nothing(name: str) -> None:
    def changed(answer: Any) -> Any:
        mine, theirs = answer.multipliers.deviations
        assert len(mine.weight)
        off = {"trigger": 7, "sequence": 5, "weight": np.array([-1] * len(mine.weight), object)}
        value = off[name] if name == "weight" else np.full_like(mine.trigger, off[name])
        return replace(
            answer,
            multipliers=replace(
                answer.multipliers, deviations=(mine._replace(**{name: value}), theirs)
            ),
        )

    with pytest.raises(InvalidStrategyError):
        certified(changed)


def test_prices_that_are_too_low_prove_nothing() -> None:
    def lower(answer: Any) -> Any:
        found = answer.multipliers
        return replace(answer, multipliers=replace(found, top=found.top - 1))

    with pytest.raises(InvalidStrategyError, match="too low at relevant pair 0"):
        certified(lower)


def test_a_plan_of_another_game_is_refused() -> None:
    answer = solve(chicken(), method="efce").answer
    form = build_sequence_form(build_tree(sheriff(1, 1, 1)))
    with pytest.raises(InvalidStrategyError, match="another game"):
        CONCEPTS.get("efce").certify(form, answer)


def float_game() -> SequenceForm:
    b = TreeBuilder(num_players=2)
    for end in b.decision(b.root, 0, "h", ["a", "b"]):
        b.terminal(end, (0.5, 0.25))
    return build_sequence_form(b.freeze())


def without_tree() -> SequenceForm:
    return whole_form(SignalStructure(make("kuhn")))


REFUSALS = [
    (lambda: solve(random_game(players=3), method="efce"), NotForThisGameError, "for 2 players"),
    (lambda: solve(without_tree(), method="nfcce"), NotForThisGameError, "needs the game's tree"),
    (lambda: solve(chicken(), method="efce", optimize="fame"), UnknownNameError, "welfare"),
    (lambda: solve(chicken(), method="efce", optimize=(1,)), InvalidParameterError, "two players"),
    (
        lambda: solve(chicken(), method="efce", optimize=("x", 1)),
        InvalidParameterError,
        "two players",
    ),
    (lambda: solve(chicken(), method="efce", tolerance=0), InvalidParameterError, "above 0"),
    (
        lambda: solve(chicken(), method="efce", engine="ipx"),
        InvalidParameterError,
        "solver='highs'",
    ),
    (
        lambda: solve(chicken(), method="efce", solver="clarabel", exact=True),
        InvalidParameterError,
        "needs a basis",
    ),
    (lambda: solve(chicken(), method="efce", solver="cvxpy"), InvalidParameterError, "no zero-sum"),
    (lambda: solve(float_game(), method="efce", exact=True), InvalidParameterError, "leave it out"),
    (lambda: solve(chicken(), method="efce", prove=True), InvalidParameterError, "leave out"),
    (lambda: battleship(ships="2,x"), InvalidParameterError, "whole numbers"),
    (lambda: battleship(ships="1,1"), InvalidParameterError, "one value for each ship"),
    (lambda: battleship(ships="3"), InvalidParameterError, "do not fit"),
    (lambda: satisfiability("x, , y"), InvalidParameterError, "clause 2 is to have"),
    (lambda: satisfiability("x x"), InvalidParameterError, "clause 1 is to have"),
    (lambda: satisfiability("x -"), InvalidParameterError, "clause 1 is to have"),
    (lambda: satisfiability("x --x"), InvalidParameterError, "clause 1 is to have"),
    (lambda: satisfiability(",".join("x" * 1001)), InvalidParameterError, "clauses=1001"),
    (lambda: sheriff(rounds=0), InvalidParameterError, "rounds=0"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSALS)
def test_what_cannot_be_done_is_refused_in_one_line(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, SeqformError)
    assert "\n" not in str(caught.value)


def test_a_time_limit_ends_the_solver() -> None:
    solution = solve(battleship(), method="efce", time_limit=0.5, solver="highs")
    assert solution.answer is None
    assert solution.status.name == "LIMIT"


def test_time_that_is_over_while_rounding_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise OutOfTimeError("the time is over")

    monkeypatch.setattr(CorrelatedTask, "answer", late)
    solution = solve(make("chicken"), method="efce")
    assert (solution.answer, solution.status.name) == (None, "LIMIT")
    assert "the time is over" in solution.message


def test_numbers_are_written_once() -> None:
    assert number_text(6, 4) == "3/2"
    assert number_text(2**53, 1) == "0x20000000000000"
    assert Fraction(-1, 3) == Fraction(number_text(-2, 6))


def test_bounds_that_are_shown_are_not_rounded_down() -> None:
    seen = 0
    for seed in range(45):
        tree = random_game(seed, depth=4, branching=2, zero_sum=False, hidden=0.8)
        floats = tuple(tuple(0.1 * n + 1 / 3 for n in row) for row in tree.payoffs)
        certificate = solve(replace(tree, payoffs=floats), method="efce").certificate
        rows = dict(certificate.rows("units"))
        shown = re.search(r"more than (\S+) \+ (\S+) units", rows["proven in exact arithmetic"])
        if shown is not None:
            seen += 1
            most = certificate.bound + Fraction(certificate.bound_error)
            assert Fraction(shown[1]) + Fraction(shown[2]) >= most
    assert seen > 2


def test_where_nothing_is_gained_no_place_is_named() -> None:
    certificate = certified(lambda answer: answer)
    assert (certificate.gains, certificate.where) == ((0, 0), ("", ""))


def test_errors_of_payoffs_count_for_obeying_and_for_deviating() -> None:
    solution = solve(chicken(), method="efce")
    plan, payoffs = solution.answer.plan, integer_payoffs(solution.game)
    off = replace(payoffs, errors=(np.ones(len(payoffs.matrices[0].entries)), None))
    weights = [plan.weight(0, s) for s in payoffs.matrices[0].pattern.indices.tolist()]
    assert 2 * sum(weights) <= payoff_error(off, plan, 0) <= 2.05 * float(sum(weights))
    assert payoff_error(off, plan, 1) == 0
