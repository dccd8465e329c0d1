"""Imperfect recall: what exactly a player forgets between two nodes of one information set."""

from __future__ import annotations

from seqform.base.errors import ImperfectRecallError
from seqform.base.number import plain
from seqform.tree.tree import GameTree

ADVICE = (
    "; make the information set's key contain everything the player has seen and done, or evaluate "
    "strategies of the game as it is"
)


def explain_imperfect_recall(tree: GameTree, node: int, other: int) -> ImperfectRecallError:
    """Return the error (R9) for two nodes of one information set with different own histories."""
    player, infoset = int(tree.player[node]), int(tree.infoset[node])
    label = plain(tree.infoset_labels[infoset])
    head = f"R9: player {player} has imperfect recall at information set {label}: "
    tail = f" ({tree.describe(node)} against {tree.describe(other)}){ADVICE}"
    histories = _own_history(tree, node), _own_history(tree, other)
    for history, here in zip(histories, (node, other), strict=True):
        if infoset in [visited for visited, _ in history]:
            return ImperfectRecallError(
                f"{head}it is absent-minded: {tree.describe(here)} comes after another node of the "
                f"same information set, so it does not know whether it has already moved{tail}"
            )
    for (infoset_a, action_a), (infoset_b, action_b) in zip(*histories, strict=False):
        name = plain(tree.infoset_labels[infoset_a])
        if infoset_a != infoset_b:
            return ImperfectRecallError(
                f"{head}it forgets information: whether it was at {name} or at "
                f"{plain(tree.infoset_labels[infoset_b])}{tail}"
            )
        if action_a != action_b:
            labels = [str(label) for label in tree.actions(infoset_a)]
            return ImperfectRecallError(
                f"{head}it forgets its own action: "
                f"{labels[action_a]!r} or {labels[action_b]!r} at {name}{tail}"
            )
    longer = max(histories, key=len)
    name = plain(tree.infoset_labels[longer[min(map(len, histories))][0]])
    return ImperfectRecallError(
        f"{head}it forgets information: whether it has been at {name}{tail}"
    )


def _own_history(tree: GameTree, node: int) -> list[tuple[int, int]]:
    """Return the (information set, action) pairs above `node` of the player who moves there."""
    player, history = tree.player[node], []
    while node > 0:
        parent = int(tree.parent[node])
        if tree.player[parent] == player:
            history.append((int(tree.infoset[parent]), node - int(tree.first_child[parent])))
        node = parent
    return history[::-1]
