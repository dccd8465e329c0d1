"""Push or fold: hold'em for two with short stacks, all in before the flop or not at all.

Each player knows the class of the own hand, one of 169. The small blind pushes all chips or folds,
and then the big blind calls or folds. After a call five cards are dealt, so what is paid is the
stack times the equity of the two classes less one half, times two. It is exact, with the cards
counted that one hand takes from the other (`games.preflop_equities`). There is no tree of boards.

Suits beyond "of one suit or of two" never matter: with any of them exchanged the game is the same.
So a strategy by classes that nobody can improve by classes, nobody can improve by cards either.

References
----------
Miltersen & Sorensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker
tournament", AAMAS 2007: jam or fold, as a linear program. Charts of thresholds are printed by poker
sites, such as holdemresources' heads-up push/fold Nash charts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from games.hand_classes import CLASS_GRID, NUM_CLASSES, class_name
from games.preflop_equities import NUM_BOARDS, class_pairs
from games.push_fold_rules import PushFoldRules, amount_text, read_amount
from games.sources import PROVEN
from seqform.base.arrays import Index
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.labels import GivenLabels, Parts
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

FOLD, PUSH, CALL = "fold", "push", "call"
PLAYERS = ("small blind", "big blind")


def push_fold(stack: str = "10", small_blind: str = "0.5", ante: str = "0") -> GameTree:
    """Return hold'em for two in which one pushes all chips before the flop, or folds.

    Player 0 has the small blind and pushes or folds; player 1 has the big blind and calls or folds.
    The value is what player 0 wins, in big blinds. With a stack that the ante and the big blind use
    up player 1 has nothing to decide, and a push is always called.

    Parameters
    ----------
    stack
        Big blinds that each player has before ante and blinds; of two stacks the smaller one. A
        decimal or a fraction, such as 7.5 or 20/3.
    small_blind
        The small blind, as a part of the big one.
    ante
        Big blinds that each player puts in before the blinds.
    """
    rules = PushFoldRules(
        read_amount("stack", stack),
        read_amount("small_blind", small_blind),
        read_amount("ante", ante),
    )
    return push_fold_tree(rules)


def push_fold_tree(rules: PushFoldRules) -> GameTree:
    """Return the tree of the game: the small blind's hand is dealt first, the other on a push."""
    hands, pairs = np.arange(NUM_CLASSES), NUM_CLASSES**2
    chances, first, second = _chances()
    shown = FIRST_SHOWN + np.arange(pairs)
    levels = [
        _level(1, player=CHANCE, num_children=NUM_CLASSES),
        _level(
            NUM_CLASSES, player=0, infoset=hands, label=hands, probability=first, num_children=2
        ),
        _level(
            2 * NUM_CLASSES,
            player=np.tile([TERMINAL, CHANCE], NUM_CLASSES),
            label=np.tile(NUM_CLASSES + np.array([0, 1]), NUM_CLASSES),
            payoff=np.tile([FOLDED, -1], NUM_CLASSES),
            num_children=np.tile([0, NUM_CLASSES], NUM_CLASSES),
        ),
    ]
    dealt = {"label": np.tile(hands, NUM_CLASSES), "probability": second}
    if rules.is_answered:
        levels += [
            _level(
                pairs,
                player=1,
                infoset=NUM_CLASSES + np.tile(hands, NUM_CLASSES),
                num_children=2,
                **dealt,
            ),
            _level(
                2 * pairs,
                player=TERMINAL,
                label=np.tile(NUM_CLASSES + np.array([0, 2]), pairs),
                payoff=np.column_stack([np.full(pairs, TAKEN), shown]).ravel(),
            ),
        ]
    else:
        levels.append(_level(pairs, player=TERMINAL, payoff=shown, **dealt))
    names = [class_name(number) for number in range(NUM_CLASSES)]
    lines = ["", PUSH] if rules.is_answered else [""]
    parts: dict[tuple[int, Hashable], str | Parts] = {
        (player, f"{name}:{line}"): (name, line)
        for player, line in enumerate(lines)
        for name in names
    }
    return validate(
        GameTree.from_columns(
            _columns(levels),
            num_players=2,
            probabilities=chances,
            payoffs=(_paid(-rules.folded), _paid(rules.taken), *_shown(rules.stack)),
            labels=(*names, FOLD, PUSH, CALL),
            infoset_labels=tuple(key for _, key in parts),
            unit="big blinds",
            given=GivenLabels(players=PLAYERS, infosets=parts, grid=CLASS_GRID),
        )
    )


FOLDED, TAKEN, FIRST_SHOWN = range(3)
"""Rows of the payoffs: of a fold, of a push that is not called, and of the first showdown."""


def _paid(won: Fraction) -> tuple[Fraction, Fraction]:
    return won, -won


def _shown(stack: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield what showdowns pay, the big blind's class changing first."""
    of = class_pairs()
    ahead, boards = of.wins - of.losses, of.deals * NUM_BOARDS
    for more, count in zip(ahead.ravel().tolist(), boards.ravel().tolist(), strict=True):
        yield _paid(Fraction(stack.numerator * more, stack.denominator * count))


def _chances() -> tuple[tuple[Fraction, ...], Index, Index]:
    """Return a table of probabilities, and the rows of first hands and of second ones in it.

    Rows of the first hands are int64 (169,), those of the second ones int64 (169 * 169,).
    """
    deals = class_pairs().deals
    each = deals.sum(axis=1)
    table: dict[Fraction, int] = {}
    first = [_row(table, Fraction(count, int(each.sum()))) for count in each.tolist()]
    second = []
    for total, row in zip(each.tolist(), deals.tolist(), strict=True):
        rows = {count: _row(table, Fraction(count, total)) for count in set(row)}
        second += [rows[count] for count in row]
    return tuple(table), np.array(first), np.array(second)


def _row(table: dict[Fraction, int], number: Fraction) -> int:
    return table.setdefault(number, len(table))


def _level(count: int, **columns: Any) -> dict[str, Index]:
    """Return the columns of a level of nodes; what is not given says that there is nothing."""
    nothing = dict.fromkeys(("infoset", "label", "probability", "payoff"), -1) | {"num_children": 0}
    return {name: np.broadcast_to(of, count) for name, of in (nothing | columns).items()}


def _columns(levels: list[dict[str, Index]]) -> dict[str, Index]:
    """Return the columns of all nodes, with parents and first children."""
    found = {name: np.concatenate([level[name] for level in levels]) for name in levels[0]}
    count = found["num_children"]
    parent = np.append(-1, np.repeat(np.arange(len(count)), count))
    first_child = np.where(count > 0, 1 + np.cumsum(count) - count, -1)
    return found | {"parent": parent, "first_child": first_child}


def _in_words(given: dict[str, Any]) -> dict[str, Any]:
    """Return parameters with amounts as the texts that results are saved with."""
    return {
        name: amount_text(read_amount(name, value)) if name in AMOUNTS else value
        for name, value in given.items()
    }


AMOUNTS = ("stack", "small_blind", "ante")

PUSH_FOLD = GameEntry(
    "push-fold",
    "Hold'em for two with short stacks: push all chips before the flop, or fold",
    push_fold,
    (
        KnownValue(Fraction(1422957015868430851, 25319217912102714600), PROVEN, {"stack": "5"}),
        KnownValue(Fraction(-367859567, 4457341350), PROVEN, {"stack": "12"}),
        KnownValue(Fraction(-86286865312915601, 471024612884375550), PROVEN, {"stack": "20"}),
    ),
    _in_words,
)
