"""Certificates as files, for anyone to check without this program.

A file holds a game's sequence form, two plans and what they prove, all in integers.

`tools/check_certificate.py` does it with Python's standard library alone. The format is in
docs/data-model.md.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.errors import InvalidStrategyError, ResultFileError, VerificationError
from seqform.exact.equilibrium import ExactEquilibrium
from seqform.exact.interval import ProvenInterval, bounds
from seqform.exact.products import integer_matrix
from seqform.form.sequence_form import SequenceForm

FORMAT, VERSION = "seqform-certificate", 1

SAFE = 2**53
"""Exact from here on are written in hexadecimal, as text: many readers of JSON would round
them."""


class Proof(NamedTuple):
    """Plans in integers over their denominators, and the bounds on the value that they prove."""

    plans: tuple[Exact, Exact]
    denominators: tuple[int, int]
    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, found: ExactEquilibrium | ProvenInterval) -> Proof:
        """Return what was found as a proof; an exact value is both bounds."""
        if isinstance(found, ExactEquilibrium):
            return cls(found.plans, found.denominators, found.value, found.value)
        return cls(found.plans, (1 << found.bits, 1 << found.bits), found.lower, found.upper)


def write_certificate(
    path: Path, game: SequenceForm, identity: dict[str, Any], proof: Proof
) -> None:
    """Write a certificate.

    Parameters
    ----------
    identity
        What the game is called, for people: hashed with the rest.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    listing = _listing(game, identity)
    plans = [
        {"denominator": _number(whole), "numerators": [_number(entry) for entry in plan.tolist()]}
        for plan, whole in zip(proof.plans, proof.denominators, strict=True)
    ]
    interval = [
        [_number(bound.numerator), _number(bound.denominator)]
        for bound in (proof.lower, proof.upper)
    ]
    proven = {"value": interval[0]} if proof.lower == proof.upper else {"interval": interval}
    content = {
        "format": FORMAT,
        "version": VERSION,
        **listing,
        "hash": _hash(listing),
        "plans": plans,
        **proven,
    }
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


def read_certificate(path: Path, game: SequenceForm, identity: dict[str, Any]) -> Proof:
    """Return what a certificate proves of a game, after checking that it does.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    VerificationError
        If it is of another game, or its plans do not prove what it says.
    """
    try:
        content = json.loads(path.read_text())
        proof, digest = _read_proof(content), content["hash"]
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        ZeroDivisionError,
        RecursionError,
    ) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None
    if (
        digest != _hash(_listing(game, identity))
        or _hash({key: content.get(key) for key in ("game", "treeplexes", "payoffs")}) != digest
    ):
        raise VerificationError(f"{path} is the certificate of another game, or was altered")
    try:
        proven = bounds(game, proof.plans, proof.denominators)
    except InvalidStrategyError as error:
        raise VerificationError(f"{path} was altered: {error}") from None
    if proven != (proof.lower, proof.upper):
        raise VerificationError(
            f"{path} was altered: its plans do not prove the value that it says"
        )
    return proof


def _read_proof(content: dict[str, Any]) -> Proof:
    if (content["format"], content["version"]) != (FORMAT, VERSION):
        raise ValueError(
            f"it is of format {content['format']!r} version "
            f"{content['version']!r}, not {FORMAT} {VERSION}"
        )
    plans, denominators = [], []
    for plan in content["plans"]:
        numerators = np.empty(len(plan["numerators"]), dtype=object)
        numerators[:] = [_integer(entry) for entry in plan["numerators"]]
        plans.append(numerators)
        denominators.append(_integer(plan["denominator"]))
    lower, upper = (
        content["interval"] if "interval" in content else (content["value"], content["value"])
    )
    lower, upper = (Fraction(_integer(over), _integer(under)) for over, under in (lower, upper))
    return Proof((plans[0], plans[1]), (denominators[0], denominators[1]), lower, upper)


def _listing(game: SequenceForm, identity: dict[str, Any]) -> dict[str, Any]:
    """Return all that a game's sequence form is, and what it is called."""
    payoff, denominator = integer_matrix(game.zero_sum_operator())
    treeplexes = [
        {"parents": t.parent_sequence.tolist(), "actions": t.num_actions.tolist()}
        for t in game.treeplexes
    ]
    entries = {
        "denominator": _number(denominator),
        "row_lengths": np.diff(payoff.pattern.indptr).tolist(),
        "columns": payoff.pattern.indices.tolist(),
        "numerators": [_number(entry) for entry in payoff.entries.tolist()],
    }
    return {"game": identity, "treeplexes": treeplexes, "payoffs": entries}


def _hash(listing: dict[str, Any]) -> str:
    """Return the SHA-256 of a listing, as JSON with sorted keys and without spaces."""
    return hashlib.sha256(
        json.dumps(listing, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def _number(value: int) -> int | str:
    return value if abs(value) < SAFE else hex(value)


def _integer(value: object) -> int:
    if isinstance(value, str):
        return int(value, 16)
    if type(value) is not int:
        raise ValueError(f"{value!r} is not an integer")
    return value
