"""From a GameTree to Gambit's .efg format: nodes in prefix order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from seqform.base.errors import GameFileError
from seqform.base.number import Number
from seqform.base.whole_file import reason, replacing
from seqform.game.rules import CHANCE, TERMINAL
from seqform.io.distinct_labels import written_names
from seqform.io.efg_tokens import exact_sum
from seqform.tree.tree import GameTree

NOT_PLAIN = re.compile(r"[^ -~]|\\\Z")
"""What no label may hold; a backslash at its end would escape the quote."""


def write_efg(tree: GameTree, path: Path | str, title: str = "") -> None:
    """Write a game as Gambit's .efg file.

    A file that is there stays whole until the new one is complete.

    Raises
    ------
    GameFileError
        If the format cannot hold the game (see `efg_text`), or the file cannot be written.
    """
    try:
        with replacing(path) as file:
            file.writelines(line.encode() for line in _lines(tree, title))
    except OSError as error:
        raise GameFileError(f"cannot write {path}: {reason(error)}") from None


def efg_text(tree: GameTree, title: str = "") -> str:
    """Return a game as a text in Gambit's .efg format.

    Information sets are numbered for each player in the order in which they come, and named by
    their labels; outcomes are the tree's distinct payoff vectors. A float is written as the
    shortest decimal that is the same float again. Gambit insists on printable ASCII, single spaces,
    and different names for the information sets of a player: labels are written so, with other
    characters escaped.

    Raises
    ------
    GameFileError
        If probabilities of chance do not sum to one when written so.
    """
    return "".join(_lines(tree, title))


def _lines(tree: GameTree, title: str) -> Iterator[str]:
    players = " ".join(map(quoted, written_names(tree.given.players, tree.num_players)))
    yield f'EFG 2 R {quoted(title)} {{ {players} }}\n""\n\n'
    writer = _NodeWriter(tree)
    stack = [0]
    while stack:
        node = stack.pop()
        stack += reversed(writer.children(node))
        yield f"{writer.move(node)} {writer.outcome(node)}\n"


class _NodeWriter:
    """Writes one node after another.

    Definitions are made once and repeated at every node, as some readers insist on them.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.player = tree.player.tolist()
        self.infoset = tree.infoset.tolist()
        self.payoff = tree.payoff.tolist()
        self.first_child, self.num_children = tree.first_child.tolist(), tree.num_children.tolist()
        self.label, self.probability = tree.label.tolist(), tree.probability.tolist()
        self.labels = [quoted(tree.action_text(label)) for label in tree.labels]
        self.names_of_nodes = [quoted(text) for text in tree.given.nodes]
        self.probabilities = [number_text(number) for number in tree.probabilities]
        self.infosets: defaultdict[int, dict[int, str]] = defaultdict(dict)  # for each player
        self.names: defaultdict[int, set[str]] = defaultdict(set)
        self.outcomes: dict[int, str] = {-1: "0"}
        self.lotteries: dict[tuple[tuple[int, int], ...], str] = {}
        self.num_lotteries = 0

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = self.first_child[node]
        return range(first, first + self.num_children[node])

    def move(self, node: int) -> str:
        """Write who moves, and how."""
        player = self.player[node]
        name = self.names_of_nodes[node] if self.names_of_nodes else '""'
        if player == TERMINAL:
            return f"t {name}"
        if player == CHANCE:
            return f"c {name} {self._lottery(node)}"
        known, infoset = self.infosets[player], self.infoset[node]
        text = known.get(infoset)
        if text is None:
            text = known[infoset] = self._infoset(len(known) + 1, node)
        return f"p {name} {text}"

    def outcome(self, node: int) -> str:
        """Write what is paid on arriving at a node."""
        row = self.payoff[node]
        text = self.outcomes.get(row)
        if text is None:
            number = len(self.outcomes)
            text = self.outcomes[row] = (
                f'{number} "" {{ {", ".join(map(number_text, self.tree.payoffs[row]))} }}'
            )
        return text

    def _infoset(self, number: int, node: int) -> str:
        player, label = self.player[node], self.tree.infoset_text(self.infoset[node])
        name = quoted(label)
        while name in self.names[player]:
            name = quoted(label := f"{label} ({number})")
        self.names[player].add(name)
        actions = " ".join(self.labels[self.label[child]] for child in self.children(node))
        return f"{player + 1} {number} {name} {{ {actions} }}"

    def _lottery(self, node: int) -> str:
        # Gambit wants chance to have perfect recall too: each node is its own information set.
        self.num_lotteries += 1
        children = self.children(node)
        key = tuple([(self.label[child], self.probability[child]) for child in children])
        edges = self.lotteries.get(key)
        if edges is None:
            edges = self.lotteries[key] = " ".join(
                f"{self.labels[label]} {self.probabilities[p]}" for label, p in key
            )
            if exact_sum([Fraction(self.probabilities[p]) for _, p in key]) != 1:
                raise GameFileError(
                    f"the probabilities at {self.tree.describe(node)}, "
                    f"{edges[:80]} ..., do not sum to exactly 1, which .efg files need; "
                    "give them as fractions, such as Fraction(1, 3)"
                )
        return f'{self.num_lotteries} "" {{ {edges} }}'


def number_text(number: Number) -> str:
    """Return a number as Gambit reads it."""
    return str(number).replace("e+", "e")  # it knows no plus


def quoted(text: str) -> str:
    """Return a label in quotes, in printable ASCII and with single spaces."""
    plain = NOT_PLAIN.sub(
        lambda found: "".join(f"\\x{byte:02x}" for byte in found[0].encode()),
        " ".join(text.split()),
    )
    return '"' + plain.replace('"', '\\"') + '"'
