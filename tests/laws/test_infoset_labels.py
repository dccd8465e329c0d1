"""An information set's label tells the cards its player has seen and the actions of each round:
compared with plain rules' keys."""

from __future__ import annotations

from typing import Any

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import GameTree, build_tree, expand
from tests.reference.plain_games import PlainLiarsDice, plain_kuhn, plain_leduc

ACTIONS = {"k": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise"}


def poker_label(key: tuple[Any, ...], suits: str) -> str:
    """Spell out (player, own card, community cards, actions of each round) as the signal game
    does."""
    _, own, board, lines = key
    cards = " ".join(
        f"{'JQK'[card // 10]}{suits[card % 10] if suits else ''}" for card in (own, *board)
    )
    rounds = lines[: 1 + len(board)]
    return f"{cards}:{'/'.join('-'.join(ACTIONS[a] for a in line) for line in rounds)}"


def labels_and_keys(tree: GameTree, plain: GameTree) -> list[tuple[Any, Any]]:
    """Go down both trees at once, deals and actions in the same order, and pair what the decision
    nodes are called."""
    pairs, stack = [], [(0, 0)]
    while stack:
        a, b = stack.pop()
        assert tree.player[a] == plain.player[b]
        if tree.player[a] >= 0:
            pairs.append(
                (
                    tree.infoset_labels[int(tree.infoset[a])],
                    plain.infoset_labels[int(plain.infoset[b])],
                )
            )
        stack += zip(tree.children(a), plain.children(b), strict=True)
    assert len(set(pairs)) == tree.num_infosets
    return pairs


@pytest.mark.parametrize(
    ("game", "rules", "suits"),
    [
        (kuhn(), plain_kuhn(), ""),
        (leduc(), plain_leduc(3, 2, merge=False), "sh"),
        (leduc(merge_suits=True), plain_leduc(3, 2, merge=True), ""),
    ],
    ids=["kuhn", "leduc", "leduc, suits merged"],
)
def test_poker_labels_spell_out_what_was_seen(game: Any, rules: Any, suits: str) -> None:
    for label, key in labels_and_keys(build_tree(game), expand(rules)):
        assert label == poker_label(key, suits)


def test_liars_dice_labels_spell_out_what_was_seen() -> None:
    for label, (_, die, bids) in labels_and_keys(
        build_tree(liars_dice(1, 3)), expand(PlainLiarsDice(3))
    ):
        assert label == f"{die}:{'-'.join('{}x{}'.format(*bid) for bid in bids)}"
