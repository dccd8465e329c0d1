"""What is done at the beginning of a game of hands, as a matrix of classes for notebooks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.drawing.hand_matrix import hand_matrix_svg
from seqform.form.hand_policies import policies_of
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.report.hand_names import HandNames
from seqform.strategies.line.walk import Walk


def first_matrix(form: SequenceForm, profile: Profile) -> str:
    """Return the picture; nothing where hands are in no matrix, or a card is dealt first."""
    structure = form.origin.hands
    if structure is None or structure.game.grid is None or structure.game.betting.player[0] < 0:
        return ""
    game, grid = structure.game, structure.game.grid
    player, shape = int(game.betting.player[0]), (len(grid.rows), len(grid.columns))
    found = _held(form, profile, player)
    cells = grid.cells(game.ranges[player].hands)
    children = game.betting.children(0)
    means = {
        str(game.betting.actions[child]): _means(cells, of, found.counts, shape)
        for child, of in zip(children, found.behavior, strict=True)
    }
    weights = _means(cells, found.weights, np.ones(len(cells)), shape)
    names = np.array(HandNames(game).record()["grid"]["cells"]).reshape(shape).tolist()
    title = f"What {form.player_text(player)} does first; as high as the weight"
    return hand_matrix_svg(names, means, weights / np.nanmax(weights), title)


class _Held(NamedTuple):
    """What a player holds at first, and does: arrays over hands, `behavior` by actions, too."""

    weights: Floats
    counts: Floats
    behavior: Floats


def _held(form: SequenceForm, profile: Profile, player: int) -> _Held:
    """Return hands with what each counts: its weight, times that of hands it may meet."""
    policies = policies_of(form, profile)
    weights = [held.weights.astype(float) for held in policies.structure.game.ranges]
    walk = Walk(policies, 0, (), weights)
    met = walk.matching(np.array([walk.outline.row[0]]))[player][0]
    behavior = policies.on(player, [0], 0, walk.board.alive[player])[0]
    return _Held(weights[player], weights[player] * met, behavior)


def _means(cells: Index, numbers: Floats, counts: Floats, shape: tuple[int, int]) -> Floats:
    """Return the mean over the hands of each cell; NaN where there is none that counts."""
    size = shape[0] * shape[1]
    total = np.bincount(cells, counts, size)
    found = np.bincount(cells, counts * numbers, size)
    means: Floats = np.divide(found, total, out=np.full(size, np.nan), where=total > 0)
    return means.reshape(shape)
