"""Sweeps on a Dask cluster of this machine, whose workers are processes that can be killed."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from threading import Thread

import pytest

from seqform import run_experiment
from seqform.base.errors import InvalidParameterError, SolverError
from seqform.experiment import Now, read_table
from tests.sweeps import SQUARES, failures, logged, squares

pytestmark = pytest.mark.filterwarnings("default")  # those of Dask are not ours

MEMORY = 2e9
EACH = [(number, power) for number in SQUARES for power in (1, 2)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start two workers with two threads each, which have `MEMORY` bytes for points."""
    import dask
    from distributed import LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(
            n_workers=2, threads_per_worker=2, resources={"MEMORY": MEMORY}, dashboard_address=None
        ) as cluster,
    ):
        yield cluster.scheduler_address


def overlaps(folder: Path) -> Counter[str]:
    """Return how often two points ran at the same time in one process, by process."""
    begun = {(word[1], word[2]): float(word[3]) for word in logged(folder) if word[0] == "begin"}
    ended = {(word[1], word[2]): float(word[3]) for word in logged(folder) if word[0] == "end"}
    return Counter(
        one[1]
        for one, two in combinations(begun, 2)
        if one[1] == two[1] and begun[one] < ended[two] and begun[two] < ended[one]
    )


def test_a_worker_is_killed_and_every_row_is_there_once(address: str, tmp_path: Path) -> None:
    killed: list[str] = []

    def kill(now: Now) -> None:
        """Kill the process that began a point last."""
        if now.done == 3:
            killed.append([word for word in logged(tmp_path) if word[0] == "begin"][-1][2])
            os.kill(int(killed[0]), signal.SIGKILL)

    out = tmp_path / "out"
    spec = squares(tmp_path, seconds=0.1, memory=0.9 * MEMORY)
    found = run_experiment(spec, out=out, scheduler=address, progress=kill)
    assert killed
    assert [(row["number"], row["power"]) for row in found.rows] == EACH
    assert [(row["number"], row["power"]) for row in read_table(out)] == EACH
    assert all(row["found"] == row["number"] ** row["power"] for row in found.rows)  # type: ignore[operator]
    lost = {word[1] for word in logged(tmp_path) if word[0] == "begin" and word[2] == killed[0]}
    assert {word[1] for word in logged(tmp_path) if word[0] == "end"} >= lost
    assert run_experiment(spec, out=out, scheduler=address).made == 0


@pytest.mark.parametrize(("share", "meet"), [(0.6, False), (0.1, True)])
def test_two_large_points_do_not_meet_on_a_worker(
    share: float, meet: bool, address: str, tmp_path: Path
) -> None:
    spec = squares(tmp_path, seconds=None if meet else 0.1, memory=share * MEMORY)
    run_experiment(spec, out=tmp_path / "out", scheduler=address)
    assert bool(overlaps(tmp_path)) == meet


def test_a_point_that_is_too_large_for_every_worker_is_a_row(address: str, tmp_path: Path) -> None:
    spec = squares(tmp_path, memory=1.0)
    found = run_experiment(
        spec, {"number": [3, 4]}, out=tmp_path / "out", scheduler=address, memory="3 GB"
    )
    assert {row["status"] for row in found.rows} == {"refused"}
    assert str(found.rows[0]["reason"]).startswith("needs 3.0 GB, and the largest worker of tcp:")


def test_failures_on_a_cluster_are_rows(address: str, tmp_path: Path) -> None:
    spec = failures(tmp_path, "refused", "killed once", "failed", "nothing")
    found = run_experiment(spec, out=tmp_path / "out", scheduler=address)
    assert [row["status"] for row in found.rows] == ["refused", "done", "failed", "done"]


def test_a_point_that_kills_every_worker_is_a_row(address: str, tmp_path: Path) -> None:
    found = run_experiment(failures(tmp_path, "killed"), out=tmp_path / "out", scheduler=address)
    assert [row["status"] for row in found.rows] == ["killed"]
    assert "ended" in str(found.rows[0]["reason"])


def test_workers_that_do_not_say_what_memory_they_have(tmp_path: Path) -> None:
    from distributed import LocalCluster

    with (
        LocalCluster(
            n_workers=1, processes=False, protocol="tcp", dashboard_address=":0"
        ) as cluster,
        pytest.raises(InvalidParameterError, match="--resources MEMORY="),
    ):
        run_experiment(squares(tmp_path), out=tmp_path / "out", scheduler=cluster.scheduler_address)
    assert not (tmp_path / "out").exists()


def test_a_cluster_that_goes_away_leaves_the_rows_so_far(tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        resources={"MEMORY": MEMORY},
        dashboard_address=":0",
    ) as cluster:

        def close(now: Now) -> None:
            if now.done == 2:
                cluster.close()

        spec = squares(tmp_path, seconds=0.05)
        address = cluster.scheduler_address
        with pytest.raises(SolverError, match="gone: finished rows are kept"):
            run_experiment(spec, out=tmp_path / "out", scheduler=address, progress=close)
    assert 2 <= len({row["key"] for row in read_table(tmp_path / "out")}) < len(SQUARES)
    assert len(run_experiment(spec, out=tmp_path / "out").rows) == len(EACH)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("here", "write an address as tcp://HOST:8786"),
        ("tcp:/x", "write an address"),
        ("inproc://10.0.0.1/2/3", "write an address"),
    ],
)
def test_what_is_no_address(address: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        run_experiment(squares(tmp_path), out=tmp_path / "out", scheduler=address)


def test_nobody_answers(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    begin = time.perf_counter()
    with pytest.raises(SolverError, match="no Dask scheduler answers there") as raised:
        run_experiment(squares(tmp_path), out=tmp_path / "out", scheduler=address)
    assert "\n" not in str(raised.value)
    assert time.perf_counter() - begin < 25  # alone, Dask tries for 30 s


@pytest.mark.parametrize("says", [b"SSH-2.0-OpenSSH_9.6\r\n", b""])
def test_another_program_answers(
    says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqform.experiment.cluster.ANSWERS_WITHIN", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            connection = server.accept()[0]
            connection.sendall(says)
            time.sleep(0.5)
            connection.close()

        thread = Thread(target=answer)
        thread.start()
        with pytest.raises(SolverError, match="no Dask scheduler answers there"):
            run_experiment(squares(tmp_path), out=tmp_path / "out", scheduler=address)
        thread.join()
