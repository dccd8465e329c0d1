"""A game and its parameters in a TOML file: read by every command, and by the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seqform import load
from seqform.base.errors import GameFileError, SeqformError
from seqform.io import read_settings
from seqform.io.named_game import named_game
from tests.command_line import call

LEDUC = 'game = "leduc"\nranks = 4\n'


@pytest.fixture
def leduc(tmp_path: Path) -> Path:
    path = tmp_path / "spot.toml"
    path.write_text(LEDUC, encoding="utf-8")
    return path


def test_a_file_is_the_game_that_it_names(leduc: Path) -> None:
    assert read_settings(leduc) == ("leduc", {"ranks": 4})
    assert load(leduc).deck.size == 8  # type: ignore[union-attr]
    assert named_game(str(leduc), {}).deck.size == 8  # type: ignore[union-attr]


def test_the_command_line_solves_it_and_saves_it_by_name(leduc: Path, tmp_path: Path) -> None:
    call("solve", str(leduc), "--out", str(tmp_path / "result"))
    result = json.loads((tmp_path / "result" / "result.json").read_text(encoding="utf-8"))
    assert (result["game"], result["params"]) == ("leduc", {"ranks": 4})
    assert "verified" in call("verify", str(tmp_path / "result"))


def test_parameters_of_the_call_count_before_those_of_the_file(leduc: Path) -> None:
    one = json.loads(call("solve", str(leduc), "-p", "ranks=3", "--json"))
    assert one["params"]["ranks"] == 3
    assert named_game(str(leduc), {"ranks": "3"}).deck.size == 6  # type: ignore[union-attr]


def test_a_list_is_its_items_with_commas(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text('game = "g"\nsizes = ["50%", 2, 0.5]\nlast = true\n', encoding="utf-8")
    assert read_settings(path).parameters == {"sizes": "50%, 2, 0.5", "last": True}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ranks = 4\n", "names no game"),
        ("game = 3\n", "names no game"),
        ("game = ", "is no TOML"),
        ('game = "leduc"\n[ranks]\nof = 4\n', "ranks is a text, a number, true or false"),
        ('game = "leduc"\nranks = [[4]]\n', "ranks is a text, a number, true or false"),
    ],
)
def test_what_is_no_settings_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameFileError, match=said):
        read_settings(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="does not exist"):
        load(tmp_path / "none.toml")


def test_a_parameter_that_the_game_lacks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    path.write_text('game = "leduc"\nrank = 4\n', encoding="utf-8")
    with pytest.raises(SeqformError, match="no parameter 'rank'"):
        load(path)
