"""Every history of a game given by its rules, one by one, and what can be counted on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from seqform.game.rules import CHANCE, TERMINAL


def brute_counts(rules: Any) -> dict[str, Any]:
    """Return what `seqform.form.counts_from_signals.count_signal_game` does; a sequence is a
    player's list of (information set, action)."""
    nodes: Counter[str] = Counter()
    infosets: list[set[Hashable]] = [set(), set()]
    sequences: list[set[tuple[Hashable, ...]]] = [{()}, {()}]
    paid: dict[tuple[Hashable, ...], Fraction] = {}

    def visit(state: Any, chance: Fraction, mine: tuple[tuple[Hashable, ...], ...]) -> None:
        player = rules.player(state)
        nodes[
            {CHANCE: "chance_nodes", TERMINAL: "terminal_nodes"}.get(player, "decision_nodes")
        ] += 1
        if player == TERMINAL:
            paid[mine] = paid.get(mine, Fraction(0)) + chance * rules.payoffs(state)[0]
        elif player == CHANCE:
            for outcome, probability in rules.chance(state):
                visit(rules.child(state, outcome), chance * probability, mine)
        else:
            infosets[player].add(rules.infoset(state))
            for action in rules.actions(state):
                longer = (*mine[player], rules.infoset(state), action)
                sequences[player].add(longer)
                visit(
                    rules.child(state, action),
                    chance,
                    (*mine[:player], longer, *mine[player + 1 :]),
                )

    visit(rules.root(), Fraction(1), ((), ()))
    return {
        "nodes": sum(nodes.values()),
        **{kind: nodes[kind] for kind in ("decision_nodes", "chance_nodes", "terminal_nodes")},
        "infosets_per_player": [len(found) for found in infosets],
        "sequences_per_player": [len(found) for found in sequences],
        "payoff_nonzeros": sum(value != 0 for value in paid.values()),
    }
