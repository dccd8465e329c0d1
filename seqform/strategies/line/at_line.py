"""at_line: a game of hands at one public node: hands, what they do, what they win.

Games that say hand and line in each information set, such as push or fold, are looked at as well:
the analysis of the whole game says what is known (`seqform.strategies.line.named`). What follows is
of games of hands.

Of each hand that a player may hold there: with what weight it comes there, what it does, what it
can expect in chips given that play came there, and how often it would win a showdown. Only what
lies below the node is gone through, board by board (`seqform.strategies.line.walk`).

What a hand can expect is its payoff from there on, all that was put in before included, plus what
payoffs are counted beyond. So in hold'em it is the share of the pot as it was when the game began,
less what the player has put in since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from seqform.base.arrays import Floats, Ints, Mask
from seqform.form.hand_policies import Policies, hands_of, policies_of
from seqform.form.hand_situation import Situation
from seqform.form.hand_strategy import HandStrategy
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.analysis import PLAYED_FROM
from seqform.strategies.as_profile import form_of
from seqform.strategies.line.grouped import MOST_ROWS, Grouped, grouped
from seqform.strategies.line.matrix import matrix_of, matrix_text
from seqform.strategies.line.named import NamedLines, lines_of, who_acts
from seqform.strategies.line.range_at import RangeAt
from seqform.strategies.line.walk import Walk, Worth
from seqform.strategies.line.where import line_of, where
from seqform.strategies.show.subject import subject_in, subject_of

if TYPE_CHECKING:
    from seqform.form.hands import Grouping, HandGame
    from seqform.form.origin import Grid
    from seqform.results.solution import Solution
    from seqform.strategies.as_profile import Strategy
    from seqform.tree.from_any import AnyGame

NOTHING = 1e-14
"""As a share of all that the other player's hands weigh: what is less are sums that cancel."""


@dataclass(frozen=True, eq=False)
class AtLine:
    """A game of hands at one public node; see `at_line`.

    Parameters
    ----------
    form
        The game.
    line
        How the node is written.
    board
        int16: all cards that lie face up.
    player
        Who acts.
    actions
        What can be done.
    ranges
        What each player holds there.
    reach
        The probability with which play comes there; a board that was dealt is one of many.
    """

    form: SequenceForm = field(repr=False)
    line: str
    board: Ints
    player: int
    actions: tuple[str, ...]
    ranges: tuple[RangeAt, ...] = field(repr=False)
    reach: float

    @property
    def game(self) -> HandGame | None:
        """The game of hands; None of one that says only what hands are called."""
        hands = self.form.origin.hands
        return None if hands is None else hands.game

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that lie face up."""
        return () if self.game is None else tuple(self.game.deck[card] for card in self.board)

    @property
    def groupings(self) -> Mapping[str, Grouping]:
        """What the game puts hands together by."""
        return {} if self.game is None else self.game.groups

    @property
    def grid(self) -> Grid | None:
        """How hands are laid out as a matrix."""
        return self.form.origin.grid

    @property
    def knows_equity(self) -> bool:
        """Whether it is known how hands do at a showdown."""
        return self.game is not None

    @property
    def acting(self) -> RangeAt:
        """What the player who acts holds."""
        return self.ranges[self.player]

    @property
    def frequencies(self) -> dict[str, float]:
        """How often the player who acts takes each action, over all hands."""
        found = cast(Floats, self.acting.frequencies)  # whoever acts has them
        return dict(zip(self.actions, found.tolist(), strict=True))

    @property
    def values(self) -> tuple[float, ...]:
        """What the players can expect: what solvers print as EV."""
        return tuple(held.value for held in self.ranges)

    @property
    def equity(self) -> tuple[float, ...]:
        """How often the players would win a showdown, ties by half."""
        return tuple(held.chance for held in self.ranges)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """How hands can be put together: what `by` takes."""
        return ("hand", *self.groupings)

    def by(
        self,
        group: str = "auto",
        player: int | str | None = None,
        rows: int = MOST_ROWS,
        matrix: str | None = None,
    ) -> Grouped:
        """Return a table by hand, or by what hands are called.

        Parameters
        ----------
        group
            One of `groups`; ``"auto"`` is by hand where they are few.
        player
            Whose range, by number or name; by default of the player who acts.
        rows
            The most rows that are shown as text.
        matrix
            What the text shows as a matrix in place of the table: see `matrix`.

        Raises
        ------
        UnknownNameError
            If the game has no such group, or the matrix no such numbers.
        UnsupportedGameError
            If there is to be a matrix, and the game says of none.
        """
        return grouped(self, group, player, rows, matrix)

    def matrix(self, what: str, player: int | str | None = None) -> str:
        """Return a number by classes of hands as a matrix, in lines of at most 79 characters.

        Parameters
        ----------
        what
            An action, whose frequency is shown; or ``"EV"``, ``"equity"`` or ``"weight"``.
        player
            As for `by`.

        Raises
        ------
        UnknownNameError
            If it is none of these.
        UnsupportedGameError
            If the game says of no matrix.
        """
        return matrix_text(matrix_of(self, what, player))

    def __repr__(self) -> str:
        return self.by().text

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        return self.by()._repr_html_()


def at_line(
    what: Solution | Strategy,
    line: str = "",
    game: Any = None,
    complete: str | Profile = "uniform",
) -> AtLine:
    """Return what is known of a game of hands at one public node.

    Parameters
    ----------
    what
        A solution of a game of hands, or of one that says hand and line in each information set; or
        strategies: a profile, a `HandStrategy`, or with `game` whatever `evaluate` takes.
    line
        The actions so far, joined by hyphens, and the cards dealt face up, between slashes:
        ``"check-bet100"``, ``"bet100-call/8c/check"``; empty where the game begins.
    game
        The game that strategies are of, if they do not know that themselves.
    complete
        How what strategies leave open is filled: see `GivenStrategy.completed`.

    Raises
    ------
    InvalidParameterError
        If nobody acts after that line, or it is no strategy.
    UnsupportedGameError
        If it is a game of another kind, or there is no strategy for each player.

    Examples
    --------
    >>> from seqform import make, solve
    >>> found = at_line(solve(make("holdem", board="2c2d2h3c3d", oop="AA, QQ", ip="KK", pot=100,
    ...     stack=100, sizes="bet 100%")))
    >>> {name: round(often, 3) for name, often in found.frequencies.items()}
    {'check': 0.25, 'allin100': 0.75}
    >>> [round(value, 3) for value in found.values]
    [75.0, 25.0]
    """
    form, profile = played(what, game, complete)
    if lines_of(form):
        return named_at(NamedLines(form, profile), line)
    policies = policies_of(form, profile)
    at = where(policies.structure, line)
    return Around(form, policies, at).view(at.node)


def check_line(game: AnyGame, line: str, max_nodes: int | None = None) -> None:
    """Refuse a line at which nobody acts, before a game is solved to be looked at there.

    Parameters
    ----------
    game
        A game of hands, or one that says hand and line in each information set.
    line
        As for `at_line`.
    max_nodes
        The largest tree to build.

    Raises
    ------
    InvalidParameterError
        If nobody acts after that line.
    UnsupportedGameError
        If it is a game of another kind.
    """
    form = form_of(game, max_nodes)
    if named := lines_of(form):
        who_acts(form, named, line)
    else:
        where(hands_of(form), line)


def named_at(lines: NamedLines, line: str) -> AtLine:
    """Return what is known of a line of a game that says hand and line."""
    found = lines.at(line)
    nothing: Ints = np.array([], dtype=np.int16)
    return AtLine(lines.form, line, nothing, found.player, found.actions, found.ranges, found.reach)


def played(what: Any, game: Any, complete: str | Profile) -> tuple[SequenceForm, Profile]:
    """Return the form and the profile of what is looked at."""
    if isinstance(what, HandStrategy):
        form = game if isinstance(game, SequenceForm) else what.structure.game.explicit()
        return form, what.in_form(form)
    if game is None:
        game = getattr(what, "form", None) if not isinstance(what, Profile) else None
    subject = subject_of(what) if game is None else subject_in(game, what, complete)
    return subject.form, subject.profile


class Around:
    """A public node and those below it on its street, gone through together.

    Parameters
    ----------
    form, policies
        The game, and what is played.
    at
        Where.
    """

    def __init__(self, form: SequenceForm, policies: Policies, at: Situation) -> None:
        self._form, self._policies, self._at = form, policies, at
        structure = policies.structure
        self._game, self._cards = structure.game, structure.boards(at.dealt)[at.board].tolist()
        weights = [held.weights.astype(float) for held in self._game.ranges]
        plans = [self._plan(player) for player in (0, 1)]
        start = [weight * plan for weight, plan in zip(weights, plans, strict=True)]
        self._walk = Walk(policies, at.node, self._cards, start)
        self._worth: Worth | None = None
        self._asked: list[int] = []

    def _plan(self, player: int) -> Floats:
        """Return how likely a player's own actions lead to the node with each hand."""
        structure, betting = self._policies.structure, self._game.betting
        found, last = np.ones(self._game.ranges[player].num_hands), betting.last_own(player)
        alive = np.flatnonzero(structure.avoids(player, self._at.dealt)[self._at.board])
        node = self._at.node
        while (line := int(last[node])) >= 0:
            node = int(betting.parent[line])
            board = self._at.board_before(structure, int(betting.dealt[node]))
            behavior = self._policies.on(player, [node], board, alive)[0]
            found[alive] *= behavior[line - int(betting.first_child[node])]
        return found

    def most_played(self, node: int) -> int:
        """Return the child of a node that play goes on to most often."""
        outline = self._walk.outline
        children = list(self._game.betting.children(node))
        rows = np.array([outline.row[child] for child in children])
        theirs = self._walk.matching(rows)[0]
        often = (self._walk.reach[0][rows] * theirs).sum(axis=1)
        return children[int(np.argmax(often))]

    def reach(self, nodes: Sequence[int]) -> Floats:
        """Return how likely play comes to nodes of the street, be they ends or deals.

        float64 (num_nodes,): probabilities.
        """
        rows = np.array([self._walk.outline.row[node] for node in nodes], dtype=np.int64)
        joint = self._walk.reach[0][rows] * self._walk.matching(rows)[0]
        found: Floats = joint.sum(axis=1) / self._over(self._at.dealt)
        return found

    def view(self, node: int, also: Sequence[int] = ()) -> AtLine:
        """Return a node; what is known of some others is found out with it."""
        row = self._walk.outline.row
        worth = self._worth
        if node not in self._asked or worth is None:
            self._asked = [node, *also]
            worth = self._worth = self._walk.worth(np.array([row[one] for one in self._asked]))
        at = self._at._replace(node=node, player=int(self._game.betting.player[node]))
        matching = self._walk.matching(np.array([row[node]]))
        mine, theirs = (self._range(at, player, matching[player][0], worth) for player in (0, 1))
        betting = self._game.betting
        return AtLine(
            form=self._form,
            line=line_of(self._policies.structure, at),
            board=np.array([*self._game.board, *self._cards], dtype=np.int16),
            player=at.player,
            actions=tuple(str(betting.actions[child]) for child in betting.children(node)),
            ranges=(mine, theirs),
            reach=float(self.reach([node])[0]),
        )

    def _over(self, dealt: int) -> float:
        """Return what the weights of all pairs of hands are over: they, and the boards."""
        over = float(self._game.total_weight)
        for count in range(dealt):
            over *= self._game.cards_left - count
        return over

    def _range(self, at: Situation, player: int, matching: Floats, worth: Worth) -> RangeAt:
        """Return what a player holds at a node."""
        game, walk = self._game, self._walk
        held, row, alive = game.ranges[player], walk.outline.row[at.node], walk.board.alive[player]
        whole, names = self._on_board[player]
        is_met = matching > NOTHING * max(float(whole.max(initial=0.0)), 1e-300)
        over = np.where(is_met, matching, np.nan)
        joint = walk.reach[player][row] * np.where(is_met, matching, 0.0)
        total = float(joint.sum())
        beyond = float(game.beyond[player]) if game.beyond else 0.0
        behavior = action_values = None
        if player == at.player:
            rows = [walk.outline.row[child] for child in game.betting.children(at.node)]
            behavior = self._policies.on(player, [at.node], at.board, alive)[0].T
            action_values = (worth.values[player][rows] / over).T + beyond
        return RangeAt(
            player=player,
            cards=held.hands[alive],
            names=names,
            weights=walk.reach[player][row] / held.weights.max(),
            opponent=np.divide(matching, whole, out=np.zeros_like(whole), where=whole > 0),
            shares=joint / total if total > 0 else np.full(len(joint), np.nan),
            values=worth.values[player][row] / over + beyond,
            equity=worth.equity[player][self._asked.index(at.node)] / over,
            probabilities=behavior,
            action_values=action_values,
            is_reached=self._is_reached(at, player, is_met),
        )

    @cached_property
    def _on_board(self) -> list[tuple[Floats, tuple[str, ...]]]:
        """For each player what the other's hands weigh beside each hand, and how hands are written.

        Both whatever was done.
        """
        game, walk, found = self._game, self._walk, []
        for player, alive in enumerate(walk.board.alive):
            other = game.ranges[1 - player].weights[walk.board.alive[1 - player]]
            hands = game.ranges[player].hands[alive].tolist()
            names = tuple(map(game.hand_text, hands))
            found.append((walk.products(player).fold(other.astype(float)[None])[0], names))
        return found

    def _is_reached(self, at: Situation, player: int, is_met: Mask) -> Mask:
        """Return with which hands play comes to a node, actions that are never played left out."""
        own, other = self._comes(at, player), self._comes(at, 1 - player)
        held = self._game.ranges[1 - player].weights[self._walk.board.alive[1 - player]]
        met = self._walk.products(player).met((other & (held > 0)).astype(float)[None])[0]
        found: Mask = own & (met > 0) & is_met
        return found

    def _comes(self, at: Situation, player: int) -> Mask:
        """Return with which hands all of a player's actions on the way are played."""
        betting = self._game.betting
        alive, last = self._walk.board.alive[player], betting.last_own(player)
        found, node = np.ones(len(alive), dtype=bool), at.node
        while (line := int(last[node])) >= 0:
            node = int(betting.parent[line])
            board = at.board_before(self._policies.structure, int(betting.dealt[node]))
            behavior = self._policies.on(player, [node], board, alive)[0]
            found &= behavior[line - int(betting.first_child[node])] >= PLAYED_FROM
        return found
