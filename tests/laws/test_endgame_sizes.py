"""Counts of endgames against what is built: trees, boards up to symmetry, hands on boards."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games import no_limit_counts, tree_size
from games.no_limit_betting import no_limit_betting
from games.no_limit_counts import count_public, counts_of
from games.no_limit_rules import NoLimitRules
from games.tree_size import Cards
from seqform.base.arrays import Ints
from seqform.base.errors import GameTooLargeError, InvalidGameError
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame, HandRange
from tests.laws.test_no_limit_betting import spots

SUITS = 3


@given(spots(), st.sampled_from(["", "remove check-check", "add check {most}"]))
def test_trees_are_counted_as_they_are_built(given: dict[str, Any], edits: str) -> None:
    rules = NoLimitRules(**given)
    most = rules.label(rules.root(), rules.behind)
    try:
        rules = rules.edited(edits.format(most=most))
    except ValueError:  # there is no such line, or it is there already
        assume(False)
    tree = no_limit_betting(rules)
    counts = count_public(rules)
    assert counts.num_nodes == tree.num_nodes
    levels = tree.num_dealt + 1
    assert counts_of(tree) == no_limit_counts.PublicCounts(
        counts.nodes[:levels], counts.deciding[:levels], counts.actions[:levels]
    )
    assert sum(counts.nodes[levels:]) == 0


@st.composite
def games(draw: st.DrawFn) -> HandGame:
    """Draw a game with suits, of which some are alike."""
    ranks, size = draw(st.integers(2, 4)), draw(st.integers(1, 2))
    deck = range(ranks * SUITS)
    board = tuple(sorted(draw(st.sets(st.sampled_from(deck), max_size=2))))
    rules = NoLimitRules(4, 10, "bet 100%", streets=draw(st.integers(1, 3)))
    every = [hand for hand in combinations(deck, size) if not set(hand) & set(board)]
    ranges = []
    for _ in range(2):
        held = [hand for hand in every if draw(st.booleans())] if draw(st.booleans()) else every
        weights = [draw(st.integers(1, 2)) if draw(st.booleans()) else 1 for _ in held]
        assume(held)
        ranges.append(HandRange(np.array(held), np.array(weights)))

    def strength(hands: Ints, cards: Ints) -> Ints:
        return (hands // SUITS).sum(axis=1)

    try:
        return HandGame(
            deck=tuple(f"card{card}" for card in deck),
            board=board,
            ranges=(ranges[0], ranges[1]),
            betting=no_limit_betting(rules),
            strength=strength,
            symmetries=tuple(
                tuple(card // SUITS * SUITS + suits[card % SUITS] for card in deck)
                for suits in list(permutations(range(SUITS)))[1:]
            ),
        )
    except InvalidGameError:  # no two hands can be dealt, or no card is left
        assume(False)
        raise


@given(games())
def test_boards_and_hands_are_counted_as_they_are_listed(game: HandGame) -> None:
    cards = Cards(game.ranges, game.board, len(game.deck), game.symmetries)
    structure, tree = HandStructure(game), game.betting
    assert len(cards.kept) == len(structure.symmetries)
    size = tree_size.tree_size(counts_of(tree), cards)
    boards = [len(orbits.first) for orbits in structure.orbits]
    avoided = [
        [int(structure.avoids(player, dealt).sum()) for player in (0, 1)]
        for dealt in range(len(boards))
    ]
    assert size.nodes == sum(boards[dealt] for dealt in tree.dealt.tolist())
    acting = [node for node in range(tree.num_nodes) if tree.player[node] >= 0]
    where = [(int(tree.dealt[node]), int(tree.player[node])) for node in acting]
    assert size.decision_nodes == sum(boards[dealt] for dealt, _ in where)
    sequences, infosets, entries = [1, 1], [0, 0], 0
    for node, (dealt, player) in zip(acting, where, strict=True):
        count = int(tree.num_children[node])
        infosets[player] += avoided[dealt][player]
        sequences[player] += count * avoided[dealt][player]
        alive = structure.avoids(player, dealt)[structure.orbits[dealt].first]
        entries += count * int(alive.sum())
    assert size.sequences == tuple(sequences)
    assert size.infosets == tuple(infosets)
    assert size.entries == entries


def test_symmetries_keep_the_board_and_both_ranges() -> None:
    held = HandRange(np.array([[0], [1]]), np.array([1, 2]))

    def swapped(one: int, other: int) -> tuple[int, ...]:
        image = {one: other, other: one}
        return tuple(image.get(card, card) for card in range(6))

    def boards(*swaps: tuple[int, ...]) -> list[int]:
        cards = Cards((held, held), (2,), 6, swaps)
        return [cards.boards(dealt) for dealt in range(3)]

    assert boards() == boards(swapped(2, 3)) == boards(swapped(0, 1)) == [1, 5, 20]
    assert boards(swapped(3, 4)) == [1, 4, 13]
    assert boards(swapped(3, 4), swapped(4, 5)) == [1, 3, 7]  # all six permutations of three cards


HELD = HandRange(np.array([[0, 1], [2, 3], [4, 5]]), np.array([1, 1, 1]))
RULES = NoLimitRules(200, 900, "bet 50%,100%,a; raise 50%,a", streets=2)


def test_what_does_not_fit_is_refused_with_what_to_leave_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = Cards((HELD, HELD), (6, 7, 8))
    assert tree_size.require_fit(RULES, cards) == tree_size.tree_size(count_public(RULES), cards)
    monkeypatch.setattr(tree_size, "shortage", lambda num_bytes: 10 * 2**20)
    with pytest.raises(GameTooLargeError) as refused:
        tree_size.require_fit(RULES, cards)
    text = str(refused.value)
    assert f"{tree_size.tree_size(count_public(RULES), cards).nodes:,} nodes on boards" in text
    assert "this process may take 10 MB" in text
    assert text.count("leave out") + text.count("add 'cap 3'") == tree_size.MOST_HINTS
    assert "leave out 50% of 'bet 50%,100%,a'" in text


def test_hints_are_sorted_by_what_they_save() -> None:
    cards = Cards((HELD, HELD), (6, 7, 8))
    found = [
        tree_size.tree_size(count_public(smaller), cards).num_bytes
        for _, smaller in tree_size.smaller_rules(RULES)
    ]
    assert len(found) == 6  # five sizes, and a cap
    assert max(found) <= tree_size.tree_size(count_public(RULES), cards).num_bytes
    plans = [str(smaller.plan) for _, smaller in tree_size.smaller_rules(RULES)]
    assert plans == [
        *("bet 100%,a; raise 50%,a", "bet 50%,a; raise 50%,a", "bet 50%,100%; raise 50%,a"),
        *("bet 50%,100%,a; raise a", "bet 50%,100%,a; raise 50%"),
        "bet 50%,100%,a; raise 50%,a; cap 3",
    ]
    capped = NoLimitRules(200, 900, "bet a; cap 2")
    assert [text for text, _ in tree_size.smaller_rules(capped)] == ["leave out a of 'bet a'"]
    without_bets = NoLimitRules(200, 900, "bet none; cap 2")
    assert tree_size.hints(without_bets, cards).startswith("narrow the ranges")


def test_trees_too_large_to_be_built_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_limit_counts, "MOST_PUBLIC_NODES", 471)
    rules = NoLimitRules(200, 900, "bet 50%,100%,a; raise 50%,100%,a", streets=2)
    with pytest.raises(GameTooLargeError, match=r"472 nodes before any card .* limit of 471"):
        no_limit_betting(rules)
    monkeypatch.setattr(no_limit_counts, "MOST_PUBLIC_NODES", 472)
    assert no_limit_betting(rules).num_nodes == 472
    monkeypatch.setattr(no_limit_counts, "MOST_STATES", 50)
    with pytest.raises(GameTooLargeError, match="more than 50 public states; leave out sizes"):
        count_public(rules)
    with pytest.raises(GameTooLargeError, match="public states"):  # raises by a chip, for ever
        count_public(NoLimitRules(10, 10**8, "bet 1c; raise 1c"))
