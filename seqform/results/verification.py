"""Saved results verified: certified again from their files, and compared with their claims."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seqform.base.deadline import time_limited
from seqform.base.errors import ResultFileError, SeqformError, UnknownNameError, VerificationError
from seqform.base.progress import tell
from seqform.concepts.concept import CONCEPTS, Certificate, Concept
from seqform.concepts.nash import KEPT, STRATEGY, certify
from seqform.exact.proof import Files, Proof, Proven, claims_of, read_proofs
from seqform.form.from_any import Formed, form_from
from seqform.form.keepers import keeping_of
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.catalogue import make
from seqform.game.kinds import is_other_form
from seqform.game.observations import SignalStructure
from seqform.game.signals import SignalGame, is_taken_apart
from seqform.links.chain import LOCK
from seqform.results.claims import (
    check_whole,
    claimed_status,
    compare,
    compare_proofs,
    compare_sizes,
    known_sizes,
    numbers,
)
from seqform.results.folder import GAME, RESULT, identity_of, read_result
from seqform.results.locked_part import (
    claims_of_locked,
    files_of_locked,
    is_locked,
    locked_profile,
    read_locked,
)
from seqform.results.record import jsonable, locked_record
from seqform.results.rows import locked_rows, proof_rows, value_rows
from seqform.results.solution import Run, Smaller, Solution
from seqform.results.status import Status
from seqform.solvers.iterative.search import Look
from seqform.tree.file import fingerprint, load_tree
from seqform.tree.from_any import AnyGame
from seqform.tree.from_signals import assemble
from seqform.tree.tree import GameTree

NUMBERS = {int, float}

Find = Callable[[str, dict[str, Any]], Formed]


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
        The solution, with the certificate and all proofs computed again.
    structure
        What players see of the signal game whose tree was saved, if there is such a game.
    """

    claims: dict[str, Any]
    certificate: Certificate
    solution: Solution
    structure: SignalStructure | None = None

    @property
    def is_proof(self) -> bool:
        """Whether the files prove what is claimed; of a search only the line of play is checked."""
        return self.solution.given.is_proof

    def rows(self) -> list[tuple[str, str]]:
        """Return what is proven for people: name and text of each row of a table."""
        solution = self.solution
        return [
            *value_rows(solution),
            *self.certificate.rows(solution.unit),
            *proof_rows(solution),
            *(locked_rows(solution.locked, solution.unit) if solution.locked else []),
        ]

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values, and the game's name as claimed."""
        found = {"verified": self.is_proof, "game": self.claims.get("game")}
        solution = self.solution
        found |= self.certificate.record() | claims_of(solution.proofs)
        if solution.locked is not None:
            found["locked"] = locked_record(solution.locked)
        return jsonable(found)  # type: ignore[no-any-return]


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
    """
    with time_limited(time_limit):
        return _verified(Path(folder), find)


def _verified(folder: Path, find: Find) -> Verified:
    if os.path.isfile(folder):
        raise ResultFileError(f"{folder} is a file; give the folder that holds it: {folder.parent}")
    claims = read_result(folder)
    if claims.get("value") is None and claims.get("values") is None:
        status = claims.get("status")
        raise VerificationError(f"{folder} holds no solution to verify: its status is {status}")
    concept = CONCEPTS.get(str(claims.get("concept", "nash")))
    if claims["version"] == 1 and concept.name != "nash":
        raise ResultFileError(f"{folder / RESULT} is damaged: version 1 claims profiles only")
    source = _saved_game(folder, claims, concept, find)
    tell("building the game", every=0)
    game = concept.prepare(source)
    tell("reading the saved answer", every=0)
    answer = concept.load(game, folder, claims)
    structure = None
    if isinstance(source, GameTree):
        source, structure = _by_signals(claims, source)
    tell("certifying", every=0)
    certificate = concept.certify(game, answer)
    compare(claims, certificate, game)
    if isinstance(game, SequenceForm):
        compare_sizes(claims, game)
    tell("checking proofs", every=0)
    proofs = read_proofs(Files(folder), claims, _to_prove(claims, game, answer))
    solution = _solution(claims, source, game, answer, certificate, proofs)
    compare_proofs(claims, solution)
    solution = _with_locked(folder, claims, solution)
    check_whole(folder, claims)
    return Verified(claims, certificate, solution, structure)


def _with_locked(folder: Path, claims: dict[str, Any], solution: Solution) -> Solution:
    """Return a result of a locked game with that game's solution, verified like the result."""
    if solution.status is not Status.LOCKED and not is_locked(folder, claims):
        return solution
    lock, locked, inverse = read_locked(folder, claims, solution)
    of_locked, profile = claims_of_locked(claims), locked_profile(solution.profile, inverse, locked)
    certificate = certify(locked, profile)
    compare(of_locked, certificate, solution.game)
    to_prove = _to_prove(of_locked, locked, profile)
    proofs = read_proofs(files_of_locked(folder), of_locked, to_prove)
    smaller = _solution(of_locked, locked, locked, profile, certificate, proofs)
    compare_proofs(of_locked, smaller)
    return replace(solution, smaller=Smaller(LOCK, smaller, lock))


def load_strategy(folder: Path, find: Find = find_by_name) -> SignalStrategy | Profile:
    """Return the strategies of a saved result that are kept otherwise than as a table.

    They are of a signal game that has no tree, or of a game of hands, of which they are a profile.
    Nothing is certified; see `verify`.
    """
    claims = read_result(folder)
    game = _kept_without_tree(folder, claims, find)
    if isinstance(game, SignalGame):
        return SignalStrategy.load(folder / KEPT, SignalStructure(game))
    form = form_from(game)
    keeping = keeping_of(form)
    if keeping is None:
        raise ResultFileError(f"{folder / KEPT} is not of {claims.get('game')!r}")
    return keeping.load(folder / KEPT).in_form(form)


def _saved_game(folder: Path, claims: dict[str, Any], concept: Concept, find: Find) -> Formed:
    """Return the game of a result: the tree beside it, or else by its name."""
    if os.path.exists(folder / KEPT):
        return _kept_without_tree(folder, claims, find)
    files = set(claims.get("files", (GAME,)))
    is_by_name = not concept.keeps_tree or (GAME not in files and STRATEGY in files)
    if is_by_name and not os.path.exists(folder / GAME):
        return _found(folder, claims, find)
    if not os.path.exists(folder / GAME) and not {GAME, KEPT} & files:
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


def _kept_without_tree(folder: Path, claims: dict[str, Any], find: Find) -> Formed:
    """Return the game of a result whose strategies are kept as the game's form keeps them."""
    game = _found(folder, claims, find)
    return game if is_other_form(game) else _named_signals(folder, claims, find)


def _named_signals(folder: Path, claims: dict[str, Any], find: Find) -> SignalGame:
    game = _found(folder, claims, find)
    if not isinstance(game, SignalGame):
        raise ResultFileError(
            f"{folder / RESULT} names {claims.get('game')!r}, "
            f"which is not a signal game, but {KEPT} is of one"
        )
    return game


def _by_signals(
    claims: dict[str, Any], tree: GameTree
) -> tuple[GameTree | SignalGame, SignalStructure | None]:
    """Return the signal game of the registry that a result names, if the saved tree is its tree.

    Else the tree. The fingerprint that is claimed was found to be the saved tree's. What players
    see is returned for two of them.
    """
    try:
        game = find_by_name(str(claims.get("game")), dict(claims.get("params") or {}))
        if isinstance(game, SignalGame):
            structure = SignalStructure(game) if is_taken_apart(game) else None
            public = structure.public if structure is not None else None
            made = assemble(game, tree.num_nodes, public=public)  # or it raises: it has more nodes
            if fingerprint(made) == claims["game_fingerprint"]:
                return game, structure
    except (SeqformError, TypeError, ValueError):  # the name is whatever who saved it says
        pass
    return tree, None


def _found(folder: Path, claims: dict[str, Any], find: Find) -> Formed:
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


def _solution(
    claims: dict[str, Any],
    source: Formed,
    game: Any,
    answer: Any,
    certificate: Certificate,
    proofs: tuple[Proof, ...],
) -> Solution:
    """Return a verified result as a solution; how it was found is taken from the claims."""
    status, tolerance = claimed_status(claims, certificate, getattr(game, "payoff_scale", 1.0))
    iterations, asked = claims.get("iterations"), claims.get("asked")
    run = Run(
        message=str(claims.get("message", "")),
        seconds=numbers(claims.get("seconds")),
        sizes=known_sizes(claims, game),
        iterations=iterations if type(iterations) is int else 0,
        history=_history(claims.get("history")),
        asked=asked if isinstance(asked, dict) else None,
    )
    return Solution(
        game=game,
        status=status,
        method=str(claims.get("method")),
        answer=answer,
        certificate=certificate,
        run=run,
        smaller=_smaller(claims.get("abstraction")),
        tolerance=tolerance,
        concept=str(claims.get("concept", "nash")),
        proofs=proofs,
        source=source,
    )


def _smaller(claim: Any) -> Smaller | None:
    """Return what a result says of reductions; the smaller games were not saved."""
    names = claim if isinstance(claim, list) else [claim]
    return Smaller(",".join(names)) if all(isinstance(name, str) for name in names) else None


def _to_prove(claims: dict[str, Any], game: Any, answer: Any) -> Proven:
    """Return a saved answer, of which nothing is proven yet."""
    identity = identity_of(claims, game) if isinstance(game, SequenceForm) else {}
    return Proven(game, answer, identity)


def _history(claim: Any) -> tuple[Look, ...]:
    """Return the looks of a claim that are three numbers each."""
    looks = claim if isinstance(claim, list) else []
    fit = (e for e in looks if isinstance(e, list) and len(e) == 3 and set(map(type, e)) <= NUMBERS)
    return tuple(Look(*each) for each in fit)
