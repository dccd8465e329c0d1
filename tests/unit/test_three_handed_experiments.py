"""Experiments on tournaments of three: what chips are worth, and strategies for two used there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.icm import compare_worth
from experiments.one_more_all_in import HeadsUp, one_more, situations, solve_heads_up
from games.hand_classes import class_number
from games.icm import icm
from games.three_handed import ThreeHanded
from games.three_handed_holdem import hands_dealt
from games.three_handed_one_card import three_handed_one_card
from seqform import run_experiment, stage_graph
from seqform.recursive.graph import StageGraph

CARDS = "JQKA"


@pytest.fixture(scope="module")
def game() -> ThreeHanded:
    return three_handed_one_card(chips=9, cards=4)


@pytest.fixture(scope="module")
def graph(game: ThreeHanded) -> StageGraph:
    return stage_graph(game)


@pytest.fixture(scope="module")
def two(game: ThreeHanded) -> HeadsUp:
    return solve_heads_up(game)


def test_chips_are_worth_all_prizes_together(tmp_path: Path) -> None:
    rows: list[Any] = run_experiment("icm", out=tmp_path, quick=True).rows
    assert len(rows) == 27  # nine hands of three that play can come to
    for start in range(0, 27, 3):
        seats = rows[start : start + 3]
        assert sum(row["icm"] for row in seats) == pytest.approx(100)
        assert sum(row["at_least"] for row in seats) == pytest.approx(100, abs=1e-6)
        assert len({(row["button"], row["small"], row["big"]) for row in seats}) == 1
    for row in rows:
        assert row["more"] == pytest.approx(row["at_least"] - row["icm"])
        assert row["at_least"] <= row["at_most"] <= row["at_least"] + 1e-2
        assert row["chips"] == row[row["seat"]]
    assert (tmp_path / "icm.png").read_bytes().startswith(b"\x89PNG")
    text = (tmp_path / "icm.md").read_text()
    most = max(rows, key=lambda row: abs(row["more"]))
    assert f"{most['more']:+.3f}" in text


def test_chips_of_stages_by_types_are_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = tuple(class_number(*of) for of in ((12, 12, ""), (9, 8, "s"), (5, 2, "o")))
    game = ThreeHanded(hands_dealt(20, 1, classes), (2, 1, 1), (50, 30, 20))
    monkeypatch.setattr("seqform.experiment.measure.make_game", lambda point: game)
    rows: list[Any] = compare_worth({"gap": 0.05})
    assert {row["seat"] for row in rows} == {"button", "small", "big"}
    for row in rows:
        chips = tuple(row[seat] for seat in ("button", "small", "big"))
        assert sum(chips) == 4
        assert row["icm"] == pytest.approx(float(icm(chips, (50, 30, 20))[chips_at(row)]))
        assert row["at_least"] <= row["at_most"] <= row["at_least"] + 0.05
    assert any(abs(row["more"]) > 0.5 for row in rows)  # the model knows no blinds


def chips_at(row: Any) -> int:
    """Return the number of the seat of a row."""
    return ("button", "small", "big").index(row["seat"])


def test_hands_of_two_are_all_solved(two: HeadsUp) -> None:
    assert set(two.hands) == {(chips, 9 - chips, 0) for chips in range(1, 9)}
    deep = two.hands[4, 5, 0].often
    assert [set(seat) for seat in deep] == [set(CARDS), set(CARDS)]
    assert deep[0]["A"] == deep[1]["A"] == pytest.approx(1, abs=1e-3)
    assert two.hands[1, 8, 0].often == ({}, {})  # the blind is all there is
    assert {card: two.beats[card] for card in CARDS} == pytest.approx(
        dict(zip(CARDS, (0, 1 / 3, 2 / 3, 1), strict=True))
    )


def test_who_is_first_in_acts_as_the_small_blind_of_two(graph: StageGraph, two: HeadsUp) -> None:
    stage = next(stage for stage in graph.stages if stage.key == (3, 3, 3))
    found = one_more(graph, two, "same").behaviors[graph.stages.index(stage)]
    expected = {  # by seat and by what was done: which hand of two, and whose seat there
        (0, ()): ((3, 6, 0), 0),
        (1, ("fold",)): ((3, 6, 0), 0),
        (1, ("push",)): ((6, 3, 0), 1),
        (2, ("fold", "push")): ((6, 3, 0), 1),
        (2, ("push", "fold")): ((6, 3, 0), 1),
        (2, ("push", "call")): ((6, 3, 0), 1),
    }
    met = set()
    for seat, treeplex in enumerate(stage.form.treeplexes):
        for infoset, card, done in situations(stage, seat):
            key, place = expected[seat, done]
            first = int(treeplex.first_sequence[infoset])
            often = two.hands[key].often[place]  # type: ignore[index]
            assert found[seat][first + 1] == pytest.approx(often[card])
            met.add((seat, done))
    assert met == set(expected)


def test_who_has_to_beat_two_goes_in_less_often(graph: StageGraph, two: HeadsUp) -> None:
    place = next(n for n, stage in enumerate(graph.stages) if stage.key == (3, 3, 3))
    stage = graph.stages[place]
    same, both = (one_more(graph, two, hands).behaviors[place] for hands in ("same", "beats all"))
    button, often = stage.form.treeplexes[0].first_sequence, two.hands[3, 6, 0].often[0]
    for infoset, card, _ in situations(stage, 0):
        chance = two.beats[card] ** 2
        known = [two.beats[name] for name in CARDS], [often[name] for name in CARDS]
        assert both[0][button[infoset] + 1] == pytest.approx(np.interp(chance, *known))
    for infoset, _, done in situations(stage, 1):  # after a fold only one is to be beaten
        first = int(stage.form.treeplexes[1].first_sequence[infoset])
        if done == ("fold",):
            assert both[1][first] == pytest.approx(same[1][first])
    assert both[0][2::2].sum() < same[0][2::2].sum()


def test_downwards_nothing_is_lost_and_upwards_something(tmp_path: Path) -> None:
    rows: list[Any] = run_experiment("push_fold_for_three", out=tmp_path, quick=True).rows
    found = {row["strategy"]: row for row in rows}
    for strategy in ("mapped, same", "mapped, beats all"):
        assert found[strategy]["most_two"] <= 1e-4
        assert found[strategy]["most_three"] > 0.1
    assert found["searched"]["most_three"] <= 1e-2
    assert found["uniform"]["most_two"] > 0.1
    assert found["uniform"]["nash_conv"] == pytest.approx(
        sum(found["uniform"][f"gain_{seat}"] for seat in range(3))
    )
    assert "mapped, beats all" in (tmp_path / "push_fold_for_three.md").read_text()
