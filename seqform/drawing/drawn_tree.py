"""DrawnTree: the part of a game that a picture shows, walked down from a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise
from math import inf
from typing import Any, NamedTuple

from seqform.base.errors import GameTooLargeError
from seqform.base.number import Number
from seqform.base.pictures import PICTURES
from seqform.base.summary import counted
from seqform.game.labels import GivenLabels
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.builder import TreeBuilder
from seqform.tree.views import View, mistakes_named

MAX_NODES = 800
"""Nodes of a picture that can still be read."""

PAGE_ENDS = 60
"""Ends of a tree that grows to the right on a page of 11 inches."""

LONGEST_NAME = 14
"""Letters of the name of an information set that stands in a node because there are no lines."""

SUM_TOLERANCE = 1e-9
"""How far from zero, as a share of the larger one, values may add up that are shown as one player's
gain and the other's loss."""


@dataclass(frozen=True)
class DrawnNode:
    """A node of the picture and the edge that leads to it.

    Parameters
    ----------
    parent, depth
        Its parent, -1 for the first node, and moves from there.
    player
        Who moves: a player, `CHANCE` or `TERMINAL`.
    label, probability, weight
        Of the edge into it: the move, chance's probability, and the solution's, for the player's
        moves of a solved game.
    infoset, key
        Label of a decision's information set, and what tells it from the player's others.
    payoffs, value
        What each player is paid on arriving here, if anything; what each gets from here on, that
        included, if values are shown.
    board
        The game's own drawing of the state, if any.
    is_cut
        Whether the game goes on below and the picture does not.
    is_reached
        Whether a solution, if one is shown, says what is done here; it says nothing where the
        player's own moves never lead.
    is_on_path
        Whether play ever comes to its information set, in a solution that is shown.
    is_pruned
        Whether alpha-beta does not look at the edge into it, or at one above.
    """

    parent: int
    depth: int
    player: int
    label: Hashable = None
    probability: Number | None = None
    weight: float | None = None
    infoset: Hashable = None
    key: Hashable = None
    payoffs: tuple[Number, ...] | None = None
    value: tuple[Number, ...] | None = None
    board: str = ""
    is_cut: bool = False
    is_reached: bool = True
    is_on_path: bool = True
    is_pruned: bool = False


@dataclass(frozen=True, repr=False)
class DrawnTree:
    """Nodes in level order: parents before children, siblings in the order of their moves."""

    nodes: tuple[DrawnNode, ...]
    num_players: int
    unit: str
    left_out: str = ""
    """What is not drawn because there is too much of it, in words, with semicolons between."""
    most_joined: int | None = None
    """Information sets of a level whose lines run behind others; of levels with more, none have
    lines, and names stand in their nodes."""
    folds: bool = False
    """Whether moves that are alike by symmetry are drawn once."""
    begins: str = ""
    """The moves from the root of the game to where the picture begins."""

    player_names: tuple[str, ...] = ()
    """What players are called, if they have names."""

    def player_text(self, player: int) -> str:
        """Return how a player is written: by the number, and the name if there is one."""
        return GivenLabels(self.player_names).player(player)

    def __repr__(self) -> str:
        return f"DrawnTree of {counted(len(self.nodes), 'node')}"

    def _repr_svg_(self) -> str:
        """Return the picture, as notebooks show it."""
        return str(PICTURES.get("drawn tree")(self))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for child, node in enumerate(self.nodes[1:], start=1):
            below[node.parent].append(child)
        return tuple(map(tuple, below))

    @cached_property
    def num_ends(self) -> int:
        """How many nodes have no children."""
        return sum(not children for children in self.children)

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The nodes of each depth."""
        return tuple(
            tuple(level)
            for _, level in groupby(range(len(self.nodes)), key=lambda node: self.nodes[node].depth)
        )

    def cut(self, depth: int) -> DrawnTree:
        """Return the tree with what lies deeper than `depth` left out."""
        kept = (node for node in self.nodes if node.depth <= depth)
        nodes = (
            replace(node, is_cut=node.is_cut or node.player != TERMINAL)
            if node.depth == depth
            else node
            for node in kept
        )
        return replace(self, nodes=tuple(nodes))

    @cached_property
    def infosets(self) -> dict[tuple[int, Hashable], tuple[int, ...]]:
        """The drawn nodes of each information set, by player and key."""
        members: dict[tuple[int, Hashable], list[int]] = {}
        for number, node in enumerate(self.nodes):
            if node.player >= 0:
                members.setdefault((node.player, node.key), []).append(number)
        return {key: tuple(numbers) for key, numbers in members.items()}

    @cached_property
    def joined(self) -> dict[tuple[int, Hashable], tuple[int, ...]]:
        """Those of `infosets` whose nodes a picture joins, by player and key."""
        found = {key: nodes for key, nodes in self.infosets.items() if len(nodes) > 1}
        if self.most_joined is None:
            return found
        rank = {node: place for level in self.levels for place, node in enumerate(level)}
        count = Counter(
            self.nodes[nodes[0]].depth
            for nodes in found.values()
            if any(rank[b] - rank[a] > 1 for a, b in pairwise(nodes))
        )
        most = self.most_joined
        return {
            key: nodes for key, nodes in found.items() if count[self.nodes[nodes[0]].depth] <= most
        }

    @cached_property
    def names(self) -> dict[tuple[int, Hashable], str]:
        """What stands in the nodes of information sets that are not joined, by player and key.

        The set's own label where all of a level are short, else a number.
        """
        lost = [key for key, of in self.infosets.items() if len(of) > 1 and key not in self.joined]
        labels = {key: str(self.nodes[self.infosets[key][0]].infoset) for key in lost}
        depths = {key: self.nodes[self.infosets[key][0]].depth for key in lost}
        long = {depths[key] for key in lost if not 0 < len(labels[key]) <= LONGEST_NAME}
        return {
            key: f"#{number}" if depths[key] in long else labels[key]
            for number, key in enumerate(lost, start=1)
        }

    @cached_property
    def is_zero_sum(self) -> bool:
        """Whether there are two players, and one gets what the other loses in all shown."""
        shown = [
            vector
            for node in self.nodes
            for vector in (node.payoffs, node.value)
            if vector is not None
        ]
        return self.num_players == 2 and all(
            abs(float(u + v)) <= SUM_TOLERANCE * max(1.0, abs(float(u))) for u, v in shown
        )

    @cached_property
    def is_pure(self) -> bool:
        """Whether a solution is shown and plays every move shown surely or never."""
        weights = {node.weight for node in self.nodes} - {None}
        return bool(weights) and weights <= {0.0, 1.0}

    @cached_property
    def meaning(self) -> str:
        """Whose payoffs and values are shown, and their unit; empty if there are none."""
        valued = any(node.value is not None for node in self.nodes)
        paid = any(node.payoffs is not None for node in self.nodes)
        words = " and ".join(
            word for word, is_shown in (("payoffs", paid), ("values", valued)) if is_shown
        )
        if not words:
            return ""
        if self.is_zero_sum:
            return f"{words} to {self.player_text(0)}, in {self.unit}"
        return f"{words} in {self.unit}, by player"


class _Arrival(NamedTuple):
    """A state to be visited and the edge into it."""

    state: Any
    parent: int
    label: Hashable = None
    probability: Number | None = None
    weight: float | None = None


def walk(
    game: View,
    start: Any,
    max_depth: int | None = None,
    max_nodes: int = MAX_NODES,
    value: Callable[[Any], tuple[Number, ...] | None] | None = None,
    behavior: Callable[[Any], Sequence[float] | None] | None = None,
    is_on_path: Callable[[Any], bool] | None = None,
    fit: bool = False,
    max_ends: float = inf,
    skipped: Callable[[tuple[Hashable, ...]], Sequence[Hashable]] | None = None,
) -> DrawnTree:
    """Return the tree below `start`, level by level.

    Parameters
    ----------
    game, start
        The game, and a state of it.
    max_depth
        Moves from `start` to the deepest nodes; None for all.
    max_nodes
        The most nodes to return.
    value, behavior
        What a solution says at a state: what each player gets from there on, and the probability of
        each move of a decision; None where it says nothing.
    is_on_path
        Whether play comes to the information set of a decision.
    fit
        Whether to end where `max_nodes` and `max_ends` are enough, and say so in `left_out`.
    max_ends
        How many nodes may have no children.
    skipped
        Of the moves from `start` to a node, which of its moves alpha-beta does not look at.

    Raises
    ------
    GameTooLargeError
        With the greatest depth at which `max_nodes` are enough, unless the picture ends there.
    InvalidGameError
        If what is drawn breaks a requirement of docs/data-model.md.
    """
    nodes: list[DrawnNode] = []
    level, depth, ended, left_out = [_Arrival(start, -1)], 0, 0, ""
    while level:
        if len(nodes) + len(level) > max_nodes or ended + len(level) > max_ends:
            if not (fit and nodes):
                raise _too_large(len(nodes) + len(level), depth, max_nodes)
            count = len(nodes) + len(level)
            left_out = (
                f"all below {counted(depth - 1, 'move')}, as the next would make "
                f"{counted(count, 'node')}"
            )
            nodes = list(DrawnTree(tuple(nodes), game.num_players, game.unit).cut(depth - 1).nodes)
            break
        below: list[_Arrival] = []
        for arrival in level:
            with mistakes_named(arrival.state):
                node = _node(game, arrival, depth, depth == max_depth, value)
                weights = behavior(arrival.state) if behavior and node.player >= 0 else None
                if behavior and node.player >= 0:
                    there = is_on_path is None or is_on_path(arrival.state)
                    node = replace(node, is_reached=weights is not None, is_on_path=there)
                if node.player != TERMINAL and not node.is_cut:
                    below += _moves(game, arrival.state, len(nodes), weights)
            nodes.append(node)
            ended += node.player == TERMINAL
        level, depth = below, depth + 1
    if skipped is not None:
        nodes = _pruned(nodes, skipped)
    names = game.player_names
    tree = DrawnTree(tuple(nodes), game.num_players, game.unit, left_out, player_names=names)
    _validate(tree)
    return tree


def _pruned(
    nodes: Sequence[DrawnNode], skipped: Callable[[tuple[Hashable, ...]], Sequence[Hashable]]
) -> list[DrawnNode]:
    """Return the nodes, those marked that alpha-beta does not look at."""
    found: list[DrawnNode] = []
    paths: list[tuple[Hashable, ...]] = []
    for node in nodes:
        if node.parent < 0:
            paths.append(())
            found.append(node)
            continue
        above = paths[node.parent]
        is_pruned = found[node.parent].is_pruned or node.label in skipped(above)
        paths.append((*above, node.label))
        found.append(replace(node, is_pruned=is_pruned))
    return found


def _node(
    game: View,
    arrival: _Arrival,
    depth: int,
    is_last: bool,
    value: Callable[[Any], tuple[Number, ...] | None] | None,
) -> DrawnNode:
    state, player = arrival.state, game.player(arrival.state)
    infoset = game.infoset(state) if player >= 0 else None
    return DrawnNode(
        parent=arrival.parent,
        depth=depth,
        player=player,
        label=arrival.label,
        probability=arrival.probability,
        weight=arrival.weight,
        infoset=infoset and infoset.label,
        key=infoset and infoset.key,
        payoffs=game.payoffs(state),
        value=value(state) if value else None,
        board=game.board(state),
        is_cut=game.is_rest(state) or (is_last and player != TERMINAL),
    )


def _moves(game: View, state: Any, parent: int, weights: Sequence[float] | None) -> list[_Arrival]:
    edges = game.edges(state)
    each: Sequence[float | None] = [None] * len(edges) if weights is None else weights
    return [
        _Arrival(edge.state, parent, edge.label, edge.probability, weight)
        for edge, weight in zip(edges, each, strict=True)
    ]


def _too_large(num_nodes: int, depth: int, max_nodes: int) -> GameTooLargeError:
    return GameTooLargeError(
        f"{num_nodes:,} nodes down to depth {depth}, "
        f"more than the {max_nodes:,} that can be drawn: use max_depth={depth - 1}, "
        "the greatest that fits, or begin further down (start=...)"
    )


def _validate(tree: DrawnTree) -> None:
    """Check what is drawn as the game tree that it is if the game ends where the picture does."""
    builder = TreeBuilder(tree.num_players)
    handles = [builder.root] * len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        here, children = handles[number], tree.children[number]
        moves = [tree.nodes[child] for child in children]
        if node.is_cut or node.player == TERMINAL:
            builder.terminal(here, node.payoffs or (0,) * (tree.num_players if node.is_cut else 0))
            continue
        if node.payoffs is not None:
            builder.reward(here, node.payoffs)
        if node.player == CHANCE:
            below = builder.chance(here, [(move.label, move.probability or 0) for move in moves])
        else:
            labels = [move.label for move in moves]
            below = builder.decision(here, node.player, node.key, labels)
        for child, handle in zip(children, below, strict=True):
            handles[child] = handle
    builder.freeze()
