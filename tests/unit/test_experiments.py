"""The experiments' quick versions, and the figures that are claimed from them."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import pytest

from experiments import (
    checkable_values,
    normal_vs_sequence,
    payoff_regions,
    polishing,
    reductions,
    tradeoff,
)
from experiments.drawing import draw_sizes
from experiments.tables import RESULTS, text
from seqform import run_experiment
from seqform.experiment import Finished, Row
from seqform.game.catalogue import GAMES

PNG = b"\x89PNG\r\n"


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return run_experiment("lp_sizes", quick=True, out=tmp_path_factory.mktemp("lp_sizes"))


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, str]]:
    folder = tmp_path_factory.mktemp("reductions")
    reductions.main(["--quick", "--out", str(folder / "made")])
    return {
        (row["game"], row["reduction"]): row for row in read(folder / "made" / "reductions.csv")
    }


def test_sizes_of_linear_programs(sizes: Finished) -> None:
    classes = [f"classes_round_{number}" for number in (1, 2, 3)]
    found = {
        (row["deck"], row["criterion"]): (row["rows"], row["nonzeros"], [row[c] for c in classes])
        for row in sizes.rows
    }
    assert len(found) == 12
    assert found["3x3", "none"] == (352_928, 2_419_130, [9, 72, 504])
    assert found["3x3", "suit"] == (61_196, 384_356, [3, 15, 87])
    assert found["3x3", "equitable"] == (48_848, 259_406, [3, 15, 69])
    assert found["3x3", "outcome"] == (27_876, 198_786, [3, 11, 39])
    assert all(row["rows"] == row["columns"] for row in sizes.rows)


@pytest.mark.parametrize(
    ("criterion", "rows", "nonzeros"),
    [("none", 91_224_226, 4_209_908_874), ("outcome", 1_237_238, 50_428_638)],
)
def test_the_published_size_of_the_whole_game_and_of_its_abstraction(
    criterion: str, rows: int, nonzeros: int, tmp_path: Path
) -> None:
    """Gilpin & Sandholm, J. ACM 54(5), 2007."""
    axes = {"deck": "13x4", "criterion": criterion}
    (row,) = run_experiment("lp_sizes", axes, out=tmp_path).rows
    assert (row["rows"], row["columns"], row["nonzeros"]) == (rows, rows, nonzeros)


def test_losses(tmp_path: Path) -> None:
    found = run_experiment("lp_losses", quick=True, out=tmp_path).rows
    rows = {(row["deck"], row["criterion"]): row for row in found}
    assert len(rows) == 8
    assert rows["4x2", "none"]["value"] == pytest.approx(-0.282605352, abs=1e-9)
    assert rows["4x2", "outcome"]["abstract_value"] == pytest.approx(-0.294198022, abs=1e-9)
    for (deck, criterion), row in rows.items():
        whole, gap = rows[deck, "none"], row["gap"]
        assert isinstance(gap, float)
        is_lossy = criterion == "outcome"
        assert (row["status"], gap > 0.1) == (("lifted", True) if is_lossy else ("solved", False))
        if criterion != "none":
            error = abs(float(str(row["abstract_value"])) - float(str(whole["value"])))
            assert is_lossy == (error > 1e-3)
            assert error <= gap + 1e-9


def test_the_picture(sizes: Finished) -> None:
    assert (sizes.folder / "lp_sizes.png").read_bytes().startswith(PNG)
    row: Row = {"cards": 6, "suits": 2, "criterion": "none", "rows": 85_346, "nonzeros": 388_766}
    assert draw_sizes([row]).axes


def test_what_is_merged(merged: dict[tuple[str, str], dict[str, str]]) -> None:
    leduc = [merged["leduc", name] for name in ("equitable", "tree", "tree-published")]
    assert [(row["infosets_before"], row["infosets_after"]) for row in leduc] == [
        ("936", "288"),
        ("936", "288"),
        ("936", "228"),
    ]
    assert [row["nodes_after"] for row in leduc] == ["9457", "1939", "1789"]
    assert [row["verdict"] for row in leduc] == ["equilibrium", "equilibrium", "LOSSY"]
    assert float(leduc[0]["abstract_value"]) == pytest.approx(-0.0856064240780, abs=1e-10)
    assert float(leduc[2]["nash_gap"]) > 0.1
    assert merged["kuhn", "equitable"]["verdict"] == "nothing to merge"
    assert merged["kuhn", "equitable"]["nash_gap"] == ""
    for (_, name), row in merged.items():
        if row["verdict"] == "LOSSY":
            assert name == "tree-published"


def test_every_game_of_the_registry_with_imperfect_information_is_a_case() -> None:
    assert {entry.name for entry in GAMES if not entry.perfect_information} == {
        case.game for case in reductions.CASES
    }
    assert len({case.name for case in reductions.CASES}) == len(reductions.CASES)
    assert reductions.rows_of(reductions.Case("three players", "random", {"players": 3})) == []


def test_committed_results_have_the_columns_that_are_written_now(
    merged: dict[tuple[str, str], dict[str, str]],
) -> None:
    written = next(iter(merged.values()))
    assert list(read(RESULTS / "reductions.csv")[0]) == list(written)


def test_normal_forms_and_sequence_forms(tmp_path: Path) -> None:
    normal_vs_sequence.main(["--quick", "--out", str(tmp_path)])
    rows = {row["game"]: row for row in read(tmp_path / "normal_vs_sequence.csv")}
    committed = read(RESULTS / "normal_vs_sequence.csv")
    assert list(committed[0]) == list(next(iter(rows.values())))
    kuhn = rows["kuhn cards=3"]
    counts = ("pure_0", "reduced_0", "reduced_1", "sequences_0", "table_nonzeros")
    assert [kuhn[column] for column in counts] == ["64", "27", "64", "13", "1394"]
    for row in (*rows.values(), *committed):
        if row["table_value"]:
            assert float(row["table_value"]) == pytest.approx(float(row["value"]), abs=1e-9)
            assert float(row["table_gap"]) < 1e-9
    assert (tmp_path / "normal_vs_sequence.png").read_bytes().startswith(PNG)


def test_numbers_in_tables() -> None:
    assert [
        text(cell) for cell in (None, "suit", 1_237_238, -0.2826053520065, 1.9e-12, 0.0, -7.0)
    ] == [*("", "suit", "1,237,238", "-0.282605352", "1.9e-12", "0", "-7")]


@pytest.mark.long
def test_polishing_goes_on_where_averages_stop(tmp_path: Path) -> None:
    polishing.main(["--quick", "--out", str(tmp_path)])
    rows = read(tmp_path / "polishing.csv")
    assert list(read(RESULTS / "polishing.csv")[0]) == list(rows[0])
    for start, first in (("average", 1e-3), ("program", 1e-9)):
        mine = [row for row in rows if row["start"] == start]
        gaps = [float(row["nash_gap"]) for row in mine]
        assert gaps == sorted(gaps, reverse=True)
        assert gaps[-1] <= 1e-9
        assert gaps[0] <= first
        assert [int(row["round"]) for row in mine] == list(range(len(mine)))
        assert all(0 < float(row["kept_0"]) < 1 for row in mine[1:])
        assert all(
            float(one["cpu_seconds"]) < float(two["cpu_seconds"]) for one, two in pairwise(mine)
        )


def test_values_that_anybody_can_check(tmp_path: Path) -> None:
    """The process that checks them would fail."""
    checkable_values.main(["--quick", "--out", str(tmp_path)])
    (row,) = read(tmp_path / "checkable_values.csv")
    assert float(row["lower"]) < -0.4157824148 < float(row["upper"])
    assert 0 < float(row["width"]) <= 1e-2
    assert (tmp_path / "certificates" / "rhode-island-3x2.json.gz").exists()


def test_payoff_regions(tmp_path: Path) -> None:
    payoff_regions.main(["--quick", "--out", str(tmp_path)])
    rows = {(row["game"], row["kind"]): row for row in read(tmp_path / "payoff_regions.csv")}
    assert rows["chicken", "efce"]["payoffs"] == "(2, 7) (18/5, 18/5) (7, 2) (21/4, 21/4)"
    assert rows["signalling", "efce"]["payoffs"] == "(0, 6) (4, 6) (7/2, 13/2)"
    assert rows["signalling", "nfcce"]["relaxed"] == "no"
    assert (tmp_path / "payoff_regions_chicken.png").read_bytes().startswith(PNG)


def test_exploiting_and_what_it_costs(tmp_path: Path) -> None:
    tradeoff.main(["--quick", "--out", str(tmp_path)])
    rows = read(tmp_path / "tradeoff.csv")
    assert (tmp_path / "tradeoff.png").read_bytes().startswith(PNG)
    assert {row["kind"] for row in rows} == set(tradeoff.STYLES)
    for model in ("calls always", "chooses evenly"):
        here = [row for row in rows if row["model"] == model]
        wins = {row["kind"]: float(row["against_model"]) for row in here}
        assert wins["best equilibrium"] < wins["best response"]
        assert all(float(row["gap"]) < 1e-9 for row in here)


def test_the_published_tradeoff_is_that_of_optimal_plans() -> None:
    rows = read(RESULTS / "tradeoff.csv")
    safe = [row for row in rows if row["kind"] == "safe best response"]
    for row in rows:  # nobody wins more who guarantees as much
        for other in safe:
            if (row["game"], row["model"]) != (other["game"], other["model"]):
                continue
            if float(row["guaranteed"]) >= float(other["guaranteed"]):
                assert float(row["against_model"]) <= float(other["against_model"]) + 1e-6
