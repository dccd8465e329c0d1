"""`seqform verify`: a saved result, checked again."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED, AsJson
from seqform.cli.loading import load_saved

PAGES = (".html", ".htm")

OWN_SCRIPT = "that of this version: its button checks the certificates, in a browser"
OTHER_SCRIPT = (
    "not that of this version: what its button says is only as good as whoever wrote the script"
)


def verify(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="What `seqform solve --out DIR` wrote; or a page that `seqform report` wrote.",
        ),
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
    """Check a saved result again from its files alone, or that a page is as it was written."""
    import seqform

    if folder.suffix.lower() in PAGES:
        _verify_page(folder, as_json=as_json)
        return
    with display.spinner(shown=not as_json):
        found = seqform.verify(folder, partial(load_saved, trust=trust))
    if as_json:
        print(json.dumps(found.record()))
    else:
        _print(found)
    if not found.is_proof:
        sys.exit(EXIT_UNSOLVED)


def _verify_page(page: Path, *, as_json: bool) -> None:
    """Say whether a page is as it was written, and what that is worth."""
    import seqform

    found = seqform.verify_report(page)
    if as_json:
        print(json.dumps(found._asdict()))
    else:
        print(f"unchanged: {page} says what it said when it was written")
        print(f"fingerprint: {found.fingerprint}")
        print(f"script: {OWN_SCRIPT if found.has_own_script else OTHER_SCRIPT}")
    if not found.has_own_script:
        sys.exit(EXIT_UNSOLVED)


def _print(found: Any) -> None:
    """Print what was found, for people."""
    called = json.dumps(found.claims.get("game"))  # which may hold anything
    if found.is_proof:
        print(f"verified: what follows holds in the game saved, called {called}")
    else:
        print(f"not verified: only a new search of {called} can prove what the old one claims:")
    for name, text in found.rows():
        print(f"{name}: {text}")
