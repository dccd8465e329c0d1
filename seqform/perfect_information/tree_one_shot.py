"""The one-shot deviation check on a tree, all nodes of a depth at once."""

from __future__ import annotations

import numpy as np

from seqform.base.errors import InvalidStrategyError
from seqform.base.number import Number
from seqform.perfect_information.one_shot import OneShotCertificate
from seqform.perfect_information.tree_induction import Family, Ints, TreeInduction, fold_levels
from seqform.tree.as_rules import require_perfect_information
from seqform.tree.tree import GameTree


def check_tree(tree: GameTree, profile: TreeInduction) -> OneShotCertificate:
    """Evaluate a profile of a tree by what it does, and look for a player who gains by deviating once."""
    require_perfect_information(tree)
    decisions = np.flatnonzero(tree.player >= 0)
    chosen = profile.best_child[decisions]
    first = tree.first_child[decisions]
    wrong = np.flatnonzero((chosen < first) | (chosen >= first + tree.num_children[decisions]))
    if len(wrong):
        node = int(decisions[wrong[0]])
        raise InvalidStrategyError(
            f"the profile chooses {profile.best_child[node]} at {tree.describe(node)}, which is "
            f"no child of it"
        )
    best: tuple[Number, int | None, int | None] = (0, None, None)

    def follow(family: Family) -> Ints:
        nonlocal best
        decides = tree.player[family.parents] >= 0
        children = np.where(decides, profile.best_child[family.parents], family.level.start)
        gains = np.where(decides, family.best()[0] - family.own[children - family.level.start], 0)
        place = int(np.argmax(gains))
        if gains[place] > best[0]:
            node = int(family.parents[place])
            best = gains[place : place + 1].tolist()[0], int(tree.player[node]), node
        return children

    evaluated = fold_levels(tree, follow, exact=profile.values.dtype == object)
    return OneShotCertificate(evaluated.value, *best, len(decisions))
