"""Sweeps that are killed, at any moment and while they write, go on where they were."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from seqform import run_experiment
from seqform.base.errors import ResultFileError
from seqform.base.whole_file import locked
from seqform.experiment import Row, read_table
from seqform.experiment.row import VARYING
from tests.imports import ROOT
from tests.sweeps import SQUARES, failures, logged, squares

RUN = "from tests.sweeps import squares; from seqform import run_experiment; import pathlib, sys; "
RUN += "run_experiment(squares(pathlib.Path(sys.argv[1]), 0.01), out=sys.argv[2])"


def alike(rows: tuple[Row, ...] | list[Row]) -> list[Row]:
    """Return rows without what differs from run to run."""
    return [{name: of for name, of in row.items() if name not in VARYING} for row in rows]


def run_and_kill(folder: Path, after: float) -> bool:
    """Run the squares in a process of their own, and kill it once it measures; tell if it was."""
    (folder / "log").write_text("")
    child = subprocess.Popen([sys.executable, "-c", RUN, folder, folder / "out"], cwd=ROOT)
    while child.poll() is None and not (folder / "log").stat().st_size:
        time.sleep(0.005)
    time.sleep(after)
    child.kill()
    return child.wait() == -signal.SIGKILL


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.long)])
def test_a_run_that_is_killed_again_and_again_has_the_same_table(
    kills: int, tmp_path: Path
) -> None:
    rng, points, killed = random.Random(kills), Counter[str](), 0
    spec = squares(tmp_path, 0.01)
    while killed < kills:
        if len(points) == len(SQUARES):
            (tmp_path / "out" / "rows.csv").unlink()  # it was too fast: once more
            points.clear()
        before = Counter(points)
        killed += run_and_kill(tmp_path, rng.uniform(0.0, 0.08))
        found = read_table(tmp_path / "out") if (tmp_path / "out" / "rows.csv").exists() else []
        points = Counter(str(row["key"]) for row in found)
        assert set(points.values()) <= {2}
        assert points >= before  # nothing is lost
        ended = sum(words[0] == "end" for words in logged(tmp_path))
        assert len(points) - len(before) >= ended - 1  # but the row in flight
    last = run_experiment(spec, out=tmp_path / "out")
    assert last.made == len(SQUARES) - len(points)
    assert alike(last.rows) == alike(run_experiment(spec, out=tmp_path / "whole").rows)
    assert alike(read_table(tmp_path / "out")) == alike(read_table(tmp_path / "whole"))


def test_a_table_that_ends_anywhere_has_the_points_before(tmp_path: Path) -> None:
    out = tmp_path / "out"
    spec = squares(tmp_path)
    whole = run_experiment(spec, {"number": [1, 2, 3]}, out=out).rows
    table = (out / "rows.csv").read_bytes()
    for end in range(0, len(table), 7):
        (out / "rows.csv").write_bytes(table[:end])
        found = [] if end < table.index(b"\n") else read_table(out)
        lines = table[:end].count(b"\n") - 1
        assert alike(found) == alike(whole[: max(0, lines) // 2 * 2])


@pytest.mark.parametrize("end", [b"a", b'1,"', b"\x00\xff\n", b"1,2\n", b'"\n"\n\n'])
def test_what_was_half_written_is_dropped_and_measured_again(end: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out"
    spec = squares(tmp_path)
    whole = run_experiment(spec, {"number": [1, 2]}, out=out).rows
    table = (out / "rows.csv").read_bytes()
    (out / "rows.csv").write_bytes(table[: table.rindex(b"\n", 0, -1) + 1] + end)
    found = run_experiment(spec, {"number": [1, 2]}, out=out)
    assert found.made == 1
    assert alike(found.rows) == alike(whole)
    assert (out / "rows.csv").read_bytes().count(b"\n") == 5


def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    from pyarrow import parquet

    rows = run_experiment(squares(tmp_path), {"number": [1, 2]}, out=tmp_path / "out").rows
    assert parquet.read_table(tmp_path / "out" / "rows.parquet").to_pylist() == list(rows)


def test_rows_that_are_there_stay_and_those_without_an_answer_are_tried_again(
    tmp_path: Path,
) -> None:
    spec = failures(tmp_path, "refused", "nothing")
    first = run_experiment(spec, out=tmp_path / "out")
    assert run_experiment(spec, out=tmp_path / "out").made == 0
    again = run_experiment(spec, out=tmp_path / "out", retry=True)
    assert again.made == 1
    assert alike(again.rows) == alike(first.rows)
    more = run_experiment(failures(tmp_path, "failed"), out=tmp_path / "out")
    assert len(more.rows) == 1
    assert len(read_table(tmp_path / "out")) == 3


def test_a_folder_is_for_one_experiment_and_one_run_at_a_time(tmp_path: Path) -> None:
    run_experiment(squares(tmp_path), {"number": [1]}, out=tmp_path / "out")
    with pytest.raises(ResultFileError, match="rows of the experiment 'squares'"):
        run_experiment(failures(tmp_path, "nothing"), out=tmp_path / "out")
    with (
        locked(tmp_path / "out" / ".lock"),
        pytest.raises(ResultFileError, match="an experiment is under way there"),
    ):
        run_experiment(squares(tmp_path), out=tmp_path / "out")
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "rows.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ResultFileError, match="no table of an experiment"):
        run_experiment(squares(tmp_path), out=tmp_path / "table")
    assert (tmp_path / "table" / "rows.csv").read_text() == "a,b\n1,2\n"
    with pytest.raises(ResultFileError, match="cannot be written"):
        run_experiment(squares(tmp_path), out=tmp_path / "log" / "out")
