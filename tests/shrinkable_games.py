"""Random games in which some outcomes of chance are alike: what GameShrink is tested on."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from abstraction.tree import lossless_classes
from abstraction.tree_published import published_classes
from abstraction.tree_shrink import TreeMerge, shrink_tree
from seqform import CHANCE, TERMINAL, GameTree, TreeBuilder, build_sequence_form, certify, solve
from seqform.links.lifting import lift_profile
from seqform.links.link import SequenceMap


def merged(tree: GameTree, published: bool = False) -> TreeMerge:
    """Return what GameShrink makes of a tree."""
    return shrink_tree(tree, published_classes(tree) if published else lossless_classes(tree))


class _Public(NamedTuple):
    """A node that everybody sees: who moves (chance: a card for all), and what follows; nothing
    follows at the end."""

    player: int
    children: tuple[_Public, ...]


def observable_game(
    seed: int,
    ranks: int = 2,
    copies: int = 2,
    depth: int = 3,
    players: int = 2,
    max_payoff: int = 1,
) -> GameTree:
    """Deal a private card each, then let all see every action and, perhaps, a public card; only
    ranks matter.

    Cards of one rank are told apart by those who see them, and are dealt with different odds if the
    seed says so. Actions come in an order of their own at every information set.
    """
    rng = random.Random(seed)
    cards = [(rank, copy) for rank in range(ranks) for copy in range(rng.randint(1, copies))]
    while len(cards) <= players:
        cards.append((rng.randrange(ranks), len(cards) + copies))
    public = _public_tree(rng, depth, players)
    odds = {card: rng.choice([1, 1, 2]) for card in cards}
    b = TreeBuilder(players)
    deals = list(permutations(cards, players))
    total = sum(_odds(deal, odds) for deal in deals)
    children = b.chance(b.root, [(deal, Fraction(_odds(deal, odds), total)) for deal in deals])
    pays: dict[Hashable, tuple[int, ...]] = {}
    orders: dict[Hashable, list[int]] = {}
    stack: list[tuple[int, _Public, tuple[tuple[int, int], ...], tuple[int, ...]]] = [
        (child, public, deal, ()) for child, deal in zip(children, deals, strict=True)
    ]
    while stack:
        node, here, known, line = stack.pop()
        if here.player == TERMINAL:
            key = (line, tuple(rank for rank, _ in known))
            b.terminal(node, pays.setdefault(key, _payoffs(rng, players, max_payoff)))
        elif here.player == CHANCE:
            left = [card for card in cards if card not in known]
            weight = sum(odds[card] for card in left)
            for child, card in zip(
                b.chance(node, [(c, Fraction(odds[c], weight)) for c in left]), left, strict=True
            ):
                stack.append((child, here.children[0], (*known, card), line))
        else:
            infoset = (here.player, known[here.player], known[players:], line)
            order = orders.setdefault(
                infoset, rng.sample(range(len(here.children)), len(here.children))
            )
            for child, action in zip(
                b.decision(node, here.player, infoset, order), order, strict=True
            ):
                stack.append((child, here.children[action], known, (*line, action)))
    return b.freeze()


def _odds(deal: Sequence[Hashable], odds: dict[tuple[int, int], int]) -> int:
    product = 1
    for card in deal:
        product *= odds[card]  # type: ignore[index]
    return product


def _public_tree(rng: random.Random, depth: int, players: int, dealt: bool = False) -> _Public:
    if depth == 0:
        return _Public(TERMINAL, ())
    if not dealt and rng.random() < 0.3:
        return _Public(CHANCE, (_public_tree(rng, depth - 1, players, dealt=True),))
    children = tuple(
        _public_tree(rng, rng.randint(0, depth - 1), players, dealt)
        for _ in range(rng.randint(1, 3))
    )
    return _Public(rng.randrange(players), children)


def _payoffs(rng: random.Random, players: int, max_payoff: int) -> tuple[int, ...]:
    values = [rng.randint(-max_payoff, max_payoff) for _ in range(players)]
    return (*values[:-1], -sum(values[:-1]))


def copied_game(tree: GameTree, seed: int, copies: int = 2, shuffled: bool = True) -> GameTree:
    """Let chance choose one of several copies of a game; at every information set the player sees
    which one, or not.

    Where it is seen, the copy's actions come in an order of their own, if they are `shuffled`. A
    player who has seen it keeps seeing it.
    """
    rng = random.Random(seed)
    weights = [rng.randint(1, 3) for _ in range(copies)]
    sees = [rng.random() < 0.6 for _ in range(tree.num_players)]
    orders: dict[Hashable, list[int]] = {}
    b = TreeBuilder(tree.num_players)
    tops = b.chance(
        b.root, [(f"copy {i}", Fraction(w, sum(weights))) for i, w in enumerate(weights)]
    )
    stack = [(top, 0, copy) for copy, top in enumerate(tops)]
    while stack:
        node, source, copy = stack.pop()
        below, player = list(tree.children(source)), int(tree.player[source])
        if player == TERMINAL:
            b.terminal(node, tree.payoffs[tree.payoff[source]])
            continue
        if tree.payoff[source] >= 0:
            b.reward(node, tree.payoffs[tree.payoff[source]])
        if player == CHANCE:
            made = b.chance(
                node,
                [
                    (tree.labels[tree.label[c]], tree.probabilities[tree.probability[c]])
                    for c in below
                ],
            )
        else:
            infoset = (int(tree.infoset[source]), copy if sees[player] else None)
            order = orders.setdefault(
                infoset,
                rng.sample(range(len(below)), len(below) if shuffled else 0)
                or list(range(len(below))),
            )
            below = [below[i] for i in order]
            made = b.decision(node, player, infoset, [tree.labels[tree.label[c]] for c in below])
        stack += [(child, origin, copy) for child, origin in zip(made, below, strict=True)]
    return b.freeze()


def lifted_gap(tree: GameTree, merge: TreeMerge) -> float:
    small, large = build_sequence_form(merge.tree), build_sequence_form(tree)
    profile = solve(small).profile
    assert profile is not None
    return certify(
        large, lift_profile(profile, SequenceMap(large, merge.sequences(small, large)))
    ).nash_gap


def two_jacks(in_turn: bool, mirrored: bool = False) -> GameTree:
    """Deal one card each of two jacks and a king; player 0 may bet, player 1 may fold; `mirrored`
    is the order of actions with J2."""
    b = TreeBuilder(2)
    cards, dealt = ("J1", "J2", "K"), []
    third = Fraction(1, 3)
    if in_turn:
        for first, node in zip(
            cards, b.chance(b.root, [(card, third) for card in cards]), strict=True
        ):
            rest = [card for card in cards if card != first]
            dealt += [
                ((first, card), c)
                for card, c in zip(
                    rest, b.chance(node, [(card, Fraction(1, 2)) for card in rest]), strict=True
                )
            ]
    else:
        deals = [(x, y) for x in cards for y in cards if x != y]
        dealt = list(
            zip(deals, b.chance(b.root, [(deal, Fraction(1, 6)) for deal in deals]), strict=True)
        )
    for (mine, yours), node in dealt:
        win = (mine == "K") - (yours == "K")
        actions = ["bet", "check"] if mirrored and mine == "J2" else ["check", "bet"]
        after = dict(zip(actions, b.decision(node, 0, (0, mine), actions), strict=True))
        b.terminal(after["check"], (win, -win))
        call, fold = b.decision(after["bet"], 1, (1, yours), ["call", "fold"])
        b.terminal(call, (2 * win, -2 * win))
        b.terminal(fold, (1, -1))
    return b.freeze()


def hidden_coin() -> GameTree:
    """Let player 0 guess a biased coin that it does not see."""
    b = TreeBuilder(2)
    for sign, node in zip(
        (1, -1),
        b.chance(b.root, [("heads", Fraction(1, 3)), ("tails", Fraction(2, 3))]),
        strict=True,
    ):
        for right, end in zip(
            (sign, -sign), b.decision(node, 0, "guess", ["heads", "tails"]), strict=True
        ):
            b.terminal(end, (right, -right))
    return b.freeze()
