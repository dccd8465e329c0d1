"""The experiments' quick versions, and the figures that are claimed from them."""

from __future__ import annotations

import json
import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text

from experiments import largest, league, reductions, tradeoff
from experiments.convergence import ITERATIVE, draw_convergence
from experiments.drawing import draw_sizes
from experiments.gameshrink_loss import draw_losses
from experiments.labels import game_of
from experiments.n_to_n_plus_1 import draw_gains
from experiments.payoff_regions import draw_regions
from experiments.sweep_picture import draw_sweep
from seqform import EXPERIMENTS, METHODS, run_experiment
from seqform.experiment import Finished, Row, read_table
from seqform.experiment.named import read_named
from seqform.form.hands import HandGame
from seqform.game.catalogue import GAMES
from seqform.game.recursive import is_recursive
from seqform.methods.iterative_method import IterativeMethod
from tests.conftest import stay
from tests.imports import ROOT

PNG = b"\x89PNG\r\n"
COMMITTED = ROOT / "experiments" / "results"


@pytest.fixture(autouse=True)
def _looks_for_garbage_are_short() -> None:
    """Each point begins with one, and would go through the libraries that earlier tests loaded."""
    stay()


def quick(name: str, folder: Path, axes: dict[str, str] | None = None) -> Finished:
    """Run an experiment on few and small games; nothing may fail."""
    found = run_experiment(name, axes, quick=True, out=folder)
    assert {row.get("reason") for row in found.rows} == {None} or name == "reductions"
    assert all(picture.stat().st_size > 80 for picture in found.figures)
    return found


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    out = tmp_path_factory.mktemp("lp_sizes")
    return run_experiment("lp_sizes", {"decks": "3x3"}, out=out)


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
    assert len(found) == 4
    assert found["3x3", "none"] == (352_928, 2_419_130, [9, 72, 504])
    assert found["3x3", "suit"] == (61_196, 384_356, [3, 15, 87])
    assert found["3x3", "equitable"] == (48_848, 259_406, [3, 15, 69])
    assert found["3x3", "outcome"] == (27_876, 198_786, [3, 11, 39])
    assert all(row["rows"] == row["columns"] for row in sizes.rows)


@pytest.mark.parametrize(
    ("criterion", "rows", "nonzeros"),
    [
        ("none", 91_224_226, 4_209_908_874),
        pytest.param("outcome", 1_237_238, 50_428_638, marks=pytest.mark.long),
    ],
)
def test_the_published_size_of_the_whole_game_and_of_its_abstraction(
    criterion: str, rows: int, nonzeros: int, tmp_path: Path
) -> None:
    """Gilpin & Sandholm, J. ACM 54(5), 2007; `tests/published` reduces the whole deck too."""
    axes = {"deck": "13x4", "criterion": criterion}
    (row,) = run_experiment("lp_sizes", axes, out=tmp_path).rows
    assert (row["rows"], row["columns"], row["nonzeros"]) == (rows, rows, nonzeros)


@pytest.mark.long
def test_sizes_of_all_small_decks(tmp_path: Path) -> None:
    found = run_experiment("lp_sizes", quick=True, out=tmp_path)
    assert len(found.rows) == 12
    assert all(row["rows"] == row["columns"] for row in found.rows)


@pytest.mark.parametrize("decks", ["4x2", pytest.param(None, marks=pytest.mark.long)])
def test_losses(decks: str | None, tmp_path: Path) -> None:
    axes = {} if decks is None else {"decks": decks}
    found = run_experiment("lp_losses", axes, quick=decks is None, out=tmp_path).rows
    rows = {(row["deck"], row["criterion"]): row for row in found}
    assert len(rows) == (8 if decks is None else 4)
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
    hidden = {entry.name: entry.factory() for entry in GAMES if not entry.perfect_information}
    by_classes = {"push-fold"}  # suits are put together before there is a game
    others = {
        name
        for name, game in hidden.items()
        if not isinstance(game, HandGame) and not is_recursive(game)
    }
    assert others - by_classes == compared


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
    games = {"games": "kuhn(cards=4),liars-dice(sides=2)"}
    rows: list[Any] = quick("enhancements", tmp_path, games).rows
    found = {(game_of(row), row["left_out"]): row for row in rows}
    for game, nodes, pairs in (
        ("kuhn(cards=4)", 113, 1_752),
        ("liars-dice(sides=2)", 127, 1_883),
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


OWN = """
from seqform.plugins import TERMINAL, Answer, Look, Method, Profile, RegretRule, SearchOptions

RULE = RegretRule("mine", alpha=float("inf"), beta=float("-inf"), gamma=1.0)


class Guess:
    num_players, unit = 2, "points"

    def root(self):
        return ()

    def player(self, state):
        return TERMINAL if len(state) == 2 else len(state)

    def chance(self, state):
        return []

    def actions(self, state):
        return ("a", "b", "c")

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return len(state)

    def payoffs(self, state):
        return {("a", "a"): (3, -3), ("b", "b"): (1, -1), ("c", "c"): (2, -2)}.get(state, (0, 0))


class Uniform(Method):
    name, summary, concept, Options = "uniform", "plays evenly", "nash", SearchOptions

    def accepts(self, problem):
        return None

    def run(self, problem, options, clock):
        profile = Profile.uniform(problem.form.treeplexes)
        history = tuple(Look(n, n / 100, 1 / n) for n in (1, 2, 4))
        return Answer(problem.form, profile, self.name, 1.0, iterations=4, history=history)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of one's own in the current folder, with a game and methods."""
    monkeypatch.chdir(tmp_path)
    name = f"own_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(OWN)
    return name


def test_convergence_takes_games_and_methods_of_ones_own_and_draws_them(own: str) -> None:
    methods = (
        f"cfr+(iterations=30),{own}.py:RULE(iterations=30),{own}.py:RULE(iterations=30,gamma=5)"
    )
    axes = {"games": f"{own}:Guess", "methods": f"{methods},{own}:Uniform,auto,lp,efce"}
    found = run_experiment("convergence", axes, out=Path("out"))
    rows: dict[tuple[Any, Any], list[Any]] = {}
    for row in found.rows:
        rows.setdefault((row["method"], row["options"]), []).append(row)
    plus, same, other, uniform, auto, lp, efce = rows.values()
    line = [(row["iterations"], row["gap"]) for row in plus]
    assert line == [(row["iterations"], row["gap"]) for row in same]
    assert line != [(row["iterations"], row["gap"]) for row in other]
    assert line[-1][0] == 30
    assert [(row["iterations"], row["gap"]) for row in uniform[:-1]] == [
        (1, 1.0),
        (2, 0.5),
        (4, 0.25),
    ]
    assert len(auto) == len(lp) == 1
    assert auto[0]["certified_gap"] < 1e-9
    assert [row["status"] for row in efce] == ["refused"]
    assert "no nash_gap" in efce[0]["reason"]
    assert Path("out/convergence.png") in found.figures


def test_a_rule_whose_file_changes_is_measured_again(own: str) -> None:
    axes = {"games": f"{own}:Guess", "methods": f"{own}.py:RULE(iterations=3)"}
    assert run_experiment("convergence", axes, out=Path("out")).made == 1
    assert run_experiment("convergence", axes, out=Path("out")).made == 0
    Path(f"{own}.py").write_text(OWN.replace("gamma=1.0", "gamma=2.0"))
    assert run_experiment("convergence", axes, out=Path("out")).made == 1


def test_the_league_takes_every_method_and_refuses_what_has_no_gap(own: str) -> None:
    methods = f"{own}:RULE,{own}:Uniform,enumeration,lcp,auto,efce,nosuch,dcfr(depth=3)"
    axes = {"games": f"{own}:Guess", "methods": methods, "budgets": "0.2"}
    rows: list[Any] = run_experiment("league", axes, out=Path("out")).rows
    last = {row["method"]: row for row in rows}
    for method in ("enumeration", "lcp", "auto"):
        assert last[method]["certified"] < 1e-9
    assert 0 < last[f"{own}:Uniform"]["certified"] < 1
    reasons = {name: row["reason"] for name, row in last.items() if row["status"] == "refused"}
    assert set(reasons) == {"efce", "nosuch", "dcfr"}
    assert "no field 'depth'; it has alpha, beta" in reasons["dcfr"]
    assert {row["status"] for row in rows} == {"done", "refused"}


def test_a_sweep_takes_methods_of_ones_own_and_is_drawn(own: str) -> None:
    axes = {"games": f"kuhn,{own}.py:Guess", "methods": f"lp,{own}:RULE(iterations=50)"}
    found = run_experiment("sweep", axes, out=Path("out"))
    assert [row["status"] in ("solved", "limit") for row in found.rows] == [True] * 4
    assert found.figures == (Path("out/sweep.png"),)
    assert Path("out/sweep.png").read_bytes().startswith(PNG)


def test_the_sweep_of_the_how_to_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pages = ROOT / "docs" / "how-to"
    (sweep,) = blocks(pages / "run-experiments.md", "toml")
    few = sweep.replace("iterations=1000", "iterations=100")  # it is there to show that it runs
    assert few != sweep
    (tmp_path / "mine.toml").write_text(few)
    (tmp_path / "my_game.py").write_text(blocks(pages / "bring-your-own-game.md", "python")[0])
    found = run_experiment("mine.toml")
    assert len(found.rows) == 48
    assert {row["method"] for row in found.rows} == {"lp", "cfr+"}
    assert not found.without_result
    assert [path.name for path in found.figures] == ["sweep.png"]


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def swept_rows(numbers: tuple[int, ...], games: tuple[str, ...], methods: tuple[str, ...]) -> Any:
    """Rows of a sweep over a parameter, as figures get them."""
    return [
        {"game": game, "parameters": json.dumps({"cards": number}), "method": method}
        | {"options": None, "reduction": "none", "seed": None, "status": "solved"}
        | {"value": number / 10, "gap": 0.0 if method == "lp" else 1e-3, "seconds": 0.1 * number}
        for game in games
        for number in numbers
        for method in methods
    ]


def test_a_sweep_of_numbers_has_a_line_for_each_method_and_a_column_for_each_game() -> None:
    figure = draw_sweep(swept_rows((3, 4, 5), ("kuhn", "goofspiel"), ("lp", "cfr+")))
    assert len(figure.axes) == 3 * 2
    for panel in figure.axes:
        assert [list(line.get_xdata()) for line in panel.lines] == [[3, 4, 5]] * 2
    assert {panel.get_title() for panel in figure.axes[:2]} == {"kuhn", "goofspiel"}
    assert {text.get_text() for text in figure.legends[0].get_texts()} == {"lp", "cfr+"}
    gaps = figure.axes[2].lines
    assert set(gaps[0].get_ydata()) == {1e-16}


def test_a_sweep_without_numbers_has_a_place_for_each_game() -> None:
    figure = draw_sweep(swept_rows((3,), ("kuhn", "leduc", "my.py:Guess"), ("lp", "cfr+", "auto")))
    assert len(figure.axes) == 3
    labels = [text.get_text() for text in figure.axes[-1].get_xticklabels()]
    assert labels == ["kuhn\ncards=3", "leduc\ncards=3", "my.py:Guess\ncards=3"]
    assert [len(line.get_xdata()) for line in figure.axes[0].lines] == [3, 3, 3]


def outside(figure: Any) -> list[str]:
    """Return the texts of a figure that its edge cuts off."""
    FigureCanvasAgg(figure).draw()
    width, height = figure.get_size_inches() * figure.dpi
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    return [
        text
        for text, box in boxes
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]


def touching(axis: Any) -> list[tuple[str, str]]:
    """Return the labels of an axis that touch their neighbour."""
    labels = [text for text in axis.get_ticklabels(which="both") if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in labels]
    return [
        (one, two)
        for (one, first), (two, second) in combinations(boxes, 2)
        if first.overlaps(second)
    ]


def measured(methods: tuple[str, ...], games: tuple[str, ...], low: float, high: float) -> Any:
    """Rows of `convergence` and of `league`, as figures get them."""
    return [
        {"game": game, "parameters": None, "method": method, "options": None, "target": target}
        | {"iterations": n, "spent": spent, "gap": 1 / n}
        for game in games
        for place, method in enumerate(methods)
        for n, (spent, target) in enumerate(
            ((low, 1e-3), (low + (high - low) * (place + 1) / len(methods), 1e-6)), start=1
        )
    ]


LONG = "coin_games.fictitious_play:FICTITIOUS_PLAY"


@pytest.mark.parametrize(("name", "count"), [(LONG, 1), (LONG, 9), (LONG, 20), ("cfr", 20)])
def test_no_legend_is_cut_off(name: str, count: int) -> None:
    rows = measured(tuple(f"{name}{place}" for place in range(count)), ("kuhn",), 0.1, 1.0)
    for figure in (draw_convergence(rows), league.draw_league(rows)):
        assert not [text for text in outside(figure) if text.startswith(name)]


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.9), (0.02, 0.25), (1, 20)])
def test_labels_of_the_league_do_not_collide(low: float, high: float) -> None:
    """With matplotlib's own labels of such an axis some lie on others."""
    figure = league.draw_league(measured(("cfr", "lp"), ("kuhn",), low, high))
    FigureCanvasAgg(figure).draw()
    assert [touching(panel.xaxis) for panel in figure.axes] == [[], [], []]


def test_the_scales_of_two_panels_are_told_apart() -> None:
    figure = draw_losses(read_table(COMMITTED / "gameshrink_loss"))
    FigureCanvasAgg(figure).draw()
    scale = figure.axes[0].child_axes[0].yaxis.label.get_window_extent()
    other = figure.axes[1].yaxis.label.get_window_extent()
    assert other.x0 - scale.x1 > scale.width  # a line of text has room between


def test_no_gain_of_a_seat_is_drawn_below_its_axis() -> None:
    rows: list[Any] = read_table(COMMITTED / "n_to_n_plus_1")
    for gains in (rows, [row | {"gain_1": 0.0} for row in rows]):
        _, *panels = draw_gains(gains).axes
        drawn = [(panel.get_ylim(), line.get_ydata()) for panel in panels for line in panel.lines]
        assert len(drawn) == len(rows)
        assert all(low <= min(heights) <= max(heights) <= high for (low, high), heights in drawn)


def test_areas_of_payoff_regions_have_a_color_of_the_legend() -> None:
    figure = draw_regions(read_table(COMMITTED / "payoff_regions"))
    shown = {to_hex(line.get_color()) for line in figure.legends[0].legend_handles}
    for panel in figure.axes:
        for area in panel.patches:
            assert area.get_alpha() is None or to_hex(area.get_facecolor()) == "#000000"
            tint = to_rgb(area.get_facecolor())
            pure = [min(1.0, max(0.0, (part - 0.75) / 0.25)) for part in tint]
            assert to_hex(pure) in shown or area.get_alpha() is not None
