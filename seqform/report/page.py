"""The page: a header, and for each result what is known, played and proven."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from seqform.exact.certificate import canonical
from seqform.recursive.solution import RecursiveSolution
from seqform.report.convergence import convergence
from seqform.report.fingerprint import HOLDER, fingerprints
from seqform.report.index import how, index
from seqform.report.key_figures import key_figures
from seqform.report.played import Part, played
from seqform.report.proof import embedded
from seqform.report.repeating_command import NoCommand, command
from seqform.report.reported import Reported
from seqform.report.sizes import size_bars
from seqform.report.stages import stages_page
from seqform.report.templates import rendered, script_text

SCRIPTS = ("tables.js", "hands.js", "lines.js", "tree.js")

CHECK = (
    "reading",
    "sha256",
    "numbers",
    "seen",
    "plans",
    "induction",
    "correlation",
    "signals",
    "stages",
    "shown",
    "tree",
    "lines",
    "buttons",
)
"""The parts of the script that checks certificates; none of them uses a later one at once."""

MACHINE = ("platform", "processor")
"""What a result says of the machine."""

SEAL = "<script data-whole>"
"""Where the fingerprints stand: before the one script that runs."""


def page(results: Sequence[Reported], dealt: str = "") -> str:
    """Return the page on some results; of games of hands on boards on which cards are dealt."""
    alone = len(results) == 1
    written = rendered(
        "page.html",
        title=results[0].name if alone else f"{len(results)} results",
        alone=alone,
        index=None if alone else index(results),
        results=[
            _result(of, f"result-{place}", played(of, len(results), dealt))
            for place, of in enumerate(results)
        ],
        style=Markup(_asset("page.css")),
        script=Markup(script()),
    )
    return _sealed(written)


def page_of_stages(solution: RecursiveSolution, title: str) -> str:
    """Return the page on a recursive game."""
    style, code = Markup(_asset("page.css")), Markup(script())
    return _sealed(stages_page(solution, title, style, code))


def _result(of: Reported, name: str, parts: list[Part]) -> dict[str, Any]:
    """Return all that the page tells of a result."""
    solution, loss = of.solution, of.claims.get("loss")
    gained = "By deviating, players gain at most {:.3g} {} in the whole game, all together."
    return {
        "id": name,
        "name": of.name,
        "how": how(of),
        "rounded": of.rounded is not None,
        "status": solution.status.name.lower(),
        "means": solution.status.value,
        "method": solution.method,
        "figures": key_figures(of),
        "played": parts,
        "proof": embedded(of),
        "sizes": size_bars(of.claims, "Sizes of the game, all players together"),
        "lost": gained.format(loss, solution.unit) if isinstance(loss, float) else "",
        "convergence": convergence(solution.history, solution.unit),
        "known": solution.rows(),
        "origin": _origin(of),
    }


def _origin(of: Reported) -> list[tuple[str, object]]:
    """Return how a result was made, and with what."""
    versions, made = of.claims.get("provenance"), command(of)
    code = Markup("<code>{}</code>")
    known = made.reason if isinstance(made, NoCommand) else code.format(shlex.join(made))
    rows: list[tuple[str, object]] = [("a command that makes such a result", known)]
    if isinstance(versions, dict):
        packages = {k: v for k, v in versions.items() if k not in ("time", *MACHINE)}
        rows += [
            ("when", str(versions.get("time", ""))),
            ("versions", ", ".join(f"{k} {v}" for k, v in packages.items())),
            ("machine", ", ".join(str(versions[k]) for k in MACHINE if k in versions)),
        ]
    return rows


def _sealed(written: str) -> str:
    """Return a page with the fingerprints of what it says, for its check to compare."""
    held = script_text(canonical(fingerprints(written).record()))
    element = f'<script type="application/json" id="{HOLDER}">{held}</script>'
    return written.replace(SEAL, f"{element}\n{SEAL}")


def script() -> str:
    """Return the script of all pages: what draws, and what checks."""
    check = "\n".join(_asset(f"check/{name}.js") for name in CHECK)
    shown = "\n".join(_asset(name) for name in SCRIPTS)
    return f'{shown}\n(() => {{\n"use strict";\n{check}}})();'


@cache
def _asset(name: str) -> str:
    return (files("seqform.report") / "assets" / name).read_text()
