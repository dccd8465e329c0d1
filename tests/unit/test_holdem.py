"""Endgames of hold'em by name: what they are made of, what is refused, and what is said."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.holdem import holdem
from seqform import GAMES, evaluate, make, show, solve
from seqform.base.errors import InvalidParameterError, SeqformError
from seqform.form.hand_structure import HandStructure
from tests.command_line import call

TOY = {"board": "2c2d2h3c3d", "oop": "AA,QQ", "ip": "KK", "pot": 100, "stack": 100}


def test_a_board_of_twos_is_played_as_a_person_expects() -> None:
    """Aces bet, half of the queens bluff, and half of the kings call: the share of the pot is 75.

    The spot of desktop-postflop's issue 27, and of postflop-solver's toy games.
    """
    solution = solve(holdem(**TOY, sizes="bet 100%"), exact=True)
    assert solution.exact.values == (25, -25)
    assert "75 chips to player 0 (oop), 25 chips to player 1 (ip)" in str(solution)
    aces = [solution.ask(f"A{one}A{two}", "")["allin100"] for one, two in ("dc", "sh")]
    assert aces == [1, 1]
    queens = [
        solution.ask(f"Q{one}Q{two}", "")["allin100"]
        for one, two in ("dc", "hc", "sc", "hd", "sd", "sh")
    ]
    assert sum(queens) == pytest.approx(3)


def test_presets_are_the_spots_that_others_measure() -> None:
    river, turn, flop = make("river"), make("turn"), make("flop")
    assert [held.num_hands for held in river.ranges] == [1081, 1081]
    assert [held.num_hands for held in turn.ranges] == [1128, 1128]
    assert [held.num_hands for held in flop.ranges] == [180, 265]
    assert [of.betting.num_dealt for of in (river, turn, flop)] == [0, 1, 2]
    assert river.betting.num_nodes == 93


def test_what_meets_the_board_is_left_out_and_named() -> None:
    game = holdem(**{**TOY, "oop": "22, AA"})
    assert game.notes == (
        "oop: 6 hands met the board, left out: 2d2c, 2h2c, 2s2c, 2h2d, 2s2d, ...",
    )
    assert game.ranges[0].num_hands == 6


def test_payoffs_are_counted_beyond_half_of_the_pot() -> None:
    game = holdem(**{**TOY, "pot": 25, "stack": 10})
    assert game.beyond == (Fraction(25, 2), Fraction(25, 2))
    assert game.betting.denominator == 2
    assert game.constant_sum == 0


def test_weights_are_whole_by_a_common_denominator() -> None:
    game = holdem(**{**TOY, "oop": "AdAc, QdQc:0.25, QsQh:1/3"})
    assert sorted(game.ranges[0].weights.tolist()) == [3, 4, 12]


def test_rake_makes_the_sum_general() -> None:
    game = holdem(**{**TOY, "ip": "KdKc"}, rake=0.05)
    assert game.constant_sum is None
    solution = solve(game)
    assert -15 <= sum(solution.values) <= -5
    with pytest.raises(SeqformError, match="zero-sum"):
        solve(game, method="lp")


def test_gains_under_rake_are_proven_again_where_no_certificate_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqform.exact.saved_plans.MOST_LISTED", 0)
    given = ("-poop=AdAc,QdQc", "-pip=KdKc", "-pboard=2c2d2h3c3d", "-prake=0.05")
    out = str(tmp_path / "raked")
    call("solve", "holdem", *given, "--method", "dcfr", "--iterations=50", "--prove", "--out", out)
    assert not (tmp_path / "raked" / "certificate.json").exists()
    assert "proven in exact arithmetic" in call("verify", out)


def test_a_rake_that_is_always_at_its_cap_leaves_a_constant_sum() -> None:
    game = holdem(**{**TOY, "ip": "KdKc"}, rake=0.05, rake_cap=3)
    assert game.constant_sum == -3


def test_suits_that_are_alike_are_found() -> None:
    symmetries = {
        (board, oop): len(HandStructure(holdem(board=board, oop=oop, ip="KK")).symmetries)
        for board, oop in (("AcAdAh2c3d", "QQ"), ("Tc9c8c", "QQ"), ("Tc9c8c", "QdQh"))
    }
    assert symmetries == {
        ("AcAdAh2c3d", "QQ"): 1,
        ("Tc9c8c", "QQ"): 6,
        ("Tc9c8c", "QdQh"): 2,
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"board": "2c2d"}, "has 2 cards: give three cards for a flop"),
        ({"board": "2c2d2h3c3d4d"}, "has 6 cards"),
        ({"board": "2c2c2h"}, "2c is twice"),
        ({"board": "2c2d1h"}, "'1h', at character 5"),
        ({"oop": "2c2d"}, "oop: no hand of '2c2d' is left beside the board 2c2d2h3c3d"),
        ({"oop": "AsAh", "ip": "AsAd"}, "No two hands|no two hands"),
        ({"oop": ""}, "oop: "),
        ({"oop": "AKx"}, "oop: "),
        ({"ip": "KK:1.5"}, "ip: "),
        ({"pot": 0}, "pot=0"),
        ({"stack": -5}, "stack=-5"),
        ({"pot": 2.5}, "no multiple of the chip"),
        ({"sizes": "bet 50"}, "did you mean '50%'"),
        ({"sizes": "bat 50%"}, "bat"),
        ({"edits": "remove check-bet7"}, "bet7"),
        ({"rake": 1}, "rake"),
    ],
)
def test_what_is_no_spot_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SeqformError, match=said):
        holdem(**{**TOY, **given})


def test_parameters_are_explained_and_presets_have_their_own_defaults() -> None:
    river = GAMES.get("river")
    assert river.parameters["oop"].default == "random"
    assert GAMES.get("flop").parameters["board"].default == "Td9d6h"
    assert set(river.meanings) == set(river.parameters)


def test_cards_are_asked_by_their_rank() -> None:
    shown = show(solve(holdem(**TOY)), infoset="A*:").text
    assert [shown.count(f"  A{suit}") for suit in "dhs"] == [1, 2, 3]
    assert "  Q" not in shown


def test_it_is_solved_saved_and_verified_by_name(tmp_path: Path) -> None:
    given = [f"-p{key}={value}" for key, value in TOY.items()]
    record = json.loads(call("solve", "holdem", *given, "--json", "--out", str(tmp_path / "spot")))
    assert record["value"] == pytest.approx(25)
    verified = call("verify", str(tmp_path / "spot"))
    assert "value to player 0" in verified
    assert "25" in verified


def test_a_file_of_settings_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    lines = ['game = "holdem"', *(f"{key} = {json.dumps(value)}" for key, value in TOY.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert json.loads(call("solve", str(path), "--json"))["value"] == pytest.approx(25)


def test_values_do_not_hang_on_the_order_of_range_entries() -> None:
    one = holdem(**{**TOY, "oop": "AA,QQ"}).ranges[0]
    other = holdem(**{**TOY, "oop": "QQ;AA"}).ranges[0]
    assert np.array_equal(one.hands, other.hands)


def test_unknown_text_is_an_error_of_a_parameter() -> None:
    with pytest.raises(InvalidParameterError, match="oop: "):
        holdem(oop="QQ++")


def test_evaluate_says_the_share_of_the_pot_as_solve_does(tmp_path: Path) -> None:
    parameters = [f"-p{name}={text}" for name, text in TOY.items()]
    solved = call("solve", "holdem", *parameters, "--method", "lp", "--out", str(tmp_path / "toy"))
    file = str(tmp_path / "toy")
    printed = call("evaluate", "holdem", *parameters, "--profile", file)
    said = "75 chips to player 0 (oop), 25 chips to player 1 (ip)"
    assert said in solved
    assert "share of the pot" in printed
    assert said in printed
    game = holdem(**TOY)
    never = lambda player, infoset, actions: [1] + [0] * (len(actions) - 1)  # noqa: E731
    found = evaluate(game, never, solve(game))
    shares = [text for name, text in found.summary() if name.startswith("share of the pot")]
    assert len(shares) == 2
    for text, seat in zip(shares, found.seats, strict=True):
        numbers = [float(number) for number in re.findall(r"([\d.e-]+) chips? to", text)]
        assert numbers == pytest.approx([value + 50 for value in seat.values])
    assert not any("share" in name for name, _ in evaluate(make("kuhn"), never).summary())
