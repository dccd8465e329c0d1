"""A package outside of this repository adds to seqform through entry points only.

The package in `tests/plugin` is the code of the recipes in CONTRIBUTING.md. It is installed into a
folder for these tests, by hand, since that needs no network: a package is its modules and a
``dist-info`` folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from seqform import load, verify
from seqform.base.errors import VerificationError
from seqform.base.whole_folder import checksum
from tests.command_line import Terminal

PLUGIN = Path(__file__).parents[1] / "plugin"
OLDER = Path(__file__).parents[1] / "data" / "older-plugin"
"""The same package as it was written before there was `seqform.plugins`, and members of contracts
that it does not know."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Python:
    """Runs Python in a folder, with an environment of its own."""

    folder: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env=self.environment,
        )


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Python:
    """Return what runs Python where the package is installed, in an empty folder."""
    return where_installed(PLUGIN, tmp_path_factory)


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Python:
    """Return the same for the package as it was."""
    return where_installed(OLDER, tmp_path_factory)


def where_installed(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Python:
    """Install a package; return what runs Python there."""
    site, folder = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("elsewhere")
    install(plugin, site)
    variables = {"PYTHONPATH": str(site), "COLUMNS": "200", "NO_COLOR": "1"}
    return Python(folder, os.environ | variables)


@pytest.fixture(scope="module")
def seqform(python: Python) -> Iterator[Run]:
    """Return a function that runs the command line with the package installed."""
    terminal = Terminal(python.folder, python.environment)
    yield terminal
    terminal.close()


def install(plugin: Path, site: Path) -> None:
    """Put the package and its metadata into a folder."""
    project = tomllib.loads((plugin / "pyproject.toml").read_text())["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    shutil.copytree(plugin / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    info = site / f"{name}-{version}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata)
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))


def record(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_the_game_is_solved_listed_and_known(seqform: Run) -> None:
    assert abs(record(seqform("solve", "matching-coins", "--json"))["value"]) < 1e-9
    three = record(seqform("solve", "matching-coins", "-p", "sides=3", "--json"))
    assert abs(three["value"] - 1 / 3) < 1e-9
    listed = seqform("games").stdout
    assert "matching-coins" in listed
    assert "kuhn" in listed


def test_a_game_in_a_representation_of_its_own_goes_all_the_way(
    seqform: Run, tmp_path: Path
) -> None:
    saved, page = str(tmp_path / "saved"), tmp_path / "page.html"
    found = record(seqform("solve", "odds-and-evens", "--prove", "--out", saved, "--json"))
    assert (found["exact_value"], found["status"]) == ("-1/12", "solved")
    assert record(seqform("verify", saved, "--json"))["exact_value"] == "-1/12"
    by_search = ("--method", "cfr+", "--gap", "0.01", "--json")
    more = record(seqform("solve", "odds-and-evens", "-p", "most=5", *by_search))
    assert more["nash_gap"] <= 0.01
    shown = seqform("show", "odds-and-evens").stdout
    assert "2 coins" in shown
    assert "0.417" in shown
    assert seqform("report", saved, "-o", str(page)).returncode == 0
    assert "-1/12" in page.read_text()
    assert record(seqform("info", "odds-and-evens", "--json"))["sum"] == "zero"


def test_what_needs_a_tree_says_so_of_another_representation(seqform: Run) -> None:
    done = seqform("draw", "odds-and-evens")
    assert done.returncode == 2
    assert "is a sequence form and has no tree, which this needs" in " ".join(done.stderr.split())


def test_what_needs_no_tree_takes_another_representation(seqform: Run) -> None:
    found = record(seqform("shrink", "odds-and-evens", "--json"))
    assert found["before"] == found["after"]  # no two numbers of coins are alike
    assert found["before"]["nonzeros"] == 12


@pytest.mark.parametrize("method", ["fictitious-play", "quadratic-cfr", "hedge"])
def test_the_methods_solve(seqform: Run, method: str) -> None:
    options = ["--rounds", "100"] if method == "fictitious-play" else ["--gap", "0.01"]
    found = record(seqform("solve", "kuhn", "--method", method, *options, "--json"))
    assert method in found["method"]
    assert abs(found["value"] + 1 / 18) < 0.1


def test_the_solver_solves(seqform: Run) -> None:
    for more in ((), ("--engine", "highs-ipm")):
        found = record(seqform("solve", "kuhn", "--solver", "linprog", *more, "--json"))
        assert "linprog" in found["method"]
        assert abs(found["value"] + 1 / 18) < 1e-9


def test_the_reduction_reduces(seqform: Run) -> None:
    found = record(seqform("solve", "kuhn", "--abstract", "unchanged", "--json"))
    assert abs(found["value"] + 1 / 18) < 1e-9
    assert seqform("shrink", "kuhn", "--criterion", "unchanged").returncode == 0


EACH = """
import seqform

coins = seqform.make("matching-coins", sides=3)
for options in (
    {},
    {"method": "fictitious-play", "rounds": 200},
    {"method": "quadratic-cfr", "gap": 1e-3},
    {"solver": "linprog"},
    {"abstract": "unchanged"},
):
    solution = seqform.solve(coins, **options)
    assert abs(solution.value - 1 / 3) < 0.05, (options, solution.value)
    print(solution.status.name, solution.method)
print(seqform.solve(seqform.make("matching-coins"), method="even-chances").status.name)
"""


@pytest.mark.parametrize("version", ["python", "older"])
def test_all_of_them_work_from_python(version: str, request: pytest.FixtureRequest) -> None:
    done = request.getfixturevalue(version)("-c", EACH)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("SOLVED") == 6
    assert "fictitious-play" in done.stdout
    assert "quadratic-cfr" in done.stdout
    assert "linprog" in done.stdout


ENGINE = """
import seqform

found = seqform.solve(seqform.make("kuhn"), method="hedge", gap=0.05, checkpoint="hedge.npz")
assert (found.status.name, found.method) == ("SOLVED", "hedge/hedge"), found.status
assert found.nash_gap <= 0.05 and found.message == "stopped at the gap"
looks = []
more = seqform.solve(
    seqform.make("kuhn"), method="hedge", gap=0.02, checkpoint="hedge.npz", resume=True,
    callback=looks.append,
)
assert more.status.name == "SOLVED" and more.iterations > found.iterations
searched = [look for look in looks if hasattr(look, "aim")]
assert searched and not any(look.bounds_value for look in searched)
assert searched[0].iterations > found.iterations
polished = seqform.solve(seqform.make("kuhn"), method="hedge", iterations=500, polish=True)
assert polished.method == "hedge/hedge+polish" and polished.nash_gap < 1e-8, polished.method
three = seqform.make("kuhn", players=3)
assert seqform.solve(three, method="hedge", iterations=30).history
leduc = seqform.make("leduc")
assert seqform.solve(leduc, method="hedge", abstract="suit", iterations=3).reduction == "suit"
"""


def test_an_engine_brings_its_protocol_and_gets_all_that_searches_have(python: Python) -> None:
    done = python("-c", ENGINE)
    assert done.returncode == 0, done.stderr


def test_the_recipes_import_the_face_only() -> None:
    for file in PLUGIN.rglob("*.py"):
        for line in file.read_text().splitlines():
            if "seqform" in line and re.match(r"(from|import) ", line):
                assert line.startswith("from seqform.plugins import "), (file, line)


def test_help_names_all_of_them(python: Python, seqform: Run) -> None:
    main = "from seqform.cli import main; main()"  # where nobody named any of them yet
    text = python("-c", main, "solve", "--help").stdout
    for name in ("fictitious-play", "quadratic-cfr", "hedge", "linprog", "unchanged"):
        assert name in text
    assert "--rounds" not in text
    named = seqform("solve", "--method", "fictitious-play", "--help").stdout
    assert "How many rounds to play." in named
    assert "everybody answers the average of what the others did so far" in named
    assert "unchanged" in seqform("shrink", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["solve", "matching-coin"], "matching-coins"),
        (["solve", "kuhn", "--method", "fictitious-pay"], "fictitious-play"),
        (["solve", "kuhn", "--method", "quadratc-cfr"], "quadratic-cfr"),
        (["solve", "kuhn", "--solver", "linprogg"], "linprog"),
        (["solve", "kuhn", "--abstract", "unchangd"], "unchanged"),
    ],
)
def test_errors_name_the_one_that_was_meant(seqform: Run, arguments: list[str], meant: str) -> None:
    done = seqform(*arguments)
    assert done.returncode == 2
    assert meant in done.stderr
    assert "Traceback" not in done.stderr


def test_refusals_name_the_method(python: Python) -> None:
    code = """
import seqform

seqform.solve(seqform.make("centipede"), method="fictitious-play", rounds=10)
try:
    seqform.solve(seqform.make("kuhn"), method="fictitious-play", round=10)
except seqform.SeqformError as error:
    assert "rounds" in str(error), error
else:
    raise SystemExit("an option that does not exist was taken")
"""
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_a_concept_whose_answers_are_no_profiles_fits(seqform: Run, python: Python) -> None:
    """Two files, the concept and the method, and nothing else knows of it."""
    done = seqform(
        "solve", "matching-coins", "--method", "even-chances", "--out", "joint", "--details"
    )
    assert done.returncode == 0, done.stderr
    assert "gain from disobeying" in done.stdout
    found = record(seqform("verify", "joint", "--json"))
    assert (found["values"], found["gains"]) == ([0.0, 0.0], [0.0, 0.0])
    worse = "import numpy as np; np.savetxt('joint/strategy.csv', [[0, 1], [0, 0]], delimiter=',')"
    assert python("-c", worse).returncode == 0
    refused = seqform("verify", "joint")
    assert refused.returncode == 2
    assert "the result claims values = [0.0, 0.0]" in refused.stderr
    code = (
        "import seqform; s = seqform.solve(seqform.make('matching-coins'), method='even-chances')"
    )
    shown = python("-c", f"{code}; print(s.concept, s.profile, s.answer.shape, s.status.name)")
    assert shown.stdout == "correlated None (2, 2) SOLVED\n", shown.stderr


def test_a_strangers_proof_is_saved_loaded_verified_and_reported(python: Python) -> None:
    code = """
import json
from pathlib import Path

import seqform
from coin_games.pure_guarantee import guarantee

solution = seqform.solve(seqform.make("matching-coins"))
solution = solution.proving(guarantee(solution.game, 1))
solution.save("proven", "matching-coins")
assert Path("proven/pure-guarantee.json").exists()
again = seqform.load("proven")
assert again.proven("pure-guarantee").record() == {"action": 1, "least": "-1"}
assert "action 1 pays at least -1" in str(again), again
assert solution.record()["pure-guarantee"] == {"action": 1, "least": "-1"}
verified = seqform.verify("proven")
assert verified.record()["pure-guarantee"]["least"] == "-1"
assert "action 1 pays at least -1" in dict(verified.rows())["proven of one action"]
seqform.write_report("proven", "page.html")
assert "action 1 pays at least -1" in Path("page.html").read_text()
again.save("again", "matching-coins")
assert Path("again/pure-guarantee.json").exists()
solution.proving(guarantee(solution.game, 0)).save("proven", "matching-coins")
assert seqform.load("proven").proven("pure-guarantee").action == 0
"""
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_a_proof_whose_package_is_not_installed_is_not_passed_over(
    python: Python, tmp_path: Path
) -> None:
    code = f"""
import seqform
from coin_games.pure_guarantee import guarantee

solution = seqform.solve(seqform.make("matching-coins"))
solution.proving(guarantee(solution.game, 1)).save({str(tmp_path / "proven")!r})
"""
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    for read in (verify, load):
        with pytest.raises(VerificationError, match="'pure-guarantee', which no installed"):
            read(tmp_path / "proven")


def test_a_strangers_proof_of_a_locked_game_has_a_file_of_its_own(python: Python) -> None:
    code = """
from dataclasses import replace
from pathlib import Path

import seqform
from coin_games.pure_guarantee import guarantee

coins = seqform.make("matching-coins", sides=3)
name = seqform.build_sequence_form(seqform.build_tree(coins)).infoset_label(1, 0)
solution = seqform.solve(coins, lock={(1, name, "side 0"): 0})
locked = solution.locked.proving(guarantee(solution.locked.game, 0))
solution = replace(solution, smaller=replace(solution.smaller, solution=locked))
solution = solution.proving(guarantee(solution.game, 1))
solution.save("locked", "matching-coins", {"sides": 3})
assert Path("locked/pure-guarantee-locked.json").exists()
again = seqform.load("locked")
assert again.proven("pure-guarantee").action == 1
assert again.locked.proven("pure-guarantee").action == 0
"""
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / FILE).unlink(), "is damaged"),
        (lambda folder: (folder / FILE).write_text('{"action": 7}'), "names no action"),
        (lambda folder: (folder / FILE).write_text('{"action": 0}'), "not the claim"),
        (lambda folder: claim(folder, {"action": 1, "least": "0"}), "not the claim"),
    ],
)
def test_a_strangers_proof_is_never_believed(
    proven: Path, seqform: Run, tmp_path: Path, change: Callable[[Path], None], message: str
) -> None:
    shutil.copytree(proven, tmp_path / "false")
    change(tmp_path / "false")
    done = seqform("verify", str(tmp_path / "false"))
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split()), done.stderr


@pytest.fixture(scope="module")
def proven(python: Python, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result with a stranger's proof."""
    folder = tmp_path_factory.mktemp("results") / "proven"
    code = f"""
import seqform
from coin_games.pure_guarantee import guarantee

solution = seqform.solve(seqform.make("matching-coins"))
solution.proving(guarantee(solution.game, 1)).save({str(folder)!r}, "matching-coins")
"""
    assert python("-c", code).returncode == 0
    return folder


FILE = "pure-guarantee.json"


def claim(folder: Path, guarantee: dict[str, object]) -> None:
    """Change what a result claims, and its checksum."""
    path = folder / "result.json"
    content = json.loads(path.read_text()) | {"pure-guarantee": guarantee}
    content["checksum"] = checksum(content)
    path.write_text(json.dumps(content))
