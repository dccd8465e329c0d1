"""Files and OpenSpiel's games on the command line: every command takes them, and mistakes are one
line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from seqform import build_tree
from seqform.base.errors import (
    GameFileError,
    GameTooLargeError,
    ImperfectRecallError,
    InvalidParameterError,
    ResultFileError,
    SeqformError,
    UnsupportedGameError,
)
from seqform.io import read_efg
from seqform.tree.file import load_tree
from tests.command_line import call, typed
from tests.imperfect_recall import ABSENT_MINDED
from tests.same_game import assert_same_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_convert_goes_round_in_circles(folder: Path) -> None:
    printed = (
        call("convert", "kuhn", "a.efg")
        + call("convert", "a.efg", "b.npz")
        + call("convert", "b.npz", "c.efg")
    )
    assert printed.splitlines()[1] == "wrote 58 nodes and 12 information sets of 2 players to b.npz"
    assert_same_game(build_tree(kuhn()), read_efg("c.efg"))
    assert_same_game(build_tree(kuhn()), load_tree(Path("b.npz")))
    assert (folder / "a.efg").read_text().startswith('EFG 2 R "kuhn"')
    assert sorted(p.name for p in folder.iterdir()) == ["a.efg", "b.npz", "c.efg"]


def test_convert_takes_open_spiel_and_parameters(folder: Path) -> None:
    pytest.importorskip("pyspiel")
    call("convert", "openspiel:leduc_poker", "leduc.npz")
    call("convert", "leduc", "leduc.efg", "-p", "ranks=3")
    assert_same_game(
        load_tree(Path("leduc.npz")), read_efg("leduc.efg"), labels=False, infoset_labels=False
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("game", ["kuhn.efg", "kuhn.npz", "openspiel:kuhn_poker"])
def test_every_command_takes_every_kind_of_game(game: str) -> None:
    if game.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    else:
        call("convert", "kuhn", game)
    record = json.loads(call("solve", game, "--json", "--prove", "--out", "result"))
    assert (record["game"], record["status"], record["params"]) == (game, "solved", {})
    assert record["lower"] <= -1 / 18 <= record["upper"]
    assert json.loads(call("verify", "result", "--json"))["verified"] is True
    assert json.loads(call("info", game, "--json"))["nodes"] == 58
    assert json.loads(call("shrink", game, "--json"))["before"]["rows"] == 20
    assert "20 rows" in call("write-lp", game, "kuhn.lp")
    assert "known" not in call("solve", game)


def test_a_saved_result_verifies_without_the_file_that_it_came_from(folder: Path) -> None:
    call("convert", "kuhn", "kuhn.efg")
    call("solve", "kuhn.efg", "--json", "--out", "result")
    (folder / "kuhn.efg").unlink()
    assert "verified" in call("verify", "result")


def refused(error: type[SeqformError], message: str, *arguments: str) -> None:
    with pytest.raises(error, match=message):
        call(*arguments)


@pytest.mark.usefixtures("folder")
def test_mistakes_with_files_are_refused() -> None:
    refused(GameFileError, "nothing.efg is not there", "solve", "nothing.efg")
    refused(ResultFileError, "nothing.npz does not exist", "solve", "nothing.npz")
    refused(
        InvalidParameterError,
        "kuhn.efg is a file, which has no parameters",
        "solve",
        "kuhn.efg",
        "-p",
        "ranks=3",
    )
    refused(
        InvalidParameterError,
        r"out.txt: .* end in \.efg, \.nfg or \.npz",
        "convert",
        "kuhn",
        "out.txt",
    )
    refused(GameFileError, "cannot write", "convert", "kuhn", "no/folder/kuhn.npz")
    refused(GameFileError, "cannot write", "convert", "kuhn", "no/folder/kuhn.efg")
    refused(
        GameTooLargeError,
        "more than the limit of 100",
        "convert",
        "leduc",
        "leduc.efg",
        "--max-nodes",
        "100",
    )
    Path("folder.efg").mkdir()
    refused(GameFileError, "folder.efg is no file", "info", "folder.efg")
    Path("driver.efg").write_text(ABSENT_MINDED)
    refused(ImperfectRecallError, "absent-minded", "solve", "driver.efg")
    assert "absent-minded" in json.loads(call("info", "driver.efg", "--json"))["recall"]
    Path("short.efg").write_text('EFG 2 R "" { "a" "b" }\np "" 1')
    refused(GameFileError, r"short\.efg, line 2, column 7: .*cut short", "solve", "short.efg")


@pytest.mark.usefixtures("folder")
def test_mistakes_with_open_spiel_are_refused() -> None:
    pytest.importorskip("pyspiel")
    refused(
        InvalidParameterError,
        r"'openspiel:kuhn_poker\(key=value\)'",
        "solve",
        "openspiel:kuhn_poker",
        "-p",
        "players=3",
    )
    refused(
        InvalidParameterError,
        "chance_denominator=half",
        "solve",
        "openspiel:kuhn_poker",
        "-p",
        "chance_denominator=half",
    )
    refused(
        InvalidParameterError,
        "chance_denominator=0",
        "solve",
        "openspiel:kuhn_poker",
        "-p",
        "chance_denominator=0",
    )
    refused(
        GameTooLargeError, "within 50 nodes", "solve", "openspiel:kuhn_poker", "--max-nodes", "50"
    )
    refused(UnsupportedGameError, "information_state_string", "info", "openspiel:phantom_go")
    assert call("info", "openspiel:kuhn_poker", "-p", "chance_denominator=100")


def test_a_mistake_is_one_line_on_standard_error(folder: Path) -> None:
    (folder / "noise.efg").write_bytes(b"\x93NUMPY\x01\x00")
    done = typed("solve", "noise.efg", folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    message = "noise.efg, line 1, column 1: this is not UTF-8 text; save the file as UTF-8"
    assert done.stderr == f"seqform: {message}\n"
