"""Options that name strategies."""

from __future__ import annotations

from typing import Annotated

import typer

STRATEGY_HELP = (
    "a table .csv (player, infoset, action, probability), a .json, a policy of OpenSpiel as .json, "
    "a profile that Gambit printed, or a folder that `seqform solve --out` wrote"
)
ProfileOption = Annotated[
    str, typer.Option("--profile", metavar="FILE", help=f"The strategy: {STRATEGY_HELP}.")
]
Complete = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="What is played where a strategy says nothing: uniform, refuse, or as in another "
        "complete one (a file or folder).",
    ),
]
