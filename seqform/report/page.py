"""The page: a header, and for each result what is known, played and proven."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template

from seqform.base.errors import GameTooLargeError, UnsupportedGameError
from seqform.report.convergence import convergence
from seqform.report.game_tree import tree_record
from seqform.report.hands import HandGrid
from seqform.report.index import index
from seqform.report.infosets import infoset_table
from seqform.report.key_figures import key_figures
from seqform.report.markup import Markup, data, element, html, join, script_text
from seqform.report.proof import Absent, Embedded, embedded
from seqform.report.reported import Reported
from seqform.report.sizes import bars, size_bars
from seqform.report.tables import facts
from seqform.strategies.look.subject import Subject, subject_of

SCRIPTS = ("tables.js", "hands.js", "tree.js", "check.js")


def page(results: Sequence[Reported]) -> str:
    """Return the page on some results."""
    alone = len(results) == 1
    title = results[0].name if alone else f"{len(results)} results"
    sections = [_result(of, place, alone) for place, of in enumerate(results)]
    content = join([_head(title, alone), *([] if alone else [index(results)]), *sections])
    script = "\n".join(_asset(name) for name in SCRIPTS)
    return Template(_asset("page.html")).substitute(
        title=html(f"{title} · seqform"), style=_asset("page.css"), content=content, script=script
    )


@cache
def _asset(name: str) -> str:
    return (files("seqform.report") / "assets" / name).read_text()


def _head(title: str, alone: bool) -> Markup:
    about = "An equilibrium, and its proof" if alone else "Equilibria, and their proofs"
    return element("header", element("h1", title), element("p", about), class_="top")


def _result(of: Reported, place: int, alone: bool) -> Markup:
    """Return all that the page tells of a result; of several, each can be closed."""
    name = f"result-{place}"
    parts = [
        key_figures(of),
        *_strategy(of, name),
        _certificate(of, name),
        *_reduction(of),
        *_convergence(of),
        _known(of),
        _origin(of),
    ]
    if alone:
        return element("article", *parts, id=name, data_result=True)
    head = element("summary", element("h2", of.name))
    return element("details", head, *parts, id=name, open=place == 0, data_result=True)


def _section(title: str, *content: object, **attributes: object) -> Markup:
    return element("section", element("h3", title), *content, **attributes)


def _strategy(of: Reported, name: str) -> list[Markup]:
    """Return what is played: by hand, by information set, and as a tree, as far as there is any."""
    try:
        subject = subject_of(of.solution)
    except (UnsupportedGameError, GameTooLargeError) as error:
        return [_section("What is played", element("p", str(error)))]
    found = []
    if subject.signals is not None:
        record = HandGrid(subject).record()
        found.append(_by_hand(of, record, name))
    else:
        found.append(_by_infoset(of, subject))
    if subject.form.tree is not None:
        found.append(_tree(subject, name))
    return found


def _by_hand(of: Reported, record: dict[str, object], name: str) -> Markup:
    left_out = record["leftOut"]
    note = element(
        "p", _left_out(of, f"{left_out:,} information sets of later rounds"), class_="note"
    )
    return _section(
        "What is played",
        element("div", class_="hands", data_hands=f"{name}-hands"),
        *([note] if left_out else []),
        data(f"{name}-hands", record),
    )


def _by_infoset(of: Reported, subject: Subject) -> Markup:
    table, left_out = infoset_table(subject)
    note = element("p", _left_out(of, f"{left_out:,} actions more"), class_="note")
    return _section("What is played", table, *([note] if left_out else []))


def _left_out(of: Reported, what: str) -> Markup:
    if of.folder is None:
        return html(f"{what} are not on this page.")
    command = element("code", f"seqform show {shlex.quote(str(of.folder))} --csv")
    return join([f"{what} are not on this page: ", command, " lists all."])


def _tree(subject: Subject, name: str) -> Markup:
    assert subject.form.tree is not None
    record = tree_record(subject, subject.form.tree)
    return _section(
        "The tree",
        element("div", class_="tree", data_tree=f"{name}-tree"),
        data(f"{name}-tree", record),
    )


def _certificate(of: Reported, name: str) -> Markup:
    found = embedded(of)
    if isinstance(found, Absent):
        return _section("The proof", *_absent(found), class_="proof")
    return _section("The proof", *_present(found, name), class_="proof")


def _absent(found: Absent) -> list[Markup]:
    parts = [element("p", found.reason)]
    if found.command is not None:
        parts.append(element("p", "What checks it: ", element("code", found.command)))
    return parts


def _present(found: Embedded, name: str) -> list[Markup]:
    text = f"{name}-certificate"
    return [
        element("p", WORDS, " ", OWN if found.is_own else MADE),
        element(
            "p",
            element("button", "Check it here", type="button", class_="check", data_check=text),
            element("button", "Save the certificate", type="button", data_save=text),
            class_="buttons",
        ),
        element("div", role="status", aria_live="polite", class_="verdict"),
        script_text(text, found.text),
    ]


WORDS = (
    "The page holds the game in sequence form, and each player's plan, in integers. The button has "
    "a short script in this page go through them. Are these plans, and what does the best answer "
    "to each of them get? The script uses nothing of what found them."
)
OWN = "This is the result's own certificate, to the last digit."
MADE = (
    "The result was certified in floats. For this page its plans were rounded to integers over a "
    "power of two, and what these prove was computed exactly."
)


def _reduction(of: Reported) -> list[Markup]:
    counted = size_bars(of.claims)
    if not counted:
        return []
    loss = of.claims.get("loss")
    words = f"By deviating, players gain at most {loss:.3g} {of.solution.unit} in the whole game"
    lost = [element("p", f"{words}, all together.")] if isinstance(loss, float) else []
    picture = bars("Sizes of the game, all players together", counted)
    return [_section("Before and after the reduction", picture, *lost)]


def _convergence(of: Reported) -> list[Markup]:
    picture = convergence(of.solution.history, of.solution.unit)
    return [_section("How it came closer", picture)] if picture else []


def _known(of: Reported) -> Markup:
    return _section("All that is known", facts(of.solution.rows()))


def _origin(of: Reported) -> Markup:
    versions = of.claims.get("provenance")
    rows: list[tuple[object, object]] = [
        ("a command that makes such a result", element("code", command(of)))
    ]
    if isinstance(versions, dict):
        rows.append(("when", str(versions.get("time", ""))))
        packages = (f"{k} {v}" for k, v in versions.items() if k not in ("time", "platform"))
        rows.append(("versions", ", ".join(packages)))
        rows.append(("machine", str(versions.get("platform", ""))))
    return _section("How it was made", facts(rows))


def command(of: Reported) -> str:
    """Return a command that makes such a result; options that leave no trace are not in it."""
    claims = of.claims
    words = ["seqform", "solve", str(claims.get("game") or "GAME")]
    for key, value in (claims.get("params") or {}).items():
        words += ["-p", f"{key}={value}"]
    words += ["--method", of.solution.method.split("/")[0]]
    if isinstance(claims.get("abstraction"), str):
        words += ["--abstract", claims["abstraction"]]
    if "proven" in claims:
        words += ["--prove"]
    return shlex.join(words)
