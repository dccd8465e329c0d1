"""Which strategies are in fractions, what is said of those that are not, and of what is open."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import (
    MixedStrategy,
    SequenceForm,
    TreeBuilder,
    analyze,
    build_normal_form,
    build_sequence_form,
    build_tree,
    evaluate,
    given_from,
    make,
    respond,
    solve,
)
from seqform.base.errors import (
    InvalidStrategyError,
    ResultFileError,
    UnsupportedGameError,
)
from seqform.io import read_strategy
from seqform.strategies.exactly import as_fraction
from tests.command_line import call

KINGS = "player,infoset,action,probability\n0,K:,bet,{}\n0,K:,check,{}\n"


@pytest.fixture(scope="module")
def kuhn() -> SequenceForm:
    return build_sequence_form(build_tree(make("kuhn")))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1/3", Fraction(1, 3)),
        (" 2/6 ", Fraction(1, 3)),
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        (".5", Fraction(1, 2)),
        ("25%", Fraction(1, 4)),
        ("0", Fraction(0)),
        (1, Fraction(1)),
        (np.int64(1), Fraction(1)),
        (Fraction(2, 7), Fraction(2, 7)),
        (Decimal("0.7"), Fraction(7, 10)),
        ("0.123456789012345", Fraction(123456789012345, 10**15)),
        ("0.3333333333333333", None),  # as the float of 1/3 is written
        (0.5, None),
        (np.float64(0.5), None),
        (True, None),
        ("nan", None),
        ("1/0", None),
        ("often", None),
        ("1e-999999999", None),
        (None, None),
    ],
)
def test_what_counts_as_a_fraction(given: Any, expected: Fraction | None) -> None:
    assert as_fraction(given) == expected


@pytest.mark.parametrize(
    ("bet", "check", "is_exact"),
    [
        ("1/3", "2/3", True),
        ("0.25", "0.75", True),
        ("0.333333", "0.666667", True),
        ("0.3333333", "0.6666666", False),  # rounded: scaled to sum to 1
        ("0.3333333333333333", "0.6666666666666667", False),
    ],
)
def test_tables_are_in_fractions_where_they_sum_to_one(
    kuhn: SequenceForm, tmp_path: Path, bet: str, check: str, is_exact: bool
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(KINGS.format(bet, check))
    by_json = tmp_path / "mine.json"
    by_json.write_text(json.dumps({"0": {"K:": {"bet": bet, "check": check}}}))
    for file in (path, by_json):
        found = evaluate(kuhn, read_strategy(file, kuhn))
        assert (found.exact is not None) == is_exact
        assert found.open.counts == (5, 6)


def test_numbers_of_json_are_the_decimals_that_are_written(kuhn, tmp_path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"0": {"K:": {"bet": 0.1, "check": 0.9}}}')
    fractions = read_strategy(path, kuhn).fractions
    assert fractions is not None
    assert set(fractions[0]) == {None, 1, Fraction(1, 10), Fraction(9, 10)}
    path.write_text('{"0": {"K:": {"bet": -0.1, "check": 1.1}}}')
    with pytest.raises(InvalidStrategyError, match=r"-0\.1 is not a probability"):
        read_strategy(path, kuhn)


def test_floats_are_not_in_fractions_and_it_is_said_why(kuhn, tmp_path) -> None:
    floats = {(0, "K:", "bet"): 0.5, (0, "K:", "check"): 0.5}
    assert evaluate(kuhn, floats).exact is None
    assert analyze(kuhn, floats).exact is None
    for wrong, message in (
        (floats, r"exact=True needs a strategy in fractions, and here .*'K:': it was given in flo"),
        (solve(kuhn).profile, "here a profile holds floats; give numbers such as 1/3"),
    ):
        for ask in (
            lambda s: evaluate(kuhn, s, exact=True),
            lambda s: respond(kuhn, s, 0, exact=True),
            lambda s: analyze(kuhn, s, exact=True),
        ):
            with pytest.raises(InvalidStrategyError, match=message):
                ask(wrong)
    rounded = {(0, "K:", "bet"): "0.3333333", (0, "K:", "check"): "0.6666666"}
    with pytest.raises(InvalidStrategyError, match=r"as given sum to 9999999/10000000, not"):
        evaluate(kuhn, rounded, exact=True)
    part = {(0, "K:", "bet"): 1, (0, "K:", "check"): 0}
    assert evaluate(kuhn, part).exact is not None
    filled = evaluate(kuhn, part, complete=solve(kuhn).profile)
    assert filled.exact is None
    assert filled.open.rows()[0][0] == "left open, filled as in another strategy"
    with pytest.raises(InvalidStrategyError, match="is filled from a strategy in floats"):
        evaluate(kuhn, part, complete=solve(kuhn).profile, exact=True)
    assert evaluate(kuhn, part, exact=False).exact is None


def test_games_with_floats_are_not_in_fractions() -> None:
    builder = TreeBuilder(1)
    one, two = builder.decision(builder.root, 0, "choice", ["a", "b"])
    builder.terminal(one, [0.1])
    builder.terminal(two, [1])
    tree = builder.freeze()
    mine = {(0, "choice", "a"): 1, (0, "choice", "b"): 0}
    assert evaluate(tree, mine).exact is None
    assert analyze(tree, mine).exact is None
    for ask in (evaluate, analyze):
        with pytest.raises(UnsupportedGameError, match="float"):
            ask(tree, mine, exact=True)


def test_large_games_are_in_fractions_only_if_asked(kuhn, monkeypatch) -> None:
    mine = {(0, "K:", "bet"): 1, (0, "K:", "check"): 0}
    monkeypatch.setattr("seqform.strategies.as_profile.MOST_ENTRIES", 1)
    assert evaluate(kuhn, mine).exact is None
    assert evaluate(kuhn, mine, exact=True).exact is not None
    monkeypatch.setattr("seqform.strategies.given_sums.MOST_SEQUENCES", 1)
    with pytest.raises(InvalidStrategyError, match="more than 1 sequence;"):
        evaluate(kuhn, mine, exact=True)


def test_sets_that_gambit_says_nothing_of_are_left_open(kuhn, tmp_path) -> None:
    """Gambit prints 0 for all actions of a set that its equilibrium does not reach."""
    numbers = ["1", "0", "0", "0", *["1/2", "1/2"] * 10]
    path = tmp_path / "printed"
    path.write_text("NE," + ",".join(numbers))
    given = read_strategy(path, kuhn)
    assert not given.is_complete
    found = evaluate(kuhn, given)
    assert found.open.counts == (1, 0)
    assert found.record()["left_open"] == [1, 0]
    assert ("left open, filled uniformly", "1 information set of player 0") in found.summary()
    answer = respond(kuhn, given, 1)
    assert ("left open, filled uniformly", "1 information set of player 0") in answer.summary()
    assert answer.record()["exact"]["gain"] == str(answer.exact.gain)
    with pytest.raises(InvalidStrategyError, match="nothing is said of it"):
        evaluate(kuhn, given, complete="refuse")
    assert given.in_fractions() is not None
    path.write_text("NE," + ",".join(["1", "0", "0.4", "0", *["1/2", "1/2"] * 10]))
    with pytest.raises(InvalidStrategyError, match=r"sum to 0\.4, not to 1"):
        read_strategy(path, kuhn)


MIXED = "player,strategy,probability\n"


def test_mixed_strategies_come_from_a_table(kuhn, tmp_path) -> None:
    path = tmp_path / "mixed.csv"
    path.write_text(f"{MIXED}0,222***,1/3\n0,111111,2/3\n1,111111,1\n")
    given = read_strategy(path, kuhn)
    normal = build_normal_form(kuhn)
    names = [[normal.name(p, s) for s in range(c)] for p, c in enumerate(normal.num_strategies)]
    bets, checks = names[0].index("222***"), names[0].index("111111")
    folds = names[1].index("111111")
    paid = (normal.payoff((bets, folds))[0] + 2 * normal.payoff((checks, folds))[0]) / 3
    found = evaluate(kuhn, given)
    assert found.exact.seats[0] == (paid, -paid)
    weights = [np.zeros(27), np.zeros(64)]
    weights[0][[bets, checks]] = 1 / 3, 2 / 3
    weights[1][folds] = 1
    floats = evaluate(kuhn, [normal.mixed(p, w) for p, w in enumerate(weights)])
    assert floats.exact is None
    assert floats.seats[0].values[0] == pytest.approx(float(paid))
    alone = evaluate(kuhn, [normal.mixed(0, weights[0]), None])
    assert alone.open.counts == (0, 6)


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        ("0,2,1\n", InvalidStrategyError, "line 2: player 0 has no reduced pure strategy '2'"),
        ("0,2222**,1\n", InvalidStrategyError, "give the places of its actions, from 1 on, in 6"),
        ("0,223***,1\n", InvalidStrategyError, "no reduced pure strategy '223"),
        ("0,22****,1\n", InvalidStrategyError, "no reduced pure strategy '22"),
        ("2,222***,1\n", InvalidStrategyError, "line 2: there is no player '2'"),
        ("0,222***,x\n", InvalidStrategyError, "line 2: 'x' is not a probability"),
        ("0,222***,1/2\n", InvalidStrategyError, "player 0: the weights of strategies must be"),
        ("0,222***,1\n0,222***,0\n", InvalidStrategyError, "line 3: player 0: '222.* given twice"),
        ("0,222***\n", ResultFileError, "line 2: 2 cells under 3 columns"),
    ],
)
def test_wrong_tables_of_mixtures_are_refused(kuhn, tmp_path, lines, error, message) -> None:
    path = tmp_path / "mixed.csv"
    path.write_text(MIXED + lines)
    with pytest.raises(error, match=message):
        read_strategy(path, kuhn)


def test_mixtures_of_another_game_are_refused(kuhn) -> None:
    with pytest.raises(InvalidStrategyError, match="1 mixed strategy given for 2 players"):
        evaluate(kuhn, [None])
    other = MixedStrategy(np.ones((1, 3), dtype=np.bool_), np.ones(1))
    with pytest.raises(InvalidStrategyError, match="player 0: the mixed strategy is of another"):
        evaluate(kuhn, [other, None])


def test_a_line_of_gambit_that_could_be_both_is_one_of_behaviours(tmp_path) -> None:
    """Two sets with two actions each: four probabilities of actions, and four strategies."""
    builder = TreeBuilder(1)
    for card in builder.chance(builder.root, [("x", Fraction(1, 2)), ("y", Fraction(1, 2))]):
        label = f"saw {card}"
        left, right = builder.decision(card, 0, label, ["l", "r"])
        builder.terminal(left, [card])
        builder.terminal(right, [0])
    form = build_sequence_form(builder.freeze())
    path = tmp_path / "printed"
    for numbers, expected in (
        ("1,0,0,1", [1, 0, 0, 1]),  # a behaviour, as its sets sum to 1
        ("1/2,0,0,1/2", [Fraction(1, 2)] * 4),  # a mixture of (l, l) and (r, r)
        ("1,0,0,0", [1, 0, None, None]),  # a behaviour with an open set
    ):
        path.write_text(f"NE,{numbers}\n")
        given = read_strategy(path, form)
        assert list(given.fractions[0][1:]) == expected


def test_commands_print_fractions_and_obey_no_exact(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(KINGS.format("1/3", "2/3"))
    game = ("kuhn", "--profile", str(path))
    assert "fractions: nothing is rounded" in call("evaluate", *game)
    assert "fractions" not in call("evaluate", *game, "--no-exact")
    exact = json.loads(call("evaluate", *game, "--json"))
    assert Fraction(exact["exact"]["seats"][0][0]) == pytest.approx(exact["seats"][0]["values"][0])
    assert json.loads(call("evaluate", *game, "--json", "--no-exact"))["exact"] is None
    found = json.loads(call("best-response", *game, "--player", "1", "--json"))
    assert Fraction(found["exact"]["value"]) == pytest.approx(found["value"])


def test_given_from_keeps_what_a_callable_returns_in_fractions(kuhn) -> None:
    third = Fraction(1, 3)
    given = given_from(lambda p, name, actions: [third, 1 - third], kuhn)
    assert given.fractions is not None
    assert set(given.fractions[0][1:]) == {third, 1 - third}
