"""What an expected payoff is made of, by lines of play, whose contributions add up to it.

A *line* is what the players did, in order, with a slash for each move of chance. Its contribution
is its probability times the mean payoff once it has come about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import SequenceNumbering, pair_table
from seqform.form.kronecker import Lines
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import Classes, SignalStructure
from seqform.game.rules import CHANCE
from seqform.strategies.evaluate.played_tree import PlayedTree


class Line(NamedTuple):
    """What the players did, in order."""

    name: str
    probability: float
    """Of its coming about."""
    contributions: tuple[float, ...]
    """What it adds to each player's expected payoff, in the game's unit."""

    def record(self) -> dict[str, Any]:
        """Return the line as JSON values."""
        return {
            "line": self.name,
            "probability": self.probability,
            "contributions": list(self.contributions),
        }


def lines_of(form: SequenceForm, profile: Profile) -> list[Line]:
    """Return the lines of play of a game, the first actions first.

    Raises
    ------
    UnsupportedGameError
        If the form was made neither of a tree nor of a signal game.
    """
    if form.tree is not None:
        return _lines_on_tree(PlayedTree.of(form, profile))
    return _lines_of_signals(form, profile, structure_in(form))


def _lines_on_tree(played: PlayedTree) -> list[Line]:
    """Add up what nodes pay by the actions that lead to them."""
    tree, line, names = played.tree, np.zeros(played.tree.num_nodes, dtype=np.int64), [""]
    base, labels = len(tree.labels) + 1, list(map(tree.action_text, tree.labels))
    for level in tree.levels():
        check_time("adding up lines of play")
        above = tree.parent[level]
        move = np.where(tree.player[above] == CHANCE, base - 1, tree.label[level])
        codes, inverse = np.unique(line[above] * base + move, return_inverse=True)
        line[level] = len(names) + inverse
        names += [_longer(names[code // base], code % base, labels) for code in codes.tolist()]
    weight = played.reach[:, None] * tree.node_payoffs
    sums = np.stack(
        [np.bincount(line, weights=column, minlength=len(names)) for column in weight.T], axis=1
    )
    # what is paid on the way is paid once, to whoever comes by
    ends = tree.payoff >= 0
    chances = np.bincount(line[ends], weights=played.reach[ends], minlength=len(names))
    return [
        Line(names[i].removeprefix("-"), float(chances[i]), tuple(sums[i].tolist()))
        for i in np.unique(line[ends]).tolist()
    ]


def _longer(name: str, move: int, labels: Sequence[Any]) -> str:
    """Return a line and one more move: as `PublicTree.history` writes it."""
    if move == len(labels):
        return f"{name}/" if name else ""  # deals before the first action are not shown
    return f"{name}{labels[move]}" if name.endswith("/") else f"{name}-{labels[move]}"


def _lines_of_signals(
    form: SequenceForm, profile: Profile, structure: SignalStructure
) -> list[Line]:
    """Add up what ends of the public tree pay: one Kronecker product for each."""
    public = structure.public
    classes = structure.identity if form.signals is None else form.signals[1]
    players = [SequenceNumbering(structure, classes, player) for player in (0, 1)]
    groups: dict[tuple[int, ...], list[int]] = {}
    for node, row in enumerate(public.outcome):
        if row >= 0:
            last = (of.stage_of_line(of.line[node]) for of in players)
            groups.setdefault((row, *last), []).append(node)
    ways = structure.game.deck.num_ways(structure.stages[-1])
    found: dict[int, Line] = {}
    for (row, *stages), nodes in groups.items():  # tables are large: one pair of them at a time
        # the deals to be counted are all those at the stage of the end
        tables = [pair_table(structure, classes, what, stages) for what in (row, None)]
        for node in nodes:
            check_time("adding up lines of play")
            x, y = (
                _on_line(of, node, plan) for of, plan in zip(players, profile.plans, strict=True)
            )
            paid, chance = (float(x @ (table @ y)) / ways for table in tables)
            paid *= float(public.stake[node])
            found[node] = Line(public.history(node), chance, (paid, -paid))
    return [found[node] for node in sorted(found)]


def _on_line(of: SequenceNumbering, node: int, plan: Floats) -> Floats:
    """Return the weights of a player's last sequence on the way to a node, by its classes."""
    line = of.line[node]
    first, stride = of.where(line)
    count = 1 if line is None else of.num_classes[of.stage_of_line(line)]
    lines = Lines(np.array([first]), np.array([stride]), count)
    return plan[lines.slice(0)]


def structure_in(form: SequenceForm) -> SignalStructure:
    """Return the signal game that a form was made of; errors as for `signals_in`."""
    return signals_in(form)[0]


def signals_in(form: SequenceForm) -> tuple[SignalStructure, Classes]:
    """Return the signal game that a form was made of, and its classes of observations.

    Raises
    ------
    UnsupportedGameError
        If it was made of something else.
    """
    if form.signals is None:
        raise UnsupportedGameError(
            "only signal games, in which chance deals cards and all actions are public, have hands "
            "and betting lines; this form was made of something else"
        )
    return form.signals
