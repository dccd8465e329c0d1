"""What an expected payoff is made of: lines of play and hands, whose contributions add up to it.

A *line* is what the players did, in order, with a slash for each move of chance. A *hand* is what
chance dealt to one player alone, in a signal game. The contribution of either is its probability
times the mean payoff once it has come about.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import SequenceNumbering, pair_table
from seqform.form.kronecker import Lines
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE
from seqform.game.signals import EVERYONE, SignalGame
from seqform.strategies.judge.played_tree import PlayedTree


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


class Hand(NamedTuple):
    """What chance dealt to one player alone."""

    cards: str
    """Or in words, of what is paid before the player's first move."""
    probability: float
    """Of its being dealt; NaN where more cards than these are dealt to the player alone."""
    contribution: float
    """What it adds to the player's expected payoff, in the game's unit."""

    def record(self) -> dict[str, Any]:
        """Return the hand as JSON values."""
        probability = None if isnan(self.probability) else self.probability
        return {
            "hand": self.cards,
            "probability": probability,
            "contribution": self.contribution,
        }


NO_MOVE = "(before a move)"


def lines_of(form: SequenceForm, profile: Profile) -> list[Line]:
    """Return the lines of play of a game, the first actions first.

    Raises
    ------
    UnsupportedGameError
        If the form was made neither of a tree nor of a signal game.
    """
    if form.tree is not None:
        return _lines_on_tree(PlayedTree.of(form, profile))
    return _lines_of_signals(form, profile, _structure(form))


def hands_of(
    form: SequenceForm, profile: Profile, player: int, structure: SignalStructure | None = None
) -> list[Hand]:
    """Return the hands of a player of a signal game, in the order of the deck.

    Parameters
    ----------
    structure
        The signal game, where the form was made of its tree.

    Raises
    ------
    UnsupportedGameError
        If the game has no hands.
    """
    structure = structure or _structure(form)
    numbering = SequenceNumbering(structure, structure.identity, player)
    if numbering.treeplex.num_sequences != form.treeplexes[player].num_sequences:
        raise UnsupportedGameError("this form takes several hands for one; use the whole game's")
    earned = form.gradient(player, profile.plans) * profile.plans[player]
    cards, of_sequence = _hands_of_sequences(structure, numbering)
    sums = np.bincount(of_sequence, weights=earned[1:], minlength=len(cards)).tolist()
    hands = list(map(Hand, cards, _chances(structure, player, cards), sums))
    return [*hands, Hand(NO_MOVE, float("nan"), float(earned[0]))] if earned[0] else hands


def _structure(form: SequenceForm) -> SignalStructure:
    if form.signals is None:
        raise UnsupportedGameError(
            "only signal games, in which chance deals cards and all actions are public, have hands "
            "and betting lines; this form was made of something else"
        )
    return form.signals[0]


def _lines_on_tree(played: PlayedTree) -> list[Line]:
    """Add up what nodes pay by the actions that lead to them."""
    tree, line, names = played.tree, np.zeros(played.tree.num_nodes, dtype=np.int64), [""]
    base = len(tree.labels) + 1
    for level in tree.levels():
        check_time("adding up lines of play")
        above = tree.parent[level]
        move = np.where(tree.player[above] == CHANCE, base - 1, tree.label[level])
        codes, inverse = np.unique(line[above] * base + move, return_inverse=True)
        line[level] = len(names) + inverse
        names += [_longer(names[code // base], code % base, tree.labels) for code in codes.tolist()]
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


def _hands_of_sequences(
    structure: SignalStructure, of: SequenceNumbering
) -> tuple[list[str], Index]:
    """Return the hands, and the hand of each sequence but the empty one."""
    numbers: dict[tuple[int, ...], int] = {}
    by_stage: dict[int, Index] = {}
    parts: list[Index] = []
    for at, stage in enumerate(of.stage):
        if stage not in by_stage:
            private = _private(structure, of.player, stage)
            rows, inverse = np.unique(
                structure.signals(of.player, stage)[:, private], axis=0, return_inverse=True
            )
            known = [numbers.setdefault(tuple(row), len(numbers)) for row in rows.tolist()]
            by_stage[stage] = np.array(known, dtype=np.int64)[inverse.ravel()]
        parts.append(np.repeat(by_stage[stage], of.num_actions[at]))
    cards = structure.game.deck.cards
    names = [" ".join(str(cards[signal]) for signal in hand) for hand in numbers]
    return names, np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _private(structure: SignalStructure, player: int, stage: int) -> list[int]:
    """Return which of the signals that a player has seen at a stage nobody else sees."""
    seen = structure.seen(player, stage)
    return [i for i, signal in enumerate(seen) if structure.recipients[signal] != EVERYONE]


def _chances(structure: SignalStructure, player: int, names: list[str]) -> list[float]:
    """Return the probability of each hand; NaN of one that is not complete at the first stage."""
    private = _private(structure, player, 0)
    cards, deck = structure.game.deck.cards, structure.game.deck
    chances: dict[str, float] = {}
    ways = structure.ways(player, 0) / deck.num_ways(structure.stages[0])
    for signals, chance in zip(
        structure.signals(player, 0)[:, private].tolist(), ways.tolist(), strict=True
    ):
        name = " ".join(str(cards[signal]) for signal in signals)
        chances[name] = chances.get(name, 0.0) + chance
    return [chances.get(name, float("nan")) for name in names]


def structure_of(form: SequenceForm, game: Any) -> SignalStructure | None:
    """Return the signal game that a form stands for; None if it has no hands."""
    if form.signals is not None:
        return form.signals[0]
    if not isinstance(game, SignalGame) or game.num_players != 2:
        return None
    try:
        return SignalStructure(game)
    except UnsupportedGameError:  # who sees a signal depends on what was done before
        return None
