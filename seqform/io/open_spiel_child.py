"""OpenSpiel's games made into trees by another process, which they may crash."""

from __future__ import annotations

from typing import Any

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record, run_in_child
from seqform.base.errors import CrashError, GameTooLargeError, InvalidParameterError
from seqform.base.number import from_text
from seqform.io.open_spiel_traversal import Move
from seqform.tree.tree import GameTree


def tree_made_by_child(
    game: str, chance_denominator: int | None, max_nodes: int, at: str = ""
) -> GameTree:
    """Return the tree of a game of OpenSpiel, made in a process of its own.

    OpenSpiel is written in C++. Some of its games end the process for a parameter that they do not
    like, or take all memory for one state.

    Raises
    ------
    InvalidParameterError
        If the process died.
    GameTooLargeError
        If it ran out of memory.
    SeqformError
        As `from_open_spiel` does.
    """
    request = {
        "game": game,
        "chance_denominator": chance_denominator,
        "max_nodes": max_nodes,
        "at": at,
    }
    record, columns = _run("make_tree", request)
    return GameTree.from_columns(
        columns,
        num_players=record["num_players"],
        probabilities=tuple(map(from_text, record["probabilities"])),
        payoffs=tuple(tuple(map(from_text, row)) for row in record["payoffs"]),
        labels=tuple(Move(action, name) for action, name in record["labels"]),
        infoset_labels=tuple(record["infoset_labels"]),
        unit=record["unit"],
    )


def size_estimated_by_child(
    game: str, probes: int, seed: int, seconds: float | None, at: str = ""
) -> dict[str, Any]:
    """Return the players of a game of OpenSpiel, and the record of an estimate of its size.

    It is made in a process of its own.

    Raises
    ------
    SeqformError
        As `tree_made_by_child` does.
    """
    request = {"game": game, "probes": probes, "seed": seed, "seconds": seconds, "at": at}
    return _run("estimate", request)[0]


def _run(task: str, request: dict[str, Any]) -> tuple[Record, Arrays]:
    """Run a task of `open_spiel_task` in another process, for the game that is requested."""
    game = request["game"]
    try:
        return run_in_child(
            f"seqform.io.open_spiel_task:{task}", request, doing="going through OpenSpiel's game"
        )
    except CrashError as error:
        raise InvalidParameterError(
            f"OpenSpiel itself fails with {game}: its process {error}; use other parameters"
        ) from None
    except MemoryError:
        raise GameTooLargeError(
            f"{game} needs more memory than there is; use smaller parameters"
        ) from None
