"""The experiments' quick versions, and the figures that are claimed from them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from experiments import reductions, tradeoff
from experiments.convergence import ITERATIVE
from experiments.drawing import draw_sizes
from experiments.labels import game_of
from seqform import EXPERIMENTS, METHODS, run_experiment
from seqform.experiment import Finished, Row, read_table
from seqform.experiment.named import read_named
from seqform.game.catalogue import GAMES
from tests.imports import ROOT

PNG = b"\x89PNG\r\n"
COMMITTED = ROOT / "experiments" / "results"


def quick(name: str, folder: Path, axes: dict[str, str] | None = None) -> Finished:
    """Run an experiment on few and small games; nothing may fail."""
    found = run_experiment(name, axes, quick=True, out=folder)
    assert {row.get("reason") for row in found.rows} == {None} or name == "reductions"
    assert all(picture.stat().st_size > 100 for picture in found.figures)
    return found


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return run_experiment("lp_sizes", quick=True, out=tmp_path_factory.mktemp("lp_sizes"))


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Any]:
    rows = quick("reductions", tmp_path_factory.mktemp("reductions")).rows
    return {(game_of(row), str(row["reduction"])): row for row in rows}


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


def test_what_is_merged(merged: dict[tuple[str, str], Any]) -> None:
    leduc = [merged["leduc", name] for name in ("equitable", "tree", "tree-published")]
    assert [(row["infosets_before"], row["infosets_after"]) for row in leduc] == [
        (936, 288),
        (936, 288),
        (936, 228),
    ]
    assert [row["nodes_after"] for row in leduc] == [9457, 1939, 1789]
    assert [row["verdict"] for row in leduc] == ["equilibrium", "equilibrium", "LOSSY"]
    assert leduc[0]["abstract_value"] == pytest.approx(-0.0856064240780, abs=1e-10)
    assert leduc[2]["gap"] > 0.1
    assert merged["kuhn", "equitable"]["verdict"] == "nothing to merge"
    assert merged["kuhn", "equitable"]["gap"] is None
    assert merged["sheriff", "tree"]["status"] == "refused"
    for (_, name), row in merged.items():
        if row["verdict"] == "LOSSY":
            assert name == "tree-published"


def test_every_game_of_the_registry_with_imperfect_information_is_compared() -> None:
    compared = {read_named(game).name for game in reductions.GAMES}
    assert {entry.name for entry in GAMES if not entry.perfect_information} == compared


def test_every_iterative_method_has_a_line() -> None:
    assert {method.name for method in METHODS if hasattr(method, "engine")} == set(ITERATIVE)


def test_lines_of_convergence_fall_and_end_certified(tmp_path: Path) -> None:
    rows = quick("convergence", tmp_path, {"methods": "pdhg,lp"}).rows
    line = [row for row in rows if row["method"] == "pdhg"]
    assert float(str(line[-1]["certified_gap"])) < 1e-11 < float(str(line[0]["gap"]))
    spent = [float(str(row["spent"])) for row in line]
    assert spent == sorted(spent)
    assert (tmp_path / "convergence.png").read_bytes().startswith(PNG)


def test_normal_forms_and_sequence_forms(tmp_path: Path) -> None:
    rows = quick("normal_vs_sequence", tmp_path).rows
    kuhn = rows[0]
    counts = ("pure_0", "reduced_0", "reduced_1", "sequences_0", "table_nonzeros")
    assert [kuhn[column] for column in counts] == [64, 27, 64, 13, 1394]
    for row in (*rows, *read_table(COMMITTED / "normal_vs_sequence")):
        if row["table_value"] is not None:
            assert row["table_value"] == pytest.approx(row["value"], abs=1e-9)
            assert float(str(row["table_gap"])) < 1e-9


def test_all_programs_of_a_deck_have_one_value(tmp_path: Path) -> None:
    rows = quick("linear_programs", tmp_path).rows
    assert [row["form"] for row in rows] == ["materialised"] * 4 + ["sparsified"] * 4
    assert [row["claim"] for row in rows] == ["Optimal", "Optimal", "Solved", "Solved"] * 2
    for row in rows:
        gap = float(str(row["gap"]))
        assert 0 <= gap < (1e-6 if row["engine"] == "clarabel(1e-8)" else 1e-9)
        assert float(str(row["upper"])) - float(str(row["lower"])) <= gap + 1e-15
        assert row["objective"] == pytest.approx(-0.162257496, abs=1e-7)
        assert row["rows"] == row["columns"]
    assert len((tmp_path / "linear_programs.md").read_text().splitlines()) == 2 + len(rows)


@pytest.mark.long
def test_polishing_goes_on_where_averages_stop(tmp_path: Path) -> None:
    rows = quick("polishing", tmp_path).rows
    for start, first in (("average", 1e-3), ("program", 1e-9)):
        mine: list[Any] = [row for row in rows if row["start"] == start]
        gaps = [row["gap"] for row in mine]
        assert gaps == sorted(gaps, reverse=True)
        assert gaps[-1] <= 1e-9
        assert gaps[0] <= first
        assert [row["round"] for row in mine] == list(range(len(mine)))
        assert all(0 < row["kept_0"] < 1 for row in mine[1:])
        assert all(one["spent"] < two["spent"] for one, two in pairwise(mine))


@pytest.mark.long
def test_what_the_published_abstraction_loses(tmp_path: Path) -> None:
    (row,) = quick("gameshrink_loss", tmp_path).rows
    assert row["value"] == pytest.approx(-0.376551822, abs=1e-8)
    assert float(str(row["exploitability"])) > 1


def test_values_that_anybody_can_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that checks them would fail."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("experiments.checkable_values.GAPS", {"3x2": 1e-2})
    (row,) = quick("checkable_values", tmp_path).rows
    assert float(str(row["lower"])) < -0.4157824148 < float(str(row["upper"]))
    assert 0 < float(str(row["gap"])) <= 1e-2
    assert (tmp_path / "certificates" / "rhode-island-3x2.json.gz").exists()


def test_payoff_regions(tmp_path: Path) -> None:
    found = quick("payoff_regions", tmp_path).rows
    rows = {(row["game"], row["kind"]): row for row in found}
    assert rows["chicken", "efce"]["payoffs"] == "(2, 7) (18/5, 18/5) (7, 2) (21/4, 21/4)"
    assert rows["signalling", "efce"]["payoffs"] == "(0, 6) (4, 6) (7/2, 13/2)"
    assert rows["signalling", "nash"]["payoffs"] == "(0, 6)"
    assert rows["signalling", "nfcce"]["relaxed"] is False
    nash = {
        str(row["payoffs"]) for row in found if (row["game"], row["kind"]) == ("chicken", "nash")
    }
    assert nash == {"(7, 2)", "(2, 7)", "(14/3, 14/3)"}


def test_exploiting_and_what_it_costs(tmp_path: Path) -> None:
    rows = quick("tradeoff", tmp_path).rows
    assert {row["kind"] for row in rows} == set(tradeoff.STYLES)
    for model in tradeoff.MODELS:
        here: list[Any] = [row for row in rows if row["model"] == model]
        wins = {row["kind"]: row["against_model"] for row in here}
        assert wins["best equilibrium"] < wins["best response"]
        assert all(row["gap"] < 1e-9 for row in here)


def test_the_published_tradeoff_is_that_of_optimal_plans() -> None:
    rows: list[Any] = read_table(COMMITTED / "tradeoff")
    safe = [row for row in rows if row["kind"] == "safe best response"]
    for row in rows:  # nobody wins more who guarantees as much
        for other in safe:
            if (row["game"], row["model"]) != (other["game"], other["model"]):
                continue
            if row["guaranteed"] >= other["guaranteed"]:
                assert row["against_model"] <= other["against_model"] + 1e-6


@pytest.mark.parametrize("name", sorted(set(EXPERIMENTS.names()) - {"sweep"}))
def test_committed_rows_are_those_of_the_experiment_and_without_failures(name: str) -> None:
    spec, rows = EXPERIMENTS.get(name), read_table(COMMITTED / name)
    there = {row["key"] for row in rows}
    assert {point.key for point in spec.points()} <= there
    assert {row["status"] for row in rows} & {"failed", "killed"} == set()
    pictures = {path.name for path in (COMMITTED / name).iterdir()} - {"rows.csv", "earlier.csv"}
    assert pictures == set(spec.figures)
