"""A walk through the states of a game of OpenSpiel, and the tree of what it saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from seqform.base.errors import GameTooLargeError, InvalidGameError, UnsupportedGameError
from seqform.base.interner import Interner
from seqform.base.memory import MemoryLimit
from seqform.base.number import Number
from seqform.base.progress import tell
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.size_estimate import OR_RAISE, why_too_large
from seqform.io.distinct_labels import distinct_labels
from seqform.io.open_spiel_states import OpenSpielWalk
from seqform.tree.builder import level_order
from seqform.tree.tree import GameTree

MAX_DENOMINATOR = 10**6
"""A fraction with a denominator up to this is taken for what was meant."""

ROUNDING = 1e-15
"""How far, as a share of itself, a probability may lie from that fraction: a float that was
computed in a few steps."""


def simplest(number: float) -> Number:
    """Return the integer or simple fraction that rounds to a float; else the float itself.

    Examples
    --------
    >>> simplest(-2.0), simplest(1 / 3), simplest(0.1234567891234)
    (-2, Fraction(1, 3), 0.1234567891234)
    """
    if not isfinite(number):  # refused where the tree is made
        return number
    fraction = Fraction(number).limit_denominator(MAX_DENOMINATOR)
    if float(fraction) != number:
        return number
    return fraction.numerator if fraction.denominator == 1 else fraction


def exact_lottery(given: tuple[float, ...], denominator: int | None = None) -> tuple[Fraction, ...]:
    """Return simple fractions that round to the given probabilities and sum to one.

    Parameters
    ----------
    denominator
        Round to multiples of one over this where there are none.

    Raises
    ------
    InvalidGameError
        If there are none.
    """
    exact = tuple(Fraction(p).limit_denominator(MAX_DENOMINATOR) for p in given if isfinite(p))
    if sum(exact) == 1 and all(
        abs(float(e) - p) <= ROUNDING * p for e, p in zip(exact, given, strict=True)
    ):
        return exact
    if denominator is not None and all(isfinite(p) and p >= 0 for p in given) and any(given):
        return rounded(given, denominator)
    raise InvalidGameError(
        "R4: the chance probabilities "
        f"{', '.join(map(repr, given[:4]))}{', ...' if len(given) > 4 else ''} "
        "are not simple fractions that sum to 1; give chance_denominator=1000000 "
        "to round them to millionths (-p chance_denominator=1000000)"
    )


def rounded(probabilities: Sequence[float], denominator: int) -> tuple[Fraction, ...]:
    """Round probabilities to multiples of ``1 / denominator`` by largest remainders.

    They sum to one again.

    Examples
    --------
    >>> rounded([0.1234, 0.4321, 0.4445], 10)
    (Fraction(1, 10), Fraction(2, 5), Fraction(1, 2))
    """
    total = sum(map(Fraction, probabilities))
    shares = [Fraction(p) * denominator / total for p in probabilities]
    parts = [int(share) for share in shares]
    by_remainder = sorted(range(len(parts)), key=lambda i: parts[i] - shares[i])
    for i in by_remainder[: denominator - sum(parts)]:
        parts[i] += 1
    return tuple(Fraction(part, denominator) for part in parts)


OVER = -4
"""Who moves in OpenSpiel when the game is over; chance is -1 in OpenSpiel too."""

MAX_PLAYERS = 1000
"""Each of whom has a table of information sets; more is a mistake in the game's parameters."""

PROBED_FROM = 5_000
"""Nodes from which on a game is probed; to name the moves of a state may take milliseconds."""

Visit: TypeAlias = tuple[int, Sequence[int]]
"""The kind of a state, and OpenSpiel's actions or outcomes in it."""

Knowledge: TypeAlias = Callable[[Any], str]
"""What the player who moves in a state knows, as a text that states share which look the same."""


def information_state(state: Any) -> str:
    """Return what the game says that the player who moves knows."""
    return str(state.information_state_string())


def history(state: Any) -> str:
    """Return all that was done: what everybody knows in a game of perfect information."""
    return str(state.history_str())


def history_before_the_round(state: Any) -> str:
    """Return all that was done before the simultaneous moves of which this is one."""
    return str(state.simultaneous_game_state().history_str())


class Move(NamedTuple):
    """An action or chance outcome: OpenSpiel's number, and its name in its state.

    Names that come again in one state have a number added.
    """

    action: int
    name: str

    def __str__(self) -> str:
        return self.name


class Traversal:
    """What is noted of the nodes, in prefix order: the parent and the kind.

    Few states are held at a time.

    Nodes of one kind have everything in common: the same information set, lottery or payoffs.

    Parameters
    ----------
    num_players, chance_denominator, max_nodes
        See `from_open_spiel`.
    known
        What tells the information sets of one player apart.
    walk
        The same game for a few probes, which may show early that it is too large.
    """

    def __init__(
        self,
        num_players: int,
        chance_denominator: int | None,
        max_nodes: int,
        known: Knowledge = information_state,
        walk: OpenSpielWalk | None = None,
    ) -> None:
        if num_players > MAX_PLAYERS:
            raise UnsupportedGameError(
                f"the game has {num_players:,} players, and trees have {MAX_PLAYERS:,} at most; "
                "use smaller parameters"
            )
        self.num_players = num_players
        self.known = known
        self.chance_denominator = chance_denominator
        self.max_nodes = max_nodes
        self.memory = MemoryLimit()
        self.walk = walk
        self.parent: list[int] = []
        self.kind: list[int] = []
        # player, information set, payoff and number of moves
        self.kinds: list[tuple[int, int, int, int]] = []
        self.edge_label: list[int] = []  # of the moves of all kinds, one after the other
        self.edge_probability: list[int] = []
        self.infosets: list[dict[str, Visit]] = [{} for _ in range(num_players)]
        self.infoset_labels: list[str] = []
        self.lotteries: dict[tuple[tuple[int, float, str], ...], Visit] = {}
        self.ends: dict[tuple[float, ...], Visit] = {}
        self.labels: dict[tuple[int, str], int] = {}
        self.probabilities, self.payoffs = Interner(), Interner()

    def run(self, root: Any) -> None:
        """Visit `root` and all states below it.

        Raises
        ------
        InvalidGameError, UnsupportedGameError, GameTooLargeError
            See `from_open_spiel`.
        """
        parents, states = [-1], [root]
        next_parent = parents.pop
        next_state = states.pop
        note_parent = self.parent.append
        note_kind = self.kind.append
        visits = {CHANCE: self._lottery, OVER: self._end} | dict.fromkeys(
            range(self.num_players), self._infoset
        )
        while states:
            for node in range(len(self.kind), self.memory.next_look):
                state = next_state()
                player = state.current_player()
                visit = visits.get(player)
                if visit is None:
                    raise UnsupportedGameError(
                        f"OpenSpiel's player {player} moves after "
                        f"{state.history_str()!r}, but trees know no such player"
                    )
                kind, actions = visit(state, player)
                note_parent(next_parent())
                note_kind(kind)
                if actions:
                    states += map(state.child, actions[:0:-1])
                    # the state itself becomes its first child, which saves a copy
                    state.apply_action(actions[0])
                    states.append(state)
                    parents += [node] * len(actions)
                elif not states:
                    break
            self._check_limits(len(self.kind) + len(states))

    def _check_limits(self, num_nodes: int) -> None:
        tell(f"going through OpenSpiel's game: {num_nodes:,} nodes")
        why: str | None = ""
        if num_nodes > self.max_nodes:
            limit = f"{self.max_nodes:,} nodes"
        elif self.memory.is_used_up(len(self.kind)):
            limit = str(self.memory)
        elif self.walk is not None and num_nodes >= PROBED_FROM:
            limit, why = f"{self.max_nodes:,} nodes", why_too_large(self.walk, self.max_nodes)
            self.walk = None
            if why is None:
                return
        else:
            return
        raise GameTooLargeError(
            f"the game does not end within {limit}{why and f': {why}'}; {OR_RAISE}"
        )

    def _infoset(self, state: Any, player: int) -> Visit:
        key, legal = self.known(state), state.legal_actions()
        known = self.infosets[player].get(key)
        if known is None:
            name = state.action_to_string
            moves = [(action, name(player, action)) for action in legal]
            known = self.infosets[player][key] = (
                self._new(player, len(self.infoset_labels), -1, moves),
                legal,
            )
            self.edge_probability += [-1] * len(legal)
            self.infoset_labels.append(key)
        elif known[1] != legal:
            raise InvalidGameError(
                f"R8: the information set {key!r} has the actions {known[1]}, "
                f"but after {state.history_str()!r} {legal}; the player could tell the states apart"
            )
        return known

    def _lottery(self, state: Any, player: int) -> Visit:
        name, outcomes = state.action_to_string, state.chance_outcomes()
        key = tuple(
            [(action, probability, name(player, action)) for action, probability in outcomes]
        )
        known = self.lotteries.get(key)
        if known is None:
            actions = [action for action, _ in outcomes]
            exact = exact_lottery(
                tuple([probability for _, probability in outcomes]), self.chance_denominator
            )
            known = self.lotteries[key] = (
                self._new(CHANCE, -1, -1, [(action, called) for action, _, called in key]),
                actions,
            )
            self.edge_probability += map(self.probabilities, exact)
        return known

    def _end(self, state: Any, player: int) -> Visit:
        given = tuple(state.returns())
        known = self.ends.get(given)
        if known is None:
            known = self.ends[given] = (
                self._new(TERMINAL, -1, self.payoffs(tuple(map(simplest, given))), []),
                (),
            )
        return known

    def _new(self, player: int, infoset: int, payoff: int, moves: list[tuple[int, str]]) -> int:
        """Note a new kind; return its number."""
        rows = self.labels
        names = distinct_labels([name for _, name in moves])
        for (action, _), name in zip(moves, names, strict=True):
            self.edge_label.append(rows.setdefault((action, name), len(rows)))
        self.kinds.append((player, infoset, payoff, len(moves)))
        return len(self.kinds) - 1

    def tree(self) -> GameTree:
        """Return the tree of what was visited, in level order."""
        parent, kind = np.array(self.parent), np.array(self.kind)
        of_kind = dict(
            zip(("player", "infoset", "payoff", "num_moves"), np.array(self.kinds).T, strict=True)
        )
        # the last entries are the root's
        of_edge = {
            "label": np.array([*self.edge_label, -1]),
            "probability": np.array([*self.edge_probability, -1]),
        }
        num_moves = of_kind["num_moves"]
        first_edge, count = np.cumsum(num_moves) - num_moves, num_moves[kind]
        # the root, the children of node 0, those of node 1, ...
        siblings = np.argsort(parent, kind="stable")
        first = 1 + np.cumsum(count) - count  # where a node's children lie among the siblings
        nodes = siblings[level_order(first[siblings], count[siblings])]
        rank = np.empty_like(nodes)
        rank[nodes] = np.arange(len(nodes))
        place = np.empty_like(nodes)
        place[siblings] = np.arange(len(nodes))
        edge = np.where(parent >= 0, first_edge[kind[parent]] + place - first[parent], -1)[nodes]
        columns = {
            "parent": np.where(parent >= 0, rank[parent], -1)[nodes],
            "first_child": np.where(
                count > 0, rank[siblings[np.minimum(first, len(nodes) - 1)]], -1
            )[nodes],
            "num_children": count[nodes],
            **{name: of_kind[name][kind[nodes]] for name in ("player", "infoset", "payoff")},
            **{name: column[edge] for name, column in of_edge.items()},
        }
        return GameTree.from_columns(
            columns,
            num_players=self.num_players,
            probabilities=self.probabilities.values(),
            payoffs=self.payoffs.values(),
            labels=tuple(Move(*move) for move in self.labels),
            infoset_labels=tuple(self.infoset_labels),
        )
