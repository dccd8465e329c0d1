"""Our tree as an .efg text, to hand the same game to Gambit, and to OpenSpiel where it lacks the game."""

from __future__ import annotations

from seqform.protocol import CHANCE, TERMINAL
from seqform.tree import GameTree


def efg_text(tree: GameTree) -> str:
    """Write a tree in prefix order, with exact fractions and infosets numbered per player."""
    lines = ['EFG 2 R "game" { ' + " ".join(f'"{p}"' for p in range(tree.num_players)) + " }", '""', ""]
    numbers: list[dict[int, int]] = [{} for _ in range(tree.num_players)]
    stack, chances, outcomes = [0], 0, 0
    while stack:
        node = stack.pop()
        player, children = int(tree.player[node]), tree.children(node)
        stack += reversed(children)
        if player == TERMINAL:
            outcomes += 1
            payoffs = ", ".join(map(str, tree.payoffs[tree.payoff[node]]))
            lines.append(f't "" {outcomes} "leaf {outcomes}" {{ {payoffs} }}')
        elif player == CHANCE:
            chances += 1
            edges = " ".join(f'"{i}" {tree.probabilities[tree.probability[c]]}' for i, c in enumerate(children))
            lines.append(f'c "" {chances} "" {{ {edges} }} 0')
        else:
            number = numbers[player].setdefault(int(tree.infoset[node]), len(numbers[player]) + 1)
            edges = " ".join(f'"{i}"' for i in range(len(children)))
            lines.append(f'p "" {player + 1} {number} "" {{ {edges} }} 0')
    return "\n".join(lines) + "\n"
