"""Strategies of any game as tables: a line for each action of each information set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from seqform.base.arrays import Index
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.show.recommendations_table import ShownRecommendations
from seqform.strategies.show.subject import Subject
from seqform.strategies.show.table_text import Column, Table, amount_text, probability_text
from seqform.tree.tree import GameTree

HEADS = ("infoset", "reach", "value", "action", "probability", "action value", "regret")
TEXTS = ("infoset", "reach", "action")


def action_table(subject: Subject, player: int, infosets: Iterable[int]) -> Table:
    """Return a table of some of a player's information sets."""
    columns = tuple(Column(head, is_number=head not in TEXTS) for head in HEADS)
    rows = (row for infoset in infosets for row in _rows(subject, player, infoset))
    return Table(subject.form.player_text(player), columns, tuple(rows))


def _rows(subject: Subject, player: int, infoset: int) -> Iterator[tuple[str, ...]]:
    form, of = subject.form, subject.analysis.players[player]
    first = int(form.treeplexes[player].first_sequence[infoset])
    is_reached, scale = bool(of.is_reached[infoset]), form.payoff_scale
    label = form.infoset_text(player, infoset)
    about = (
        label,
        reach_text(subject.analysis, player, infoset),
        amount_text(of.values[infoset], scale),
    )
    for sequence, action in enumerate(form.action_texts(player, infoset), first):
        yield (
            *about,
            action,
            probability_text(of.probability[sequence], is_reached),
            amount_text(of.action_values[sequence], scale),
            amount_text(of.action_regrets[sequence], scale),
        )
        about = ("", "", "")


def reach_text(analysis: StrategyAnalysis, player: int, infoset: int) -> str:
    """Write how often an information set is reached; if never, who it is that does not go there."""
    of = analysis.players[player]
    if of.is_reached[infoset]:
        return f"{of.reach[infoset]:.3g}"
    return "never: others" if of.own_reach[infoset] > 0 else "never: own"


def belief_table(subject: Subject, player: int, infosets: Iterable[int]) -> Table:
    """Return the beliefs over the nodes of information sets, by the moves that lead there.

    Raises
    ------
    InvalidParameterError
        If the game was solved without a tree.
    """
    rows: list[tuple[str, ...]] = []
    for infoset in infosets:
        label = subject.form.infoset_text(player, infoset)
        nodes, beliefs = subject.analysis.beliefs_over(player, infoset)
        for node, belief in zip(nodes.tolist(), beliefs.tolist(), strict=True):
            rows.append((label, moves(subject.form.tree, node), belief_text(belief)))
            label = ""
    columns = (Column("infoset", "", False), Column("moves", "", False), Column("belief"))
    return Table(f"beliefs of {subject.form.player_text(player)}", columns, tuple(rows))


def belief_text(belief: float) -> str:
    """Write a belief, which is undefined where the others and chance never lead."""
    return "undefined" if np.isnan(belief) else probability_text(belief)


def moves(tree: GameTree | None, node: int) -> str:
    """Return the moves that lead to a node, chance's included."""
    return "" if tree is None else " ".join(map(tree.action_text, tree.path(node)))


def matching(subject: Subject | ShownRecommendations, player: int, text: str) -> Index:
    """Return a player's information sets in whose names a text is."""
    count = subject.form.treeplexes[player].num_infosets
    if not text:
        return np.arange(count)
    label = subject.form.infoset_text
    return np.array([h for h in range(count) if text in label(player, h)], dtype=np.int64)
