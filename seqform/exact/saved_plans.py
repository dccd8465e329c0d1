"""What plans prove, in a saved result: its claims, and the certificate that others can check.

Two kinds of proofs share the certificate: an equilibrium in fractions, and what plans prove that
need not be one. Where there are both, the certificate is the equilibrium's, and the other is proven
again from the saved strategy. A signal game without its tree has a certificate by classes of
observations. Whoever prints a solution asks for claims alone, so what files take is loaded late.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from seqform.base.errors import SeqformError, UnsupportedGameError, VerificationError
from seqform.exact.plan_proof import Bracket, ExactEquilibrium, ProvenInterval
from seqform.exact.proof import CERTIFICATE, Files, ProofKind, Proven
from seqform.form.sequence_form import SequenceForm
from seqform.game import needs

logger = logging.getLogger(__name__)

BY_CLASSES = "certificate.json.gz"
"""Of a signal game without its tree: deck, betting and outcomes, classes, and plans of these."""


MOST_LISTED = 1_000_000
"""Payoffs of a game of hands up to which a certificate lists them."""

ALONE = "equilibrium.json.gz"
"""Of a game of hands with more: the plans of an equilibrium, proven again from the game itself."""


class OfEquilibria(ProofKind):
    """Equilibria in fractions."""

    name = "exact"
    keys = ("proof", "exact_value", "exact_values")
    after = ()

    def claims(self, proof: ExactEquilibrium) -> dict[str, Any]:
        """Return the value, or the values."""
        return {"proof": proof.proof, **proof.record()}

    def write(self, proof: ExactEquilibrium, proven: Proven) -> dict[str, bytes]:
        """Return the certificate; or plans alone where it would be too long."""
        if _is_too_long(proven.game):
            return _plans_alone(proof)
        return _certificate(proven, proof.proven)

    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> ExactEquilibrium | None:
        """Return the equilibrium that a certificate proves."""
        game = proven.game
        if claims.get("proof") != "exact" or not isinstance(game, SequenceForm):
            return None
        if _is_too_long(game):
            return _proven_again(files.path(ALONE), game, claims)
        path = _path(files, game)
        is_zero_sum = needs.is_zero_sum(game)
        found = _read(path, game, proven.identity, of_gains=not is_zero_sum)
        fits = not found.nash_gap and _are_of(game, found)
        if not (is_zero_sum or fits):
            raise VerificationError(f"the result claims another proof than {path} is")
        if fits:
            exact = ExactEquilibrium(replace(found, game=game))
            fits = all(claims.get(key) == text for key, text in exact.record().items())
        if not fits and is_zero_sum:
            raise _another(path)
        if not fits:
            raise VerificationError(f"the result claims other values than {path} proves")
        return exact


class OfPlans(ProofKind):
    """Intervals and gains."""

    name = "bracket"
    keys = ("proof", "proven")
    after = ("exact",)

    def claims(self, proof: Bracket) -> dict[str, Any]:
        """Return what the plans prove."""
        return {"proof": proof.proof, "proven": proof.record()}

    def write(self, proof: Bracket, proven: Proven) -> dict[str, bytes]:
        """Return the certificate, unless it is that of an equilibrium."""
        if proven.by("exact") or _is_too_long(proven.game):
            return {}
        return _certificate(proven, proof)

    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> Bracket | None:
        """Return what the saved strategy proves, which the certificate has to agree with."""
        from seqform.exact.bracket import bracket

        game = proven.game
        if not isinstance(game, SequenceForm):
            return None
        path = _path(files, game)
        if claims.get("proof") == "bounded" and not _is_too_long(game):
            return _agreed(claims, _read(path, game, proven.identity, of_gains=True))
        found = None
        if "proven" in claims:
            found = _agreed(claims, bracket(game, proven.answer))
        if proven.by("exact") is not None or not path.exists():
            return found  # of a long one there is no certificate
        if not needs.is_zero_sum(game):
            raise VerificationError(f"the result claims another proof than {path} is")
        ends = _ends(found), _ends(_read(path, game, proven.identity))
        if ends[0] != ends[1] or "exact_value" in claims:
            raise _another(path)
        return found


OF_EQUILIBRIA, OF_PLANS = OfEquilibria(), OfPlans()


def equilibrium_of(proven: Proven) -> ExactEquilibrium:
    """Return the equilibrium in fractions that other proofs begin with.

    Raises
    ------
    VerificationError
        If there is none.
    """
    exact = proven.by("exact")
    if exact is None:
        raise VerificationError("the result claims to know all equilibria, and proves none")
    return exact  # type: ignore[no-any-return]


def _certificate(proven: Proven, found: Bracket) -> dict[str, bytes]:
    """Return the file of what plans prove, by entries or by classes of observations."""
    from seqform.exact.certificate import as_bytes, certificate_of

    if isinstance(found, ProvenInterval) and _goes_by_classes(proven.game):
        return _by_classes(proven, found)
    content = certificate_of(found, proven.identity, proven.by("refinement"))
    return {CERTIFICATE: as_bytes(content)}


def _by_classes(proven: Proven, found: ProvenInterval) -> dict[str, bytes]:
    from seqform.exact.bracket import interval_of
    from seqform.exact.certificate import as_bytes
    from seqform.exact.quotient_file import quotient_certificate, quotient_of_signals
    from seqform.form.signal_strategy import strategy_of

    strategy = strategy_of(proven.game, proven.answer)
    try:
        quotient = quotient_of_signals(strategy.structure, strategy.classes)
    except (UnsupportedGameError, VerificationError) as error:
        logger.info("no %s: %s", BY_CLASSES, error)  # such a quotient proves nothing
        return {}
    if proven.by("exact") is None:
        found = interval_of(quotient.form, quotient.form.profile(strategy.behaviors))
    content = quotient_certificate(quotient, proven.identity, found)
    return {BY_CLASSES: as_bytes(content, packed=True)}


def _goes_by_classes(game: SequenceForm) -> bool:
    return game.tree is None and game.signals is not None


def _is_too_long(game: SequenceForm) -> bool:
    """Tell whether a certificate would list more payoffs of a game of hands than one reads.

    What is claimed is proven again from the strategy that is saved, by its boards.
    """
    if game.origin.hands is None or game.payoffs.num_nonzeros <= MOST_LISTED:
        return False
    logger.info("no certificate: it would list %d payoffs", game.payoffs.num_nonzeros)
    return True


def _plans_alone(proof: ExactEquilibrium) -> dict[str, bytes]:
    """Return the file of an equilibrium's plans: entries of each player, over a denominator."""
    from seqform.exact.certificate import as_bytes

    plans = [
        {"denominator": str(whole), "entries": [str(entry) for entry in plan.tolist()]}
        for plan, whole in zip(proof.plans, proof.denominators, strict=True)
    ]
    return {ALONE: as_bytes({"plans": plans}, packed=True)}


def _proven_again(path: Path, game: SequenceForm, claims: dict[str, Any]) -> ExactEquilibrium:
    """Return the equilibrium of a file of plans, proven of the game in integers."""
    import gzip
    import json
    import zlib

    import numpy as np

    from seqform.exact.plan_proof import prove_equilibrium

    try:
        plans = json.loads(gzip.decompress(path.read_bytes()))["plans"]
        wholes = [int(of["denominator"]) for of in plans]
        entries = [np.array(list(map(int, of["entries"])), dtype=object) for of in plans]
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
        raise VerificationError(f"{path} holds no plans: {error}") from None
    try:
        exact = prove_equilibrium(game, entries, wholes)
    except SeqformError as error:
        raise VerificationError(f"{path}: {error}") from None
    if any(claims.get(key) != text for key, text in exact.record().items()):
        raise _another(path)
    return exact


def _path(files: Files, game: SequenceForm) -> Path:
    """Return where the certificate of a game is; that of other games must not be there."""
    name, other = CERTIFICATE, BY_CLASSES
    if _goes_by_classes(game) and needs.is_zero_sum(game):
        name, other = other, name
    if files.path(other).exists():
        raise VerificationError(
            f"{files.path(other)} is no certificate of such a game; it was put there"
        )
    return files.path(name)


def _read(
    path: Path, game: SequenceForm, identity: dict[str, Any], *, of_gains: bool = False
) -> Bracket:
    from seqform.exact.certificate import read_certificate
    from seqform.exact.quotient_file import read_signal_certificate

    if path.suffix == ".gz" and game.signals is not None:
        return read_signal_certificate(path, game.signals[0], identity)
    return read_certificate(path, game, identity, of_gains=of_gains)


def _are_of(game: SequenceForm, found: Bracket) -> bool:
    """Return whether plans are of a game itself, and not of a quotient."""
    sequences = [treeplex.num_sequences for treeplex in game.treeplexes]
    return [len(plan) for plan in found.plans] == sequences


def _ends(found: Bracket | None) -> tuple[Fraction, Fraction] | None:
    """Return an interval; None of what is none."""
    return (found.lower, found.upper) if isinstance(found, ProvenInterval) else None


def _agreed(claims: dict[str, Any], found: Bracket) -> Bracket:
    """Return what is proven, which has to be what is claimed, without tolerance."""
    if claims.get("proven") != found.record():
        raise VerificationError(
            f"the result claims to prove {claims.get('proven')} in exact arithmetic, "
            f"but its own files prove {found.record()}"
        )
    return found


def _another(path: Path) -> VerificationError:
    return VerificationError(
        f"the result claims another value, or interval, than the certificate {path} "
        "proves in exact arithmetic"
    )
