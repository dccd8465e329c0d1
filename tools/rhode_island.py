#!/usr/bin/env python3
"""Describe Rhode Island hold'em by its rules, as `check_certificate.py` reads a game of signals.

Usage: ``python tools/rhode_island.py [RANKS SUITS BETS] > rhode-island.json``; by default 13 ranks,
4 suits, and 3 bets and raises a round. With that file, ``python tools/check_certificate.py
certificate.json.gz rhode-island.json`` confirms only what is about this game.

The rules are those of Shi & Littman, "Abstraction methods for game theoretic poker" (2001). This
program shares nothing with seqform and needs only Python's standard library.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

ANTE, BETS = 5, (10, 20, 20)
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)


def strength(hand: list[tuple[int, int]], ranks: int) -> tuple[int, ...]:
    """Return what hands are compared by: the kind of hand, then ranks.

    A hand is three cards, each a rank (from 0, the lowest, on) and a suit. The highest rank also
    comes before the lowest, in the lowest straight.
    """
    low, middle, high = sorted(rank for rank, _ in hand)
    is_flush = len({suit for _, suit in hand}) == 1
    is_run = (low + 1, middle + 1) == (middle, high)
    if low == high:
        return THREE_OF_A_KIND, low
    if middle in (low, high):
        return PAIR, middle, low + high - middle
    if is_run or (low, middle, high) == (0, 1, ranks - 1):
        return STRAIGHT_FLUSH if is_flush else STRAIGHT, high if is_run else middle
    return FLUSH if is_flush else HIGH_CARD, high, middle, low


class State(NamedTuple):
    """All that is public but the cards: `player` acts, or is to act once cards are dealt."""

    round: int
    to_deal: int
    player: int
    paid: tuple[int, int]
    bets: int = 0
    checked: bool = False
    end: str = ""


def after(state: State, most: int) -> Iterator[tuple[str, State]]:
    """Yield what the player to act may do, and what comes then."""
    player, highest = state.player, max(state.paid)
    if state.paid[0] < highest or state.paid[1] < highest:
        yield "fold", state._replace(end="fold")
        yield "call", close(state, highest)
        more = "raise"
    else:
        yield (
            "check",
            close(state, highest)
            if state.checked
            else state._replace(player=1 - player, checked=True),
        )
        more = "bet"
    if state.bets < most:
        paid = list(state.paid)
        paid[player] = highest + BETS[state.round]
        yield more, state._replace(player=1 - player, paid=(paid[0], paid[1]), bets=state.bets + 1)


def close(state: State, paid: int) -> State:
    """Return what comes after a round: a card for everyone, and player 0 acts; or the showdown."""
    if state.round + 1 == len(BETS):
        return state._replace(paid=(paid, paid), end="showdown")
    return State(state.round + 1, 1, 0, (paid, paid))


def betting(most: int) -> tuple[list[dict[str, Any]], list[tuple[str, int]]]:
    """Return the public tree, parents first, and the ways to end, each with the cards dealt."""
    nodes: list[dict[str, Any]] = []
    ends: list[tuple[str, int]] = []
    queue: list[tuple[int, str | None, int, State]] = [(-1, None, 0, State(0, 2, 0, (ANTE, ANTE)))]
    for number, (parent, action, dealt, state) in enumerate(queue):  # which grows
        above = {"parent": parent, "action": action}
        if state.end:
            end = state.end, dealt
            ends += [end] * (end not in ends)
            # at stake is what the loser has paid; a fold of player 0 pays it to player 1
            sign = -1 if state.end == "fold" and state.player == 0 else 1
            stake = [sign * min(state.paid), 1]
            nodes.append({**above, "outcome": ends.index(end), "stake": stake})
        elif state.to_deal:
            whom = "everyone" if state.round else 2 - state.to_deal
            nodes.append({**above, "deal": whom})
            queue.append((number, None, dealt + 1, state._replace(to_deal=state.to_deal - 1)))
        else:
            nodes.append({**above, "player": state.player})
            queue += [(number, action, dealt, then) for action, then in after(state, most)]
    return nodes, ends


def describe(ranks: int, suits: int, most: int) -> dict[str, Any]:
    """Return deck, public tree and outcomes."""
    names = "23456789TJQKA" if ranks == 13 else "23456789TJQK"[-ranks:]
    cards = [(rank, suit) for rank in range(ranks) for suit in range(suits)]
    hands = [strength(list(hand), ranks) for hand in permutations(cards, 3)]
    rank_of = {kind: number for number, kind in enumerate(sorted(set(hands)))}
    strengths = [rank_of[kind] for kind in hands]
    nodes, ends = betting(most)
    pays = {"fold": {"pays": 1}, "showdown": {"strengths": [strengths, strengths]}}
    return {
        "deck": {
            "cards": [names[rank] + "shdc"[suit] for rank, suit in cards],
            "copies": [1] * len(cards),
            "replacement": False,
        },
        "nodes": nodes,
        "outcomes": [{"name": name, "signals": dealt, **pays[name]} for name, dealt in ends],
    }


def main(arguments: list[str]) -> int:
    """Print the description of a deck, and return the exit status."""
    fits = len(arguments) in (0, 3) and all(map(str.isdecimal, arguments))
    ranks, suits, most = map(int, arguments) if fits and arguments else (13, 4, 3)
    if not (fits and 1 <= ranks <= 13 and 1 <= suits <= 4 and ranks * suits > 3 and most > 0):
        print(
            "usage: rhode_island.py [RANKS SUITS BETS], 13 4 3 without; at most 13 ranks and 4 "
            "suits, at least 4 cards and 1 bet a round",
            file=sys.stderr,
        )
        return 2
    json.dump(describe(ranks, suits, most), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
