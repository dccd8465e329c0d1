"""Saved solutions of recursive games, proven again from their files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from seqform.base.array_file import read_arrays
from seqform.base.errors import ResultFileError, VerificationError
from seqform.base.number import is_float_sized, read_fraction
from seqform.base.summary import Rows
from seqform.recursive.bound import Bound, Case
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import Plans, RecursiveProof, prove_again
from seqform.recursive.saving import FORMAT, VERSION, fingerprint
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import MAX_STAGES, stage_graph
from seqform.results.claims import check_whole, numbers
from seqform.results.folder import PLANS, RESULT, read_result
from seqform.results.solution import Run
from seqform.results.status import Status

KIND = "recursive"
"""What ``result.json`` says that it is of."""

STATUSES = (Status.SOLVED, Status.INACCURATE, Status.LIMIT)
"""How a search may have ended."""

Find = Callable[[str, dict[str, Any]], Any]
"""Makes a game of its name and parameters."""


def is_saved(folder: Path) -> bool:
    """Return whether a folder holds a solution of a recursive game."""
    try:
        claims = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(claims, dict) and claims.get("kind") == KIND


@dataclass(frozen=True)
class RecursiveVerified:
    """What verification found.

    Parameters
    ----------
    claims
        What ``result.json`` says.
    solution
        The solution, every bound of which was proven again.
    """

    claims: dict[str, Any]
    solution: RecursiveSolution

    @property
    def is_proof(self) -> bool:
        """Whether what is claimed holds: it does, or verifying it would have failed."""
        return True

    def rows(self) -> Rows:
        """Return what was proven."""
        return self.solution.rows()

    def record(self) -> dict[str, Any]:
        """Return what was proven as JSON values."""
        return {"verified": True, **self.solution.record(self.claims["game"], self._parameters)}

    @property
    def _parameters(self) -> Any:
        return self.claims.get("parameters")


def verify(folder: Path, find: Find) -> RecursiveVerified:
    """Prove a saved solution again.

    Parameters
    ----------
    find
        Makes the game that ``result.json`` names.

    Raises
    ------
    ResultFileError
        If something is missing or damaged.
    VerificationError
        If the game is not the one that was solved, or something that is claimed is not proven.
    """
    claims = read_result(folder)
    check_whole(folder, claims)
    graph = stage_graph(find(_name(claims), _parameters(claims)), _most_stages(claims))
    if fingerprint(graph) != claims.get("game_fingerprint"):
        raise VerificationError(
            f"{claims['game']} is another game now than when {folder} was saved: its stages differ"
        )
    plans = _plans(folder, graph)
    bounds = _bounds(claims, graph)
    proof = prove_again(graph, plans, bounds)
    solution = _solution(claims, graph, proof)
    _compare(claims, solution)
    return RecursiveVerified(claims, solution)


def _plans(folder: Path, graph: StageGraph) -> Plans:
    _, arrays = read_arrays(folder / PLANS, FORMAT, VERSION)
    seats = range(graph.num_players)
    try:
        return [[arrays[f"{s}.{seat}"] for seat in seats] for s in range(len(graph.stages))]
    except KeyError as error:
        raise ResultFileError(f"{folder / PLANS} lacks the plan {error} (stage.seat)") from None


def _bounds(claims: dict[str, Any], graph: StageGraph) -> list[Bound]:
    """Return the bounds that are claimed, and for which reasons."""
    try:
        cases = [Case[str(name).upper()] for name in claims["cases"]]
        sides = ("upper", "lower")[: len(cases)]
        return [Bound(_side(claims, s), case) for s, case in zip(sides, cases, strict=True)]
    except (KeyError, TypeError, ValueError):
        raise ResultFileError(
            f"{RESULT} does not say for each stage its bounds, and by which case they hold"
        ) from None


def _side(claims: dict[str, Any], side: str) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(read_fraction, stage[side])) for stage in claims["stages"])


def _solution(
    claims: dict[str, Any], graph: StageGraph, proof: RecursiveProof
) -> RecursiveSolution:
    profile = StationaryProfile.uniform(graph).as_played(proof.plans)
    status, method, tolerance, run = _ended(claims)
    if status is Status.SOLVED and not proof.width <= tolerance:
        raise VerificationError(
            f"{RESULT} says solved, and the widest bracket of {float(proof.width):.3g} is above "
            f"the tolerance of {tolerance:.3g}"
        )
    return RecursiveSolution(profile, proof, status, method, tolerance, run)


def _ended(claims: Any) -> tuple[Status, str, float, Run]:
    """Return status, method, tolerance and facts of the run, which are claimed."""
    status = {status.name.lower(): status for status in STATUSES}.get(str(claims.get("status")))
    method, tolerance = claims.get("method"), claims.get("tolerance")
    iterations, seconds = claims.get("iterations"), claims.get("seconds")
    message = claims.get("message", "")  # earlier versions saved none
    is_number = type(tolerance) in (int, float) and is_float_sized(tolerance) and tolerance >= 0
    is_count = type(iterations) is int and iterations >= 0
    are_seconds = isinstance(seconds, dict) and numbers(seconds) == seconds
    are_texts = isinstance(method, str) and isinstance(message, str)
    if status is None or not (are_texts and is_number and is_count and are_seconds):
        raise ResultFileError(
            f"{RESULT} does not say how the search ended: with which status, method, tolerance, "
            "iterations and seconds"
        )
    run = Run(message=message, iterations=iterations, seconds=seconds)
    return status, method, float(tolerance), run


COMPARED = ("unit", "is_zero_sum", "lower", "upper", "width", "gains", "cases", "stages")
"""What has to be the same when it is computed again."""


def _compare(claims: dict[str, Any], solution: RecursiveSolution) -> None:
    found = solution.record()
    for name in COMPARED:
        if claims.get(name) != found[name]:
            raise VerificationError(f"{RESULT} claims another {name} than its files prove")


def _name(claims: dict[str, Any]) -> str:
    if not isinstance(claims.get("game"), str) or not claims["game"]:
        raise ResultFileError(f"{RESULT} does not say which game it is of")
    return str(claims["game"])


def _parameters(claims: dict[str, Any]) -> dict[str, Any]:
    parameters = claims.get("parameters", {})
    if not isinstance(parameters, dict):
        raise ResultFileError(f"{RESULT} does not say with which parameters the game is made")
    return parameters


def _most_stages(claims: dict[str, Any]) -> int:
    """Return how many stages are walked through: what was solved may have had more than usual."""
    stages = claims.get("stages")
    return max(MAX_STAGES, len(stages) if isinstance(stages, list) else 0)
