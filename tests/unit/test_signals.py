"""Ctrl-C and SIGTERM: the first asks for what was found so far, the second ends at once.

Each test starts a process. What it is to be interrupted in is replaced by something that says so,
and then waits for the signal; so nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGINT, SIGTERM

import pytest

from seqform import verify
from seqform.base.array_file import read_arrays
from seqform.base.interrupt import First, Interrupt, Interrupted
from seqform.solvers.iterative.checkpoint import KIND, VERSION

WAITING = "waiting for a signal"

WAITS = f"""
import functools, os, signal, sys

read, write = os.pipe()
os.set_blocking(write, False)
signal.set_wakeup_fd(write)  # a signal leaves a byte there, whenever it comes

def waits(owner, name, times=1, after=0):
    honest, left = getattr(owner, name), [times, after]
    @functools.wraps(honest)
    def waiting(*arguments, **options):
        left[1] -= 1
        while left[0] and left[1] < 0:
            left[0] -= 1
            print({WAITING!r}, file=sys.stderr, flush=True)
            os.read(read, 1)
        return honest(*arguments, **options)
    setattr(owner, name, waiting)
"""

RUN = "\nfrom seqform.cli import main\nmain()\n"

SEARCH = """
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
run = TreeplexEngine.run
def twenty(engine, count):
    if engine.iterations > 20:
        TreeplexEngine.run = waiting
    run(engine, count)
waits(TreeplexEngine, "run", {times})
waiting, TreeplexEngine.run = TreeplexEngine.run, twenty
"""


LOADING = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        return self.find_typer() if name == "typer" else None
    def find_typer(self):
        pass
waits(Finder, "find_typer")
sys.meta_path.insert(0, Finder())
"""


class Child:
    """A process that runs the command line after some code."""

    def __init__(self, code: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WAITS + code + RUN, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def send(self, number: int) -> None:
        """Send a signal once the process waits for one."""
        assert self.process.stderr is not None
        lines = iter(self.process.stderr.readline, "")
        assert any(WAITING in line for line in lines), "it never came to wait"
        self.process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        """Return exit status, output and the rest of the errors."""
        output, errors = self.process.communicate(timeout=120)
        assert "Traceback" not in errors, errors
        return self.process.returncode, output, errors


@pytest.mark.parametrize("number", [SIGINT, SIGTERM])
def test_a_search_is_certified_printed_and_saved(tmp_path: Path, number: int) -> None:
    options = ("--method", "dcfr", "--gap", "1e-13", "--abstract", "none", "--json")
    files = ("--checkpoint", str(tmp_path / "search"), "--out", str(tmp_path / "result"))
    child = Child(SEARCH.format(times=1), "solve", "kuhn", *options, *files)
    child.send(number)
    status, output, _ = child.end()
    record = json.loads(output)
    assert (status, record["status"]) == (1, "limit")
    assert record["iterations"] > 20
    assert 0 < record["nash_gap"] < 1
    assert read_arrays(tmp_path / "search", KIND, VERSION)[0]["iterations"] == record["iterations"]
    assert verify(tmp_path / "result").certificate.gap == pytest.approx(record["nash_gap"])


@pytest.mark.parametrize("number", [SIGINT, SIGTERM])
def test_a_second_signal_ends_at_once(number: int) -> None:
    child = Child(SEARCH.format(times=2), "solve", "kuhn", "--method", "dcfr", "--gap", "1e-13")
    child.send(number)
    child.send(number)
    assert child.end() == (128 + number, "", f"seqform: {WORDS[number]}; there is no result\n")


WORDS = {SIGINT: "interrupted", SIGTERM: "terminated"}


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("from seqform.cli import display\nwaits(display, 'progress')", ("solve", "kuhn")),
        (
            "import seqform.tree.from_rules as rules\nwaits(rules._Expansion, '_freeze')",
            ("info", "centipede"),
        ),
        (
            "import seqform.perfect_information.induction as of\nwaits(of, 'first_best')",
            ("solve", "centipede"),
        ),
        (LOADING, ("solve", "kuhn")),
    ],
)
def test_without_a_result_there_is_one_line(code: str, arguments: tuple[str, ...]) -> None:
    for number in (SIGINT, SIGTERM) if arguments[0] == "info" else (SIGTERM,):
        child = Child(code, *arguments)
        child.send(number)
        assert child.end() == (128 + number, "", f"seqform: {WORDS[number]}; there is no result\n")


@pytest.mark.parametrize(
    "code",
    [
        "import seqform.results.lift as of\nwaits(of, 'lifted')",
        "import seqform.concepts.nash as of\nwaits(of, 'responses')",
        "from seqform import Solution\nwaits(Solution, 'record')",
    ],
)
def test_a_certificate_that_was_begun_is_finished(code: str) -> None:
    options = ("--method", "dcfr", "--gap", "0.1", "--abstract", "equitable", "--json")
    child = Child(code, "solve", "kuhn", *options)
    child.send(SIGTERM)
    status, output, _ = child.end()
    assert (status, json.loads(output)["status"]) == (0, "solved")


def test_an_interrupted_proof_leaves_the_certificate() -> None:
    code = "import seqform.methods.when_exact as of\nwaits(of, 'proven_equilibrium')"
    child = Child(code, "solve", "kuhn", "--json")
    child.send(SIGINT)
    status, output, _ = child.end()
    record = json.loads(output)
    assert (status, record["status"], "proof" in record) == (0, "solved", False)
    assert record["message"].endswith("interrupted before a proof")


def test_a_program_that_is_interrupted() -> None:
    code = "import seqform.solvers.linear.clarabel as of\nwaits(of._Stop, '__call__', after=2)"
    child = Child(code, "solve", "kuhn", "--solver", "clarabel", "--json")
    child.send(SIGTERM)
    status, output, _ = child.end()
    record = json.loads(output)
    assert (status, record["status"], record["message"]) == (1, "limit", "CallbackTerminated")
    code = "import highspy\nwaits(highspy.Highs, 'wait')"
    game = ("leduc", "-p", "ranks=6", "--abstract", "none")
    child = Child(code, "solve", *game, "--solver", "highs", "--exact")
    child.send(SIGTERM)  # the simplex method leaves nothing
    assert child.end() == (143, "", "seqform: terminated; there is no result\n")


def test_bounds_of_a_search_stay() -> None:
    code = """
import seqform.perfect_information.game_tree_search as of
run = of.Search.run
def deep(search, window, depth):
    return (waiting if depth == 4 else run)(search, window, depth)
waits(of.Search, "run")
waiting, of.Search.run = of.Search.run, deep
"""
    options = ("--method", "alphabeta", "--depth", "9", "--json")
    child = Child(code, "solve", "tic-tac-toe", *options)
    child.send(SIGTERM)
    status, output, _ = child.end()
    record = json.loads(output)
    assert (status, record["depth"], record["message"]) == (1, 3, "interrupted")


@pytest.fixture
def own_handlers() -> Iterator[None]:
    """Signals are handled as Python does by itself; what handled them is put back afterwards."""
    before = {number: signal.getsignal(number) for number in (SIGINT, SIGTERM)}
    signal.signal(SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("own_handlers")
def test_a_program_of_yours_keeps_its_handlers() -> None:
    taken: list[int] = []
    for own in (signal.SIG_DFL, signal.SIG_IGN, lambda number, _: taken.append(number)):
        signal.signal(SIGTERM, own)
        with Interrupt() as user:
            assert signal.getsignal(SIGTERM) is own
            assert signal.getsignal(SIGINT) != signal.default_int_handler
        assert signal.getsignal(SIGINT) is signal.default_int_handler
        assert not user.asked


@pytest.mark.usefixtures("own_handlers")
def test_blocks_tell_those_around_them() -> None:
    with Interrupt(First.PASS) as outer, Interrupt(First.PASS) as middle:
        with Interrupt() as inner:
            signal.raise_signal(SIGINT)
            assert inner.asked
            assert middle.asked
            assert outer.asked
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(SIGINT)
        with Interrupt() as later:
            assert later.asked  # and so the next signal is not the first
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(SIGINT)
        with Interrupt(insist=False):
            signal.raise_signal(SIGINT)
    with pytest.raises(Interrupted), Interrupt(First.RAISE):
        signal.raise_signal(SIGINT)
    with pytest.raises(KeyboardInterrupt), Interrupt(First.PASS):
        signal.raise_signal(SIGINT)
