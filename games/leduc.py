"""Leduc hold'em: one private card, one community card, two rounds.

References
----------
Southey, Bowling, Larson, Piccione, Burch, Billings & Rayner, "Bayes' bluff: opponent modelling in
poker", UAI 2005. For three players and more the rules and the deck are those of OpenSpiel's
``leduc_poker(players=n)``.
"""

from __future__ import annotations

from fractions import Fraction

from games.limit_poker import MAX_CARDS, MAX_PLAYERS, LimitPoker, card_deck, limit_poker
from games.limit_poker_for_many import LimitPokerForMany
from games.parameters import require
from games.sources import PROVEN
from seqform.base.arrays import Ints
from seqform.game.catalogue import GameEntry, KnownValue


def leduc(
    ranks: int = 0, suits: int = 2, max_bets: int = 2, merge_suits: bool = False, players: int = 2
) -> LimitPoker | LimitPokerForMany:
    """Return Leduc hold'em: ante 1, bets of 2 then 4.

    A pair with the community card beats any other hand, then the higher rank wins. Equal hands
    split the pot. Who has folded leaves in the pot what was paid; where all others have, the last
    player takes it. The first player who has not folded opens the second round.

    Parameters
    ----------
    ranks
        How many there are; 0 stands for one more than there are players.
    suits
        Cards of each rank.
    max_bets
        Bets and raises that a round has at most.
    merge_suits
        Whether players do not see suits, which never matter; otherwise they do, as in OpenSpiel.
    players
        From 2 to 10, player 0 acting first.
    """
    return leduc_hand(ranks, suits, max_bets, merge_suits, players)


def leduc_hand(
    ranks: int,
    suits: int,
    max_bets: int,
    merge_suits: bool,
    players: int = 2,
    cap: int | None = None,
) -> LimitPoker | LimitPokerForMany:
    """Return Leduc hold'em with stacks: nobody puts in more than `cap` chips; see `leduc`."""
    require("players", players, 2, MAX_PLAYERS)
    require("ranks", ranks, 0)
    require("suits", suits, 1)
    require("max_bets", max_bets, 0)
    ranks = ranks or players + 1
    require("ranks * suits", ranks * suits, players + 1, MAX_CARDS)
    per_rank = 1 if merge_suits else suits

    def strength(hands: Ints) -> Ints:
        mine, community = (hands // per_rank).T
        return mine + ranks * (mine == community)  # type: ignore[no-any-return]

    return limit_poker(
        players,
        card_deck(ranks, suits, merge_suits),
        strength=strength,
        ante=1,
        bets=(2, 4),
        max_bets=max_bets,
        cap=cap,
    )


VALUE = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
"""Of the game with its defaults."""

VALUES_BY_RANKS = {
    4: Fraction(-750825476006594814550891332665, 7343544839349721554468972176184),
    5: Fraction(
        -35218006363421785353538286651298673623049, 312302377649515583433939664579927348213692
    ),
    6: Fraction(
        -318316018936505055995424450545100470555555281,
        3044815867409980405093176184584827956368717240,
    ),
    10: Fraction(-3750262202431027339613896958513, 38044604249281208345214245954625),
    13: Fraction(-113743011961333498012928459, 1227346755696326019173737500),
    16: Fraction(-8954266043384438915208340759474175339, 96662140952161877254594440285207651000),
    20: Fraction(-509755136203403133646514767498633, 5532008309088484366090447080759360),
    26: Fraction(
        -250570403440166645608439765061066975934756097,
        2748333244336602000092447776200485925565905000,
    ),
}
"""Of games with more ranks than the default, the rest as it is."""

LEDUC = GameEntry(
    "leduc",
    "Leduc hold'em: two rounds, one community card; ante 1, bets 2 and 4",
    leduc,
    (
        KnownValue(VALUE, f"QSopt_ex; {PROVEN}"),
        KnownValue(VALUE, f"QSopt_ex; {PROVEN}", {"ranks": 3}),
        KnownValue(VALUE, f"QSopt_ex; {PROVEN}", {"merge_suits": True}),
        KnownValue(VALUE, f"QSopt_ex; {PROVEN}", {"ranks": 3, "merge_suits": True}),
        *(
            KnownValue(value, PROVEN, {"ranks": ranks, "merge_suits": True})
            for ranks, value in VALUES_BY_RANKS.items()
        ),
        KnownValue(VALUES_BY_RANKS[13], PROVEN, {"ranks": 13}),
    ),
)
