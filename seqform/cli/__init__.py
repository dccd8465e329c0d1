"""The command line.

Everything heavy is imported inside the commands, so that `seqform --help` is instant.
"""

from __future__ import annotations

import gc
import os
import sys

import typer

from seqform.base.errors import SeqformError
from seqform.base.memory import refuse_more_than_available
from seqform.base.siblings import load_siblings
from seqform.cli.arguments import EXIT_ERROR
from seqform.cli.command import Command
from seqform.cli.convert import convert
from seqform.cli.demo import demo
from seqform.cli.draw import draw
from seqform.cli.list_games import games, info
from seqform.cli.method_options import MethodCommand
from seqform.cli.shrink import shrink
from seqform.cli.solve import solve
from seqform.cli.verify import verify
from seqform.cli.write_lp import write_lp

app = typer.Typer(
    help="Exact, fast and certified equilibria of extensive-form games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for name, command in (
    ("games", games),
    ("info", info),
    ("solve", solve),
    ("shrink", shrink),
    ("verify", verify),
    ("convert", convert),
    ("write-lp", write_lp),
    ("draw", draw),
    ("demo", demo),
):
    app.command(name, cls=MethodCommand if name == "solve" else Command)(command)


INSTEAD = (
    "use a smaller game, a coarser abstraction (--abstract), regret minimization (--method dcfr), "
    "or give the process more memory"
)
"""What to do where memory ran out that nobody had estimated."""


def main() -> None:
    """Run the command line.

    An error of our own becomes one line on standard error, and exit status 2.
    """
    # no dense algebra here; idle threads would only burn time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # imports and trees make many objects and no garbage: look for it rarely
    gc.set_threshold(200_000, 50, 50)
    load_siblings()
    refuse_more_than_available()
    try:
        app()
    except SeqformError as error:
        print(f"seqform: {error}", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except MemoryError as error:
        why = f" ({error})" if str(error) else ""
        print(f"seqform: out of memory{why}; {INSTEAD}", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_ERROR)
