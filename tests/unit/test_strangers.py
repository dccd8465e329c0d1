"""What new users try: modules that do not load, files that cannot be written, names mistyped."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest

from games.kuhn import kuhn
from seqform import build_sequence_form, build_tree, solve
from seqform.base.array_file import read_npz
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    ResultFileError,
    SolverError,
    UnknownNameError,
)
from seqform.io import efg_text, from_module, read_efg
from seqform.io.python_module import guest
from seqform.solvers.linear.highs_file import write_lp
from seqform.solvers.linear.program import build_lp
from tests.command_line import call, process
from tests.imports import imports, modules, syntax


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('boom')", "RuntimeError: boom"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
    ],
)
def test_a_module_that_does_not_load(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stranger.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UnknownNameError, match=said):
        from_module("stranger:Game")


@pytest.mark.parametrize("name", ["./bluff.py:Bluff", "bluff.py:Bluff", "a/b:C", ".:C", "a..b:C"])
def test_a_path_is_no_module(name: str) -> None:
    with pytest.raises(UnknownNameError, match="without folder and ending"):
        from_module(name)


def test_a_program_is_not_written_over_a_folder(tmp_path: Path) -> None:
    (tmp_path / "k.lp").mkdir()
    with pytest.raises(SolverError, match="cannot write"):
        write_lp(build_lp(build_sequence_form(build_tree(kuhn()))), tmp_path / "k.lp")


def test_a_byte_order_mark_is_no_token(tmp_path: Path) -> None:
    path = tmp_path / "k.efg"
    path.write_bytes(b"\xef\xbb\xbf" + efg_text(build_tree(kuhn())).encode())
    assert read_efg(path).num_nodes == 58


def test_junk_is_not_said_to_be_loadable(tmp_path: Path) -> None:
    path = tmp_path / "junk.npz"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ResultFileError, match="damaged") as refused:
        read_npz(path, "game")
    assert "pickle" not in str(refused.value)


def test_an_unknown_method_is_named_with_those_for_perfect_information() -> None:
    with pytest.raises(UnknownNameError, match=r"'alphabeto'.*did you mean 'alphabeta'"):
        solve(kuhn(), method="alphabeto")


GUESTS = """
import os, sys
from games.kuhn import kuhn

def raises():
    raise ZeroDivisionError("by nothing")

def reads():
    return os.read(0, 10) or sys.stdin.read() or input()

def starts():
    return os.system("exit $(head -c 1 | wc -c)") or 1 / 0

def leaves_as_a_daemon_does():
    if os.fork():
        os._exit(0)
    return kuhn()

def forks():
    os.fork()
    return kuhn()

def has_a_child():
    if os.fork() == 0:
        os._exit(3)
    assert os.wait()[1] >> 8 == 3
    return kuhn()

class Quits:
    num_players, unit = 2, "chips"
    def root(self): sys.exit()
    def player(self, state): ...
    def actions(self, state): ...
    def chance(self, state): ...
    def child(self, state, action): ...
    def infoset(self, state): ...
    def payoffs(self, state): ...
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("builtins:exit", "SystemExit: None"),
        ("sys:exit", "SystemExit"),
        ("os:_exit -p status=0", "SystemExit: 0"),
        ("posix:_exit -p status=0", "SystemExit: 0"),
        ("builtins:input", "EOFError"),
        ("guests:raises", "ZeroDivisionError: by nothing"),
        ("guests:reads", "EOFError"),
        ("guests:starts", "ZeroDivisionError"),
    ],
)
def test_a_guest_ends_in_one_line(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "guests.py").write_text(GUESTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "guests", raising=False)
    read, write = os.pipe()  # with something to read in it
    os.write(write, b"typed\n")
    kept = os.dup(0)
    os.dup2(read, 0)
    try:
        with pytest.raises((InvalidParameterError, InvalidGameError), match=said) as refused:
            call("solve", *name.split())
        assert os.read(0, 6) == b"typed\n"
    finally:
        os.dup2(kept, 0)
        for handle in (read, write, kept):
            os.close(handle)
    assert "\n" not in str(refused.value)


def test_exits_are_given_back() -> None:
    before = os._exit, sys.stdin
    with pytest.raises(SystemExit), guest():
        os._exit(0)
    assert (os._exit, sys.stdin) == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("guests:forks", ""),
        ("guests:has_a_child", ""),
        ("guests:leaves_as_a_daemon_does", "SystemExit: 0"),
        ("guests:Quits", "ended the program"),
    ],
)
def test_a_guest_that_forks_or_quits_is_told_once(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "guests.py").write_text(GUESTS)
    done = process("solve", name, folder=tmp_path)
    assert done.returncode == (2 if said else 0), done.stderr
    assert done.stdout.count("certainty  exact") == (0 if said else 1)
    if said:
        assert said in done.stderr
        assert done.stderr.count("seqform:") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("where", ["", "def game():\n    "])
def test_a_signal_while_a_guest_is_called_is_no_error_of_the_guest(
    where: str, tmp_path: Path
) -> None:
    code = f"import os, signal\n{where}os.kill(os.getpid(), signal.SIGINT)"
    (tmp_path / "guests.py").write_text(code)
    done = process("solve", "guests:game", folder=tmp_path)
    assert (done.returncode, done.stderr.count("seqform:")) == (130, 1), done.stderr
    assert "interrupted" in done.stderr


RUNS_CODE = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "loky"}
"""Libraries that run what a file says."""
BETWEEN_OWN_PROCESSES = "loky"
"""What carries tasks and rows between a sweep and the processes that it started: no files."""


RUNNING = {"eval", "exec", "compile", "__import__"}
LOADING = RUNNING | {"load"}


def last_name(node: ast.AST) -> str:
    """Return what is called by a name, or by the last of names with dots between."""
    return str(getattr(node, "id", getattr(node, "attr", "")))


def test_nothing_that_is_read_can_run_code() -> None:
    """What numba keeps beside our modules is compiled code, as Python's own `__pycache__` is."""
    for module in modules():
        imported = {step.module for step in imports(module)} - {BETWEEN_OWN_PROCESSES}
        assert not {name.partition(".")[0] for name in imported} & RUNS_CODE, module
        for node in ast.walk(syntax(module)):
            if isinstance(node, ast.Call) and last_name(node.func) in LOADING:
                called = ast.unparse(node.func)
                assert called not in RUNNING, module
                if called.endswith(("np.load", "numpy.load")):
                    allowed = [k.value for k in node.keywords if k.arg == "allow_pickle"]
                    assert [ast.unparse(value) for value in allowed] == ["False"], module
