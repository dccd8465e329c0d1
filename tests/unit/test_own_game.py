"""The game of docs/how-to/bring-your-own-game.md is run as it stands there."""

from __future__ import annotations

import json
import re
import shlex
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import call

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "bring-your-own-game.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [
    line.partition("#")[0]
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


@pytest.fixture
def my_game(tmp_path: Path, monkeypatch: Any) -> Any:
    (tmp_path / "my_game.py").write_text(CODE[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    sys.modules.pop("my_game", None)  # that of another test
    yield
    sys.modules.pop("my_game", None)


def test_the_class_has_thirty_lines() -> None:
    body = CODE[0][CODE[0].index("class") :]
    assert len([line for line in body.splitlines() if line.strip()]) <= 30


@pytest.mark.usefixtures("my_game")
def test_the_commands_do_what_the_page_says() -> None:
    assert len(COMMANDS) == 5
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        assert program == "seqform"
        call(*arguments)
    record = json.loads(call("solve", "my_game:Poker", "--json"))
    assert record["lower"] <= Fraction(1, 12) <= record["upper"]
    assert record["nash_gap"] < 1e-12
    record = json.loads(call("solve", "poker.efg", "--json"))
    assert record["value"] == pytest.approx(1 / 12, abs=1e-12)
