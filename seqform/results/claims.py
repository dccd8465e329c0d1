"""What a saved result claims, compared with what its own files prove."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from seqform.base.errors import VerificationError
from seqform.base.number import is_float_sized
from seqform.base.whole_folder import checksum, digest
from seqform.concepts.concept import CONCEPTS, Certificate
from seqform.exact.proof import PROOFS, claimed_kinds
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import GAME_SIZES, as_solver_sizes, problem_sizes, sizes
from seqform.results.folder import OF_SOLVER, RESULT
from seqform.results.record import jsonable, record
from seqform.results.solution import Solution, Status

OF_VERSION_1 = ("value", "lower", "upper", "nash_gap", "exploitability")

CLAIM_TOLERANCE = 1e-12
"""Recomputed numbers may differ from the claimed ones by this share of the largest payoff, since
another machine may round differently."""


def compare(claims: dict[str, Any], certificate: Certificate, game: Any) -> None:
    """Compare what is claimed with what the files prove."""
    allowed = CLAIM_TOLERANCE * getattr(game, "largest_payoff", 0.0)
    proven = jsonable(certificate.record())
    keys = (*CONCEPTS.get(str(claims.get("concept", "nash"))).keys, *proven)
    for key in OF_VERSION_1 if claims["version"] == 1 else keys:
        if not _agree(claims.get(key), proven.get(key), allowed):
            raise _false_claim(key, claims, proven.get(key))


def compare_proofs(claims: dict[str, Any], solution: Solution) -> None:
    """Compare what is claimed beside the certificate with what the files prove."""
    loss = solution.gap if "loss" in claims else None
    allowed = CLAIM_TOLERANCE * getattr(solution.game, "largest_payoff", 0.0)
    if not _agree(claims.get("loss"), jsonable(loss), allowed):
        raise _false_claim("loss", claims, loss)
    if claims.get("unit", solution.unit) != solution.unit:
        raise _false_claim("unit", claims, solution.unit)
    proven = record(solution)
    for key in (key for kind in claimed_kinds(claims) for key in PROOFS.get(kind).keys):
        if key in claims and claims[key] != proven.get(key):
            raise _false_claim(key, claims, proven.get(key))
    if solution.status is Status.SOLVED and not getattr(solution.optimum, "is_best", True):
        raise VerificationError(
            "the result claims to be solved, but nothing proves that no equilibrium is better"
        )


def compare_sizes(claims: dict[str, Any], form: SequenceForm) -> None:
    """Compare the counts that are claimed with those of the game."""
    claimed, counts = claims.get("sizes"), sizes(form)
    for key in GAME_SIZES if claims["version"] > OF_SOLVER else ("nodes", "infosets", "sequences"):
        claim = claimed.get(key) if isinstance(claimed, dict) else None
        if claim != counts.get(key):
            raise VerificationError(
                f"the result claims {claim} {key}, but its own game has {counts.get(key)}"
            )


def known_sizes(claims: dict[str, Any], game: Any) -> dict[str, Any]:
    """Return the counts of a solution: what is claimed, and of a sequence form what was found."""
    claimed = numbers(claims.get("sizes"))
    if not isinstance(game, SequenceForm):
        return claimed
    if claims["version"] <= OF_SOLVER:
        claimed = as_solver_sizes(claimed)
    return sizes(game) | problem_sizes(claimed)


def numbers(claim: Any) -> dict[str, Any]:
    """Return the entries of a claim that are numbers; none unless it is an object."""
    items = claim.items() if isinstance(claim, dict) else ()
    return {name: value for name, value in items if type(value) in (int, float)}


def claimed_status(
    claims: dict[str, Any], certificate: Certificate, scale: float
) -> tuple[Status, float]:
    """Return status and tolerance; SOLVED is not accepted for a gap above the tolerance.

    A best equilibrium of an earlier version, which proved no bound on others, is BEST_FOUND.
    """
    status = {status.name.lower(): status for status in Status}.get(str(claims.get("status")))
    if status is None:
        raise VerificationError(f"the result claims the status {claims.get('status')!r}")
    no_claim: Any = math.inf if claims["version"] == 1 else None
    tolerance: Any = claims.get("tolerance", no_claim)
    is_number = type(tolerance) in (int, float) and tolerance >= 0
    if not is_number or ("tolerance" in claims and not is_float_sized(tolerance)):
        raise VerificationError(f"the result claims the tolerance {tolerance!r:.40}")
    allowed = (tolerance + CLAIM_TOLERANCE) * scale
    if status is Status.SOLVED and not certificate.gap <= allowed:
        raise VerificationError(
            f"the result claims to be solved to a gap of {tolerance * scale:.3g}, but its own "
            f"files prove {certificate.gap:.3g}"
        )
    if status is Status.SOLVED and _is_best_unproven(claims):
        status = Status.BEST_FOUND
    return status, tolerance if math.isfinite(tolerance) else 0.0


def _is_best_unproven(claims: dict[str, Any]) -> bool:
    """Return whether the best equilibrium of a result was called so by the solver's word alone.

    Up to version 2 of results nothing was proven of others, and the status was SOLVED anyway.
    """
    optimum = claims.get("optimum")
    is_old = claims["version"] <= OF_SOLVER
    return is_old and isinstance(optimum, dict) and "proven_by" not in optimum


def check_whole(folder: Path, claims: dict[str, Any]) -> None:
    """Check that all is as it was written, be it claimed or for people; old results do not say."""
    files = claims.get("files", {})
    for name, expected in files.items():
        if digest(folder / name) != expected:
            raise VerificationError(
                f"{folder / name} was altered: its SHA-256 is not the one that {RESULT} lists"
            )
    is_new = claims["version"] > OF_SOLVER
    is_sealed = is_new or "checksum" in claims or "files" in claims  # first written together
    if is_sealed and claims.get("checksum") != checksum(claims):
        raise VerificationError(
            f"{folder / RESULT} was altered: its content does not match its checksum"
        )


def _agree(claim: Any, proven: Any, allowed: float) -> bool:
    """Return whether a claim equals what is proven: numbers up to rounding, all else exactly."""
    if isinstance(proven, list):
        return (
            isinstance(claim, list)
            and len(claim) == len(proven)
            and all(_agree(a, b, allowed) for a, b in zip(claim, proven, strict=True))
        )
    if isinstance(proven, float):
        if isinstance(claim, bool) or not isinstance(claim, (int, float)):
            return False
        return proven - allowed <= claim <= proven + allowed
    return type(claim) is type(proven) and bool(claim == proven)


def _false_claim(key: str, claims: dict[str, Any], proven: Any) -> VerificationError:
    return VerificationError(
        f"the result claims {key} = {claims.get(key)}, but its own files prove {proven!r}"
    )
