"""What hands do, as a matrix of classes for notebooks.

Of a game of hands it is what is done at the beginning. Of one that says hand and line in each
information set there is a matrix for each line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.drawing.hand_matrix import hand_matrix_svg
from seqform.form.hand_policies import policies_of
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.report.hand_names import HandNames
from seqform.strategies.line.at_line import AtLine, named_at
from seqform.strategies.line.matrix import matrix_of
from seqform.strategies.line.named import NamedLines, lines_of
from seqform.strategies.line.walk import Walk


def matrices(form: SequenceForm, profile: Profile) -> list[str]:
    """Return the pictures of a game; none of one whose hands are in no matrix."""
    if form.origin.hands is not None:
        return list(filter(None, [_first_matrix(form, profile)]))
    if form.origin.grid is None or not lines_of(form):
        return []
    lines = NamedLines(form, profile)
    return [_line_matrix(named_at(lines, line)) for _, line in lines.lines]


def _line_matrix(at: AtLine) -> str:
    """Return the picture of a line of a game that says what hands are called."""
    shares = {action: matrix_of(at, action) for action in at.actions}
    grid = next(iter(shares.values())).grid
    shape = len(grid.rows), len(grid.columns)
    names = np.full(shape[0] * shape[1], "", dtype=object)
    names[grid.cells(at.acting.names)] = at.acting.names
    done = f"after {at.line}" if at.line else "first"
    return hand_matrix_svg(
        names.reshape(shape).tolist(),
        {action: found.numbers for action, found in shares.items()},
        np.ones(shape),
        f"What {at.form.player_text(at.player)} does {done}",
    )


def _first_matrix(form: SequenceForm, profile: Profile) -> str:
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
