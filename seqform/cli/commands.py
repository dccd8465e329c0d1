"""All commands.

Everything heavy is imported inside them, so that `seqform --help` is instant.
"""

from __future__ import annotations

from collections.abc import Callable

import typer

from seqform.cli.best_response import best_response
from seqform.cli.command import Command
from seqform.cli.convert import convert
from seqform.cli.demo import demo
from seqform.cli.doctor import doctor
from seqform.cli.draw import draw
from seqform.cli.evaluate import evaluate
from seqform.cli.examples import epilog
from seqform.cli.experiment import ExperimentCommand, experiment
from seqform.cli.exploit import exploit
from seqform.cli.group import Group, root
from seqform.cli.list_games import games, info
from seqform.cli.method_options import MethodCommand
from seqform.cli.play import play
from seqform.cli.report import report
from seqform.cli.sample import sample
from seqform.cli.show import show
from seqform.cli.shrink import shrink
from seqform.cli.solve import solve
from seqform.cli.verify import verify
from seqform.cli.write_lcp import write_lcp
from seqform.cli.write_lp import write_lp

CLASSES = {"solve": MethodCommand, "exploit": MethodCommand, "experiment": ExperimentCommand}
"""Commands that take more options than their functions have arguments."""

COMMANDS: dict[str, Callable[..., None]] = {
    "games": games,
    "info": info,
    "solve": solve,
    "show": show,
    "shrink": shrink,
    "verify": verify,
    "report": report,
    "evaluate": evaluate,
    "best-response": best_response,
    "play": play,
    "sample": sample,
    "exploit": exploit,
    "experiment": experiment,
    "convert": convert,
    "write-lp": write_lp,
    "write-lcp": write_lcp,
    "draw": draw,
    "demo": demo,
    "doctor": doctor,
}


def application(asked: str | None = None) -> typer.Typer:
    """Return the command line; with one command only if that is the one that is asked for.

    Reading the arguments of all of them takes as long as evaluating a strategy of Leduc hold'em.
    """
    made = typer.Typer(cls=Group, no_args_is_help=True, pretty_exceptions_enable=False)
    made.callback()(root)  # makes commands of what is registered, be it one
    for name in [asked] if asked in COMMANDS else COMMANDS:
        kind = CLASSES.get(name, Command)
        made.command(name, cls=kind, epilog=epilog(name))(COMMANDS[name])
    return made


app = application()
