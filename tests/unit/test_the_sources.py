"""The page on the sources: its commands can be typed, and print what stands beside them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import call
from tests.imports import ROOT

PAGE = ROOT / "docs" / "explanation" / "the-sources.md"
ELSEWHERE = ("demo", "experiment ", "solve rhode-island ", "shrink rhode-island --compare")
"""What takes longer than the others together; other tests run these or their like."""

LONG = (
    "info tic-tac-toe",
    "solve tic-tac-toe --method minimax",
    "solve connect-four -p columns=4 -p rows=4",
    "compare-nodes leduc Js Jh",
    "shrink rhode-island",
    "shrink rhode-island --criterion suit",
)


def shown() -> dict[tuple[str, ...], set[str]]:
    """Return the commands of each row, and the large numbers that rows with these claim."""
    found: dict[tuple[str, ...], set[str]] = {}
    for row in PAGE.read_text().splitlines():
        if not row.startswith("| ") or row.count(" | ") < 2:
            continue
        *_, here, cell = row.split(" | ")
        commands = tuple(
            command
            for command in re.findall(r"`seqform ([^`]*)`", cell)
            if not command.startswith(ELSEWHERE)
        )
        if commands:
            numbers = re.findall(r"\d{1,3}(?:,\d{3})+", here)
            found.setdefault(commands, set()).update(numbers)
    return found


SHOWN = shown()


@pytest.mark.parametrize(
    "commands",
    [pytest.param(c, marks=[pytest.mark.long] * bool({*c} & {*LONG})) for c in SHOWN],
    ids="; ".join,
)
def test_commands_print_what_stands_beside_them(
    commands: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = [call(*shlex.split(command)) for command in commands]
    assert all(text.strip() for text in said)
    assert {number for number in SHOWN[commands] if number not in "".join(said)} == set()


def test_the_page_has_commands_and_numbers() -> None:
    assert len(SHOWN) > 40
    assert {"6,705,372,545", "91,224,226", "1,237,238"} <= set.union(*SHOWN.values())


def test_rows_have_as_many_cells_as_their_table() -> None:
    for block in PAGE.read_text().split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1, block


def test_experiments_of_the_page_exist() -> None:
    from seqform import EXPERIMENTS

    named = re.findall(r"`seqform experiment (\w+)`", PAGE.read_text())
    assert named
    assert set(named) <= set(EXPERIMENTS.names())
