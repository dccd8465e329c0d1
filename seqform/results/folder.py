"""Saved results: a folder from which a solution can be verified and loaded.

``result.json`` holds the claims and ``game.npz`` the game's tree. The answer is in files of the
solution's concept. A proof in exact arithmetic is in ``certificate.json``. The folder is replaced
as a whole, and ``result.json`` lists the other files with their SHA-256.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.deadline import time_limited
from seqform.base.errors import (
    GameTooLargeError,
    ResultFileError,
    SeqformError,
    UnknownNameError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.number import fraction_text
from seqform.base.provenance import provenance
from seqform.base.whole_file import reason, write_text
from seqform.base.whole_folder import (
    ASIDE,
    LOCK,
    check_replaceable,
    checksum,
    digest,
    digests,
    finish,
    is_plain,
    listed,
    replacing_folder,
)
from seqform.concepts.concept import CONCEPTS, Certificate, Concept
from seqform.concepts.nash import CLASSES, STRATEGY
from seqform.form.counts_from_signals import count_sequences, is_too_large
from seqform.form.sequence_form import SequenceForm, sizes
from seqform.form.signal_strategy import SignalStrategy, strategy_of
from seqform.game.catalogue import make
from seqform.game.observations import SignalStructure
from seqform.game.signals import SignalGame
from seqform.results.on_tree import judged_on
from seqform.results.record import jsonable, record
from seqform.results.rows import proof_rows, value_rows
from seqform.results.solution import Solution, Status
from seqform.tree.file import fingerprint, load_tree, save_tree
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.exact.certificate_file import Proof
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.exact.interval import ProvenInterval

logger = logging.getLogger(__name__)

RESULT, GAME, CERTIFICATE = "result.json", "game.npz", "certificate.json"
BY_CLASSES = "certificate.json.gz"
"""Of a signal game without its tree: deck, betting and outcomes, classes, and plans of these."""

FILES = (RESULT, GAME, CERTIFICATE, BY_CLASSES, STRATEGY, CLASSES)

VERSION = 2
READ = (1, 2)
"""Versions that are read; results of version 1 claim nothing but profiles."""

OF_VERSION_1 = ("value", "lower", "upper", "nash_gap", "exploitability")

CLAIM_TOLERANCE = 1e-12
"""Recomputed numbers may differ from the claimed ones by this share of the largest payoff, since
another machine may round differently."""

SAVED_NODES = 2_000_000
"""Nodes up to which a game that was solved from its rules is saved with its tree."""

Find = Callable[[str, dict[str, Any]], AnyGame]


@dataclass(frozen=True)
class Verified:
    """What verification found.

    Parameters
    ----------
    claims
        What ``result.json`` says.
    certificate
        What the files prove of the answer, computed again.
    solution
        The solution, with the certificate computed again.
    proven, exact
        The proofs in exact arithmetic, computed again where they are claimed; else None.
    """

    claims: dict[str, Any]
    certificate: Certificate
    solution: Solution
    proven: ProvenInterval | None = None
    exact: Proof | None = None

    @property
    def is_proof(self) -> bool:
        """Whether the files prove what is claimed; of a search only the line of play is checked."""
        return bool(getattr(self.certificate, "is_proof", True))

    def rows(self) -> list[tuple[str, str]]:
        """Return what is proven for people: name and text of each row of a table."""
        solution = self.solution
        return [
            *value_rows(solution),
            *self.certificate.rows(solution.unit),
            *proof_rows(solution),
        ]

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values, and the game's name as claimed."""
        found = {"verified": self.is_proof, "game": self.claims.get("game")}
        found |= self.certificate.record()
        if self.proven is not None:
            found["proven"] = self.proven.record()
        if self.claims.get("proof") == "exact":
            found |= {"proof": "exact", "exact_value": self.claims["exact_value"]}
        return jsonable(found)  # type: ignore[no-any-return]


def save(solution: Solution, folder: Path, name: str = "", parameters: Any = None) -> None:
    """Write a solution to a folder; see `Solution.save`.

    Raises
    ------
    ResultFileError
        If the folder cannot be written, or holds files that are not a saved result.
    """
    concept, tree = CONCEPTS.get(solution.concept), saved_tree(solution)
    if tree is not None and solution.answer is not None:
        solution = judged_on(tree, solution)
    elif not name and solution.answer is not None:
        raise ResultFileError(
            "this result is saved without its game's tree, and loaded by the game's name: give "
            "name (and parameters), as seqform.make takes them"
        )
    game = solution.game
    content = {"version": VERSION, **record(solution, name, parameters), "provenance": provenance()}
    check_folder(folder)
    try:
        with replacing_folder(folder, FILES, RESULT) as aside:
            if tree is not None:
                content["game_fingerprint"] = save_tree(tree, aside / GAME)
            if solution.answer is not None and (
                tree is not None or _saves_alone(solution, concept)
            ):
                concept.save(game, solution.answer, aside)
            if (found := solution.exact or solution.bracket) is not None:
                _save_certificate(solution, found, aside, _identity(content, game))
            content["files"] = digests(aside)
            content["checksum"] = checksum(content)
            write_text(aside / RESULT, json.dumps(content, indent=2) + "\n")
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {reason(error)}") from None


def check_folder(folder: Path | str) -> None:
    """Check that a solution can be saved in a folder, before any work is done for it.

    Raises
    ------
    ResultFileError
        If the folder cannot be written, or holds files that are not a saved result.

    Examples
    --------
    >>> check_folder("/dev/null")
    Traceback (most recent call last):
    seqform.base.errors.ResultFileError: cannot write to /dev/null: Not a directory
    """
    folder = Path(folder)
    if folder.is_file():
        raise ResultFileError(f"cannot write to {folder}: it is a file; give a folder")
    try:
        there = {path.name for path in folder.iterdir()} if folder.exists() else set()
        known = {*FILES, *(listed(folder / RESULT) or ()), ASIDE, LOCK}
        if foreign := sorted(there - known):
            raise ResultFileError(
                f"{folder} holds other files ({', '.join(foreign[:3])}); "
                "give an empty or new folder"
            )
        check_replaceable(folder)
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {reason(error)}") from None


def _save_certificate(
    solution: Solution, found: ExactEquilibrium | ProvenInterval, folder: Path, identity: Any
) -> None:
    """Write what is proven for others to check: with the tree's entries, or by classes."""
    from seqform.exact.certificate_file import Proof, write_certificate
    from seqform.exact.interval import prove
    from seqform.exact.quotient_file import quotient_of_signals, write_quotient_certificate

    game, profile = solution.game, solution.profile
    if game.tree is not None:
        write_certificate(folder / CERTIFICATE, game, identity, Proof.of(found))
    elif profile is not None and game.signals is not None:
        strategy = strategy_of(game, profile)
        try:
            quotient = quotient_of_signals(strategy.structure, strategy.classes)
        except (UnsupportedGameError, VerificationError) as error:
            logger.info("no %s: %s", BY_CLASSES, error)  # such a quotient proves nothing
            return
        if solution.exact is None:
            found = prove(quotient.form, quotient.form.profile(strategy.behaviors))
        write_quotient_certificate(folder / BY_CLASSES, quotient, identity, Proof.of(found))


def saved_tree(solution: Solution) -> GameTree | None:
    """Return the tree that a solution is saved with; None for a game that can do without.

    Raises
    ------
    ResultFileError
        If the game has no tree, and cannot be loaded by name.
    """
    tree, source = _tree_of(solution.game), solution.source
    if tree is not None or not CONCEPTS.get(solution.concept).keeps_tree:
        return tree
    known = getattr(solution.game, "signals", None)
    is_answered = solution.answer is not None
    if is_answered and known is not None and not _is_whole(solution.game, known[0]):
        raise ResultFileError(
            "this result is of a smaller game that a reduction made: lift it (seqform.lift), and "
            "save that"
        )
    signals = isinstance(source, SignalGame) or known is not None
    is_form = isinstance(source, SequenceForm)
    if source is None or is_form or is_too_large(source, solution.max_nodes):
        if signals or solution.answer is None:
            return None
        raise ResultFileError(
            "a result is saved with its game's tree, which this one has not; solve "
            "build_tree(game) to save it"
        )
    try:
        return build_tree(source, solution.max_nodes if signals else SAVED_NODES)
    except GameTooLargeError:
        return None  # then only the claims are saved, which cannot be verified


def _is_whole(form: SequenceForm, structure: SignalStructure) -> bool:
    """Tell whether the form of a signal game has all sequences that the game has."""
    sequences = [treeplex.num_sequences for treeplex in form.treeplexes]
    return sequences == list(count_sequences(structure)[1])


def _saves_alone(solution: Solution, concept: Concept) -> bool:
    """Return whether an answer is written without a tree: of a search, or of a signal game."""
    return not concept.keeps_tree or isinstance(solution.game, SequenceForm)


def _tree_of(game: Any) -> GameTree | None:
    return game if isinstance(game, GameTree) else getattr(game, "tree", None)


def find_by_name(name: str, parameters: dict[str, Any]) -> AnyGame:
    """Return a game of the registry that a saved result names."""
    return make(name, **parameters)  # type: ignore[no-any-return]


def load(folder: Path | str, find: Find = find_by_name) -> Solution:
    """Return the solution that a folder holds, after checking it; see `verify`."""
    return verify(folder, find).solution


def verify(
    folder: Path | str, find: Find = find_by_name, time_limit: float | None = None
) -> Verified:
    """Certify a saved answer again from its files, and compare with what the result claims.

    Parameters
    ----------
    folder
        What `Solution.save` wrote.
    find
        Returns a game by name and parameters: for games that are saved without a tree.
    time_limit
        Seconds.

    Returns
    -------
    verified
        The claims, the certificate computed again, and the solution.

    Raises
    ------
    ResultFileError
        If a file is missing, damaged, or not of this kind.
    VerificationError
        If the files do not prove what the result claims.
    OutOfTimeError
        If the time limit is over, so that nothing is known of the claims.

    Examples
    --------
    >>> import tempfile
    >>> from seqform import solve
    >>> folder = Path(tempfile.mkdtemp()) / "kuhn"
    >>> solve(make("kuhn")).save(folder, "kuhn")
    >>> verify(folder).record()["exact_value"]
    '-1/18'
    """
    with time_limited(time_limit):
        return _verified(Path(folder), find)


def _verified(folder: Path, find: Find) -> Verified:
    if folder.is_file():
        raise ResultFileError(f"{folder} is a file; give the folder that holds it: {folder.parent}")
    claims = _read_result(folder)
    if claims.get("value") is None and claims.get("values") is None:
        status = claims.get("status")
        raise VerificationError(f"{folder} holds no solution to verify: its status is {status}")
    concept = CONCEPTS.get(str(claims.get("concept", "nash")))
    if claims["version"] == 1 and concept.name != "nash":
        raise ResultFileError(f"{folder / RESULT} is damaged: version 1 claims profiles only")
    source = _saved_game(folder, claims, concept, find)
    game = concept.prepare(source)
    answer = concept.load(game, folder, claims)
    if isinstance(source, GameTree) and (signals := _same_signals(claims, source)) is not None:
        source = signals
    certificate = concept.certify(game, answer)
    _compare(claims, certificate, game)
    proven = exact = None
    if isinstance(game, SequenceForm):
        _compare_sizes(claims, game)
        proven = _prove_again(claims["proven"], game, answer) if "proven" in claims else None
        exact = _check_exactly(folder, claims, game, proven)
    solution = _solution(claims, source, game, answer, certificate, proven, exact)
    _compare_proofs(claims, solution)
    _check_whole(folder, claims)
    return Verified(claims, certificate, solution, proven, exact)


def load_strategy(folder: Path, find: Find = find_by_name) -> SignalStrategy:
    """Return the strategies of a saved result of a signal game that has no tree; see `verify`."""
    game = _named_signals(folder, _read_result(folder), find)
    return SignalStrategy.load(folder / CLASSES, SignalStructure(game))


def _saved_game(folder: Path, claims: dict[str, Any], concept: Concept, find: Find) -> AnyGame:
    """Return the game of a result: the tree beside it, or else by its name."""
    if (folder / CLASSES).exists():
        return _named_signals(folder, claims, find)
    if not concept.keeps_tree and not (folder / GAME).exists():
        return _found(folder, claims, find)
    if not (folder / GAME).exists() and not {GAME, CLASSES} & set(claims.get("files", (GAME,))):
        raise ResultFileError(
            f"{folder} holds claims alone, since the game was too large to be saved with them: "
            "nothing can be verified; solve the game again"
        )
    tree = load_tree(folder / GAME)
    if claims.get("game_fingerprint") != fingerprint(tree):
        raise VerificationError(
            f"{folder / RESULT} has another fingerprint than {folder / GAME}: "
            "it is of another game, or was altered"
        )
    return tree


def _named_signals(folder: Path, claims: dict[str, Any], find: Find) -> SignalGame:
    game = _found(folder, claims, find)
    if not isinstance(game, SignalGame):
        raise ResultFileError(
            f"{folder / RESULT} names {claims.get('game')!r}, "
            f"which is not a signal game, but {CLASSES} is of one"
        )
    return game


def _same_signals(claims: dict[str, Any], tree: GameTree) -> SignalGame | None:
    """Return the signal game of the registry that a result names, if the saved tree is its tree."""
    try:
        game = find_by_name(str(claims.get("game")), dict(claims.get("params") or {}))
        if not isinstance(game, SignalGame) or is_too_large(game, tree.num_nodes):
            return None
        return game if fingerprint(build_tree(game)) == fingerprint(tree) else None
    except (SeqformError, TypeError, ValueError):  # the name is whatever who saved it says
        return None


def _found(folder: Path, claims: dict[str, Any], find: Find) -> AnyGame:
    """Return the game that a result names."""
    try:
        return find(str(claims.get("game")), _parameters(folder, claims))
    except UnknownNameError as error:
        raise ResultFileError(
            f"{folder} holds a game without its tree, and {error}; "
            "or give `find`, which returns a game by name and parameters"
        ) from None


def _parameters(folder: Path, claims: dict[str, Any]) -> dict[str, Any]:
    parameters = claims.get("params") or {}
    if not isinstance(parameters, dict):
        raise ResultFileError(f"{folder / RESULT} is damaged: its params are {parameters!r}")
    return parameters


def _read_result(folder: Path) -> dict[str, Any]:
    with suppress(OSError):  # where nothing can be written: then its files are not those it lists
        finish(folder, FILES, RESULT)
    path = folder / RESULT
    try:
        claims = json.loads(path.read_text())
    except FileNotFoundError:
        raise ResultFileError(
            f"{path} does not exist; give the folder that a solution was saved in"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} is damaged: {error}") from None
    if not isinstance(claims, dict) or claims.get("version") not in READ:
        versions = " or ".join(map(str, READ))
        raise ResultFileError(f"{path} is not a result of version {versions}")
    files = claims.get("files", {})
    if not isinstance(files, dict) or not all(map(is_plain, files)):
        raise ResultFileError(f"{path} is damaged: its files are {files!r}")
    return claims


def _prove_again(claim: Any, form: SequenceForm, profile: Any) -> ProvenInterval:
    """Return the interval that a saved strategy proves in exact arithmetic, without tolerance."""
    from seqform.exact.interval import prove

    proven = prove(form, profile)
    if claim != proven.record():
        raise VerificationError(
            f"the result claims to prove {claim} in exact arithmetic, "
            f"but its own files prove {proven.record()}"
        )
    return proven


def _check_exactly(
    folder: Path, claims: dict[str, Any], form: SequenceForm, proven: ProvenInterval | None
) -> Proof | None:
    """Return what the saved certificate proves, if there is one or should be."""
    from seqform.exact.certificate_file import read_certificate
    from seqform.exact.quotient_file import read_signal_certificate

    identity = _identity(claims, form)
    by_classes = form.tree is None and form.signals is not None
    path, other = folder / CERTIFICATE, folder / BY_CLASSES
    if by_classes:
        path, other = other, path
    if other.exists():
        raise VerificationError(f"{other} is no certificate of such a game; it was put there")
    if not path.exists() and claims.get("proof") != "exact":
        return None
    if by_classes and form.signals is not None:
        proof = read_signal_certificate(path, form.signals[0], identity)
    else:
        proof = read_certificate(path, form, identity)
    if claims.get("proof") == "exact":
        fits = proof.lower == proof.upper and _are_of(form, proof)
        fits = fits and claims.get("exact_value") == fraction_text(proof.lower)
    else:
        bounds = None if proven is None else (proven.lower, proven.upper)
        fits = "exact_value" not in claims and bounds == (proof.lower, proof.upper)
    if not fits:
        raise VerificationError(
            f"the result claims another value, or interval, than {path} proves in exact arithmetic"
        )
    return proof


def _are_of(form: SequenceForm, proof: Proof) -> bool:
    """Return whether the plans of a proof are of a game itself, and not of a quotient."""
    sequences = [treeplex.num_sequences for treeplex in form.treeplexes]
    return [len(plan) for plan in proof.plans] == sequences


def _identity(claims: dict[str, Any], form: SequenceForm) -> dict[str, Any]:
    """Return what a certificate calls the game: name, parameters, unit, fingerprint."""
    return {
        "name": claims.get("game"),
        "params": jsonable(claims.get("params")),
        "unit": form.unit,
        "fingerprint": "" if form.tree is None else fingerprint(form.tree),
    }


def _compare(claims: dict[str, Any], certificate: Certificate, game: Any) -> None:
    """Compare what is claimed with what the files prove."""
    allowed = CLAIM_TOLERANCE * getattr(game, "largest_payoff", 0.0)
    proven = jsonable(certificate.record())
    keys = OF_VERSION_1 if claims["version"] == 1 else tuple(proven)
    for key in keys:
        if not _agree(claims.get(key), proven.get(key), allowed):
            raise _false_claim(key, claims, proven.get(key))


def _compare_proofs(claims: dict[str, Any], solution: Solution) -> None:
    """Compare what is claimed beside the certificate with what the files prove."""
    loss = solution.gap if "loss" in claims else None
    allowed = CLAIM_TOLERANCE * getattr(solution.game, "largest_payoff", 0.0)
    if not _agree(claims.get("loss"), jsonable(loss), allowed):
        raise _false_claim("loss", claims, loss)
    if claims.get("unit", solution.unit) != solution.unit:
        raise _false_claim("unit", claims, solution.unit)
    proven = record(solution)
    for key in ("proof", "exact_value"):
        if key in claims and claims[key] != proven.get(key):
            raise _false_claim(key, claims, proven.get(key))


def _check_whole(folder: Path, claims: dict[str, Any]) -> None:
    """Check that all is as it was written, be it claimed or for people; old results do not say."""
    files = claims.get("files", {})
    for name, expected in files.items():
        if digest(folder / name) != expected:
            raise VerificationError(
                f"{folder / name} was altered: its SHA-256 is not the one that {RESULT} lists"
            )
    if "checksum" in claims and claims["checksum"] != checksum(claims):
        raise VerificationError(
            f"{folder / RESULT} was altered: its content does not match its checksum"
        )


def _false_claim(key: str, claims: dict[str, Any], proven: Any) -> VerificationError:
    return VerificationError(
        f"the result claims {key} = {claims.get(key)}, but its own files prove {proven!r}"
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


def _compare_sizes(claims: dict[str, Any], form: SequenceForm) -> None:
    claimed = claims.get("sizes", {})
    for key, count in sizes(form).items():
        claim = claimed.get(key) if isinstance(claimed, dict) else None
        if claim != count:
            raise VerificationError(
                f"the result claims {claim} {key}, but its own game has {count}"
            )


def _status(claims: dict[str, Any], certificate: Certificate, scale: float) -> tuple[Status, float]:
    """Return status and tolerance; SOLVED is not accepted for a gap above the tolerance."""
    status = {status.name.lower(): status for status in Status}.get(str(claims.get("status")))
    if status is None:
        raise VerificationError(f"the result claims the status {claims.get('status')!r}")
    no_claim: Any = math.inf if claims["version"] == 1 else None
    tolerance: Any = claims.get("tolerance", no_claim)
    is_number = type(tolerance) in (int, float) and tolerance >= 0
    if not is_number or ("tolerance" in claims and not math.isfinite(tolerance)):
        raise VerificationError(f"the result claims the tolerance {tolerance!r}")
    allowed = (tolerance + CLAIM_TOLERANCE) * scale
    if status is Status.SOLVED and not certificate.gap <= allowed:
        raise VerificationError(
            f"the result claims to be solved to a gap of {tolerance * scale:.3g}, but its own "
            f"files prove {certificate.gap:.3g}"
        )
    return status, tolerance if math.isfinite(tolerance) else 0.0


def _solution(
    claims: dict[str, Any],
    source: AnyGame,
    game: Any,
    answer: Any,
    certificate: Certificate,
    proven: ProvenInterval | None,
    exact: Proof | None,
) -> Solution:
    """Return a verified result as a solution; how it was found is taken from the claims."""
    from seqform.exact.equilibrium import ExactEquilibrium

    status, tolerance = _status(claims, certificate, getattr(game, "payoff_scale", 1.0))
    equilibrium = None
    if exact is not None and claims.get("proof") == "exact":
        equilibrium = ExactEquilibrium(exact.lower, exact.plans, exact.denominators, game)
    seconds, counts = claims.get("seconds"), claims.get("sizes")
    iterations, reduction = claims.get("iterations"), claims.get("abstraction")
    return Solution(
        game=game,
        status=status,
        method=str(claims.get("method")),
        answer=answer,
        certificate=certificate,
        message=str(claims.get("message", "")),
        seconds=_numbers(seconds),
        sizes=_numbers(counts),
        iterations=iterations if type(iterations) is int else 0,
        reduction=reduction if isinstance(reduction, str) else None,
        tolerance=tolerance,
        concept=str(claims.get("concept", "nash")),
        exact=equilibrium,
        bracket=proven,
        source=source,
    )


def _numbers(claim: Any) -> dict[str, Any]:
    """Return the entries of a claim that are numbers; none unless it is an object."""
    items = claim.items() if isinstance(claim, dict) else ()
    return {name: value for name, value in items if type(value) in (int, float)}
