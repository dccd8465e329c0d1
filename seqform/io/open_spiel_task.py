"""What the other process does with a game of OpenSpiel, which may crash it."""

from __future__ import annotations

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record
from seqform.game.size_estimate import sampled
from seqform.io.open_spiel import make_tree_here, open_spiel_game
from seqform.io.open_spiel_states import OpenSpielBelow, OpenSpielWalk
from seqform.tree.file import header
from seqform.tree.tree import NODE_COLUMNS


def estimate(record: Record, _: Arrays) -> tuple[Record, Arrays]:
    """Estimate the size of a game, as the task of the other process."""
    game = open_spiel_game(record["game"])
    if record["at"]:
        game = OpenSpielBelow(game, record["at"])
    found = sampled(OpenSpielWalk(game), record["probes"], record["seed"], record["seconds"])
    return {"players": game.num_players(), **found.record()}, {}


def make_tree(record: Record, _: Arrays) -> tuple[Record, Arrays]:
    """Make the tree, as the task of the other process."""
    about = record["chance_denominator"], record["max_nodes"], record["at"]
    tree = make_tree_here(record["game"], *about)
    columns = {name: getattr(tree, name) for name in NODE_COLUMNS}
    return {**header(tree), "labels": tree.labels}, columns
