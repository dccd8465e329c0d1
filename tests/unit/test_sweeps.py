"""Experiments: axes, points and keys, rows of failures, where they run, TOML, the command."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from seqform import EXPERIMENTS, ExperimentSpec, run_experiment
from seqform.base.errors import InvalidParameterError, OutOfTimeError, UnknownNameError
from seqform.cli import app
from seqform.experiment import Axis, Point, Role, Row, read_sweep, read_table, runner
from seqform.experiment.axes import replaced
from tests.imports import ROOT
from tests.sweeps import SQUARES, failures, logged, squares

SWEEP = replace(EXPERIMENTS.get("sweep"), figures={})
"""What is swept by default, without its picture, which takes longer than the small games here."""


def sweep(tmp_path: Path, **axes: object) -> tuple[Row, ...]:
    return run_experiment(SWEEP, axes, out=tmp_path / "out").rows


# Axes and points


def test_values_of_axes_are_read() -> None:
    axis = Axis("deck", ("3x2",), role=Role.PARAMETER, gives=lambda deck: {"ranks": int(deck[0])})
    assert axis.taking(["4x2", "5x2"]).values == ("4x2", "5x2")
    assert Axis("number", (1,)).taking(["2", "2.5", "true", "x", "1e-3"]).values == (
        *(2, 2.5, True, "x", 0.001),
    )
    for values, words in (
        (["x"], "deck: 'x': invalid literal"),
        ([], "give at least one"),
        (["4x2", "4x2"], "'4x2' is given twice"),
        ([[1]], r"\[1\] is no text or number"),
    ):
        with pytest.raises(InvalidParameterError, match=words):
            axis.taking(values)


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        ({"dekcs": "5x3"}, "no axis of lp_sizes 'dekcs' .did you mean 'decks'"),
        ({"deck": "5by3"}, "deck: '5by3': write a deck as ranks x suits, such as 5x3"),
        ({"criteria": "suit(threshold=a)"}, "a reduction takes one option"),
        ({"criteria": "suit(threshold"}, "the bracket is not closed"),
        ({"criteria": "suit(5)"}, "write '5' as key=value"),
    ],
)
def test_axes_that_cannot_be_read(axes: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises((InvalidParameterError, UnknownNameError), match=words):
        run_experiment("lp_sizes", axes, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_points_are_all_combinations_that_are_kept() -> None:
    axes = (Axis("a", (1, 2)), Axis("b", ("x", "y"), quick=("y",)))
    spec = ExperimentSpec("pairs", "?", axes, keep=lambda point: point["a"] == 2)
    assert [dict(point.values) for point in spec.points()] == [
        {"a": 2, "b": "x"},
        {"a": 2, "b": "y"},
    ]
    assert [dict(point.values) for point in spec.points(quick=True)] == [{"a": 2, "b": "y"}]
    with pytest.raises(InvalidParameterError, match="asks for none of these combinations"):
        run_experiment(spec, {"a": [1]})


def test_what_axes_say_of_a_point() -> None:
    axes = (
        Axis("game", ("leduc(ranks=4)",)),
        Axis("suits", (3,), role=Role.PARAMETER),
        Axis("criterion", ("outcome(threshold=0.5)",), role=Role.REDUCTION),
        Axis("method", ("cfr+(iterations=10)",)),
        Axis("gap", (1e-3,), role=Role.OPTION),
        Axis("seed", (7,)),
    )
    (point,) = ExperimentSpec("e", "?", axes, memory="2 GB").points()
    assert (point.game, point.parameters) == ("leduc", {"ranks": 4, "suits": 3})
    assert (point.reduction, point.threshold) == ("outcome", 0.5)
    assert (point.method, point.options) == ("cfr+", {"iterations": 10, "gap": 1e-3})
    assert (point.seed, point.memory) == (7, 2 * 2**30)
    twice = (*axes, Axis("ranks", (5,), role=Role.PARAMETER))
    with pytest.raises(InvalidParameterError, match="ranks is given twice"):
        list(ExperimentSpec("e", "?", twice).points())


def test_keys_hang_on_inputs_only_and_stay_as_they_are() -> None:
    """A key that changes makes every finished row be measured again."""
    point = Point("e", 1, {"deck": "5x3", "n": 2}, "kuhn", {"cards": 3}, options={"gap": 1e-3})
    assert point.key == "9ccb1f238cbd9dc1"
    other = Point("e", 1, {"n": 2, "deck": "5x3"}, "kuhn", {"cards": 3}, options={"gap": 1e-3})
    assert other.key == point.key
    for changed in (
        Point("f", 1, {"deck": "5x3"}),
        Point("e", 2, {"deck": "5x3"}),
        Point("e", 1, {"deck": "5x2"}),
        Point("e", 1, {"deck": "5x3"}, seed=1),
        Point("e", 1, {"deck": "5x3"}).read_from({"a.efg": "0"}),
    ):
        assert changed.key != Point("e", 1, {"deck": "5x3"}).key
    assert Point("e", 1, {"deck": "5x3"}, memory=3).key == Point("e", 1, {"deck": "5x3"}).key


def test_a_changed_file_is_another_input(tmp_path: Path) -> None:
    from seqform import make, save_game

    file = tmp_path / "mine.efg"
    save_game(make("kuhn"), file)
    first = sweep(tmp_path, game=str(file))
    save_game(make("matching-pennies"), file)
    second = sweep(tmp_path, game=str(file))
    assert first[0]["key"] != second[0]["key"]
    assert [first[0]["value"], second[0]["value"]] == [pytest.approx(-1 / 18), pytest.approx(0)]


# Rows


@pytest.mark.parametrize("jobs", [None, 2])
def test_failures_are_rows_with_their_reason(jobs: int | None, tmp_path: Path) -> None:
    spec = failures(tmp_path, "refused", "failed", "memory", "no row", "nothing")
    found = run_experiment(spec, out=tmp_path / "out", jobs=jobs)
    assert [(row["status"], row["reason"]) for row in found.rows] == [
        ("refused", "it is not for this"),
        ("failed", "ZeroDivisionError: in the measure"),
        ("failed", "out of memory"),
        ("failed", "TypeError: cell cell is no text or number, but [1, 2]"),
        ("done", None),
    ]
    assert len(found.unfinished) == 4


def test_processes_that_die_are_replaced(tmp_path: Path) -> None:
    spec = failures(tmp_path, "nothing", "killed once", "killed", "refused")
    found = run_experiment(spec, out=tmp_path / "out", jobs=2)
    assert [row["status"] for row in found.rows] == ["done", "done", "killed", "refused"]
    begun = Counter(" ".join(words[1:]) for words in logged(tmp_path))
    assert begun == {"nothing": 1, "killed once": 2, "killed": 2, "refused": 1}  # none with them


def test_processes_share_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.experiment.queue.available_bytes", lambda: 10)
    spec = squares(tmp_path, seconds=0.05, memory=6)
    run_experiment(spec, {"number": [1, 2, 3]}, out=tmp_path / "out", jobs=3)
    assert [words[0] for words in logged(tmp_path)] == ["begin", "end"] * 3
    few = run_experiment(spec, {"number": [4]}, out=tmp_path / "out", memory="1 GB", jobs=2)
    assert few.rows[0]["status"] == "done"  # alone, it is always tried


def test_rows_of_solved_games(tmp_path: Path) -> None:
    rows = sweep(tmp_path, game="kuhn,nosuch", method="lp,cfr+(iterations=5)", reduction="none")
    kuhn, searched, *unknown = rows
    assert kuhn["value"] == pytest.approx(-1 / 18)
    assert float(str(kuhn["lower"])) <= float(str(kuhn["value"])) <= float(str(kuhn["upper"]))
    assert (kuhn["status"], kuhn["nodes"], kuhn["lp_rows"]) == ("solved", 58, 20)
    assert all(float(str(kuhn[f"seconds_{phase}"])) > 0 for phase in ("build", "solve", "certify"))
    assert (searched["status"], searched["iterations"]) == ("limit", 5)
    assert json.loads(str(searched["options"])) == {"iterations": 5}
    assert float(str(searched["gap"])) > 1e-3
    assert {row["status"] for row in unknown} == {"refused"}
    for row in rows:
        assert str(row["versions"]).startswith("python=")
        assert {row["experiment"], row["part"]} == {"sweep", "1/1"}
        assert float(str(row["peak_mb"])) > 10
        assert row["date"]


def test_the_peak_is_that_of_the_point_or_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = (Axis("size", (3 * 10**8, 0)),)
    spec = ExperimentSpec("peaks", "?", axes, lambda point: {"length": len(b"x" * point["size"])})
    large, small = run_experiment(spec, out=tmp_path / "out").rows
    if sys.platform.startswith("linux"):
        assert float(str(large["peak_mb"])) - float(str(small["peak_mb"])) > 250
    monkeypatch.setattr("seqform.experiment.task.forget_peak", lambda: False)
    for row in run_experiment(spec, out=tmp_path / "elsewhere").rows:
        assert row.get("peak_mb") is None


def test_seeds_are_of_the_game_and_refused_elsewhere(tmp_path: Path) -> None:
    rows = sweep(tmp_path, game="random,kuhn", seed="1,2")
    assert [row["status"] for row in rows] == ["solved", "solved", "refused", "refused"]
    assert rows[0]["value"] != rows[1]["value"]
    assert "takes a seed" in str(rows[2]["reason"])


def test_what_is_measured_again(tmp_path: Path) -> None:
    """With `fresh` the points asked for; rows of others stay."""
    spec, out = squares(tmp_path), tmp_path / "out"
    run_experiment(spec, {"number": (1, 2)}, out=out)
    run_experiment(spec, {"number": (2, 3)}, out=out, fresh=True)
    begun = [words[1] for words in logged(tmp_path) if words[0] == "begin"]
    assert begun == ["1", "2", "2", "3"]
    assert [row["number"] for row in read_table(out)] == [2, 2, 3, 3, 1, 1]


def test_parameters_become_axes(tmp_path: Path) -> None:
    rows = run_experiment(
        SWEEP, {"game": "kuhn"}, parameters={"cards": "3,4"}, out=tmp_path / "out"
    ).rows
    assert [(row["cards"], row["status"]) for row in rows] == [(3, "solved"), (4, "solved")]
    with pytest.raises(InvalidParameterError, match="squares has its own games"):
        run_experiment(squares(tmp_path), parameters={"cards": 3}, out=tmp_path / "out")


def test_the_time_of_a_point_and_of_all(tmp_path: Path) -> None:
    axes = {"game": "leduc(ranks=6)", "method": "cfr(gap=1e-12)"}
    (row,) = run_experiment(SWEEP, axes, out=tmp_path / "out", row_time_limit=0.3).rows
    assert row["status"] in ("limit", "out of time")
    assert float(str(row["seconds"])) < 60
    spec = squares(tmp_path, seconds=0.3)
    for jobs in (None, 1):
        out = tmp_path / f"squares-{jobs}"
        run_experiment(spec, {"number": [1]}, out=out)  # so that any machine has it in time
        with pytest.raises(OutOfTimeError, match="points to go; the rows of the others are in"):
            run_experiment(spec, out=out, time_limit=2, jobs=jobs)
    assert 1 <= len(read_table(tmp_path / "squares-None")) // 2 < len(SQUARES)
    whole = run_experiment(spec, {"seconds": [0.3]}, out=tmp_path / "squares-None", jobs=2)
    assert len(whole.rows) == 2 * len(SQUARES)


def test_a_point_that_the_whole_limit_ended_is_no_row(tmp_path: Path) -> None:
    axes = {"game": "matching-pennies", "method": "cfr(gap=1e-13)"}
    run_experiment(SWEEP, axes, out=tmp_path / "out")  # so that any machine has it in time
    axes["game"] += ",leduc(ranks=6)"
    with pytest.raises(OutOfTimeError, match="1 of 2 points to go"):
        run_experiment(SWEEP, axes, out=tmp_path / "out", time_limit=2.0)
    assert [row["game"] for row in read_table(tmp_path / "out")] == ["matching-pennies"]


@pytest.mark.parametrize(
    ("left", "taken", "own", "ended"),
    [
        (5.0, 3.0, None, False),
        (0.4, 3.0, None, True),
        (0.4, 2.9, 3.0, False),
        (0.4, 2.9, 30.0, True),
        (0.0, 2.9, 3.0, True),
        (None, 2.9, 3.0, False),
    ],
)
def test_what_stopped_a_point(
    left: float | None,
    taken: float,
    own: float | None,
    ended: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search ends a little before its time does, whichever limit that is of."""
    point = Point("e", 1, {})
    monkeypatch.setattr(runner, "seconds_left", lambda: left)
    monkeypatch.setattr(runner, "limit_given", lambda: None if left is None else 10.0)
    for status in runner.STOPPED:
        row: Row = {"status": status, "seconds": taken}
        assert runner._ended_with_the_call(point, row, own) is ended
        for option in ("iterations", "time_limit"):
            limited = replace(point, options={option: 9})
            assert runner._ended_with_the_call(limited, row, own) is (left == 0)
    solved: Row = {"status": "solved", "seconds": taken}
    assert not runner._ended_with_the_call(point, solved, own)


@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGINT, ["-j", "1"])]
)
def test_a_signal_keeps_the_rows(number: signal.Signals, jobs: list[str], tmp_path: Path) -> None:
    words = [
        "sweep",
        "--games",
        "matching-pennies,leduc",
        "--methods",
        "cfr(gap=1e-13)",
    ]
    words += ["--out", str(tmp_path), *jobs]
    child = subprocess.Popen(
        [sys.executable, "-c", "from seqform.cli import main; main()", "experiment", *words],
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "rows.csv").exists() and child.poll() is None:
        time.sleep(0.02)
    time.sleep(0.1)
    child.send_signal(number)
    error = child.communicate(timeout=20)[1]
    assert child.returncode == 128 + number
    assert "finished rows are kept in" in error
    assert "Traceback" not in error
    assert [row["game"] for row in read_table(tmp_path)] == ["matching-pennies"]
    assert (tmp_path / "rows.parquet").exists()


# Figures


def test_figures_are_made_of_rows_alone(tmp_path: Path) -> None:
    seen: list[list[Row]] = []

    def table(rows: list[Row]) -> str:
        seen.append([dict(row) for row in rows])
        return "".join(f"{row['found']}\n" for row in rows)

    spec = failures(tmp_path, "refused", "nothing")
    spec = ExperimentSpec(spec.name, spec.doc, spec.axes, spec.measure, figures={"t.md": table})  # type: ignore[dict-item]
    found = run_experiment(spec, out=tmp_path / "out")
    assert found.figures == (tmp_path / "out" / "t.md",)
    found.figures[0].unlink()
    again = run_experiment(spec, out=tmp_path / "out", figures_only=True)
    assert again.figures[0].read_text() == "1\n"
    assert seen[0] == seen[1]
    with pytest.raises(InvalidParameterError, match=r"t.md cannot be made of these rows: KeyError"):
        run_experiment(
            ExperimentSpec(spec.name, "?", spec.axes, spec.measure, figures={"t.md": _no_column}),
            out=tmp_path / "out",
        )


def _no_column(rows: object) -> str:
    raise KeyError("nothing")


# Files of users

MINE = """
question = "What is Kuhn poker worth?"
memory = "1 GB"
row_time_limit = 60
[axes]
game = "kuhn"
method = ["lp", "cfr+"]
[parameters]
cards = [3, 4]
[options]
gap = [1e-2]
"""


def test_a_sweep_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    spec = read_sweep(file)
    assert (spec.name, spec.question) == ("mine", "What is Kuhn poker worth?")
    points = list(spec.points())
    assert [(point.method, point.parameters["cards"]) for point in points] == [
        *(("lp", 3), ("lp", 4), ("cfr+", 3), ("cfr+", 4)),
    ]
    assert {point.memory for point in points} == {2**30}
    rows = run_experiment(str(file), {"method": "cfr+"}, out=tmp_path / "out").rows
    assert [row["cards"] for row in rows] == [3, 4]
    assert all(float(str(row["gap"])) <= 0.02 for row in rows)


def test_a_file_that_replaces_axes_of_an_experiment(tmp_path: Path) -> None:
    file = tmp_path / "sizes.toml"
    file.write_text('experiment = "lp_sizes"\n[axes]\ndecks = "3x2"\ncriterion = ["suit"]\n')
    (row,) = run_experiment(str(file), out=tmp_path / "out").rows
    assert (row["experiment"], row["rows"]) == ("sizes", 42_674)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("axes = ", "is no TOML: Invalid value .at"),
        ("[axis]\ngame = 'kuhn'", "no setting 'axis' .did you mean 'axes'"),
        ("[axes]\ngmae = 'kuhn'", "no axis of sweep 'gmae' .did you mean 'game'"),
        ("axes = 3", "axes is a table, in .brackets., and not 3"),
        ("row_time_limit = 'long'", "row_time_limit is a number, and not long"),
        ("memory = '3 apples'", "memory='3 apples': write bytes"),
        ("experiment = 'lp_size'", "no experiment 'lp_size' .did you mean 'lp_sizes'"),
        ("[axes]\ngame = []", "game: give at least one value"),
        ("[axes]\ngame = [['kuhn']]", "game: .'kuhn'. is no text or number"),
        ("name = 'a/b'", "name 'a/b' is no name of a folder"),
        (b"\xff", "it is not UTF-8 text"),
    ],
)
def test_files_that_are_refused(text: str | bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises((InvalidParameterError, UnknownNameError), match=words) as raised:
        run_experiment(str(file), out=tmp_path / "out")
    assert str(file) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InvalidParameterError, match=r"nosuch.toml does not exist"):
        run_experiment("nosuch.toml")


def test_a_game_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bluff.py").write_text("from games.kuhn import kuhn as Bluff\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    rows = sweep(tmp_path, game="bluff:Bluff(cards=3),bluff.py:Bluff", method="lp,lcp")
    assert [row["status"] for row in rows] == ["solved"] * 4
    assert rows[0]["value"] == pytest.approx(-1 / 18)


# The command

RUNNER = CliRunner()


@pytest.fixture
def no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of what is printed wait for no picture of it."""
    monkeypatch.setattr("seqform.experiment.runner.draw", lambda *_: ())


def run(*words: str) -> tuple[int, str]:
    done = RUNNER.invoke(app, ["experiment", *words])
    wrong = done.exception is not None and not isinstance(done.exception, SystemExit)
    return done.exit_code, str(done.exception) if wrong else done.output


def test_the_command_lists_experiments_and_their_axes() -> None:
    assert "How large is Rhode Island" in run()[1]
    assert "--criteria" in run("lp_sizes", "--help")[1]


def test_the_command_does_what_the_call_does(tmp_path: Path) -> None:
    words = ["--decks", "3x2,4x2", "--criteria=suit", "--out", str(tmp_path / "a")]
    status, text = run("lp_sizes", *words)
    assert (status, "118,050" in text) == (0, True)
    rows = run_experiment(
        "lp_sizes", {"deck": ["3x2", "4x2"], "criterion": ["suit"]}, out=tmp_path / "b"
    ).rows
    assert [row["key"] for row in read_table(tmp_path / "a")] == [row["key"] for row in rows]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["lp_size"], "did you mean 'lp_sizes'"),
        (["lp_sizes", "--dekcs", "3x2"], "did you mean 'decks'"),
        (["lp_sizes", "--decks"], "--decks has no values: write --decks v1,v2"),
        (["lp_sizes", "3x2"], "'3x2' is no option; axes are --AXIS v1,v2"),
        (["sweep", "-p", "cards"], "write parameters as key=v1,v2"),
        (["sweep", "--jobs", "0"], "jobs 0: use 1 or more"),
        (["sweep", "--memory", "much"], "write bytes, or a size"),
        (["sweep", "--jobs", "2", "--scheduler", "tcp://a:1"], "give one"),
    ],
)
def test_words_that_are_refused(words: list[str], error: str, tmp_path: Path) -> None:
    status, text = run(*words, "--out", str(tmp_path / "out"))
    assert status != 0
    assert error in text


@pytest.mark.usefixtures("no_picture")
def test_rows_without_an_answer_are_told_and_make_the_exit_status_1(tmp_path: Path) -> None:
    status, text = run("sweep", "--games", "kuhn,nosuch", "--out", str(tmp_path))
    assert status == 1
    assert "1 x refused: there is no game 'nosuch'" in text


WORDS = (
    *("sweep", "--games", "kuhn(cards=3),kuhn(cards=4)", "--methods", "lp,cfr+(iterations=5)"),
    *("--reductions", "none,equitable"),
)
KEYS, RESULTS = (
    ("parameters", "reduction", "method", "options"),
    ("status", "value", "gap", "seconds", "rows", "nonzeros"),
)


def tables_of(text: str) -> list[list[str]]:
    """Return the lines of each table that was printed: headings, and then rows."""
    lines = [line.rstrip() for line in text.split("\n") if line.startswith(" ")]
    parts = "\n".join(lines).split("\n\n")
    return [part.strip("\n").split("\n") for part in parts if part.strip()]


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rows of `WORDS`."""
    out = tmp_path_factory.mktemp("swept")
    run(*WORDS, "--out", str(out))
    return out


@pytest.mark.usefixtures("no_picture")
@pytest.mark.parametrize("room", [80, 60, 45])
def test_results_that_a_line_does_not_take_follow_in_further_tables(
    swept: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr("seqform.cli.display.room", lambda: room)
    monkeypatch.setattr("seqform.cli.display.width", lambda: room)
    monkeypatch.setenv("COLUMNS", str(room))
    _, text = run(*WORDS, "--out", str(swept))
    assert "in all rows: game kuhn\n" in text
    tables = tables_of(text)
    assert len(tables) > 1
    heads = [
        " ".join(table[: next(i for i, x in enumerate(table) if "─" in x)]) for table in tables
    ]
    for name in RESULTS:
        assert sum(name in head.split() for head in heads) == {"rows": 2, "nonzeros": 2}.get(
            name, 1
        )
    if room == 80:
        assert all(key in head.split() for key in KEYS for head in heads)
        assert all(sum("cfr+" in line for line in table) == 4 for table in tables)
    assert max(len(line) for table in tables for line in table) <= room


@pytest.mark.usefixtures("no_picture")
def test_nothing_is_cut_where_there_is_no_terminal(swept: Path) -> None:
    _, text = run(*WORDS, "--out", str(swept))
    (table,) = tables_of(text)
    assert all(name in table[0].split() for name in (*KEYS, *RESULTS))
    assert len(table) == 2 + 8
    assert [line.split()[0] for line in table[2:]] == ["cards=3"] * 4 + ["cards=4"] * 4


@pytest.mark.usefixtures("no_picture")
def test_an_axis_of_one_value_stands_above_and_results_stay(tmp_path: Path) -> None:
    words = ("--games", "kuhn", "--methods", "lp", "-p", "cards=3,4", "--out", str(tmp_path))
    _, text = run("sweep", *words)
    assert "in all rows: game kuhn, reduction none, method lp\n" in text
    (table,) = tables_of(text)
    assert table[0].split()[:2] == ["cards", "status"]
    assert [line.split()[:2] for line in table[2:]] == [["3", "solved"], ["4", "solved"]]


def test_what_was_asked_and_what_was_reached_are_two_columns(tmp_path: Path) -> None:
    (tmp_path / "gaps.toml").write_text(
        'axes = {game = ["kuhn"], method = ["dcfr(iterations=1000)"]}\n'
        "parameters = {cards = [3, 4]}\noptions = {gap = [0.1, 0.01]}\n"
    )
    found = run_experiment(str(tmp_path / "gaps.toml"), out=tmp_path / "out")
    for row in read_table(tmp_path / "out"):
        assert row["asked_gap"] in (0.1, 0.01)
        assert 0 < float(str(row["gap"])) < float(str(row["asked_gap"]))
        assert row["cards"] in (3, 4)
        assert row["parameters"] is None
        assert json.loads(str(row["options"])) == {"iterations": 1000}
    assert len(found.rows) == 4
    header = (tmp_path / "out" / "rows.csv").read_text().split("\n")[0].split(",")
    assert header.index("asked_gap") < header.index("status") < header.index("gap")


def test_older_tables_are_read_and_gone_on_with(tmp_path: Path) -> None:
    words = {"game": "kuhn", "method": "mip"}
    run_experiment(SWEEP, words, parameters={"cards": "3"}, out=tmp_path)
    (new,) = read_table(tmp_path)
    text = (tmp_path / "rows.csv").read_text()
    assert new["lp_rows"] == 20
    unsealed = re.sub(",[0-9a-f]{16}$", ",", text, flags=re.MULTILINE)
    head, rows = unsealed.replace(" table=3", "").split("\n", 1)
    head = head.replace("lp_", "was_").replace("solver_", "lp_")
    (tmp_path / "rows.csv").write_text(f"{head}\n{rows}")
    (row,) = read_table(tmp_path)
    assert row["solver_rows"] == new["solver_rows"] > 20
    assert "lp_rows" not in row
    found = run_experiment(SWEEP, words, parameters={"cards": "3,4"}, out=tmp_path)
    assert found.made == 1
    old, added = read_table(tmp_path)
    assert (old["lp_rows"], old["solver_rows"]) == (None, new["solver_rows"])
    assert added["lp_rows"] == 26
    assert added["cards"] == 4


def test_the_module_is_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "experiments.lp_sizes", "--decks", "3x2", "--out", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "85,346" in done.stdout


# All experiments


def test_every_experiment_says_what_it_asks_and_claims() -> None:
    for spec in EXPERIMENTS:
        assert spec.question.endswith("?"), spec.name
        assert spec.claim, spec.name
        assert spec.source, spec.name
        assert list(spec.points(quick=True)), spec.name
        home = Path(sys.modules[spec.measure.__module__].__file__ or "")
        assert home.is_file()


def test_one_value_is_taken_in_place_of_a_sequence() -> None:
    axes = (Axis("pot", (1, 2)), Axis("stack", (3,)))
    pot, stack = replaced(axes, {"pot": 180}, "boards")
    assert (pot.values, stack.values) == ((180,), (3,))
    with pytest.raises(InvalidParameterError, match="is no text or number"):
        replaced(axes, {"pot": object()}, "boards")
