"""An information set's label tells the cards its player has seen and the actions of each round: compared with plain rules' keys."""

from __future__ import annotations

from typing import Any

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import build_tree, expand
from tests.reference.plain_games import PlainLiarsDice, plain_kuhn, plain_leduc

ACTIONS = {"k": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise"}


def poker_label(key: tuple[Any, ...], suits: str) -> str:
    """Spell out (player, own card, community cards, actions of each round) as the signal game does."""
    _, own, board, lines = key
    cards = " ".join(f"{'JQK'[card // 10]}{suits[card % 10] if suits else ''}" for card in (own, *board))
    return f"{cards}:{'/'.join('-'.join(ACTIONS[a] for a in line) for line in lines[: 1 + len(board)])}"


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
    tree, plain = build_tree(game), expand(rules)
    # chance and players act in the same order in both, so both have the same nodes; information sets are numbered otherwise
    for node in range(tree.num_nodes):
        if tree.player[node] >= 0:
            key: Any = plain.infoset_labels[plain.infoset[node]]
            assert tree.infoset_labels[int(tree.infoset[node])] == poker_label(key, suits)


def test_liars_dice_labels_spell_out_what_was_seen() -> None:
    tree, plain = build_tree(liars_dice(1, 3)), expand(PlainLiarsDice(3))
    for node in range(tree.num_nodes):
        if tree.player[node] >= 0:
            _, die, bids = plain.infoset_labels[plain.infoset[node]]  # type: ignore[misc]
            label = f"{die}:{'-'.join('{}x{}'.format(*bid) for bid in bids)}"
            assert tree.infoset_labels[int(tree.infoset[node])] == label
