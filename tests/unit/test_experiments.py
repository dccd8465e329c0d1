"""The experiments' quick versions, and the figures that are claimed from them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from experiments import largest, league, reductions, tradeoff
from experiments.convergence import ITERATIVE, draw_convergence
from experiments.drawing import draw_sizes
from experiments.labels import game_of
from seqform import EXPERIMENTS, METHODS, run_experiment
from seqform.experiment import Finished, Row, read_table
from seqform.experiment.named import read_named
from seqform.game.catalogue import GAMES
from seqform.methods.iterative_method import IterativeMethod
from tests.imports import ROOT

PNG = b"\x89PNG\r\n"
COMMITTED = ROOT / "experiments" / "results"


def quick(name: str, folder: Path, axes: dict[str, str] | None = None) -> Finished:
    """Run an experiment on few and small games; nothing may fail."""
    found = run_experiment(name, axes, quick=True, out=folder)
    assert {row.get("reason") for row in found.rows} == {None} or name == "reductions"
    assert all(picture.stat().st_size > 80 for picture in found.figures)
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
    iterative = {method.name for method in METHODS if isinstance(method, IterativeMethod)}
    assert iterative == {read_named(method).name for method in (*league.RULES, "pdhg")}
    assert set(ITERATIVE) <= iterative


def test_lines_of_convergence_fall_and_end_certified(tmp_path: Path) -> None:
    rows = quick("convergence", tmp_path, {"methods": "pdhg,lp"}).rows
    line = [row for row in rows if row["method"] == "pdhg"]
    assert float(str(line[-1]["certified_gap"])) < 1e-11 < float(str(line[0]["gap"]))
    spent = [float(str(row["spent"])) for row in line]
    assert spent == sorted(spent)
    assert (tmp_path / "convergence.png").read_bytes().startswith(PNG)


def test_the_picture_of_convergence_shows_what_was_measured() -> None:
    measured = ("my-own-cfr", "tuned-dcfr", "lp", "cfr")
    rows: list[Any] = [
        {"game": "kuhn", "parameters": "", "method": method}
        | {"iterations": n, "spent": n / 100, "gap": 1 / n}
        for method in measured
        for n in (1, 10)
    ]
    figure = draw_convergence(rows)
    legend = figure.legends[0].get_texts()
    assert sorted(text.get_text() for text in legend) == sorted(measured)
    iterations, spent = figure.axes
    assert len(iterations.lines) == 3
    assert len(spent.lines) == 3 + 2
    assert len({line.get_color() for line in iterations.lines}) == 3


def test_gaps_of_the_league_are_certified_and_reached_in_turn(tmp_path: Path) -> None:
    rows: list[Any] = quick("league", tmp_path).rows
    for method in ("dcfr", "pdcfr+", "lp"):
        *reached, last = [row for row in rows if row["method"] == method]
        assert [row["target"] for row in reached] == list(league.TARGETS[: len(reached)])
        assert all(0 <= row["certified"] <= row["target"] for row in reached)
        assert all(one["spent"] <= two["spent"] for one, two in pairwise(reached))
        assert last["target"] is None
        assert last["certified"] == min(row["certified"] for row in (*reached, last))
        assert len(reached) == 9 or method == "dcfr"
    assert "**" in (tmp_path / "seconds-1e-03.md").read_text()


def test_the_league_is_judged_on_games_that_nothing_was_chosen_on() -> None:
    assert not set(league.CHOSEN_ON) & set(league.JUDGED)
    assert len(league.CHOSEN_ON) == 3
    assert len(league.JUDGED) >= 14


def test_a_rule_of_the_league_takes_other_parameters(tmp_path: Path) -> None:
    axes = {"methods": "cfr+,dcfr(alpha=inf,beta=-inf,gamma=1)", "budget": "0.2"}
    rows = quick("league", tmp_path, axes).rows
    found: list[list[Any]] = [
        [(row["iterations"], row["certified"]) for row in rows if row["method"] == name][:3]
        for name in ("cfr+", "dcfr")
    ]
    assert found[0] == found[1]


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


def test_growth_of_trees_and_of_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.growth.WARM", ())  # compiling takes long
    rows: list[Any] = quick("growth", tmp_path).rows
    assert [row["family"] for row in rows] == ["random", "kuhn"]
    assert [row["nodes"] >= 2000 for row in rows] == [True, True]
    for row in rows:
        assert 0 <= row["gap_share"] <= 1e-3
        assert row["sequences_reduced"] <= row["sequences"]
        spent, per_node = row["cpu_solve"], row["microseconds_per_node_solve"]
        assert per_node == pytest.approx(1e6 * spent / row["nodes"], abs=1e-3)
        assert per_node == pytest.approx(
            row["nanoseconds_per_node_iteration"] * row["iterations"] / 1000
        )
    lines = (tmp_path / "seconds.md").read_text().splitlines()
    assert len(lines) == 2 + len(rows)


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
    pictures = {path.name for path in (COMMITTED / name).iterdir()} - {"rows.csv", "large.csv"}
    assert pictures == set(spec.figures)


def test_each_program_of_a_game_has_its_value(tmp_path: Path) -> None:
    rows = quick("programs", tmp_path).rows
    assert [row["program"] for row in rows[::3]] == ["plain", "folded", "sparsified"]
    assert [row["is_chosen"] for row in rows[::3]] == [False, True, False]
    assert max(float(str(row["gap"])) for row in rows) < 1e-11
    text = (tmp_path / "programs.md").read_text().splitlines()
    assert len(text) == 2 + 3
    assert "**folded**" in text[-2]


def test_the_largest_games_are_those_within_the_limits(tmp_path: Path) -> None:
    rows = quick("largest", tmp_path).rows
    assert [(game_of(row), row["program"], row["status"]) for row in rows] == [
        ("kuhn(cards=4)", "plain", "solved"),
        ("kuhn(cards=4)", "auto", "solved"),
        ("liars-dice(sides=4)", "plain", "solved"),
        ("liars-dice(sides=4)", "auto", "solved"),
    ]
    assert all(map(largest.counts, rows))
    slow, big, stopped = (
        {**rows[0], "parameters": f'{{"cards": {cards}}}', **cells}
        for cards, cells in (
            (5, {"cpu_seconds": 61.0}),
            (6, {"peak_mb": 5000.0}),
            (7, {"status": "limit"}),
        )
    )
    assert not any(map(largest.counts, (slow, big, stopped)))
    (_, _, line) = largest.write_largest([rows[0], slow, big, stopped]).splitlines()
    assert line.startswith("| `kuhn(cards=4)` | plain | 113")
    assert "`kuhn(cards=5)`: solved, 61 s" in line
    known: Row = {**rows[3], "parameters": '{"sides": 8}'}
    assert "`liars-dice(sides=9)`: refused or stopped" in largest.write_largest([known])


def test_the_committed_largest_games() -> None:
    """Each kind has its limit in the rows: a game within it, by either program."""
    rows = read_table(COMMITTED / "largest")
    counting = [row for row in rows if largest.counts(row)]
    for program in largest.SIZES:
        kinds = {row["game"] for row in rows if row["program"] == program}
        assert kinds == {row["game"] for row in counting if row["program"] == program}
    assert all(float(str(row["gap"])) >= 0 for row in counting)
    assert any(game_of(row) == "goofspiel(cards=6)" for row in counting)


def test_what_enhancements_spare(tmp_path: Path) -> None:
    rows: list[Any] = quick("enhancements", tmp_path).rows
    found = {(game_of(row), row["left_out"]): row for row in rows}
    for game, nodes, pairs in (
        ("kuhn(cards=4)", 113, 1_752),
        ("liars-dice(sides=3)", 1_147, 137_901),
    ):
        here = {name: row for (of, name), row in found.items() if of == game}
        signatures = here.pop("pairs themselves")
        assert {row["nodes"] for row in [*here.values(), signatures]} == {nodes}
        assert {row["classes"] for row in here.values()} == {signatures["classes"]}
        assert {row["pairs"] for row in here.values()} == {here["all"]["compared"]} == {pairs}
        for name, row in here.items():
            spared = row["by_shape"] + row["by_histogram"] + row["by_disjoint_sets"]
            assert spared + row["compared"] == pairs
            assert row["compared"] >= here["none"]["compared"], name
            assert row["matchings"] >= here["none"]["matchings"], name
        assert here["shape"]["by_shape"] == here["histograms"]["by_histogram"] == 0
        assert here["disjoint sets"]["by_disjoint_sets"] == 0
