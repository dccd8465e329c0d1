"""What a result proves in exact arithmetic: written beside it, and read and proven again."""

from __future__ import annotations

import logging
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import UnsupportedGameError, VerificationError
from seqform.base.number import fraction_text
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.signal_strategy import strategy_of
from seqform.results.folder import BY_CLASSES, CERTIFICATE, identity_of
from seqform.results.solution import Solution

if TYPE_CHECKING:
    from seqform.exact.bracket import Bracket
    from seqform.exact.certificate_file import Proof
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.exact.gains import ProvenGains
    from seqform.exact.interval import ProvenInterval
    from seqform.exact.trembles import Refinement

logger = logging.getLogger(__name__)

ROUNDING = 1e-12
"""By how much saved probabilities may differ from the fractions that they are rounded from."""

Proofs = tuple["ExactEquilibrium | None", "Bracket | None"]
"""What `Solution.exact` and `Solution.bracket` are."""


def save_proof(solution: Solution, folder: Path, identity: Any, name: str = CERTIFICATE) -> None:
    """Write what is proven for others to check: by entries, or by classes of observations."""
    from seqform.exact.certificate_file import Proof, write_certificate
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.exact.gains import ProvenGains
    from seqform.exact.gains_file import write_gains

    found, path = solution.exact or solution.bracket, folder / name
    if isinstance(found, ExactEquilibrium) and not isinstance(found.game, ZeroSumForm):
        found = found.as_gains()
    if isinstance(found, ProvenGains):
        write_gains(path, identity, found, solution.refinement)
    elif found is not None and (found.game.tree is not None or name != CERTIFICATE):
        proof = Proof.of(found)
        write_certificate(path, found.game, identity, proof, solution.refinement)
    elif found is not None:
        _save_by_classes(solution, found, folder, identity)


def _save_by_classes(
    solution: Solution, found: ExactEquilibrium | ProvenInterval, folder: Path, identity: Any
) -> None:
    from seqform.exact.certificate_file import Proof
    from seqform.exact.interval import prove
    from seqform.exact.quotient_file import quotient_of_signals, write_quotient_certificate

    game, profile = solution.game, solution.profile
    if profile is None or game.signals is None:
        return
    strategy = strategy_of(game, profile)
    try:
        quotient = quotient_of_signals(strategy.structure, strategy.classes)
    except (UnsupportedGameError, VerificationError) as error:
        logger.info("no %s: %s", BY_CLASSES, error)  # such a quotient proves nothing
        return
    if solution.exact is None:
        found = prove(quotient.form, quotient.form.profile(strategy.behaviors))
    write_quotient_certificate(folder / BY_CLASSES, quotient, identity, Proof.of(found))


def read_proofs(
    folder: Path,
    claims: dict[str, Any],
    form: SequenceForm,
    profile: Any,
    name: str = CERTIFICATE,
) -> Proofs:
    """Return what a saved result proves in exact arithmetic, proven again.

    Raises
    ------
    ResultFileError
        If the certificate is missing or damaged.
    VerificationError
        If it does not prove what the result claims.
    """
    if isinstance(form, ZeroSumForm) and claims.get("proof") != "bounded":
        return _of_zero_sum(folder / name, claims, form, profile)
    if (folder / BY_CLASSES).exists():
        raise _put_there(folder / BY_CLASSES)
    if not (folder / name).exists() and not {"proof", "proven"} & claims.keys():
        return None, None
    return _of_gains(folder / name, claims, form)


def read_refined(
    folder: Path,
    claims: dict[str, Any],
    form: Any,
    answer: Any,
    exact: ExactEquilibrium | None,
    name: str = CERTIFICATE,
) -> Refinement | None:
    """Return the refinement that a saved result claims, proven again.

    Raises
    ------
    ResultFileError
        If the certificate is missing or damaged.
    VerificationError
        If it does not prove it, or the saved strategy is not the one that it proves it of.
    """
    from seqform.exact.certificate_file import read_json, read_refinement

    if "refinement" not in claims:
        return None
    found = None
    if exact is not None:
        path = folder / name
        found = read_refinement(path, read_json(path), form, exact)
    if found is None:
        raise VerificationError("the result claims a refinement, and its certificate proves none")
    pairs = zip(answer.behaviors, found.floats(), strict=True)
    if max(float(abs(saved - limit).max()) for saved, limit in pairs) > ROUNDING:
        raise VerificationError(
            "the saved strategy is not the refined one that the certificate proves"
        )
    return found


def _of_gains(path: Path, claims: dict[str, Any], form: SequenceForm) -> Proofs:
    """Return what a certificate of gains proves, which the plans of the result are rounded from."""
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.exact.gains_file import read_gains

    gains = read_gains(path, form, identity_of(claims, form))
    if claims.get("proof") == "bounded":
        if claims.get("proven") != gains.record():
            raise _false(claims.get("proven"), gains)
        return None, gains
    exact = ExactEquilibrium(gains.values, gains.plans, gains.denominators, form)
    if claims.get("proof") != "exact" or gains.nash_gap or "proven" in claims:
        raise VerificationError(f"the result claims another proof than {path} is")
    if claims.get("exact_values") != exact.record()["exact_values"]:
        raise VerificationError(f"the result claims other values than {path} proves")
    return exact, None


def _of_zero_sum(path: Path, claims: dict[str, Any], form: ZeroSumForm, profile: Any) -> Proofs:
    from seqform.exact.equilibrium import ExactEquilibrium

    interval = _interval(claims["proven"], form, profile) if "proven" in claims else None
    proof = _certificate(path, claims, form)
    if proof is None:
        return None, interval
    if claims.get("proof") == "exact":
        fits = proof.lower == proof.upper and _are_of(form, proof)
        fits = fits and claims.get("exact_value") == fraction_text(proof.lower)
    else:
        fits = interval is not None and (interval.lower, interval.upper) == proof[2:]
        fits = fits and "exact_value" not in claims
    if not fits:
        raise VerificationError(
            f"the result claims another value, or interval, than the certificate {path} "
            "proves in exact arithmetic"
        )
    if claims.get("proof") != "exact":
        return None, interval
    values = proof.lower, Fraction(form.constant_sum) - proof.lower
    return ExactEquilibrium(values, proof.plans, proof.denominators, form), interval


def _interval(claim: Any, form: SequenceForm, profile: Any) -> ProvenInterval:
    """Return the interval that a saved strategy proves in exact arithmetic, without tolerance."""
    from seqform.exact.interval import prove

    proven = prove(form, profile)
    if claim != proven.record():
        raise _false(claim, proven)
    return proven


def _certificate(path: Path, claims: dict[str, Any], form: SequenceForm) -> Proof | None:
    """Return what the saved certificate proves, if there is one or should be."""
    from seqform.exact.certificate_file import read_certificate
    from seqform.exact.quotient_file import read_signal_certificate

    identity = identity_of(claims, form)
    by_classes = form.tree is None and form.signals is not None
    other = path.with_name(BY_CLASSES)
    if by_classes:
        path, other = other, path
    if other.exists():
        raise _put_there(other)
    if not path.exists() and claims.get("proof") != "exact":
        return None
    if by_classes and form.signals is not None:
        return read_signal_certificate(path, form.signals[0], identity)
    return read_certificate(path, form, identity)


def _are_of(form: SequenceForm, proof: Proof) -> bool:
    """Return whether the plans of a proof are of a game itself, and not of a quotient."""
    sequences = [treeplex.num_sequences for treeplex in form.treeplexes]
    return [len(plan) for plan in proof.plans] == sequences


def _false(claim: Any, proven: ProvenInterval | ProvenGains) -> VerificationError:
    return VerificationError(
        f"the result claims to prove {claim} in exact arithmetic, "
        f"but its own files prove {proven.record()}"
    )


def _put_there(path: Path) -> VerificationError:
    return VerificationError(f"{path} is no certificate of such a game; it was put there")
