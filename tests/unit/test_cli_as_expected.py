"""What people expect of any command line: a version, completion, and the name that they meant."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import seqform
from seqform.base.nearest import nearest
from seqform.cli import app
from seqform.cli.commands import COMMANDS
from tests.imports import HEAVY


def module(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m seqform`."""
    return subprocess.run(
        [sys.executable, "-m", "seqform", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=60,
        check=False,
    )


def said(*arguments: str) -> str:
    """Return what a wrong call says, in one line."""
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code != 0
    boxed = done.output if isinstance(done.exception, SystemExit) else str(done.exception)
    return " ".join(boxed.replace("│", " ").split())


def test_the_version_and_the_module() -> None:
    done = module("--version")
    assert (done.returncode, done.stdout) == (0, f"seqform {seqform.__version__}\n")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cfrplus", "cfr+"),
        ("CFR+", "cfr+"),
        ("pcfr_plus", "pcfr+"),
        ("alpha-beta", "alphabeta"),
        ("LP", "lp"),
        ("dcrf", "dcfr"),
        ("linear cfr", "linear-cfr"),
        ("xyzzy", None),
    ],
)
def test_the_nearest_method(typed: str, meant: str | None) -> None:
    assert nearest(typed, seqform.METHODS.names()) == meant


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["slove", "kuhn"], "no command 'slove' (did you mean 'solve'?); use one of games, info"),
        (["bestresponse"], "(did you mean 'best-response'?)"),
        (["xyzzy"], "there is no command 'xyzzy'; use one of"),
        (["solve", "kuhn", "--methd", "lp"], "No such option '--methd'. Did you mean '--method'?"),
        (["solve", "kuhn", "--xyzzy"], "No such option '--xyzzy'."),
        (["solve", "kuhn", "--method", "cfrplus"], "'cfrplus' (did you mean 'cfr+'?)"),
        (["solve", "rhode-isand"], "'rhode-isand' (did you mean 'rhode-island'?)"),
        (["solve", "kuhn", "-p", "card=4"], "'card' (did you mean 'cards'?); it has cards,"),
        (["shrink", "leduc", "--criterion", "suits"], "'suits' (did you mean 'suit'?)"),
        (["solve", "kuhn", "--solver", "higs"], "'higs' (did you mean 'highs'?)"),
    ],
)
def test_one_suggestion_and_the_right_one(call: list[str], words: str) -> None:
    text = said(*call)
    assert words in text
    assert text.lower().count("did you mean") == words.lower().count("did you mean")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("seqform solv", {"solve"}),
        ("seqform solve ku", {"kuhn", "kuhn-tournament"}),
        ("seqform solve kuhn --method cf", {"cfr", "cfr+"}),
        ("seqform solve kuhn --solver hi", {"highs"}),
        ("seqform solve leduc --abstract s", {"suit", "strictly-dominated"}),
        ("seqform shrink leduc --criterion ou", {"outcome"}),
        ("seqform experiment lp_s", {"lp_sizes"}),
        ("seqform solve kuhn --tim", {"--time-limit"}),
        ("seqform solve ./no-such", set()),
    ],
)
def test_words_are_completed_and_nothing_heavy_is_loaded(words: str, offered: set[str]) -> None:
    asked = {"_SEQFORM_COMPLETE": "complete_bash", "COMP_WORDS": words}
    asked["COMP_CWORD"] = str(len(words.split()) - 1)
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE],
        capture_output=True,
        text=True,
        env=os.environ | asked,
        timeout=60,
        check=False,
    )
    assert set(done.stdout.split()) == offered
    assert not set(json.loads(done.stderr)) & HEAVY


COMPLETE = """
import json, sys
from seqform.cli import main
sys.argv = ["seqform"]
try:
    main()
finally:
    print(json.dumps(list(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_a_shell_is_shown(shell: str) -> None:
    by_name = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # tests may run under no shell
    done = module("--show-completion", shell, **by_name)
    assert done.returncode == 0
    assert f"_SEQFORM_COMPLETE=complete_{shell}" in done.stdout


def test_every_command_is_listed() -> None:
    text = CliRunner().invoke(app, ["--help"]).output
    assert [name for name in COMMANDS if name not in text] == []
