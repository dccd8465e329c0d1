"""`seqform verify`: a saved result, checked again."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from seqform.cli.arguments import AsJson
from seqform.cli.loading import load_saved


def verify(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What `seqform solve --out DIR` wrote.")
    ],
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Run the code of a game module:attribute that the result names and that is too "
            "large for a tree.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a saved result again from its files alone."""
    from seqform.results.folder import verify as check

    found = check(folder, partial(load_saved, trust=trust))
    certificate = found.certificate
    record = {
        "verified": True,
        "game": found.claims.get("game"),
        "value": certificate.values[0],
        "lower": certificate.lower,
        "upper": certificate.upper,
        "nash_gap": certificate.nash_gap,
    }
    if found.proven is not None:
        record["proven"] = found.proven.record()
    if found.claims.get("proof") == "exact":
        record |= {"proof": "exact", "exact_value": found.claims["exact_value"]}
    if as_json:
        print(json.dumps(record))
        return
    interval = f"[{certificate.lower:.15g}, {certificate.upper:.15g}]"
    called = json.dumps(record["game"])  # which is as whoever saved it says, and may hold anything
    print(
        f"verified: the profile pays player 0 {certificate.values[0]:.15g} in the game saved, "
        f"called {called},"
    )
    print(f"whose value is in {interval}; its nash_gap is {certificate.nash_gap:.3g}")
    if found.proven is not None:
        from seqform.exact.interval import outwards

        print(f"proven in exact arithmetic: the value is in [{', '.join(outwards(found.proven))}]")
    if found.exact is not None and "exact_value" in record:
        from seqform.cli.display import in_full

        print(f"proven in exact arithmetic: the value is {in_full(found.exact.lower)}")
