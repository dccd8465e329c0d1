"""Registries of what packages declare: names, strangers' packages, and folders that hide ours."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import zipfile
from importlib.metadata import DistributionFinder
from pathlib import Path
from typing import NoReturn

import pytest

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.registry import Registry
from seqform.game.catalogue import GAMES
from tests.command_line import process
from tests.installed_packages import install


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    return tmp_path


THINGS: Registry[object] = Registry("seqform.tests", "thing")


def test_nothing_installed() -> None:
    with pytest.raises(InvalidParameterError, match=r"no thing is declared.*pip install -e"):
        THINGS.names()


def test_names_are_in_order_and_loaded_when_asked_for(folder: Path) -> None:
    install(folder, "stranger", "zeta = math:pi", "alpha-beta = math:e", "bad = no_module:x")
    assert THINGS.names() == ("alpha-beta", "bad", "zeta")
    assert THINGS.get("alpha_beta") == THINGS.get("alpha-beta")
    assert "alpha_beta" in THINGS
    assert "gamma" not in THINGS
    with pytest.raises(UnknownNameError, match=r"there is no thing 'zeto'.*did you mean 'zeta'"):
        THINGS.get("zeto")


def test_a_package_installed_meanwhile_is_seen(folder: Path) -> None:
    install(folder, "first", "one = math:pi")
    assert THINGS.names() == ("one",)
    install(folder, "second", "two = math:e")
    assert THINGS.names() == ("one", "two")


def test_a_name_that_a_later_package_brings_is_found(folder: Path) -> None:
    install(folder, "first", "one = math:pi")
    assert THINGS.get("one") is math.pi
    install(folder, "second", "two = math:e")
    assert THINGS.get("two") is math.e


def test_two_packages_of_one_name_spoil_that_name_only(folder: Path) -> None:
    install(folder, "first", "one = math:pi", "other = math:tau")
    install(folder, "second", "one = math:e")
    with pytest.raises(InvalidParameterError, match=r"'one': (first|second) 1\.0 and .* uninstall"):
        THINGS.get("one")
    assert THINGS.get("other") == pytest.approx(6.28, abs=0.01)


def test_a_broken_package_is_named_with_what_broke(folder: Path) -> None:
    (folder / "broken_module.py").write_text("raise RuntimeError('boom')")
    install(folder, "broken", "one = broken_module:x")
    with pytest.raises(InvalidParameterError, match=r"'one' of broken 1\.0 .*RuntimeError: boom"):
        THINGS.get("one")


def test_our_games_come_before_those_of_others(folder: Path) -> None:
    install(folder, "stranger", "aaa = math:pi", group="seqform.games")
    names = GAMES.names()
    assert names[-1] == "aaa"
    assert list(names[:-1]) == sorted(names[:-1])


ODD_LINES = (
    "# one = math:no",
    "spaced   =   math : pi  ",
    "extra = math:pi [fast]",
    "deep = os:path.join",
    "two:colons = math:pi",
    "",
    "[other.group]",
    "not-ours = math:pi",
    "[seqform.empty]",
)


def test_odd_lines_are_read_as_the_specification_has_them(folder: Path) -> None:
    install(folder, "Odd.Name", *ODD_LINES)
    assert set(THINGS.names()) == {"spaced", "extra", "deep", "two:colons"}
    assert [THINGS.get(name) for name in ("extra", "deep")] == [math.pi, os.path.join]
    assert "not-ours" not in THINGS


def test_of_a_package_that_is_there_twice_the_first_counts(folder: Path) -> None:
    install(folder, "stranger", "one = math:pi")
    install(folder, "dropped", "shadowed = math:e", group="other.group")
    (folder / "hidden").mkdir()
    install(folder / "hidden", "stranger", "one = math:e", "shadowed = math:e")
    install(folder / "hidden", "Dropped", "shadowed = math:e")
    sys.path.append(str(folder / "hidden"))
    assert THINGS.names() == ("one",)
    assert THINGS.get("one") is math.pi


def test_places_that_are_no_strings_are_left_out_as_imports_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(folder, "stranger", "one = math:pi")
    monkeypatch.setattr(sys, "path", [folder, os.fsencode(folder), *sys.path])
    assert THINGS.get("one") == math.pi


@pytest.mark.parametrize("line", ["gr\xfc\xdfe = math:e", "no object"])
def test_a_file_that_cannot_be_read_harms_no_other_package(
    line: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install(folder, "stranger", "one = math:pi")
    install(folder, "spoilt", "two = math:e", line)
    file = folder / "spoilt-1.0.dist-info" / "entry_points.txt"
    file.write_bytes(file.read_text().encode("latin-1"))
    assert THINGS.names() == ("one",)
    assert THINGS.get("one") == math.pi
    assert "what spoilt declares cannot be read" in caplog.text


def test_another_reader_is_told_of_places_that_are_strings_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(_: object, context: DistributionFinder.Context) -> list[NoReturn]:
        if not all(isinstance(place, str) for place in context.path):
            raise TypeError("a place is no string")
        return []

    theirs = type("Finder", (), {"find_distributions": find, "__module__": "importlib_metadata"})
    install(folder, "stranger", "one = math:pi")
    monkeypatch.setattr(sys, "path", [os.fsencode(folder), *sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, theirs()])
    assert THINGS.get("one") == math.pi


def test_packages_in_an_archive_are_found(folder: Path) -> None:
    archive = folder / "packed.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("packed-1.0.dist-info/METADATA", "Name: packed\nVersion: 1.0\n")
        file.writestr("packed-1.0.dist-info/entry_points.txt", "[seqform.tests]\none = math:pi\n")
    with pytest.raises(InvalidParameterError, match="no thing is declared"):
        THINGS.names()
    sys.path.append(str(archive))
    assert THINGS.get("one") == math.pi
    assert "kuhn" in GAMES


BLUFF = """
from games_like import kuhn_poker
from seqform import TreeBuilder

def Bluff():
    b = TreeBuilder(num_players=2)
    for child in b.decision(b.root, 0, "root", ["l", "r"]):
        b.terminal(child, (1, -1))
    return b.freeze()
"""


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A folder of a user who has packages called like ours, which do not even load."""
    for name in ("games", "abstraction", "experiments"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('not seqform')")
    (tmp_path / "bluff.py").write_text(BLUFF)
    (tmp_path / "games_like.py").write_text("kuhn_poker = None")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "kuhn"),
        ("solve", "bluff:Bluff"),
        ("solve", "kuhn", "--abstract", "equitable"),
        ("games",),
    ],
)
def test_the_command_line_finds_ours_beside_folders_of_the_same_names(
    arguments: tuple[str, ...], crowded: Path
) -> None:
    done = process(*arguments, folder=crowded)
    assert done.returncode == 0, done.stderr


def test_a_users_package_that_is_called_like_ours_is_that_of_the_user(crowded: Path) -> None:
    done = process("solve", "games:Bluff", folder=crowded)
    assert done.returncode == 2
    assert "the module cannot be imported: RuntimeError: not seqform" in done.stderr
    (crowded / "games" / "__init__.py").write_text("from games.mine import Bluff")
    (crowded / "games" / "mine.py").write_text(BLUFF.replace("games_like", "games.kuhn"))
    (crowded / "games" / "kuhn.py").write_text("kuhn_poker = None")
    for game in ("games:Bluff", "games.mine:Bluff"):
        done = process("solve", game, "--abstract", "outcome", folder=crowded)
        assert "outcome" in done.stderr
        done = process("solve", game, folder=crowded)
        assert done.returncode == 0, done.stderr


BOTH = """
import seqform
{first}
kuhn = seqform.make("kuhn")
assert seqform.solve(kuhn, abstract="equitable").nash_gap < 1e-6
assert seqform.make("rhode-island").num_players == 2
{then}
assert games.MINE == games.kuhn.MINE == 1 and "rhode_island" not in vars(games)
assert seqform.make("kuhn", players=3).num_players == 3
assert seqform.make("leduc") is not None
"""


@pytest.mark.parametrize("order", [("import games.kuhn", ""), ("", "import games.kuhn")])
def test_from_python_ours_and_a_users_package_of_the_same_name_are_both_there(
    order: tuple[str, str], crowded: Path
) -> None:
    (crowded / "games" / "__init__.py").write_text("from games.kuhn import MINE")
    (crowded / "games" / "kuhn.py").write_text("MINE = 1")
    first, then = order
    done = subprocess.run(
        [sys.executable, "-c", BOTH.format(first=first, then=then)],
        cwd=crowded,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_from_python_nothing_of_a_users_package_is_run(crowded: Path) -> None:
    code = "import seqform; seqform.solve(seqform.make('kuhn'), abstract='equitable')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=crowded, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_games_own_method_is_found_beside_a_users_package(crowded: Path) -> None:
    done = process("solve", "connect-four", "-p", "columns=2", "-p", "rows=4", folder=crowded)
    assert done.returncode == 0, done.stderr


def test_a_users_module_finds_its_neighbours_later_and_hides_no_library(tmp_path: Path) -> None:
    (tmp_path / "highspy.py").write_text("raise RuntimeError('not HiGHS')")
    (tmp_path / "my_numbers.py").write_text("ONE = 1")
    late = BLUFF.replace("from games_like import kuhn_poker\n", "").replace(
        "    b = ", "    import my_numbers\n    b = "
    )
    (tmp_path / "bluff.py").write_text(late)
    # like the script `seqform`, and unlike `process`, -P does not search the current folder first
    code = "from seqform.cli import main; main()"
    arguments = [sys.executable, "-P", "-c", code, "solve", "bluff:Bluff", "--method", "lp"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_broken_package_stops_nothing_but_itself(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "broken_module.py").write_text("raise RuntimeError('boom')")
    install(folder, "broken", "one = broken_module:x")
    assert list(THINGS.usable()) == []
    assert "RuntimeError: boom" in caplog.text
