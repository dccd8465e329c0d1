"""The page: a header, and for each result what is known, played and proven."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template

from seqform.exact.certificate import canonical
from seqform.report.command import NoCommand, command
from seqform.report.convergence import convergence
from seqform.report.fingerprint import HOLDER, fingerprints
from seqform.report.index import how, index
from seqform.report.key_figures import key_figures
from seqform.report.markup import Markup, element, html, join, packed_text, script_text, section
from seqform.report.played import played
from seqform.report.proof import Absent, Embedded, embedded
from seqform.report.reported import Reported
from seqform.report.sizes import bars, size_bars
from seqform.report.tables import facts

SCRIPTS = ("tables.js", "hands.js", "tree.js")

CHECK = (
    "reading",
    "sha256",
    "numbers",
    "seen",
    "plans",
    "induction",
    "correlation",
    "signals",
    "shown",
    "tree",
    "buttons",
)
"""The parts of the script that checks certificates; none of them uses a later one at once."""

SEAL = "<script data-whole>"
"""Where the fingerprints stand: before the one script that runs."""


def page(results: Sequence[Reported]) -> str:
    """Return the page on some results."""
    alone = len(results) == 1
    title = results[0].name if alone else f"{len(results)} results"
    sections = [_result(of, place, alone) for place, of in enumerate(results)]
    content = join([_head(title, alone), *([] if alone else [index(results)]), *sections])
    written = Template(_asset("page.html")).substitute(
        title=html(f"{title} · seqform"),
        style=_asset("page.css"),
        content=content,
        script=script(),
    )
    return _sealed(written)


def _sealed(written: str) -> str:
    """Return a page with the fingerprints of what it says, for its check to compare."""
    held = script_text(HOLDER, canonical(fingerprints(written).record()))
    return written.replace(SEAL, f"{held}\n{SEAL}")


def script() -> str:
    """Return the script of all pages: what draws, and what checks."""
    check = "\n".join(_asset(f"check/{name}.js") for name in CHECK)
    shown = "\n".join(_asset(name) for name in SCRIPTS)
    return f'{shown}\n(() => {{\n"use strict";\n{check}}})();'


@cache
def _asset(name: str) -> str:
    return (files("seqform.report") / "assets" / name).read_text()


def _head(title: str, alone: bool) -> Markup:
    of = "one result" if alone else "several results"
    about = f"What is played, what is proven, and how it was found: {of} of seqform"
    return element("header", element("h1", title), element("p", about), class_="top")


def _result(of: Reported, place: int, alone: bool) -> Markup:
    """Return all that the page tells of a result; of several, each can be closed."""
    name = f"result-{place}"
    parts = [
        key_figures(of),
        *played(of, name),
        _certificate(of, name),
        *_reduction(of),
        *_convergence(of),
        _known(of),
        _origin(of),
    ]
    marks = {"id": name, "data_result": True, "data_rounded": of.rounded is not None}
    if alone:
        return element("article", *parts, **marks)
    head = element("summary", element("h2", of.name), element("span", how(of), class_="how"))
    return element("details", head, *parts, open=place == 0, **marks)


def _certificate(of: Reported, name: str) -> Markup:
    found = embedded(of)
    if isinstance(found, Absent):
        return section("The proof", *_absent(found), class_="proof")
    return section("The proof", *_present(found, name), class_="proof")


def _absent(found: Absent) -> list[Markup]:
    parts = [element("p", found.reason)]
    if found.command is not None:
        parts.append(element("p", "What checks it: ", element("code", found.command)))
    return parts


def _present(found: Embedded, name: str) -> list[Markup]:
    text = f"{name}-certificate"
    return [
        element("p", found.words),
        element(
            "p",
            element("button", "Check it here", type="button", class_="check", data_check=text),
            element("button", "Save the certificate", type="button", data_save=text),
            class_="buttons",
        ),
        element("div", role="status", aria_live="polite", class_="verdict", data_drawn=True),
        packed_text(text, found.packed) if found.packed else script_text(text, found.text),
    ]


def _reduction(of: Reported) -> list[Markup]:
    counted = size_bars(of.claims)
    if not counted:
        return []
    loss = of.claims.get("loss")
    words = f"By deviating, players gain at most {loss:.3g} {of.solution.unit} in the whole game"
    lost = [element("p", f"{words}, all together.")] if isinstance(loss, float) else []
    title = "Sizes of the game, all players together"
    pictures = [bars(title, together) for together in counted]
    return [section("Before and after the reduction", *pictures, *lost)]


def _convergence(of: Reported) -> list[Markup]:
    picture = convergence(of.solution.history, of.solution.unit)
    return [section("How it came closer", picture)] if picture else []


def _known(of: Reported) -> Markup:
    return section("All that is known", facts(of.solution.rows()))


def _origin(of: Reported) -> Markup:
    versions = of.claims.get("provenance")
    made = command(of)
    how = made.reason if isinstance(made, NoCommand) else element("code", shlex.join(made))
    rows: list[tuple[object, object]] = [("a command that makes such a result", how)]
    if isinstance(versions, dict):
        rows.append(("when", str(versions.get("time", ""))))
        packages = (
            f"{k} {v}" for k, v in versions.items() if k not in ("time", "platform", "processor")
        )
        rows.append(("versions", ", ".join(packages)))
        machine = (str(versions[k]) for k in ("platform", "processor") if k in versions)
        rows.append(("machine", ", ".join(machine)))
    return section("How it was made", facts(rows))
