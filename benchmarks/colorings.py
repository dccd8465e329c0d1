"""What merges how many information sets: color refinement in four variants, and the reduction tree.

``python -m benchmarks.colorings [number of games]``; minutes for 1,000.
"""

from __future__ import annotations

import sys
from collections import Counter

from abstraction.color_refinement import refine
from abstraction.tree import TREE
from games.random_games import random_game
from seqform import build_sequence_form
from seqform.tree.tree import GameTree
from tests.reference.stable_colorings import differences, one, rounds, scale
from tests.shrinkable_games import copied_game, observable_game

VARIANTS = ("equitable", "projective, actions in order", "shared worth pushed up", "tree")


def game(seed: int) -> GameTree:
    """Return a random game of one of four kinds, in which something may merge."""
    if seed % 4 == 0:
        return observable_game(seed, ranks=1 + seed % 8 // 4, depth=3)
    if seed % 4 == 1:
        whole = random_game(seed, 2, depth=4, zero_sum=True, rewards=seed % 8 == 1)
        return copied_game(whole, seed, copies=3, shuffled=False)
    if seed % 4 == 2:
        whole = random_game(seed, 2 + seed % 8 // 4, depth=4, zero_sum=False)
        return copied_game(whole, seed, copies=3)
    return observable_game(seed, ranks=2, depth=2)


def classes(tree: GameTree) -> tuple[int, dict[str, int]]:
    """Return how many classes the product finds, and each variant."""
    form = build_sequence_form(tree)
    smaller, _ = TREE.apply(form)
    colorings = (rounds(form, one), rounds(form, scale), rounds(form, scale, differences))
    sizes = [sum(len(set(colors)) for colors in coloring) for coloring in colorings]
    sizes.append(sum(treeplex.num_infosets for treeplex in smaller.treeplexes))
    found = sum(len(set(colors.tolist())) for colors in refine(form).infosets)
    return found, dict(zip(VARIANTS, sizes, strict=True))


def main() -> None:
    """Print on how many games each variant has more classes than the product, and fewer."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    more: Counter[str] = Counter()
    fewer: Counter[str] = Counter()
    both = 0
    for seed in range(count):
        found, sizes = classes(game(seed))
        for variant, size in sizes.items():
            more[variant] += size > found
            fewer[variant] += size < found
        both += min(sizes["equitable"], sizes["tree"]) > found
    print(f"{count} games; classes of information sets, against projective color refinement")
    for variant in VARIANTS:
        print(f"{variant:30} more on {more[variant]:4}, fewer on {fewer[variant]:4}")
    print(f"both equitable and tree have more on {both}")


if __name__ == "__main__":
    main()
