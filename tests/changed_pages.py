"""Pages of each kind, and what someone may change in them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from games.centipede import centipede
from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import chicken
from seqform import Solution, TreeBuilder, make, solve
from seqform.exact.certificate import canonical
from seqform.form.profile import Profile
from seqform.report.fingerprint import HOLDER, fingerprints
from seqform.tree.tree import GameTree


def draw_then_choose() -> GameTree:
    """Chance draws one of three decisions; what was paid before it counts as well."""
    builder = TreeBuilder(num_players=2)
    shares = [("a", Fraction(1, 2)), ("b", Fraction(1, 3)), ("c", Fraction(1, 6))]
    for place, child in enumerate(builder.chance(builder.root, shares)):
        builder.reward(child, [3 * place + 3, 0])
        moves = builder.decision(child, place % 2, f"after {place}", ["left", "right"])
        for worth, leaf in enumerate(moves):
            builder.terminal(leaf, [worth, place - worth])
    return builder.freeze()


def three_players() -> Solution:
    """An answer that is no equilibrium, with what each of three players gains at most."""
    return solve(make("kuhn", players=3), method="cfr+", iterations=50, prove=True)


def hardly_ever() -> Solution:
    """Twenty moves where play hardly ever comes: plans have few digits there."""
    builder = TreeBuilder(num_players=2)
    rare, usual = builder.decision(builder.root, 0, "first", ["rare", "usual"])
    builder.terminal(usual, [0, 0])
    for leaf in builder.decision(rare, 0, "then", [f"move {n}" for n in range(20)]):
        builder.terminal(leaf, [0, 0])
    found = solve(builder.freeze(), method="lp", exact=False)
    rare_plan, left, rest, then = 1000 / 2**52, 1000, 1.0, []
    for _ in range(19):  # of what is left each would have 1.49, and gets 1
        then.append(rest * 1.49 / left)
        left, rest = left - 1, rest - then[-1]
    first = np.array([1.0, rare_plan, 1 - rare_plan, *then, rest])
    profile = Profile.from_behaviors(found.game.treeplexes, [first, np.ones(1)])
    return replace(found, answer=profile, proofs=())


KINDS: dict[str, Callable[[], Solution]] = {
    "exact": lambda: solve(kuhn()),
    "bracketed": lambda: solve(kuhn(), method="dcfr", gap=1e-3, prove=True),
    "in floats": lambda: solve(kuhn(), method="dcfr", gap=1e-3),
    "reduced": lambda: solve(kuhn(), abstract="equitable"),
    "by classes": lambda: solve(leduc(), method="dcfr", abstract="equitable", gap=1e-2,
                                max_nodes=20),
    "general sum": lambda: solve(chicken(), method="lcp"),
    "three players": three_players,
    "refined": lambda: solve(kuhn(), refine="quasi-perfect"),
    "correlated": lambda: solve(chicken(), method="efce"),
    "backward induction": lambda: solve(centipede(), method="backward"),
    "hardly ever": hardly_ever,
    "drawn": lambda: solve(draw_then_choose(), method="backward"),
}  # fmt: skip
"""Results of each kind that a page shows in a way of its own."""

SHOWN = re.compile(r'>([^<]*\d[^<]*)<|value="([^"]*\d[^"]*)"')
"""Texts and data of a page that hold a digit: no `<` stands in any."""


def digits(text: str, count: int, seed: int = 0) -> list[int]:
    """Return places of digits in a page's results: of each text or list of data some."""
    start, stop = text.index("<main"), text.index("</main>")
    spans = [each.span(each.lastindex or 0) for each in SHOWN.finditer(text, start, stop)]
    rng = random.Random(seed)
    rng.shuffle(spans)
    found = []
    for first, last in (spans * count)[:count]:
        found.append(rng.choice([n for n in range(first, last) if text[n].isdecimal()]))
    return found


def with_other_digit(text: str, place: int) -> str:
    """Return a text with another digit at a place."""
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]


def resealed(text: str) -> str:
    """Return a page with fingerprints of what it says now: as one who knows how would do."""
    held = re.compile(f'(<script type="application/json" id="{HOLDER}">).*?(</script>)')
    made = canonical(fingerprints(text).record())
    return held.sub(lambda found: found[1] + made + found[2], text)
