"""OpenSpiel's games made into trees by another process, which they may crash."""

from __future__ import annotations

from seqform.base.apart import Record, run_apart
from seqform.base.array_file import Arrays
from seqform.base.errors import CrashError, GameTooLargeError, InvalidParameterError
from seqform.base.number import from_text
from seqform.io.open_spiel_traversal import Move
from seqform.tree.file import header
from seqform.tree.tree import NODE_COLUMNS, GameTree


def tree_made_apart(game: str, chance_denominator: int | None, max_nodes: int) -> GameTree:
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
    request = {"game": game, "chance_denominator": chance_denominator, "max_nodes": max_nodes}
    try:
        record, columns = run_apart(
            "seqform.io.open_spiel_apart:make_tree", request, doing="going through OpenSpiel's game"
        )
    except CrashError as error:
        raise InvalidParameterError(
            f"OpenSpiel itself fails with {game}: its process {error}; use other parameters"
        ) from None
    except MemoryError:
        raise GameTooLargeError(
            f"{game} needs more memory than there is; use smaller parameters"
        ) from None
    return GameTree.from_columns(
        columns,
        num_players=record["num_players"],
        probabilities=tuple(map(from_text, record["probabilities"])),
        payoffs=tuple(tuple(map(from_text, row)) for row in record["payoffs"]),
        labels=tuple(Move(action, name) for action, name in record["labels"]),
        infoset_labels=tuple(record["infoset_labels"]),
        unit=record["unit"],
    )


def make_tree(record: Record, _: Arrays) -> tuple[Record, Arrays]:
    """Make the tree, as the task of the other process."""
    from seqform.io.open_spiel import make_tree_here

    tree = make_tree_here(record["game"], record["chance_denominator"], record["max_nodes"])
    columns = {name: getattr(tree, name) for name in NODE_COLUMNS}
    return {**header(tree), "labels": tree.labels}, columns
