"""Benchmarks look inside the solvers, where names change: each still measures what it says."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import holdem, layouts, markdown
from benchmarks.cases import CASES
from benchmarks.child import engine, once, ours
from games.hand_classes import hand_number
from games.hand_orders import hand_order
from seqform import make
from seqform.form.hand_structure import HandStructure
from seqform.solvers.iterative.regret.hand_engine import HandEngine
from seqform.solvers.iterative.regret.rules import rule


@pytest.mark.parametrize("name", ["simplex", "ipx", "1e-12"])
def test_bare_solves_find_equilibria(name: str) -> None:
    found = engine(CASES["kuhn"], 1, name)
    assert found["nash_gap"] < 1e-6
    assert found["nonzeros"] == 68


def test_solves_from_rules_to_certificate() -> None:
    assert ours(CASES["kuhn"], 1)["nash_gap"] < 1e-9
    assert once(CASES["kuhn"])["value"] == pytest.approx(-1 / 18, abs=1e-9)


@pytest.mark.parametrize("module", [layouts, markdown])
def test_examples_of_tables_hold(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_empty_columns_are_left_out_and_others_keep_their_order() -> None:
    lines = [{"a": 1, "b": None, "c": None}, {"a": None, "b": None, "c": 2.5, "d": [3, 4000]}]
    assert markdown.markdown("Title", lines) == (
        "## Title\n\n| a | c | d |\n| --- | --- | --- |\n| 1 |  |  |\n|  | 2.5 | 3, 4,000 |\n"
    )


def test_spots_of_holdem_are_solved_to_a_share_of_the_pot() -> None:
    found = holdem.measure("d, toy", 0.1)
    assert found["exploitability, % of the pot"] <= 0.1
    assert found["from"] <= 75 <= found["to"]
    assert found["EV"] == pytest.approx(75, abs=0.2)
    assert min(found[of] for of in ("search, CPU s", "set-up", "certificate")) >= 0


def test_bytes_of_holdem_are_those_of_the_arrays_of_a_search() -> None:
    assert holdem.counted(make("river")) == 8 * 92 * 96  # 91 hands stand for 1,081
    for name, options in (("river", {}), ("holdem", holdem.TOY), ("turn", {})):
        game = make(name, **options)
        engine = HandEngine(HandStructure(game), rule("dcfr"))
        found = sum(of.nbytes for key, of in engine.state().items() if key != "total_weight")
        assert holdem.counted(game) == found
    half = HandEngine(HandStructure(make("river")), rule("dcfr"), half=True).state()
    assert holdem.counted(make("river"), half=True) == sum(
        of.nbytes for key, of in half.items() if key != "total_weight"
    )


def test_endgames_of_files_are_looked_at_after_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holdem, "SECONDS", (0.0, 0.02))
    order = hand_order("libratus").tolist()
    names = [make("river").deck.index(card) for card in ("As", "Ah", "Kd", "Kc")]
    hands = [(hand, number) for number, hand in enumerate(order) if hand in _numbers(names)]
    reach = ["0"] * 1326 * 2
    for _, number in hands:
        reach[number] = reach[1326 + number] = "0.5"
    path = tmp_path / "subgame9.txt"
    path.write_text(f"-round 4\n-board 4s8hTc9h2s\n-pot 500\n-reach {' '.join(reach)}\n")
    first, second = holdem.endgame(str(path))
    assert first["endgame"] == "subgame9"
    assert first["iterations"] < second["iterations"]
    assert second["milli-blinds"] == pytest.approx(10 * second["exploitability, chips"])
    assert second["% of the pot"] == pytest.approx(second["exploitability, chips"] / 5)


def _numbers(cards: list[int]) -> set[int]:
    return {hand_number(one, other) for one in cards for other in cards if one != other}
