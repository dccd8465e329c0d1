"""The betting of no-limit endgames, from a pot and stacks to the public tree; limit betting too.

Two players have a pot in the middle and equal stacks (the *effective* stack: what the shorter one
has, all that can be bet). Player 0 is out of position and acts first on every street. Before each
street but the first a card is dealt face up. What is bet is said by a `games.size_plan`.

*Labels.* ``check``, ``fold``, ``call``, ``bet100``, ``raise300``, ``allin900``. Numbers are what
the player then has put in on this street, in chips; all-in is what puts in the rest of the stack,
bet or raise.

*Rules.*

* A raise of x% is of the pot after calling; ``2.5x`` is of all that the other player has put in on
  the street (`games.bet_sizes`).
* Amounts are rounded to multiples of `chip`, halves up. What is more than the stack is all-in.
  Sizes that come to the same amount are one action, and actions go from small to large.
* A bet is at least `min_bet`. A raise is at least by `min_raise` times the last bet or raise of the
  street, the part by which it went above the bet before; and at least by one chip. Smaller sizes
  are made so large. All-in may be less.
* There is no cap on bets and raises, unless the plan says one. Who faces an all-in folds or calls.
* `add_allin`: all-in is added to the sizes where there are any, and what would be left of the stack
  after calling is at most so many times the pot after calling.
* `allin_threshold`: what would put in at least this share of the whole stack, earlier streets
  included, is made all-in. `force_allin`: so is what would leave, once it is called, at most so
  many times the pot. Both are as good as off at their defaults, 1 and 0.
* `merge`: from large to small, a size of Y% of the pot (after calling) is left out if
  (100 + X) / (100 + Y) < 1 + merge, where X% is the last one that was kept.
* A player who is out of position, called on the street before, and begins this one may bet the
  sizes of ``donk``: those of ``bet``, if the plan does not say.
* After an all-in that is called the cards to come are dealt, one after the other, and hands shown.

*Payoffs* are chips won beyond half of the pot, so that they sum to zero: with m matched by both, a
showdown wins or loses pot / 2 + m, and a fold loses pot / 2 + what the folder has put in. A rake,
a share of the pot and of all that was matched, up to a cap, is paid by the winner, of folds too,
and by both halves if the pot is split; then payoffs do not sum to zero.

*Counts.* Nodes are counted with all ends and deals. A deal has one child in the public tree, and as
many as there are cards in the game.
"""

from __future__ import annotations

from games.no_limit_counts import require_buildable
from games.no_limit_rules import NoLimitRules
from games.no_limit_spot import Spot
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.rules import CHANCE, TERMINAL


def no_limit_betting(rules: NoLimitRules) -> BettingTree:
    """Return the public tree of no-limit betting.

    Raises
    ------
    GameTooLargeError
        If it has more nodes than `games.no_limit_counts` allows.

    Examples
    --------
    >>> river = no_limit_betting(NoLimitRules(200, 900, "bet 50%,100%,a; raise 50%,100%,a"))
    >>> river.num_nodes, river.lines[1:4]
    (93, ('check', 'bet100', 'bet200'))
    """
    require_buildable(rules)
    builder = BettingTreeBuilder()
    to_grow = [(builder.root, rules.root())]
    for node, spot in to_grow:
        to_grow += _grown(builder, rules, node, spot)
    return builder.build()


def _grown(
    builder: BettingTreeBuilder, rules: NoLimitRules, node: int, spot: Spot
) -> list[tuple[int, Spot]]:
    """Add what comes after a state to a tree, and return it."""
    player, children = rules.player(spot), rules.children(spot)
    if player == TERMINAL:
        builder.show(node, *rules.paid(spot))
        return []
    if player == CHANCE:
        nodes = [builder.deal(node)]
    else:
        nodes = builder.act(node, player, [str(action) for action in children])
    return list(zip(nodes, children.values(), strict=True))
