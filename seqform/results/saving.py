"""Solutions saved: the claims, and whatever proves them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import (
    GameTooLargeError,
    ResultFileError,
)
from seqform.base.provenance import provenance
from seqform.base.whole_file import reason, write_text
from seqform.base.whole_folder import checksum, digests, replacing_folder
from seqform.concepts.concept import CONCEPTS, Concept
from seqform.exact.proof import Files, files_of
from seqform.form.counts_from_signals import count_sequences, is_too_large
from seqform.form.sequence_form import SequenceForm
from seqform.game.kinds import is_other_form
from seqform.game.observations import SignalStructure
from seqform.game.signals import SignalGame
from seqform.results.folder import (
    FILES,
    GAME,
    RESULT,
    VERSION,
    check_folder,
    proven_of,
)
from seqform.results.locked_part import save_locked
from seqform.results.on_tree import judged_on
from seqform.results.record import record
from seqform.tree.file import save_tree
from seqform.tree.from_any import build_tree, tree_in
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.results.solution import Solution

SAVED_NODES = 2_000_000
"""Nodes up to which a game that was solved from its rules is saved with its tree."""


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
            if solution.proofs:
                Files(aside).write(files_of(proven_of(solution, content)))
            if solution.locked is not None and solution.lock is not None:
                save_locked(solution.lock, solution.locked, aside, content)
            content["files"] = digests(aside)
            content["checksum"] = checksum(content)
            write_text(aside / RESULT, json.dumps(content, indent=2) + "\n")
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {reason(error)}") from None


def saved_tree(solution: Solution) -> GameTree | None:
    """Return the tree that a solution is saved with; None for a game that can do without.

    Raises
    ------
    ResultFileError
        If the game has no tree, and cannot be loaded by name.
    """
    tree, source = tree_in(solution.game), solution.source
    if tree is not None or not CONCEPTS.get(solution.concept).keeps_tree:
        return tree
    known = getattr(solution.game, "signals", None)
    is_answered = solution.answer is not None
    if is_answered and known is not None and not _is_whole(solution.game, known[0]):
        raise ResultFileError(
            "this result is of a smaller game that a reduction made: lift it (seqform.lift), and "
            "save that"
        )
    by_name = isinstance(source, SignalGame) or known is not None or is_other_form(source)
    is_form = isinstance(source, SequenceForm) or is_other_form(source)
    if source is None or is_form or is_too_large(source, solution.max_nodes):
        if by_name or solution.answer is None:
            return None
        raise ResultFileError(
            "a result is saved with its game's tree, which this one has not; solve "
            "build_tree(game) to save it"
        )
    try:
        return build_tree(source, solution.max_nodes if by_name else SAVED_NODES)
    except GameTooLargeError:
        return None  # then only the claims are saved, which cannot be verified


def _is_whole(form: SequenceForm, structure: SignalStructure) -> bool:
    """Tell whether the form of a signal game has all sequences that the game has."""
    sequences = [treeplex.num_sequences for treeplex in form.treeplexes]
    return sequences == list(count_sequences(structure)[1])


def _saves_alone(solution: Solution, concept: Concept) -> bool:
    """Return whether an answer is written without a tree: of a search, or of a signal game."""
    return not concept.keeps_tree or isinstance(solution.game, SequenceForm)
