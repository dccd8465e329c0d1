"""`seqform doctor`: what is installed, and whether it works."""

from __future__ import annotations

import json
from itertools import groupby

import typer

from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED, AsJson

MARKS = {"fine": "", "absent": "", "doubtful": "doubtful: ", "broken": "BROKEN: "}


def doctor(as_json: AsJson = False) -> None:
    """Examine the installation: versions, conflicts, solvers, memory, threads, caches.

    The exit status is 1 if something that is needed is broken.
    """
    from dataclasses import asdict

    import seqform

    with display.spinner(shown=not as_json):
        findings = seqform.doctor()
    broken = [finding.name for finding in findings if finding.state == "broken"]
    if as_json:
        print(json.dumps({"sound": not broken, "findings": [asdict(f) for f in findings]}))
    else:
        for topic, group in groupby(findings, key=lambda finding: finding.topic):
            print(topic)
            rows = [(f.name, f"{MARKS[f.state]}{f.found}", f.purpose) for f in group]
            display.print_columns(rows, indent=2)
        print(f"broken: {', '.join(broken)}" if broken else "everything that is needed works")
    if broken:
        raise typer.Exit(EXIT_UNSOLVED)
