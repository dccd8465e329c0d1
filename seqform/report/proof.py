"""The certificate that a page holds, so that its reader can check it there, or take it away."""

from __future__ import annotations

from gzip import compress
from typing import NamedTuple

from seqform.exact.proof import CERTIFICATE
from seqform.exact.saved_plans import BY_CLASSES
from seqform.form.sequence_form import SequenceForm
from seqform.report.by_classes import MOST_BYTES, MOST_UNPACKED, unpacked_size
from seqform.report.correlation import MOST_PAIRS, correlation_text
from seqform.report.induction import induction_text
from seqform.report.reported import MOST_ENTRIES, MOST_NODES, Reported

MAGIC = b"\x1f\x8b"
"""How gzip files begin."""

LONG = 200_000
"""Bytes from which on a certificate is packed."""


class Embedded(NamedTuple):
    """A certificate as it stands in a page.

    Parameters
    ----------
    words
        What it is.
    text
        What its file holds; empty where it is packed.
    packed
        What its file holds, as gzip packs it; empty where it is text.
    """

    words: str
    text: str = ""
    packed: bytes = b""


class Absent(NamedTuple):
    """Why a page holds no certificate, and what checks the result instead."""

    reason: str
    command: str | None = None


PLANS = (
    "The page holds the game in sequence form, and each player's plan, in integers. The button has "
    "a short script in this page go through them. Are these plans, and what does the best answer "
    "to each of them get? The script uses nothing of what found them. "
)
CLASSES = (
    "The page holds the game's deck, betting and outcomes, classes of what players see, and each "
    "player's plan by classes, in integers. The button has a short script in this page go through "
    "all deals. Are those of a class followed and paid alike, and what does the best answer to "
    "each plan get? The script uses nothing of what found them. "
)
OWN = "This is the result's own certificate, to the last digit."
MADE = (
    "The result was certified in floats. For this page its plans were rounded to integers over a "
    "power of two, and what these prove was computed exactly."
)
ROUNDED = (
    "For this page the plans were rounded to integers over 2^{bits}; finer ones may not fit. What "
    "these prove is shown above as what the page proves. What is certified of the plans as they "
    "are, {command} checks."
)
INDUCTION = (
    "The page holds the game's whole tree, and what is chosen at each decision. The button has a "
    "short script in this page compute what each subgame pays, in fractions. Would anybody gain by "
    "another move, at any decision? The script uses nothing of what found the choices."
)
CORRELATION = (
    "The page holds the game in sequence form, and how likely each pair of recommendations is, in "
    "integers. The button has a short script in this page go through them. Do the weights add up, "
    "and what does the best deviation of each player gain? The script uses nothing of what found "
    "them."
)


def embedded(of: Reported) -> Embedded | Absent:
    """Return the certificate that the page holds, or why it holds none."""
    found = _found(of)
    if isinstance(found, Absent):
        return found
    name = BY_CLASSES if BY_CLASSES in of.certificates else CERTIFICATE
    return held(*found, _command(of, name))


def held(words: str, content: bytes, command: str | None) -> Embedded | Absent:
    """Return a certificate as a page holds it, packed if it is long; or that it is too large.

    Parameters
    ----------
    words
        What it is.
    content
        What its file holds, as text or as gzip packs it.
    command
        What checks the result where a page cannot.
    """
    packed = content if content[:2] == MAGIC else b""
    size = unpacked_size(packed) if packed else len(content)
    if not packed and size > LONG:
        packed = compress(content, mtime=0)
    if size > MOST_UNPACKED or len(packed) > MOST_BYTES:
        said = f"The certificate has {size:,} bytes, {len(packed):,} packed: too many for a page."
        return Absent(said, command)
    return Embedded(words, packed=packed) if packed else Embedded(words, content.decode())


def _found(of: Reported) -> tuple[str, bytes] | Absent:
    """Return what a certificate is, and its file."""
    if CERTIFICATE in of.certificates:
        return PLANS + (MADE if of.is_made else OWN), of.certificates[CERTIFICATE]
    if BY_CLASSES in of.certificates:
        return CLASSES + _by_classes(of), of.certificates[BY_CLASSES]
    if (text := induction_text(of)) is not None:
        return INDUCTION, text.encode()
    if (text := correlation_text(of)) is not None:
        return CORRELATION, text.encode()
    return _absent(of)


def _by_classes(of: Reported) -> str:
    """Return what the certificate has to do with the result's own."""
    if of.rounded is None:
        return OWN
    return ROUNDED.format(bits=of.rounded.bits, command=_verify(of))


def _command(of: Reported, name: str) -> str | None:
    if of.folder is None or name not in of.certificates:
        return _verify(of)
    return f"python tools/check_certificate.py {of.folder / name}"


def _verify(of: Reported) -> str:
    return f"seqform verify {'DIR' if of.folder is None else of.folder}"


def _absent(of: Reported) -> Absent:
    """Say why there is no certificate, and what checks the result instead."""
    solution = of.solution
    if solution.answer is None:
        return Absent(f"Nothing was found: {solution.status.value}.")
    if not of.is_proof:
        return Absent("A search says this value; only a new search can prove it.")
    if solution.profile is None:
        reason = f"This page cannot check this answer, of the concept {solution.concept}. {LIMITS}"
        return Absent(reason, _verify(of))
    if isinstance(solution.game, SequenceForm) and solution.game.signals is not None:
        return Absent(f"{NO_CLASSES} {FLOATS}", _verify(of))
    if solution.game.tree is None and solution.game.num_nodes <= MOST_NODES:
        return Absent(f"The game has no tree for a page to go through. {FLOATS}", _verify(of))
    if solution.game.tree is None or solution.game.payoffs.num_nonzeros > MOST_ENTRIES:
        size = f"The game has {solution.game.num_nodes:,} nodes"
        return Absent(f"{size}: far too much for a page to go through. {FLOATS}", _verify(of))
    return Absent(f"The game has probabilities or payoffs that are floats. {FLOATS}", _verify(of))


LIMITS = (
    f"It goes through trees of up to {MOST_NODES:,} nodes, and plans of up to {MOST_PAIRS:,} "
    "relevant pairs without a triangle, both with exact payoffs."
)
NO_CLASSES = (
    "There is no certificate by classes that fits this page: the strategies treat hands alike that "
    "are not, or too many are told apart, or there are floats in the game."
)
FLOATS = "It is certified in floats, with bounds on all rounding errors."
