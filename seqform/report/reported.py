"""Reported: one result as a page tells of it, from a folder or from memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    InvalidStrategyError,
    UnsupportedGameError,
)
from seqform.base.provenance import provenance
from seqform.exact.bracket import bracket
from seqform.exact.plan_proof import ProvenInterval
from seqform.exact.proof import CERTIFICATE, files_of
from seqform.exact.saved_plans import BY_CLASSES
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.report.by_classes import certificate_by_classes, fits
from seqform.results.folder import RESULT, identity_of, proven_of
from seqform.results.on_tree import judged_on
from seqform.results.record import record
from seqform.results.solution import Solution
from seqform.results.verification import Find, verify
from seqform.tree.file import fingerprint
from seqform.tree.from_any import build_tree
from seqform.tree.tree import GameTree

MOST_ENTRIES = 250_000
"""Payoffs of a game of which a certificate is made for a report."""

MOST_NODES = 800_000
"""Of a tree that a page holds as a whole."""

Result = Solution | Path | str
Results = Result | Sequence[Result] | Mapping[str, Result]
"""What a report is of; keys of a mapping are the names of the games of solutions."""


@dataclass(frozen=True, eq=False)
class Reported:
    """A result.

    Parameters
    ----------
    solution
        With its certificate, computed again if it comes from a folder.
    claims
        What ``result.json`` says, or would say.
    certificates
        The files of what is proven in exact arithmetic, by name: none of a result without proof.
    folder
        Where it was saved; None if it comes from memory.
    is_proof
        Whether the answer was certified; of a search only the line of play is.
    is_made
        Whether the certificate was made for the report, of what was certified in floats.
    rounded
        What the certificate proves, where its plans were rounded so that it fits a page: less than
        what is certified.
    structure
        What players see of the signal game whose tree was saved, if there is such a game.
    """

    solution: Solution
    claims: dict[str, Any] = field(repr=False)
    certificates: dict[str, bytes] = field(repr=False)
    folder: Path | None
    is_proof: bool
    is_made: bool = False
    rounded: ProvenInterval | None = None
    structure: SignalStructure | None = field(default=None, repr=False)

    @property
    def is_pure(self) -> bool:
        """Whether it is what backward induction found: a choice at each decision."""
        return self.solution.concept == "subgame-perfect" and self.solution.answer is not None

    @cached_property
    def on_tree(self) -> Solution | None:
        """What backward induction found, on the tree; None where that is too large for a page."""
        solution = self.solution
        if not self.is_pure:
            return None
        try:
            source = solution.source or solution.game
            is_tree = isinstance(solution.game, GameTree)
            tree = solution.game if is_tree else build_tree(source, MOST_NODES)
        except GameTooLargeError:
            return None
        return judged_on(tree, solution) if tree.num_nodes <= MOST_NODES else None

    @property
    def name(self) -> str:
        """The game's name, and its parameters."""
        parameters = self.claims.get("params") or {}
        given = ", ".join(f"{key}={value}" for key, value in parameters.items())
        name = str(self.claims.get("game") or (self.folder.name if self.folder else "a game"))
        return f"{name} ({given})" if given else name

    @property
    def identity(self) -> dict[str, Any]:
        """What a certificate calls the game."""
        return identity_of(self.claims, self.solution.game)


def reported(results: Results, find: Find) -> list[Reported]:
    """Return results; folders are verified.

    Raises
    ------
    ResultFileError
        If a folder holds no result, or a damaged one.
    VerificationError
        If the files do not prove what a result claims.
    InvalidParameterError
        If there is no result.
    """
    found = list(_each(results, find))
    if not found:
        raise InvalidParameterError("there is no result to report: give one at least")
    return found


def _each(results: Results, find: Find) -> Iterator[Reported]:
    if isinstance(results, (Solution, Path, str)):
        results = [results]
    named = results.items() if isinstance(results, Mapping) else (("", each) for each in results)
    for name, result in named:
        if isinstance(result, Solution):
            yield from_memory(result, name)
        elif isinstance(result, (Path, str)):
            yield from (from_folder(folder, find) for folder in folders(Path(result)))
        else:
            raise InvalidParameterError(
                f"a {type(result).__name__} is no result; give a Solution or the folder of one"
            )


def folders(path: Path) -> list[Path]:
    """Return a folder, or those in it that hold results, by name."""
    if os.path.isdir(path) and not os.path.exists(path / RESULT):
        return sorted(inner.parent for inner in path.glob(f"*/{RESULT}")) or [path]
    return [path]


def from_folder(folder: Path, find: Find) -> Reported:
    """Return a saved result, verified."""
    found = verify(folder, find)
    there = [name for name in (CERTIFICATE, BY_CLASSES) if os.path.exists(folder / name)]
    certificates = {name: (folder / name).read_bytes() for name in there}
    of = Reported(
        found.solution,
        found.claims,
        certificates,
        folder,
        found.is_proof,
        structure=found.structure,
    )
    return _proven(of)


def from_memory(solution: Solution, name: str) -> Reported:
    """Return a solution; certificates of games without a tree are left out."""
    claims = {**record(solution, name), "provenance": provenance()}
    game = solution.game
    certificates = {}
    if isinstance(game, SequenceForm) and game.tree is not None:
        claims["game_fingerprint"] = fingerprint(game.tree)
        certificates = files_of(proven_of(solution, claims)) if solution.proofs else {}
    return _proven(Reported(solution, claims, certificates, None, solution.given.is_proof))


def _proven(of: Reported) -> Reported:
    """Return a result with what its profile proves in exact arithmetic, if it has no such proof."""
    solution = of.solution
    game, profile = solution.game, solution.profile
    if isinstance(game, SequenceForm) and game.tree is None and game.signals is not None:
        return _by_classes(of)
    if of.certificates or solution.proof or profile is None or game.tree is None:
        return of
    if game.payoffs.num_nonzeros > MOST_ENTRIES:
        return of
    try:
        proven = solution.proving(bracket(game, profile))
    except (UnsupportedGameError, InvalidStrategyError):  # there are floats
        return of
    files = files_of(proven_of(proven, of.claims))
    return replace(of, solution=proven, certificates=files, is_made=True)


def _by_classes(of: Reported) -> Reported:
    """Return a result with a certificate by classes that fits a page, unless it has one."""
    own = of.certificates.get(BY_CLASSES)
    if own is not None and fits(own):
        return of
    made = certificate_by_classes(of.solution, of.identity)
    if made is None:
        return of
    return replace(of, certificates={BY_CLASSES: made.packed}, is_made=True, rounded=made.proven)
