"""Mutation testing: finds small changes of the code that no test notices.

    python -m tools.mutants measure            which tests run which lines (minutes, once)
    python -m tools.mutants try seqform/exact  all mutations of a room; survivors are printed

Every mutation is made in a forked process, in functions that are imported already. The tests that
run its line are run there until one fails, first those that are fast and run few lines. So a
mutation takes about a tenth of a second, and those of properties and constants are tried too.
Survivors that no test can notice are in `tests/mutants.toml`, each with the reason.

mutmut 3 runs our tests so too. But it tries no properties, constants or dropped statements, which
are nearly half of these mutations, and keeps no reasons; cosmic-ray starts Python for each.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from tools.mutants.trial import Trial
from tools.mutants.which_tests import Measurement, read

ROOMS = ["seqform/form", "seqform/concepts", "seqform/exact", "seqform/game", "abstraction"]
NOTES = Path(".mutants", "tests.json")
QUIET = [
    "-q",
    "--capture=sys",
    "-p",
    "no:faulthandler",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("measure", help="note which tests run which lines; more goes to pytest")
    attempt = commands.add_parser("try", help="try all mutations of files or folders")
    attempt.add_argument("places", nargs="*", default=ROOMS)
    attempt.add_argument("--seconds", type=float, default=1, help="of tests for one mutation")
    attempt.add_argument("--all", action="store_true", help="those with a known reason too")
    given, rest = parser.parse_known_args()
    if given.command == "measure":
        plugin = Measurement(ROOMS, NOTES)
        return int(pytest.main([*QUIET, *rest], [plugin]) > 1)
    notes = read(NOTES)
    files = [path for place in map(Path, given.places) for path in sorted(_modules(place))]
    trial = Trial(files, notes, given.seconds, given.all)
    wanted = sorted({test.split("::", maxsplit=1)[0] for test in trial.tests})
    wanted = [file for file in wanted if Path(file).exists()]
    code = pytest.main([*QUIET, *wanted], [trial])
    return code or int(trial.survived > 0)


def _modules(place: Path) -> list[Path]:
    return [place] if place.suffix == ".py" else list(place.rglob("*.py"))


sys.exit(main())
