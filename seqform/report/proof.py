"""The certificate that a page holds, so that its reader can check it there, or take it away."""

from __future__ import annotations

from typing import NamedTuple

from seqform.report.reported import MOST_ENTRIES, Reported
from seqform.results.folder import BY_CLASSES, CERTIFICATE

MOST_BYTES = 3_000_000
"""Of a certificate that a page holds."""


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
            return Embedded(file.decode(), not of.is_made)
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
    return _absent(of)


def _command(of: Reported, name: str) -> str | None:
    return None if of.folder is None else f"python tools/check_certificate.py {of.folder / name}"


def _absent(of: Reported) -> Absent:
    """Say why there is no certificate, and what checks the result instead."""
    solution, command = of.solution, None if of.folder is None else f"seqform verify {of.folder}"
    if solution.answer is None:
        return Absent(f"Nothing was found: {solution.status.value}.")
    if not of.is_proof:
        return Absent("A search says this value; only a new search can prove it.")
    if solution.profile is None:
        concept = f"The answer is of the concept {solution.concept}"
        return Absent(f"{concept}, whose certificate this page does not check.", command)
    if solution.game.tree is None or solution.game.payoffs.num_nonzeros > MOST_ENTRIES:
        size = f"The game has {solution.game.num_nodes:,} nodes"
        return Absent(f"{size}: far too much for a page to go through. {FLOATS}", command)
    return Absent(f"The game has probabilities or payoffs that are floats. {FLOATS}", command)


FLOATS = "It is certified in floats, with bounds on all rounding errors."
