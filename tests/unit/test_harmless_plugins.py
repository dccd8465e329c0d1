"""Packages of others that are slow, broken or incomplete harm who names them, and nobody else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.kuhn import kuhn
from seqform import GAMES, METHODS, REDUCTIONS, build_tree, doctor, solve
from seqform.base.errors import InvalidGameError, InvalidParameterError, NotForThisGameError
from tests.command_line import Terminal
from tests.installed_packages import install

MODULES = {
    "raises": "raise RuntimeError('boom')",
    "leaves": "import sys; sys.exit(3)",
    "slow": "import pathlib, time; pathlib.Path('loaded').touch(); time.sleep(1.1); THING = None",
    "bare": "class Bare:\n    name = summary = 'bare'\n    concept = 'nash'\nBARE = Bare()",
}
METHODS_OF = {
    "raising": "raises:THING",
    "leaving": "leaves:THING",
    "slow": "slow:THING",
    "bare": "bare:BARE",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a package all of whose declarations are bad, each in its own way."""
    return bad_package(tmp_path)


def bad_package(folder: Path) -> Path:
    site = folder / "site"
    site.mkdir()
    for name, code in MODULES.items():
        (site / f"{name}.py").write_text(code)
    lines = [f"{name} = {home}" for name, home in METHODS_OF.items()]
    groups = ["seqform.solvers", "seqform.reductions", "seqform.games", "seqform.concepts"]
    lines += [line for group in groups for line in (f"[{group}]", "worse = raises:THING")]
    install(site, "bad", *lines, group="seqform.methods")
    return site


Run = Callable[..., "subprocess.CompletedProcess[str]"]


def variables(site: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(site), "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where that package is installed, and nobody names it."""
    return tmp_path_factory.mktemp("quiet")


@pytest.fixture(scope="module")
def terminal(quiet: Path) -> Iterator[Terminal]:
    """The command line there."""
    found = Terminal(quiet, variables(bad_package(quiet)))
    yield found
    found.close()


@pytest.fixture
def run(site: Path, tmp_path: Path) -> Run:
    """Return a function that runs the command line where that package is installed."""

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = "from seqform.cli import main; main()"
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env=variables(site),
        )

    return call


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "kuhn", "--json"),
        ("solve", "kuhn", "--abstract", "equitable", "--iterations", "10"),
        ("solve", "--help"),
        ("exploit", "--help"),
        ("shrink", "--help"),
        ("solve", "kuhn", "--rounds", "3"),  # an option that nobody has
        ("solve", "kuhn", "--trace", "--method", "lp"),  # one of other methods
        ("solve", "kuhn", "-p", "players=3", "--method", "lp"),  # which names others
        ("solve", "kuhn", "--solver", "clarabel", "--exact"),
        ("solve", "kuhn", "--threshold", "0.1"),
    ],
)
def test_whoever_does_not_name_them_notices_nothing(
    arguments: tuple[str, ...], terminal: Terminal, quiet: Path
) -> None:
    done = terminal(*arguments)
    assert "Traceback" not in done.stderr
    assert "boom" not in done.stdout + done.stderr
    assert not (quiet / "loaded").exists()
    assert done.returncode in (0, 1, 2)


def test_help_says_that_there_are_methods_and_of_what_package(run: Run) -> None:
    text = run("solve", "--help").stdout
    for name in METHODS_OF:
        assert f"of bad 1.0; --method {name} --help says more" in text


@pytest.mark.parametrize(
    ("method", "why"),
    [
        ("raising", "RuntimeError: boom"),
        ("leaving", "SystemExit: 3"),
        ("bare", "it lacks Options, accepts, run"),
        ("slow", "it lacks name, summary, concept, Options, accepts, run"),
    ],
)
def test_whoever_names_one_is_told_what_is_wrong(method: str, why: str, run: Run) -> None:
    for more in ((), ("--help",)):
        done = run("solve", "kuhn", "--method", method, *more)
        assert done.returncode == 2
        assert f"the method {method!r} of bad 1.0 cannot be loaded" in done.stderr
        assert f"{why}; repair or uninstall that package" in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_doctor_loads_all_and_names_the_package(run: Run) -> None:
    done = run("doctor", "--json")
    found = {f["name"]: f for f in json.loads(done.stdout)["findings"]}
    assert found["game worse"]["state"] == "doubtful"
    for name in ("raising", "leaving", "bare", "slow"):
        assert "bad 1.0" in found[f"method {name}"]["found"]
    for kind in ("solver", "reduction", "game", "solution concept"):
        assert "RuntimeError: boom" in found[f"{kind} worse"]["found"]


def test_the_games_that_can_be_loaded_are_listed(run: Run) -> None:
    done = run("games")
    assert done.returncode == 0, done.stderr
    assert "kuhn" in done.stdout
    assert "the game 'worse' of bad 1.0 cannot be loaded" in done.stderr


def test_from_python_too(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    assert solve(kuhn()).exact is not None
    with pytest.raises(NotForThisGameError, match="use method='qre', or another") as refused:
        solve(kuhn(players=3), method="lp")
    assert "raising" not in str(refused.value)
    with pytest.raises(InvalidParameterError, match="of no method: they have") as refused:
        solve(kuhn(), roundz=3)
    assert "not asked before they are named: bare (bad 1.0), leaving (bad 1.0)" in str(
        refused.value
    )
    for registry in (METHODS, GAMES, REDUCTIONS):
        assert set(registry.not_at_hand()) & {"raising", "worse"}


def test_a_slow_package_is_told_by_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import time; time.sleep(1.1)\nfrom games.kuhn import KUHN as THING"
    (tmp_path / "sleepy.py").write_text(code)
    install(tmp_path, "sleepy", "sleeping = sleepy:THING", group="seqform.games")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    found = {finding.name: finding for finding in doctor()}
    assert found["game sleeping"].found.startswith("sleepy 1.0 takes ")


MEMBERS = ("deck", "recipient", "outcome", "stake", "root", "player", "actions", "child", "payoffs")


@pytest.mark.parametrize("member", MEMBERS)
def test_a_signal_game_that_lacks_a_member_is_told_which(member: str) -> None:
    whole = kuhn()
    members = {name: getattr(whole, name) for name in ("num_players", *MEMBERS) if name != member}
    lacking = type("Lacking", (), members)()
    said = rf"Lacking is not a signal game: it lacks {member} \(see seqform\.game\.signals"
    with pytest.raises(InvalidGameError, match=said):
        build_tree(lacking)
    for options in ({}, {"method": "minimax"}, {"abstract": "equitable"}, {"prove": True}):
        with pytest.raises(InvalidGameError, match=said):
            solve(lacking, **options)


def test_rules_that_lack_a_member_are_told_which() -> None:
    with pytest.raises(InvalidGameError, match=r"list is not a game: it lacks num_players, root, "):
        solve([])
