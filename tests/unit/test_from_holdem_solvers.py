"""The page for people who come from Pio or GTO+: its commands are run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from games.holdem import holdem
from tests.command_line import call
from tests.imports import ROOT

PAGE = (ROOT / "docs" / "how-to" / "from-pio-or-gtoplus.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the blocks of the page in a language; of commands it is none."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [text for of, text in found if of == language]


def commands() -> list[list[str]]:
    """Return the words of each command, in the order of the page."""
    lines = "".join(blocks("")).replace("\\\n", "").splitlines()
    return [shlex.split(line) for line in lines]


def test_the_commands_of_the_page_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("text")
    Path("river.txt").write_text(text)
    (settings,) = blocks("toml")
    Path("spot.toml").write_text(settings)
    (table,) = blocks("csv")
    Path("lock.csv").write_text(table)
    printed = []
    for program, *words in commands():
        assert program == "seqform"
        printed.append(call(*words))
    solved = [said for said in printed if "share of the pot" in said]
    assert len(printed) == 15
    assert len(solved) >= 4
    (value,) = [
        number(r"value to player 0: ([\d.]+)", said) for said in printed if "verified" in said
    ]
    lower = number(r"put the value in \[([\d.]+), ", printed[1])
    assert lower <= value <= lower + 0.37
    assert "EV" in printed[7]
    assert {"rows.csv", "boards.png", "by_texture.md"} <= {
        path.name for path in Path("results/boards").iterdir()
    }


def number(pattern: str, printed: str) -> float:
    """Return the number that a command printed."""
    found = re.search(pattern, printed)
    assert found, printed
    return float(found[1])


def test_parameters_that_the_page_names_are_those_of_the_game() -> None:
    named = set(re.findall(r"-p (\w+)=", PAGE))
    assert {"board", "oop", "ip", "pot", "stack", "sizes", "edits", "merge", "spot"} <= named
    assert named <= set(holdem.__annotations__)
