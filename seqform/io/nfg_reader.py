"""From an .nfg text, Gambit's normal form, to a GameTree: players move in turn, seeing nothing.

References
----------
Gambit's documentation, "Game representation formats", section "The strategic game (.nfg) file
format".
"""

from __future__ import annotations

from itertools import accumulate
from math import prod
from operator import mul
from pathlib import Path

from seqform.base.memory import require_memory
from seqform.base.number import Number
from seqform.base.summary import counted
from seqform.io.distinct_labels import distinct_labels, given_names
from seqform.io.efg_tokens import Tokens
from seqform.io.game_text import read_text
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

BYTES_PER_NODE = 400
"""Peak memory while the tree is built, for each node: measured on a million."""

MOST_STRATEGIES = 10**9
"""More than the combinations that any file lists, and few enough to be counted."""

Payoffs = tuple[Number, ...]


def read_nfg(path: Path | str) -> GameTree:
    """Read Gambit's .nfg file, with payoffs or with outcomes.

    The tree is that of a game in one shot. Player 0 chooses a strategy, then player 1, who does not
    see it, and so on. Numbers stay exact.

    Raises
    ------
    GameFileError
        If the file cannot be read, or is not a valid game: with line and column, and what to do.
    GameTooLargeError
        If the memory does not suffice.
    """
    path = Path(path)
    return parse_nfg(read_text(path), str(path))


def parse_nfg(text: str, source: str = "the text") -> GameTree:
    """Return the game of an .nfg text; `source` is what errors call the text. See `read_nfg`.

    Examples
    --------
    >>> tree = parse_nfg('NFG 1 R "pennies" { "A" "B" } { 2 2 } 1 -1 -1 1 -1 1 1 -1')
    >>> tree.num_nodes, tree.infoset_labels
    (7, ('A', 'B'))
    """
    return _Reader(Tokens(text, source)).read()


class _Reader:
    """The parser's state: its place in the text, and what the header says."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._version()
        self.players = distinct_labels(self._texts("the players"))
        if not self.players:
            raise tokens.error("there are no players; a game needs at least one (R1)")
        self.strategies = self._strategies()
        if tokens.kind == "text":
            tokens.text("the comment")

    def read(self) -> GameTree:
        """Read what each combination of strategies pays, and nothing after it."""
        listed = self._outcomes() if self.tokens.kind == "open" else self._payoffs()
        wanted = prod(map(len, self.strategies))
        if len(listed) != wanted:
            sizes = " x ".join(str(len(names)) for names in self.strategies)
            raise self.tokens.error(
                f"{sizes} strategies make {wanted:,} combinations, and the text says what "
                f"{len(listed):,} of them pay; list each once, player 1's strategy first to change"
            )
        return self._tree(listed)

    def _version(self) -> None:
        tokens = self.tokens
        for values, what in (
            (("NFG",), "an .nfg file, which begins with NFG 1 R"),
            (("1",), "version 1 of the format"),
            (("R", "D"), "R or D"),
        ):
            if tokens.value not in values:
                raise tokens.unexpected(what)
            tokens.advance()
        tokens.text("the title")

    def _texts(self, what: str) -> list[str]:
        tokens, texts = self.tokens, []
        tokens.take("open", what)
        while tokens.kind == "text":
            texts.append(tokens.text(what))
        tokens.take("close", f"the end of {what}")
        return texts

    def _strategies(self) -> list[tuple[str, ...] | range]:
        """Return the strategies of each player: names, or as many numbers from 1 on."""
        tokens = self.tokens
        offset = tokens.offset
        tokens.take("open", "the strategies")
        found: list[tuple[str, ...] | range] = []
        while tokens.kind != "close":
            if tokens.kind == "open":
                found.append(distinct_labels(self._texts("the strategies of a player")))
            else:
                number = tokens.whole("the number of strategies")
                found.append(range(1, min(number, MOST_STRATEGIES) + 1))
        tokens.advance()
        if len(found) != len(self.players) or not all(map(len, found)):
            raise tokens.error(
                f"{counted(len(self.players), 'player needs', 'players need')} a list of "
                "strategies each, "
                "or their number, of at least one (R3)",
                offset,
            )
        return found

    def _payoffs(self) -> list[Payoffs]:
        """Return the payoffs of the combinations as they are listed, number after number."""
        tokens, numbers = self.tokens, []
        while tokens.kind != "end":
            numbers.append(tokens.number("a payoff"))
        players = len(self.players)
        if len(numbers) % players:
            raise tokens.error(
                f"{counted(len(numbers), 'payoff is', 'payoffs are')} no multiple of "
                f"{counted(players, 'player')}; give one each (R5)"
            )
        return list(zip(*[iter(numbers)] * players, strict=True))

    def _outcomes(self) -> list[Payoffs]:
        """Return the payoffs of the combinations, each by the number of its outcome."""
        tokens = self.tokens
        tokens.take("open", "the outcomes")
        outcomes: list[Payoffs] = [(0,) * len(self.players)]  # number 0 pays nothing
        while tokens.kind != "close":
            outcomes.append(self._outcome())
        tokens.advance()
        listed = []
        while tokens.kind != "end":
            offset, number = tokens.offset, tokens.whole("the number of an outcome")
            if not 0 <= number < len(outcomes):
                raise tokens.error(
                    f"there is no outcome {number}; they are 1..{len(outcomes) - 1}, or 0", offset
                )
            listed.append(outcomes[number])
        return listed

    def _outcome(self) -> Payoffs:
        tokens, payoffs = self.tokens, []
        offset = tokens.offset
        tokens.take("open", "an outcome")
        tokens.text("the name of an outcome")
        while tokens.kind != "close":
            payoffs.append(tokens.number("a payoff"))
            if tokens.kind == "comma":
                tokens.advance()
        tokens.advance()
        if len(payoffs) != len(self.players):
            raise tokens.error(
                f"{counted(len(payoffs), 'payoff')} for {counted(len(self.players), 'player')}; "
                "give one each (R5)",
                offset,
            )
        return tuple(payoffs)

    def _tree(self, listed: list[Payoffs]) -> GameTree:
        """Return the tree in which all choose in turn; the strategy of the first changes first."""
        nodes = 1 + sum(accumulate(map(len, self.strategies), mul))
        require_memory(
            BYTES_PER_NODE * nodes, f"a tree with {nodes:,} nodes", "use fewer strategies"
        )
        builder = TreeBuilder(len(self.players), player_names=given_names(self.players))
        level, stride = [(builder.root, 0)], 1
        for player, names in enumerate(self.strategies):
            actions, below = tuple(map(str, names)), []
            for node, place in level:
                children = builder.decision(node, player, self.players[player], actions)
                below += [(child, place + stride * i) for i, child in enumerate(children)]
            level, stride = below, stride * len(actions)
        for node, place in level:
            builder.terminal(node, listed[place])
        return builder.freeze()
