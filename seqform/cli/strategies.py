"""Options that name strategies."""

from __future__ import annotations

from typing import Annotated

import typer

from seqform.base.errors import UnsupportedGameError

STRATEGY_HELP = (
    "a table .csv (player, infoset, action, probability; or, of mixed strategies, player, "
    "strategy, probability), a .json, a policy of OpenSpiel as .json, a profile that Gambit "
    "printed, or a folder that `seqform solve --out` wrote"
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

Exact = Annotated[
    bool | None,
    typer.Option(
        "--exact/--no-exact",
        help="Compute in fractions too. Default: where game and strategies are given in fractions "
        "or decimals.",
    ),
]


def too_large_to_wait(name: str) -> UnsupportedGameError:
    """Return the error for a game that takes minutes to solve, of which no strategy was given."""
    return UnsupportedGameError(
        f"{name} is too large to be solved while you wait; give a saved result "
        f"(`seqform solve {name} --gap 1e-2 --out DIR` makes one), or use smaller parameters, "
        "such as -p ranks=4 -p suits=2 -p max_bets=1 for rhode-island"
    )
