"""Plans that mix nowhere, and what plans pay, by walking the tree."""

from __future__ import annotations

from fractions import Fraction

from seqform.form.sequence_form import SequenceForm


def pays(form: SequenceForm, plans: list[list[Fraction]], player: int) -> Fraction:
    """Return what plans pay a player, walking the tree from its root."""
    first, tree = {}, form.tree
    assert tree is not None
    for mover, treeplex in enumerate(form.treeplexes):
        for h, infoset in enumerate(form.tree_infosets[mover]):
            first[int(infoset)] = mover, int(treeplex.first_sequence[h])
    total, at = Fraction(0), {0: (Fraction(1), [0] * form.num_players)}
    for node in range(tree.num_nodes):
        chance, sequences = at[node]
        if tree.payoff[node] >= 0:
            met = chance
            for mover, sequence in enumerate(sequences):
                met *= plans[mover][sequence]
            total += met * Fraction(tree.payoffs[tree.payoff[node]][player])
        for position, child in enumerate(tree.children(node)):
            share, after = chance, list(sequences)
            if tree.probability[child] >= 0:
                share *= Fraction(tree.probabilities[tree.probability[child]])
            else:
                mover, start = first[int(tree.infoset[node])]
                after[mover] = start + position
            at[int(child)] = share, after
    return total


def pure_plans(form: SequenceForm, player: int) -> list[list[Fraction]]:
    """Return all realization plans of a player that mix nowhere."""
    treeplex = form.treeplexes[player]
    plans = [[Fraction(1)] + [Fraction(0)] * (treeplex.num_sequences - 1)]
    for h in range(treeplex.num_infosets):
        start, stop = treeplex.first_sequence[h], treeplex.first_sequence[h + 1]
        grown = []
        for plan in plans:
            reach = plan[treeplex.parent_sequence[h]]
            chosen = range(start, stop if reach else start + 1)
            grown += [[*plan[:action], reach, *plan[action + 1 :]] for action in chosen]
        plans = grown
    return plans
