"""Every argument of every command is explained, and every command has examples that are right."""

from __future__ import annotations

import re
import shlex
from typing import Any

import click
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from seqform.cli import app
from seqform.cli.commands import COMMANDS
from seqform.cli.examples import EXAMPLES

ROOT: Any = get_command(app)
LINES = {name: ROOT.get_command(click.Context(ROOT), name) for name in COMMANDS}


def helped(command: str) -> str:
    """Return the help of a command, which is printed in a terminal of 80 columns."""
    done = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "80"})
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_has_help_and_every_command_an_example(name: str) -> None:
    text = helped(name)
    command: Any = LINES[name]
    command._explains = True  # as when help is printed: only then are texts looked up
    for parameter in command.get_params(click.Context(command)):
        assert len(getattr(parameter, "help", None) or "") > 8, parameter.name
    assert command.help
    assert re.search(rf"Examples?:\s+seqform {name}\b", text)
    assert max(map(len, text.splitlines())) <= 80
    assert "\u2026" not in text, "something is cut off"


@pytest.mark.parametrize("call", [call for calls in EXAMPLES.values() for call in calls])
def test_examples_can_be_called(call: str) -> None:
    name, *arguments = shlex.split(call)
    context = LINES[name].make_context(name, arguments)
    axes = ["--decks", "5x3,6x3"] if "--decks" in call else []  # read by the experiment
    assert context.args == axes


def test_every_command_has_examples_of_its_own() -> None:
    assert list(EXAMPLES) == list(COMMANDS)
    assert all(call.split()[0] == name for name, calls in EXAMPLES.items() for call in calls)
