"""Arguments that several commands share, and their exit statuses."""

from __future__ import annotations

from typing import Annotated

import typer
from click.core import ParameterSource

GAME_HELP = (
    "A name that `seqform games` lists; a file .toml that says such a name and parameters; a file "
    ".efg, .nfg or .gbt (Gambit) or .npz (`seqform convert`); openspiel:NAME; or module:attribute. "
    "GAME@MOVES is what follows these moves, such as kuhn@J,Q"
)
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"{GAME_HELP}.")]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--param", "-p", metavar="key=value", help="A parameter of the game; repeat for more."
    ),
]
MaxNodes = Annotated[int | None, typer.Option(min=1, help="Nodes of the largest tree to build.")]
Threshold = Annotated[
    float,
    typer.Option(help="Merge what is alike up to this much; 0 is exact."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

PLAYER = "PLAYER"
"""What stands for a player in help: a number from 0 on, or a name."""

EXIT_UNSOLVED = 1


def given_options(context: typer.Context) -> set[str]:
    """Return the names of the arguments and options that the user typed."""
    return {
        name
        for name in context.params
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
