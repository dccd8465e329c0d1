"""From an .efg text to a GameTree: one node after another, in prefix order, with an explicit stack.

References
----------
Gambit's documentation, "Game representation formats", section "The extensive game (.efg) file
format".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from seqform.base.number import Number
from seqform.base.summary import counted
from seqform.io.distinct_labels import distinct_labels, given_names
from seqform.io.efg_tokens import Tokens, exact_sum
from seqform.io.game_text import read_text
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

CHANCE_PLAYER = 0
"""Chance's number among the players of a file, who are 1, 2, ..."""


def read_efg(path: Path | str) -> GameTree:
    """Read Gambit's .efg file.

    Numbers stay exact. The label of an information set is its name, or its number where the name is
    empty or not its own. Moves of a node that are called the same, or nothing, are numbered.

    Raises
    ------
    GameFileError
        If the file cannot be read, or is not a valid game: with line and column, and what
        to do.
    GameTooLargeError
        If the memory does not suffice.
    """
    path = Path(path)
    return parse_efg(read_text(path), str(path))


def parse_efg(text: str, source: str = "the text") -> GameTree:
    """Return the game of an .efg text; `source` is what errors call the text. See `read_efg`."""
    return _Reader(Tokens(text, source)).read()


class _Definition(NamedTuple):
    """What a number of an information set or outcome stands for."""

    name: str
    content: tuple[Any, ...]


class _Reader:
    """The parser's state: its place in the text, the tree so far, and what was defined so far."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        players = self._header()
        self.builder = TreeBuilder(len(players), player_names=given_names(players))
        self.infosets: dict[tuple[int, int], _Definition] = {}
        self.outcomes: dict[int, _Definition] = {}

    def read(self) -> GameTree:
        """Read nodes until none is missing, and nothing after them."""
        readers = {"c": self._chance, "p": self._decision, "t": self._terminal}
        pending = [self.builder.root]
        while pending:
            read_node = readers.get(self.tokens.value)
            if read_node is None:
                raise self.tokens.unexpected(
                    f"one of {len(pending):,} missing nodes ('c', 'p' or 't')"
                )
            self.tokens.advance()
            self.tokens.text("the node's name")
            pending += reversed(read_node(pending.pop()))
        if self.tokens.kind != "end":
            raise self.tokens.error(
                "the game is complete here, but the text goes on; "
                "remove the rest, or correct the number of actions above"
            )
        tree = self.builder.freeze()
        return replace(tree, infoset_labels=self._labels(tree))

    def _header(self) -> list[str]:
        """Read everything before the first node; return the names of the players."""
        tokens = self.tokens
        if tokens.value != "EFG":
            raise tokens.unexpected("an .efg file, which begins with EFG 2 R")
        tokens.advance()
        if tokens.value != "2":
            raise tokens.unexpected("version 2 of the format")
        tokens.advance()
        if tokens.value not in ("R", "D"):
            raise tokens.unexpected("R or D")
        tokens.advance()
        tokens.text("the title")
        tokens.take("open", "the players")
        players = []
        while tokens.kind == "text":
            players.append(tokens.text("the name of a player"))
        if not players:
            raise tokens.error("there are no players; a game needs at least one (R1)")
        tokens.take("close", "the end of the players")
        if tokens.kind == "text":
            tokens.text("the comment")
        return players

    def _chance(self, node: int) -> list[int]:
        number = self.tokens.whole("the information set of chance")
        outcomes = self._defined(
            self.infosets,
            (CHANCE_PLAYER, number),
            f"information set {number} of chance",
            self._lottery,
        )
        children = self.builder.chance(node, outcomes)
        self._pay(node)
        return children

    def _decision(self, node: int) -> list[int]:
        offset = self.tokens.offset
        player = self.tokens.whole("the player")
        if not 1 <= player <= self.builder.num_players:
            raise self.tokens.error(
                f"there is no player {player}; the players are 1..{self.builder.num_players}",
                offset,
            )
        number = self.tokens.whole("the information set")
        actions = self._defined(
            self.infosets,
            (player, number),
            f"information set {number} of player {player}",
            self._actions,
        )
        children = self.builder.decision(node, player - 1, number, actions)
        self._pay(node)
        return children

    def _terminal(self, node: int) -> list[int]:
        self.builder.terminal(node, self._outcome() or (0,) * self.builder.num_players)
        return []

    def _pay(self, node: int) -> None:
        payoffs = self._outcome()
        if payoffs is not None:
            self.builder.reward(node, payoffs)

    def _outcome(self) -> tuple[Number, ...] | None:
        """Read an outcome; return its payoffs, or None for the outcome 0, which pays nothing."""
        number = self.tokens.whole("the outcome")
        return (
            self._defined(self.outcomes, number, f"outcome {number}", self._payoffs)
            if number
            else None
        )

    def _defined(
        self,
        known: dict[Any, _Definition],
        key: Hashable,
        what: str,
        read_content: Callable[[], tuple[Any, ...]],
    ) -> tuple[Any, ...]:
        """Return what `key` stands for: as defined above, or here; the two must agree."""
        definition = known.get(key)
        if self.tokens.kind != "text":
            if definition is None and self.tokens.kind == "bad":
                raise self.tokens.unexpected(f"the definition of {what}")
            if definition is None:
                raise self.tokens.error(
                    f"{what} is not defined yet; write its name and content where it comes first"
                )
            return definition.content
        offset = self.tokens.offset
        here = _Definition(self.tokens.text("the name"), read_content())
        if known.setdefault(key, here) != here:
            raise self.tokens.error(
                f"{what} is defined here in another way than above; "
                "let the definitions agree, or leave this one out",
                offset,
            )
        return here.content

    def _actions(self) -> tuple[str, ...]:
        tokens, actions = self.tokens, []
        tokens.take("open", "the actions")
        while tokens.kind != "close":
            actions.append(tokens.text("an action"))
        if not actions:
            raise tokens.error(
                "a player needs at least one action; use a node 't' for the end of the game (R3)"
            )
        tokens.advance()
        return distinct_labels(actions)

    def _lottery(self) -> tuple[tuple[str, Number], ...]:
        tokens, labels, probabilities = self.tokens, [], []
        offset = tokens.offset
        tokens.take("open", "the actions of chance")
        while tokens.kind != "close":
            label = tokens.text("an action of chance")
            if tokens.value.startswith("-"):
                raise tokens.error(
                    f"the probability of {label!r} is negative; use a number from 0 to 1 (R4)"
                )
            labels.append(label)
            probabilities.append(tokens.number(f"the probability of {label!r}"))
        total = exact_sum(probabilities)
        if total is None:
            raise tokens.error(
                "the probabilities have no common denominator "
                "of reasonable length; write shorter fractions",
                offset,
            )
        if total != 1:
            raise tokens.error(
                f"the probabilities sum to {total}, not to 1; fractions such as 1/3 are exact (R4)",
                offset,
            )
        tokens.advance()
        return tuple(zip(distinct_labels(labels), probabilities, strict=True))

    def _payoffs(self) -> tuple[Number, ...]:
        tokens, payoffs = self.tokens, []
        offset = tokens.offset
        tokens.take("open", "the payoffs")
        while tokens.kind != "close":
            payoffs.append(tokens.number("a payoff"))
            if tokens.kind == "comma":
                tokens.advance()
        tokens.advance()
        if len(payoffs) != self.builder.num_players:
            raise tokens.error(
                f"{counted(len(payoffs), 'payoff')} for "
                f"{counted(self.builder.num_players, 'player')}; "
                "give one each (R5)",
                offset,
            )
        return tuple(payoffs)

    def _labels(self, tree: GameTree) -> tuple[str, ...]:
        """Return labels of the tree's information sets, different for one player."""
        players = (player + 1 for player in tree.infoset_player.tolist())
        numbers: Any = tree.infoset_labels
        keys = list(zip(players, numbers, strict=True))
        names = [self.infosets[key].name for key in keys]
        count = Counter((player, name) for (player, _), name in zip(keys, names, strict=True))
        labels = []
        for (player, number), name in zip(keys, names, strict=True):
            label = name if name and count[player, name] == 1 else str(number)
            # the number may be the name of another information set
            while label != name and count[player, label]:
                label = f"#{label}"
            labels.append(label)
        return tuple(labels)
