"""Small games from books and papers, written down as trees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from games.sources import SYMMETRIC
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree


def simultaneous(
    actions: Sequence[str], payoffs: Sequence[Sequence[int]], unit: str = "points"
) -> GameTree:
    """Return a two-player zero-sum game in which both choose at once.

    `payoffs[i][j]` is player 0's when it chooses its action i and player 1 its action j.
    """
    b = TreeBuilder(num_players=2, unit=unit)
    for first, row in zip(b.decision(b.root, 0, "player 0", actions), payoffs, strict=True):
        for second, payoff in zip(b.decision(first, 1, "player 1", actions), row, strict=True):
            b.terminal(second, (payoff, -payoff))
    return b.freeze()


def matching_pennies() -> GameTree:
    """Return matching pennies: player 0 wins a point if the coins match, else player 1 does."""
    return simultaneous(["heads", "tails"], [[1, -1], [-1, 1]])


def rock_paper_scissors() -> GameTree:
    """Return rock, paper, scissors for one point."""
    return simultaneous(["rock", "paper", "scissors"], [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def von_stengel() -> GameTree:
    """Return the example of von Stengel's 1996 paper, by which the sequence form is explained.

    Chance tosses a fair coin that only player 0 sees; it then chooses between l and r, or between L
    and R. After r or L player 1 chooses c or d without knowing which of the two it was. The
    sequences are (), l, r, L, R of player 0 and (), c, d of player 1. Player 1 makes the game worth
    1 by c as often as d, and player 0 by r three times as often as L.

    References
    ----------
    B. von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14,
    1996. Payoffs as in A. Gilpin, "Computing equilibria in extensive form games", a talk of 2005.
    """
    b = TreeBuilder(num_players=2)
    low, high = b.chance(b.root, [("low", Fraction(1, 2)), ("high", Fraction(1, 2))])
    left, right = b.decision(low, 0, "low", ["l", "r"])
    up, down = b.decision(high, 0, "high", ["L", "R"])
    b.terminal(left, (0, 0))
    b.terminal(down, (2, -2))
    for node, (c, d) in ((right, (2, -2)), (up, (-4, 8))):
        after_c, after_d = b.decision(node, 1, "second", ["c", "d"])
        b.terminal(after_c, (c, -c))
        b.terminal(after_d, (d, -d))
    return b.freeze()


def chicken() -> GameTree:
    """Return chicken, as Aumann (1974) uses it: who dares wins, unless both do.

    Correlated equilibria give both up to 21/4: a mediator draws one of three pairs, and never that
    both dare.
    """
    b = TreeBuilder(num_players=2)
    paid = {("dare", "dare"): (0, 0), ("dare", "yield"): (7, 2)}
    paid |= {("yield", "dare"): (2, 7), ("yield", "yield"): (6, 6)}
    moves = ["dare", "yield"]
    for mine, node in zip(moves, b.decision(b.root, 0, "first", moves), strict=True):
        for theirs, end in zip(moves, b.decision(node, 1, "second", moves), strict=True):
            b.terminal(end, paid[mine, theirs])
    return b.freeze()


def two_player_tree() -> GameTree:
    """Return the two-player tree that introduces backward induction: states 1 to 9.

    Player 0 chooses at 1 between A (to 2) and B (to 3), player 1 at 2 between C (to 4) and D (to 5)
    and at 3 between E (to 6) and F (to 7), and player 0 at 7 between G (to 8) and H (to 9). Each
    information set is called as its state. Player 1 answers B by F, which pays player 0 only 2, so
    the solution is A, then C, and pays (3, 8).
    """
    b = TreeBuilder(num_players=2)
    state2, state3 = b.decision(b.root, 0, "1", ["A", "B"])
    state4, state5 = b.decision(state2, 1, "2", ["C", "D"])
    state6, state7 = b.decision(state3, 1, "3", ["E", "F"])
    state8, state9 = b.decision(state7, 0, "7", ["G", "H"])
    paid = {state4: (3, 8), state5: (8, 3), state6: (5, 5), state8: (2, 10), state9: (1, 0)}
    for end, payoffs in paid.items():
        b.terminal(end, payoffs)
    return b.freeze()


def king_queen_jack() -> GameTree:
    """Return the betting of a bluffing game with king, queen and jack, the cards known.

    Both know that player 1 has the better card. Player 0 checks or bets (P1A). After a check player
    1 checks (E1) or bets (P2A), and player 0 folds (E2) or calls (E3; P1B); a bet player 1 declines
    (E4) or calls (E5; P2B). Each has put in 1 before, and a bet is 1 more. The solution is to check
    twice, which pays -1.
    """
    b = TreeBuilder(num_players=2, unit="chips")
    checked, bet = b.decision(b.root, 0, "P1A", ["check", "bet"])
    end1, raised = b.decision(checked, 1, "P2A", ["check", "bet"])
    end2, end3 = b.decision(raised, 0, "P1B", ["fold", "call"])
    end4, end5 = b.decision(bet, 1, "P2B", ["fold", "call"])
    for end, payoff in ((end1, -1), (end2, -1), (end3, -2), (end4, 1), (end5, -2)):
        b.terminal(end, (payoff, -payoff))
    return b.freeze()


BY_HAND = "by hand, as the game's docstring says"

MATCHING_PENNIES = GameEntry(
    "matching-pennies",
    "Matching pennies",
    matching_pennies,
    (KnownValue(0, "by hand: either player can make it 0 by tossing the coin"),),
)
ROCK_PAPER_SCISSORS = GameEntry(
    "rock-paper-scissors",
    "Rock, paper, scissors",
    rock_paper_scissors,
    (KnownValue(0, SYMMETRIC),),
)
VON_STENGEL = GameEntry(
    "von-stengel",
    "The example of von Stengel's 1996 paper, which explains the sequence form",
    von_stengel,
    (KnownValue(1, "by hand: docs/explanation/linear-program.md"),),
)
CHICKEN = GameEntry("chicken", "Chicken: the daring win, unless both dare; not zero-sum", chicken)
TWO_PLAYER_TREE = GameEntry(
    "two-player-tree",
    "A small tree for two that introduces backward induction; not zero-sum",
    two_player_tree,
    (KnownValue(3, BY_HAND),),
)
KING_QUEEN_JACK = GameEntry(
    "king-queen-jack",
    "The betting of a bluffing game with king, queen and jack, cards known",
    king_queen_jack,
    (KnownValue(-1, BY_HAND),),
)
