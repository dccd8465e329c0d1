"""An alarm ends Python code of the main thread when its time is over, and leaves no trace.

What might never end runs in a process of its own, which a timeout far above the limit would end.
"""

from __future__ import annotations

import ctypes
import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from signal import ITIMER_REAL, SIGALRM, SIGKILL, getitimer, getsignal, setitimer
from typing import Any

import numba
import pytest

from seqform.base import alarm
from seqform.base.deadline import For, check_time, overtime, time_limited
from seqform.base.errors import OutOfTimeError

ROOT = Path(__file__).parents[2]
LONG_AFTER = 120
"""Seconds that a limit of one or two is never late by, unless it does not hold."""

SHORT = 0.3

PAST = SHORT + alarm.SLACK + 0.2
"""Seconds after which a short limit has rung, where nothing kept it from that."""


@pytest.fixture(autouse=True)
def _no_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let limits end when they say, and not half a second after they began."""
    monkeypatch.setattr("seqform.base.deadline.LEAST", 0.0)


def run(
    code: str, *words: str, folder: Path = ROOT, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program, which has to end."""
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        timeout=LONG_AFTER,
        check=False,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}:{ROOT}"} | variables,
    )


RULES = """
import itertools, time
from seqform import TERMINAL

class Coins:
    num_players, unit = 2, "coins"
    def root(self):
        return ()
    def player(self, state):
        return TERMINAL if len(state) == 2 else len(state)
    def chance(self, state):
        return []
    def actions(self, state):
        return ["heads", "tails"]
    def child(self, state, action):
        return (*state, action)
    def infoset(self, state):
        return len(state)
    def payoffs(self, state):
        return (1, -1) if state[0] == state[1] else (-1, 1)

class Sleeps(Coins):
    def payoffs(self, state):
        time.sleep(3600)

class Listless(Coins):
    def actions(self, state):
        while True:
            if state is None:
                yield "heads"

class Swallows(Coins):
    def payoffs(self, state):
        while True:
            try:
                time.sleep(3600)
            except Exception:
                pass

class SwallowsAll(Coins):
    def payoffs(self, state):
        while True:
            try:
                time.sleep(3600)
            except BaseException:
                pass

class Compiled(Coins):
    def payoffs(self, state):
        return sum(itertools.repeat(1))  # neither raises nor lets other threads run

class Path(Coins):
    def root(self):
        return 0
    def player(self, state):
        return TERMINAL if state < 0 or state == 100_000 else state % 2
    def actions(self, state):
        return "on", "stop"
    def child(self, state, action):
        return state + 1 if action == "on" else -1 - state
    def infoset(self, state):
        return state
    def payoffs(self, state):
        return state % 7, -(state % 7)
"""

LIMITED = """
import sys
from rules import {name}
from seqform import solve
from seqform.base.errors import OutOfTimeError
try:
    print(solve({name}(), time_limit=1).status.name)
except OutOfTimeError as error:
    print(error)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with rules that misbehave."""
    (tmp_path / "rules.py").write_text(RULES)
    return tmp_path


@pytest.mark.parametrize("name", ["Sleeps", "Listless", "Swallows"])
def test_rules_that_never_return_are_ended(rules: Path, name: str) -> None:
    done = run(LIMITED.format(name=name), folder=rules)
    assert done.stdout.startswith("the time limit of 1 s was over while"), done.stderr
    main = "from seqform.cli import main; main()"
    done = run(main, "solve", f"rules:{name}", "--time-limit=1", folder=rules)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("seqform: the time limit of 1 s was over while")


def test_a_path_of_a_hundred_thousand_moves_is_ended(rules: Path) -> None:
    done = run(LIMITED.format(name="Path"), folder=rules)
    assert done.stdout.startswith(("the time limit of 1 s was over while", "LIMIT", "SOLVED"))


@pytest.mark.parametrize("name", ["SwallowsAll", "Compiled"])
def test_in_a_shell_the_last_resort_is_to_kill(rules: Path, name: str) -> None:
    code = """
import time
from seqform import cli, make, solve
solve(make("kuhn"))  # the limit is for the rules, and not for what is loaded before them
cli.BEGAN = time.perf_counter()
cli.shell()
"""
    done = run(code, "solve", f"rules:{name}", "--time-limit=2", folder=rules)
    assert done.returncode == -SIGKILL
    assert "the time limit of 2 s was over, and what was at work would not end" in done.stderr


def test_a_command_that_begins_too_late_says_so_and_is_not_killed() -> None:
    code = """
from seqform import cli
from seqform.base import deadline
cli.BEGAN -= 1000
deadline.LAST_RESORT = 100
cli.shell()
"""
    done = run(code, "solve", "kuhn", "--time-limit=1")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("seqform: the time limit of 1 s was over while")
    assert "Traceback" not in done.stderr


def test_a_command_that_ends_in_time_is_not_killed_later(rules: Path) -> None:
    code = "from seqform.cli import shell; shell()"
    done = run(code, "solve", "rules:Coins", "--time-limit=100", "--json", folder=rules)
    assert (done.returncode, done.stderr) == (0, "")


def test_main_counts_from_its_call_in_a_process_however_old() -> None:
    code = """
import sys
from seqform import cli
cli.BEGAN -= 1000
for _ in range(2):
    try:
        cli.main()
    except SystemExit as stop:
        print(stop.code)
"""
    done = run(code, "games", "--time-limit=100", "--json")
    assert done.stdout.count('"kuhn"') == 2, done.stderr
    assert "time limit" not in done.stderr


def test_it_names_what_was_at_work_and_leaves_the_timer_alone() -> None:
    assert getitimer(ITIMER_REAL) == (0, 0)
    before = getsignal(SIGALRM)
    at_work = r"while (sleep_long|test_\w+) of test_alarm\.py was at work: raise"
    with pytest.raises(OutOfTimeError, match=at_work), time_limited(SHORT):
        sleep_long()
    assert getitimer(ITIMER_REAL) == (0, 0)
    assert getsignal(SIGALRM) == before


def test_it_says_that_loops_are_compiled_once() -> None:
    within: dict[str, Any] = {}
    place = Path(numba.__file__).with_name("somewhere.py")
    exec(compile("def work(sleep, seconds): sleep(seconds)", place, "exec"), within)
    with pytest.raises(OutOfTimeError, match="while loops were compiled"), time_limited(SHORT):
        within["work"](time.sleep, LONG_AFTER)


def sleep_long() -> None:
    time.sleep(LONG_AFTER)


def test_the_first_of_nested_limits_rings_and_the_others_go_on() -> None:
    with time_limited(LONG_AFTER):
        with pytest.raises(OutOfTimeError, match=r"limit of 0\.3 s"), time_limited(SHORT):
            sleep_long()
        assert getitimer(ITIMER_REAL)[0] > LONG_AFTER / 2
        with time_limited(10 * LONG_AFTER):
            assert 0 < getitimer(ITIMER_REAL)[0] < 2 * LONG_AFTER
    assert getitimer(ITIMER_REAL) == (0, 0)


def test_in_overtime_it_rings_later() -> None:
    reached: list[str] = []

    def hand_over() -> None:
        with overtime(For.SHOWING):
            time.sleep(PAST)
            reached.append("handed over")
            sleep_long()

    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        hand_over()
    assert reached == ["handed over"]


def test_where_an_error_is_swallowed_it_rings_again_and_insists() -> None:
    caught: list[type] = []

    def swallow() -> None:
        while True:
            try:
                sleep_long()
            except Exception as error:
                caught.append(type(error))

    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        swallow()
    assert caught == [OutOfTimeError] * (alarm.INSIST_FROM - 1)


def test_a_handler_and_a_timer_of_the_user_go_on() -> None:
    rung: list[float] = []
    before = signal.signal(SIGALRM, lambda number, frame: rung.append(time.perf_counter()))
    try:
        setitimer(ITIMER_REAL, 0.02, 0.01)
        with pytest.raises(OutOfTimeError), time_limited(SHORT):
            sleep_long()
        within = len(rung)
        assert within > 1
        for _ in range(1000):
            time.sleep(0.01)
            if len(rung) > within:
                break
        assert len(rung) > within
        assert getitimer(ITIMER_REAL)[1] == pytest.approx(0.01)
    finally:
        setitimer(ITIMER_REAL, 0)
        signal.signal(SIGALRM, before)


def test_an_interrupt_within_a_limit_is_an_interrupt() -> None:
    before = getsignal(SIGALRM)
    of_others = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), time_limited(LONG_AFTER):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, of_others)
    assert (getsignal(SIGALRM), getitimer(ITIMER_REAL)) == (before, (0, 0))


def test_imports_are_not_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_module.py").write_text(f"import time\ntime.sleep({PAST})\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with suppress(OutOfTimeError), time_limited(SHORT):  # it may ring just after
        import_module("slow_module")
    assert sys.modules["slow_module"].whole


def test_a_limit_within_an_import_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "limited_module.py").write_text(
        "import time\nfrom seqform.base.deadline import time_limited\n"
        f"with time_limited({SHORT}):\n    time.sleep({LONG_AFTER})\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(OutOfTimeError):
        import_module("limited_module")


def test_what_sets_things_right_after_a_block_is_not_cut_short() -> None:
    done: list[str] = []

    @contextmanager
    def block() -> Iterator[None]:
        try:
            yield
        finally:
            time.sleep(PAST)
            done.append("set right")

    def work() -> None:
        with block():
            done.append("at work")
        sleep_long()

    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        work()
    assert done == ["at work", "set right"]


def test_nothing_is_raised_where_it_would_be_ignored() -> None:
    """In a finalizer, and in what the collector of garbage calls."""
    ended: list[str] = []

    def collected(phase: str, _: object) -> None:
        if phase == "start" and not ended:
            time.sleep(PAST)
            ended.append("collected")

    class Final:
        def __del__(self) -> None:
            time.sleep(PAST)
            ended.append("finalized")

    def work() -> None:
        gc.collect()
        sleep_long()

    gc.callbacks.append(collected)
    try:
        with pytest.raises(OutOfTimeError), time_limited(SHORT):
            work()
    finally:
        gc.callbacks.remove(collected)
    with suppress(OutOfTimeError), time_limited(SHORT):
        Final()
    assert ended == ["collected", "finalized"]


def test_nothing_is_raised_where_what_is_freed_is_forgotten() -> None:
    """By a callback, and by a set that does not keep what is in it."""
    ended: list[str] = []

    def finish() -> None:
        time.sleep(PAST)
        ended.append("finished")

    class Places(set[Any]):
        def discard(self, place: object) -> None:
            finish()
            super().discard(place)

    def call() -> None:
        weakref.finalize(Places(), finish)
        sleep_long()

    def forget() -> None:
        kept = weakref.WeakSet[Any]()
        kept.data = Places()  # type: ignore[attr-defined]
        kept.add(threading.Event())
        ended.append(f"{len(kept.data)} left")  # type: ignore[attr-defined]
        sleep_long()

    for work in (call, forget):
        with pytest.raises(OutOfTimeError), time_limited(SHORT):
            work()
    assert ended == ["finished", "finished", "0 left"]


def test_nothing_is_raised_in_what_the_compiler_calls(capfd: pytest.CaptureFixture[str]) -> None:
    engine = import_module("llvmlite.binding.executionengine").ExecutionEngine
    names = ["_raw_object_cache_notify", "_raw_object_cache_getbuffer"]
    assert all(callable(getattr(engine, name)) for name in names)
    ended: list[str] = []

    def _raw_object_cache_notify() -> None:
        time.sleep(PAST)
        ended.append("notified")

    def work() -> None:
        ctypes.CFUNCTYPE(None)(_raw_object_cache_notify)()
        sleep_long()

    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        work()
    assert ended == ["notified"]
    assert "ignored" not in capfd.readouterr().err


def test_the_start_of_a_thread_is_not_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a thread starts, `threading` keeps books, which both threads write."""
    names = ("_start_joinable_thread", "_start_new_thread")  # since Python 3.13, and before
    name = next(name for name in names if hasattr(threading, name))
    begin, has_run = getattr(threading, name), threading.Event()

    def slowly(*given: Any, **named: Any) -> Any:
        made = begin(*given, **named)
        time.sleep(PAST)
        return made

    def work() -> None:
        monkeypatch.setattr(threading, name, slowly)
        thread = threading.Thread(target=has_run.set)
        try:
            thread.start()
        finally:
            monkeypatch.undo()
        thread.join()
        sleep_long()

    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        work()
    assert has_run.is_set()
    assert threading._limbo == {}  # type: ignore[attr-defined]


def test_a_limit_ends_what_starts_threads_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "SLACK", 0.0)
    monkeypatch.setattr(alarm, "AGAIN", 0.0001)
    ignored: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    draw = random.Random(1)

    def work() -> None:
        while True:
            thread = threading.Thread(target=int)
            thread.start()
            thread.join()

    for _ in range(200):
        with pytest.raises(OutOfTimeError), time_limited(draw.uniform(0.001, 0.002)):
            work()
    assert ignored == []
    assert threading._limbo == {}  # type: ignore[attr-defined]


def test_a_wait_for_another_thread_is_cut_short() -> None:
    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        threading.Event().wait(LONG_AFTER)


def test_a_lock_is_given_back_before_a_limit_is_told() -> None:
    lock = SlowLock()
    condition = threading.Condition(lock)  # type: ignore[arg-type]

    def work() -> None:
        with condition:
            lock.is_slow = True
        sleep_long()

    with pytest.raises(OutOfTimeError), time_limited(SHORT):
        work()
    assert not lock.locked()


class SlowLock:
    """A lock that takes its time to be given back."""

    def __init__(self) -> None:
        self._lock, self.is_slow = threading.Lock(), False
        self.acquire, self.locked = self._lock.acquire, self._lock.locked

    def release(self) -> None:
        if self.is_slow:
            time.sleep(PAST)
        self._lock.release()

    def __enter__(self) -> bool:
        return self._lock.__enter__()

    def __exit__(self, *raised: object) -> None:
        self.release()


def test_other_threads_have_no_alarm_and_stop_where_they_look() -> None:
    found: list[object] = []

    def work() -> None:
        handler = getsignal(SIGALRM)
        with time_limited(SHORT):
            time.sleep(PAST)
            found.append(getsignal(SIGALRM) == handler)
            try:
                check_time("looking")
            except OutOfTimeError as error:
                found.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found[0]
    assert "while looking" in str(found[1])


CUT_SHORT = """
import signal, sys
from math import inf
from numba.core import event
from seqform import build_sequence_form, make
from seqform.base.alarm import Alarm
from seqform.base.errors import OutOfTimeError
from seqform.solvers.iterative.regret import treeplex_compile
from seqform.solvers.iterative.regret.rules import rule
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine

class Last(event.Listener):
    def __init__(self, left):
        self.left = left

    def on_start(self, _):
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGALRM)

    def on_end(self, _):
        pass

def bounds(by_loops=True):
    engine = TreeplexEngine(build_sequence_form(make("kuhn")), rule("dcfr"))
    if by_loops:
        engine.use_loops()
    engine.run(10)
    return engine.bounds()

for passes in (1, 10, 100):
    last = Last(passes)
    alarm = Alarm(lambda: inf if last.left > 0 else 0.0, OutOfTimeError)
    event.register("numba:run_pass", last)
    try:
        alarm.begin(sys._getframe())
        bounds()
    except OutOfTimeError as error:
        print(error)
    finally:
        alarm.end()
        event.unregister("numba:run_pass", last)
print(bounds() == bounds(by_loops=False), treeplex_compile.are_loaded())
"""
"""Ends a compiler in its first, tenth and hundredth pass, however fast it is."""


def test_a_compiler_that_was_cut_short_compiles_again(tmp_path: Path) -> None:
    """With an empty cache all loops are compiled."""
    done = run(CUT_SHORT, NUMBA_CACHE_DIR=str(tmp_path))
    lines = done.stdout.splitlines()
    assert lines == [*["on_start of <string> was at work"] * 3, "True True"], done.stderr
