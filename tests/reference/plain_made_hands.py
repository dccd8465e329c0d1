"""What people call a hand on a board, told of one hand at a time."""

from __future__ import annotations

from tests.reference.plain_poker import RANKS, SUITS, best_of

BY_CATEGORY = ["straight", "flush", "full house", "four of a kind", "straight flush"]


def made(hand: list[str], board: list[str]) -> str:
    best = best_of(hand + board)
    if len(board) == 5 and best == best_of(board) and best[0] >= 4:
        return "the board"
    if best[0] >= 4:
        return BY_CATEGORY[best[0] - 4]
    mine = [RANKS.index(card[0]) for card in hand]
    there = [RANKS.index(card[0]) for card in board]
    return _of_pocket(mine[0], there) if mine[0] == mine[1] else _of_two(mine, there)


def _of_pocket(rank: int, there: list[int]) -> str:
    if rank in there:
        return "set"
    return "overpair" if rank > max(there) else "underpair"


def _of_two(mine: list[int], there: list[int]) -> str:
    paired = [rank for rank in mine if rank in there]
    if any(there.count(rank) == 2 for rank in paired):
        return "trips"
    if len(paired) == 2:
        return "two pair"
    if paired:
        above = len({rank for rank in there if rank > paired[0]})
        return ["top pair", "second pair", "low pair"][min(above, 2)]
    return "ace high" if 12 in mine else "no pair"


def draw(hand: list[str], board: list[str]) -> str:
    if len(board) == 5:
        return ""
    best = best_of(hand + board)[0]
    flush = best < 5 and any(
        sum(card[1] == suit for card in hand + board) == 4 and suit in hand[0][1] + hand[1][1]
        for suit in SUITS
    )
    outs = sum(straight(hand + board, rank) > straight(board, rank) for rank in RANKS)
    inside = "" if best >= 4 or not outs else "gutshot" if outs == 1 else "straight draw"
    return " and ".join(["flush draw"] * flush + [inside] * bool(inside))


def straight(cards: list[str], further: str) -> int:
    """Return how high the best straight of some cards with a further rank is; 0 without one."""
    ranks = {RANKS.index(rank) for rank, *_ in [*cards, further]}
    ranks |= {-1} if 12 in ranks else set()
    return max((top for top in range(3, 13) if ranks >= set(range(top - 4, top + 1))), default=0)
