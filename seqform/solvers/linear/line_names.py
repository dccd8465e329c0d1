"""What rows and columns of a program are called: after sequences and information sets."""

from __future__ import annotations

import re

import numpy as np

from seqform.form.sequence_form import SequenceForm


def sequence_names(game: SequenceForm, player: int, prefix: str) -> list[str]:
    """Name a player's sequences: by the last action where that is unique, else with its infoset."""
    treeplex = game.treeplexes[player]
    actions = [a for h in range(treeplex.num_infosets) for a in game.action_texts(player, h)]
    names = [_identifier(action) for action in actions]
    if len(set(names)) < len(names):
        infosets = np.repeat(_infosets(game, player), treeplex.num_actions).tolist()
        names = [f"{infoset}.{name}" for infoset, name in zip(infosets, names, strict=True)]
    return [f"{prefix}_empty", *(f"{prefix}_{name}" for name in _different(names))]


def infoset_names(game: SequenceForm, player: int, prefix: str) -> list[str]:
    """Name a player's constraints: that of the empty sequence, then those of information sets."""
    names = _different(_infosets(game, player))
    return [f"{prefix}_empty", *(f"{prefix}_{name}" for name in names)]


def _infosets(game: SequenceForm, player: int) -> list[str]:
    count = game.treeplexes[player].num_infosets
    return [_identifier(game.infoset_text(player, h)) for h in range(count)]


def _different(names: list[str]) -> list[str]:
    """Return the names, numbered unless they are all different and none is `empty`."""
    if len({*names, "empty"}) == len(names) + 1:
        return names
    return [f"{i}.{name}" for i, name in enumerate(names, start=1)]


def _identifier(name: str) -> str:
    """Keep what every reader of .lp and .mps files accepts in a name."""
    return re.sub(r"[^A-Za-z0-9_.]+", "_", name).strip("_")[:120]
