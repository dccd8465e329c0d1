"""The certificate that a page holds, so that its reader can check it there, or take it away."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.exact.bracket import bracket
from seqform.form.sequence_form import SequenceForm
from seqform.report.reported import Reported, proof_files
from seqform.results.folder import BY_CLASSES, CERTIFICATE

MOST_BYTES = 3_000_000
"""Of a certificate that a page holds."""

MOST_ENTRIES = 250_000
"""Payoffs of a game of which a certificate is made for the page."""


class Embedded(NamedTuple):
    """A certificate as it stands in a page.

    Parameters
    ----------
    text
        What its file holds.
    is_own
        Whether it is the result's own, or was made for the page.
    """

    text: str
    is_own: bool


class Absent(NamedTuple):
    """Why a page holds no certificate, and what checks the result instead."""

    reason: str
    command: str | None = None


def embedded(of: Reported) -> Embedded | Absent:
    """Return the certificate that the page holds, or why it holds none."""
    if CERTIFICATE in of.certificates:
        file = of.certificates[CERTIFICATE]
        if len(file) <= MOST_BYTES:
            return Embedded(file.decode(), True)
        return Absent(
            f"The certificate has {len(file):,} bytes, too many for a page.",
            _command(of, CERTIFICATE),
        )
    if BY_CLASSES in of.certificates:
        size = len(of.certificates[BY_CLASSES])
        return Absent(
            f"The certificate is by classes of observations, and has {size:,} bytes compressed. "
            "This page cannot check it.",
            _command(of, BY_CLASSES),
        )
    return _made(of)


def _command(of: Reported, name: str) -> str | None:
    return None if of.folder is None else f"python tools/check_certificate.py {of.folder / name}"


def _made(of: Reported) -> Embedded | Absent:
    """Return a certificate that is made for the page of what was certified in floats."""
    solution = of.solution
    game, profile = solution.game, solution.profile
    if not isinstance(game, SequenceForm) or profile is None:
        return _of_another_concept(of)
    if game.tree is None:
        return Absent(
            f"The game has {game.num_nodes:,} nodes, and is certified without its tree: in "
            "floats, with bounds on all rounding errors. That is far too much for a page to "
            "repeat.",
            _verification(of),
        )
    if getattr(game.payoffs, "num_nonzeros", 0) > MOST_ENTRIES:
        return Absent("The game has too many payoffs for a page.", _verification(of))
    try:
        found = bracket(game, profile)
    except UnsupportedGameError:
        return Absent(
            "The game has probabilities or payoffs that are floats. It is certified in floats, "
            "with bounds on all rounding errors.",
            _verification(of),
        )
    except InvalidStrategyError as error:
        return Absent(f"Nothing is proven of this profile: {error}.", _verification(of))
    files = proof_files(replace(solution, bracket=found), of.identity)
    return Embedded(files[CERTIFICATE].decode(), False)


def _of_another_concept(of: Reported) -> Absent:
    """Say why there is no certificate of two plans: there is no profile."""
    if of.solution.answer is None:
        return Absent(f"Nothing was found: {of.solution.status.value}.")
    if not of.is_proof:
        return Absent("A search says this value; only a new search can prove it.")
    return Absent(
        f"The answer is of the concept {of.solution.concept}, whose certificate this page does "
        "not check.",
        _verification(of),
    )


def _verification(of: Reported) -> str | None:
    return None if of.folder is None else f"seqform verify {of.folder}"
