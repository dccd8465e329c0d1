"""Calls in several threads at once return what they return one after the other."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from seqform import make, solve
from seqform.base.deadline import time_limited
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.solvers.linear import turn
from seqform.solvers.linear.highs_log import HighsLog
from seqform.solvers.linear.turn import highs_turn

JOBS: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {}),
    ("leduc", {"exact": False}),
    ("leduc", {"solver": "highs", "engine": "simplex", "exact": False}),
    ("leduc", {"solver": "highs", "engine": "ipx"}),
    ("leduc", {"method": "dcfr", "gap": 1e-2}),
    ("leduc", {"method": "pdhg", "gap": 1e-2}),
    ("sheriff", {}),
    ("sheriff", {"method": "efce"}),
    ("signalling", {"method": "efce"}),
    ("signalling", {"method": "nfcce"}),
    ("kuhn", {"method": "mip"}),
    ("kuhn", {"method": "mip", "solver": "highs"}),
    ("kuhn", {"solver": "cvxpy"}),
    ("kuhn", {"refine": "quasi-perfect"}),
    ("kuhn", {"family": True}),
    ("goofspiel", {"abstract": "dominated"}),
    ("chicken", {"all": True}),
    ("centipede", {}),
]


def found(job: tuple[str, dict[str, Any]]) -> tuple[Any, ...]:
    name, options = job
    solution = solve(make(name), **options)
    return solution.status, solution.method, solution.certificate.record()


def test_a_pool_of_threads_finds_what_one_thread_finds() -> None:
    one_by_one = [found(job) for job in JOBS]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(found, JOBS))
    for job, alone, together in zip(JOBS, one_by_one, at_once, strict=True):
        assert together == alone, job


def test_one_game_in_several_threads() -> None:
    form = solve(make("leduc"), exact=False).game
    with ThreadPoolExecutor(4) as pool:
        records = pool.map(lambda _: solve(form, exact=False).certificate.record(), range(8))
    assert len({str(record) for record in records}) == 1


def test_whoever_waits_for_highs_keeps_to_the_time_limit() -> None:
    begun, over = threading.Event(), threading.Event()

    def hold() -> None:
        with highs_turn():
            begun.set()
            over.wait()

    solve(make("kuhn"), method="lp")  # loads what takes time and is not waiting
    holder = threading.Thread(target=hold)
    holder.start()
    begun.wait()
    try:
        with pytest.raises(OutOfTimeError, match="waiting for HiGHS"), time_limited(0.1):
            solve(make("kuhn"), method="lp")
    finally:
        over.set()
        holder.join()
    assert solve(make("kuhn"), method="lp").status.name == "SOLVED"


def test_waiting_counts() -> None:
    release = threading.Event()

    def hold() -> None:
        with highs_turn():
            begun.set()
            release.wait()

    begun, holder = threading.Event(), threading.Thread(target=hold)
    holder.start()
    begun.wait()
    threading.Timer(0.3, release.set).start()
    since = time.perf_counter()
    with highs_turn(1000.0) as left:
        waited = time.perf_counter() - since
        assert left is not None
        assert 1000.0 - waited <= left < 1000.0
    holder.join()


def test_what_highs_calls_does_not_call_highs() -> None:
    with highs_turn(), pytest.raises(SolverError, match="do not solve in a function that listens"):
        solve(make("kuhn"), method="lp")
    assert solve(make("kuhn"), method="lp").status.name == "SOLVED"


def test_a_listener_that_raises_leaves_highs_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class EnoughError(Exception):
        pass

    def tell(self: HighsLog) -> None:
        raise EnoughError

    monkeypatch.setattr(HighsLog, "tell", tell)
    with pytest.raises(EnoughError):
        solve(make("leduc"), method="lp", solver="highs", engine="ipx")
    monkeypatch.undo()
    assert solve(make("leduc"), method="lp", solver="highs").status.name == "SOLVED"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_that_is_forked_meanwhile_waits_for_nobody() -> None:
    with highs_turn():
        child = os.fork()
        if child == 0:
            with highs_turn():
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0


class InterruptedLock:
    """A lock whose user interrupts as soon as it is taken, or before."""

    def __init__(self, lock: Any, is_taken: bool) -> None:
        self.lock, self.is_taken = lock, is_taken
        self.release = lock.release

    def acquire(self, timeout: float) -> bool:
        if self.is_taken:
            self.lock.acquire(timeout=timeout)
        raise KeyboardInterrupt


@pytest.mark.parametrize("is_taken", [True, False])
def test_who_is_interrupted_while_taking_the_turn_gives_it_back(
    monkeypatch: pytest.MonkeyPatch, is_taken: bool
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(turn._turn, "lock", InterruptedLock(turn._turn.lock, is_taken))
        with pytest.raises(KeyboardInterrupt), highs_turn():
            pass
    with ThreadPoolExecutor(1) as pool:  # in another thread, since this one could take it twice
        assert pool.submit(take_for_a_second).result() == "taken"


def take_for_a_second() -> str:
    with time_limited(1.0), highs_turn():
        return "taken"
