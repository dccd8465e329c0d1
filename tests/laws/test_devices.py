"""Correlated devices: every deviation by its definition, on the normal form and on the tree."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import (
    build_normal_form,
    build_sequence_form,
    build_tree,
    check_correlated_equilibrium,
    count_strategies,
    make,
    matrix_game,
    save_game,
    solve,
)
from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    NotForThisGameError,
    ResultFileError,
    UnknownNameError,
)
from seqform.concepts import efcce, efce, nfcce
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.concepts.trigger_deviations import largest_gain
from seqform.form.integer_payoffs import integer_payoffs
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import StrategyMixture
from seqform.strategies.evaluate.correlated import device_of
from seqform.strategies.evaluate.device import KINDS
from tests.command_line import process
from tests.examples import examples
from tests.strategies import games, seeds

CHICKEN = matrix_game([[6, 2], [7, 0]], [[6, 7], [2, 0]], actions=[["yield", "go"]] * 2)


@st.composite
def devices(draw: Any, players: tuple[int, ...]) -> tuple[SequenceForm, dict[Any, Fraction]]:
    """Return a small game, and weights of some combinations of strategies, by name."""
    form = draw(games(players=players, zero_sum=(True, False), depth=4))
    counts = [count_strategies(treeplex).reduced for treeplex in form.treeplexes]
    if np.prod([float(count) for count in counts]) > 600:
        form = build_sequence_form(matrix_game(*[[[1, 2], [0, 3]], [[1, 0], [2, 3]]]))
        counts = [2, 2]
    normal, dice = build_normal_form(form), random.Random(draw(seeds))
    found: dict[Any, int] = {}
    for _ in range(dice.randint(1, 5)):
        combination = tuple(dice.randrange(count) for count in counts)
        found[combination] = found.get(combination, 0) + dice.randint(1, 3)
    total = sum(found.values())
    return form, {
        tuple(normal.name(player, s) for player, s in enumerate(combination)): Fraction(n, total)
        for combination, n in found.items()
    }


def numbered(form: SequenceForm, device: dict[Any, Fraction]) -> dict[tuple[int, ...], Fraction]:
    normal = build_normal_form(form)
    numbers = [
        {normal.name(player, s): s for s in range(count)}
        for player, count in enumerate(normal.num_strategies)
    ]
    return {
        tuple(numbers[player][name] for player, name in enumerate(names)): weight
        for names, weight in device.items()
    }


@settings(max_examples=60)
@given(devices((1, 2, 3)))
def test_ce_and_cce_are_what_the_normal_form_says(case) -> None:
    form, device = case
    normal, weights = build_normal_form(form), numbered(form, device)
    found = check_correlated_equilibrium(form, device, ("ce", "cce"))
    for player in range(form.num_players):
        value = sum(w * normal.payoff(s)[player] for s, w in weights.items())
        assert found.values[player] == value
        gains = {"ce": [], "cce": []}
        for told in {s[player] for s in weights}:
            of = {s: w for s, w in weights.items() if s[player] == told}
            gains["ce"].append(_best(normal, of, player))
        gains["cce"].append(_best(normal, weights, player))
        for kind, expected in gains.items():
            mine = [d.gain for d in found.deviations if (d.kind, d.player) == (kind, player)]
            if form.treeplexes[player].num_infosets:
                assert sorted(mine) == sorted(expected)
            assert found.gains(kind)[player] == max([0, *expected])


def _best(normal: Any, weights: dict[Any, Fraction], player: int) -> Fraction:
    """Return the most that another strategy gains, by trying all."""
    gains = []
    for other in range(normal.num_strategies[player]):
        gain = Fraction(0)
        for combination, weight in weights.items():
            changed = (*combination[:player], other, *combination[player + 1 :])
            paid = normal.payoff(changed)[player] - normal.payoff(combination)[player]
            gain += weight * paid
        gains.append(gain)
    return max(gains)


@examples(30, 60)
@given(devices((2,)))
def test_a_distribution_gains_what_its_plan_does(case) -> None:
    """Of two players, by the certificates' code, which looks at relevant pairs of sequences."""
    form, device = case
    if form.num_players != 2 or form.tree is None:
        return
    found = check_correlated_equilibrium(form, device)
    normal, weights = build_normal_form(form), numbered(form, device)
    drawn = list(weights)
    whole = int(np.lcm.reduce([w.denominator for w in weights.values()]))
    numerators = np.array([int(weights[s] * whole) for s in drawn], dtype=object)
    plans = tuple(normal.plans[p][[s[p] for s in drawn]] for p in (0, 1))
    mixture = StrategyMixture((plans[0], plans[1]), numerators, whole)
    plan, payoffs = mixture.plan(relevant_pairs(form)), integer_payoffs(form)
    for kind, concept in (("efce", efce), ("efcce", efcce), ("cce", nfcce)):
        for player in (0, 1):
            gain = largest_gain(concept.triggers, payoffs, plan, player).amount
            assert found.gains(kind)[player] == gain
    by_mixture = check_correlated_equilibrium(form, CorrelatedAnswer(plan, mixture=mixture))
    assert by_mixture.record() == found.record()
    by_plan = check_correlated_equilibrium(form, plan)
    assert by_plan.values == found.values
    assert by_plan.kinds == ("efce", "efcce", "cce")
    assert {d for d in found.deviations if d.kind != "ce"} == set(by_plan.deviations)


@settings(max_examples=60)
@given(devices((1, 2, 3)))
def test_the_stronger_concept_implies_the_weaker(case) -> None:
    form, device = case
    found = check_correlated_equilibrium(form, device)
    verdicts = [found.is_equilibrium(kind) for kind in KINDS]
    assert verdicts == sorted(verdicts)
    gains = [d.gain for d in found.deviations]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize("method", ["efce", "efcce", "nfcce"])
def test_what_solve_finds_is_one(method: str, tmp_path: Path) -> None:
    kind = "cce" if method == "nfcce" else method
    for name, game in (("chicken", CHICKEN), ("signals", build_tree(make("von-stengel")))):
        solution = solve(game, method=method)
        folder = tmp_path / f"{method}-{name}"
        solution.save(folder, name, {})
        for device in (solution, folder, folder / "strategy.csv"):
            found = check_correlated_equilibrium(game, device)
            assert found.is_exact
            assert found.is_equilibrium(kind)
            assert found.values == solution.values


def test_traffic_lights_of_aumann() -> None:
    """Aumann, J. of Math. Economics 1, 1974: three cells of chicken, a third each."""
    found = check_correlated_equilibrium(CHICKEN, [["1/3", "1/3"], ["1/3", 0]])
    assert all(found.is_equilibrium(kind) for kind in KINDS)
    assert found.values == (5, 5)
    gains = {(d.player, d.told): d.gain for d in found.deviations if d.kind == "ce"}
    assert gains[0, "told to play go"] == 0  # obeying is among the ways to go on
    worse = check_correlated_equilibrium(CHICKEN, [["3/5", "1/5"], ["1/5", 0]])
    assert not worse.is_equilibrium("ce")
    assert worse.gains("ce") == (Fraction(1, 5), Fraction(1, 5))  # 7 * 3/5 - 6 * 3/5 - 2 * 1/5
    assert worse.deviations[0].probability == Fraction(4, 5)


def test_floats_are_judged_as_they_are() -> None:
    thirds = np.full((2, 2), 1 / 3)
    thirds[1, 1] = 0
    found = check_correlated_equilibrium(CHICKEN, thirds)
    assert not found.is_exact
    assert found.is_equilibrium("ce")
    rough = matrix_game([[6.0, 2.0], [7.0, 0.1]], [[6.0, 7.0], [2.0, 0.1]])
    assert not check_correlated_equilibrium(rough, [["1/3", "1/3"], ["1/3", 0]]).is_exact


def test_three_players_are_judged_too(tmp_path: Path) -> None:
    tables = np.zeros((3, 2, 2, 2), dtype=int)
    for moves in product((0, 1), repeat=3):
        for player in range(3):
            tables[(player, *moves)] = int(len(set(moves)) == 1)
    game = matrix_game(*tables.tolist())
    weights = {("1", "1", "1"): "1/2", ("2", "2", "2"): "1/2"}
    found = check_correlated_equilibrium(game, weights)
    assert found.values == (1, 1, 1)
    assert found.is_equilibrium("ce")
    assert found.gains("ce") == (0, 0, 0)
    solve(CHICKEN, method="efce").save(tmp_path / "saved", "chicken", {})
    with pytest.raises(NotForThisGameError, match="plans are of two players, and the game has 3"):
        check_correlated_equilibrium(game, tmp_path / "saved")


@pytest.mark.parametrize(
    ("device", "error", "message"),
    [
        ({("yield", "stop"): 1}, InvalidStrategyError, "player 1 has no reduced pure strategy 'st"),
        ({("yield",): 1}, InvalidStrategyError, r"\('yield',\) is no combination of strategies"),
        ({("yield", "go"): "1/2"}, InvalidStrategyError, "at least 0 and 1 together; these sum to"),
        ({("yield", "go"): -1}, InvalidStrategyError, "-1 is not a probability"),
        ({("yield", "go"): 1, ("1", "2"): 0}, InvalidStrategyError, "'2'.* is given twice"),
        ({}, InvalidStrategyError, "these sum to 0"),
        ([[1, 0]], InvalidStrategyError, r"weights of shape \(1, 2\) is for players who all"),
        (3, InvalidParameterError, "a device is a mapping from combinations .* not int"),
    ],
)
def test_what_is_no_device_is_refused(device, error, message) -> None:
    with pytest.raises(error, match=message):
        check_correlated_equilibrium(CHICKEN, device)
    with pytest.raises(UnknownNameError, match=r"no concept .*'efc' \(did you mean"):
        check_correlated_equilibrium(CHICKEN, [[1, 0], [0, 0]], ("efc",))


TABLES = {
    "lines": "strategy0,strategy1,probability\nyield,yield,1/3\nyield,go,1/3\ngo,yield,1/3\n",
    "places": "probability,strategy1,strategy0\n1/3,1,1\n1/3,2,1\n1/3,1,2\n",
    "matrix": ",yield,go\nyield,1/3,1/3\ngo,1/3,0\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_say_the_same(name: str, tmp_path: Path) -> None:
    path = tmp_path / "device.csv"
    path.write_text(TABLES[name])
    found = check_correlated_equilibrium(CHICKEN, path)
    assert found.values == (5, 5)
    assert found.is_equilibrium("ce")


@pytest.mark.parametrize("other", ["signalling", "kuhn", "battleship"])
def test_devices_of_other_games_are_refused(other: str) -> None:
    """A device that was made for a game, and what was solved for, go to that game only."""
    made = device_of(build_sequence_form(CHICKEN), {("yield", "go"): 1})
    solved = solve(make("chicken"), method="efce")
    for device in (made, solved, solved.answer):
        with pytest.raises(InvalidStrategyError, match=r"of another game|strategy of this game"):
            check_correlated_equilibrium(make(other), device)


def test_wrong_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "device.csv"
    for text, error, message in (
        (",yield,go\nyield,1/3\n", ResultFileError, "line 2: 1 weight below 2 actions"),
        (",yield,go\nyield,1/3,x\n", InvalidStrategyError, "line 2: 'x' is not a probability"),
        (",yield,stop\nyield,1/3,1\n", InvalidStrategyError, "line 2: player 1 has no reduced"),
        ("a,b\n1,2\n", ResultFileError, "no column strategy0.*a matrix with an empty corner"),
    ):
        path.write_text(text)
        with pytest.raises(error, match=message):
            check_correlated_equilibrium(CHICKEN, path)
    with pytest.raises(ResultFileError, match="does not exist"):
        check_correlated_equilibrium(CHICKEN, tmp_path / "nothing.csv")


def test_the_command_line_judges(tmp_path: Path) -> None:
    game, path = tmp_path / "game.efg", tmp_path / "device.csv"
    save_game(CHICKEN, game)
    path.write_text(",yield,go\nyield,0.6,0.2\ngo,0.2,0\n")
    answer = process("evaluate", str(game), "--device", str(path))
    words = " ".join(answer.stdout.split())
    assert "correlated equilibrium no: player 0, told to play yield, gains 1/5" in words
    assert process("evaluate", str(game)).returncode == 2
