"""Subgame-perfect equilibrium in pure strategies, of games of perfect information.

An answer is an `Induction`, on the rules of a game, or a `TreeInduction`, on its tree. It is
certified by the one-shot deviation check, which computes all values from the strategies and uses
none that the answer claims. It is saved as `strategy.csv`: for each decision of the tree, in the
order of the nodes, the child that is chosen. See `COLUMNS`.
"""

from __future__ import annotations

import csv
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.base.number import amount, float_above
from seqform.base.summary import counted
from seqform.concepts.line_of_play import ANSWER, LINE, finite, line_record, values_record
from seqform.game.rules import Game
from seqform.perfect_information.decision import Values, to_words
from seqform.perfect_information.induction import Induction
from seqform.perfect_information.one_shot_deviations import OneShotCertificate, check_one_shot

if TYPE_CHECKING:
    from seqform.base.arrays import Index
    from seqform.perfect_information.rounding import Extent
    from seqform.perfect_information.tree_induction import TreeInduction
    from seqform.tree.tree import GameTree

STRATEGY = "strategy.csv"

COLUMNS = ("node", "player", "infoset", "action", "child")
"""Of `strategy.csv`: a decision node, who moves there, the label of its information set, the action
chosen, and the node that it leads to. One row for each decision, in the order of the nodes."""


@dataclass(frozen=True)
class SubgamePerfectCertificate:
    """What the one-shot deviation check proves; amounts are in the game's unit.

    Parameters
    ----------
    one_shot
        What the strategies pay, and the largest gain from one deviation.
    line
        The actions that are played, from the root up to a chance node or the end.
    scale
        The largest amount paid at one node.
    sums_to_zero
        Whether all that is paid at a node adds up to 0.
    """

    one_shot: OneShotCertificate
    line: tuple[Hashable, ...]
    scale: float
    sums_to_zero: bool

    @property
    def is_constant_sum(self) -> bool:
        """Whether the game is zero-sum and for two players, so that it has one value."""
        return self.sums_to_zero and len(self.values) == 2

    @property
    def values(self) -> Values:
        """What the strategies pay each player; exact on exact payoffs."""
        return self.one_shot.value

    @property
    def gap(self) -> float:
        """The largest gain from one deviation, rounding errors included; 0 is exact."""
        return float_above(self.one_shot.gap)

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Return the values, the certificate and the line of play, for people."""
        return [
            ("certificate", self._in_words(unit)),
            ("best line of play", " > ".join(map(str, self.line)) or "(none known)"),
        ]

    def certainty(self, unit: str) -> str:
        """Say how sure the strategies are, in a sentence."""
        decisions = counted(self.one_shot.num_decisions, "decision")
        if self.gap <= 0:
            return f"proven: at none of {decisions} does a deviation gain anything"
        most = amount(f"{self.gap:.2g}", unit)
        return f"certified: at none of {decisions} does a deviation gain more than {most}"

    def highlights(self, unit: str) -> list[tuple[str, str]]:
        """Return the line of play."""
        return [(LINE, " > ".join(map(str, self.line)))] if self.line else []

    def record(self) -> dict[str, Any]:
        """Return the same as JSON values; `decisions` are distinct states, or nodes of a tree."""
        return {
            **values_record(self.values, self.is_constant_sum),
            **line_record(self.line),
            "largest_one_shot_gain": finite(float_above(self.one_shot.largest_gain)),
            "decisions": self.one_shot.num_decisions,
        }

    def _in_words(self, unit: str) -> str:
        found = self.one_shot
        gain = f"largest gain from one deviation {to_words(found.largest_gain)}"
        who = "" if found.player is None else f", of player {found.player} at {found.state!r}"
        error = f", up to rounding errors of {found.rounding:.3g} {unit}" if found.rounding else ""
        return f"{gain}{who}, over {counted(found.num_decisions, 'decision')}{error}"


class SubgamePerfect:
    """Nobody gains by deviating, in any subgame."""

    name = "subgame-perfect"
    keys = (*ANSWER, "largest_one_shot_gain", "decisions")
    keeps_tree = True

    def prepare(self, game: Any) -> GameTree:
        """Return the tree of a game."""
        return _tree(game)

    def certify(self, game: Any, answer: Induction | TreeInduction) -> SubgamePerfectCertificate:
        """Return what an answer proves.

        Parameters
        ----------
        game
            Rules, tree, signal game or sequence form. A `TreeInduction` is judged on the tree.
        answer
            What backward induction returned, or `load` read.

        Raises
        ------
        InvalidStrategyError
            If the answer takes an action that does not exist, or is of another type.
        UnsupportedGameError
            If information is hidden.
        """
        if isinstance(answer, Induction):
            rules = _rules(game)
            found = check_one_shot(rules, answer)
            label = getattr(rules, "action_label", None)
            line = answer.principal_variation()
            line = line if label is None else tuple(map(label, line))
            return _certificate(found, line, answer.extent)
        from seqform.perfect_information.tree_induction import TreeInduction, extent_of

        if not isinstance(answer, TreeInduction):
            raise InvalidStrategyError(
                f"{type(answer).__name__} is not an answer of backward induction; "
                "give an Induction or a TreeInduction"
            )
        tree = _tree(game)
        found = check_one_shot(tree, answer)
        path = tree.path(answer.path()[-1])
        line = tuple(tree.given.actions.get(action, action) for action in path)
        return _certificate(found, line, extent_of(tree))

    def save(self, game: Any, answer: Induction | TreeInduction, folder: Path) -> None:
        """Write `strategy.csv`: what is done at each decision of the game's tree.

        Parameters
        ----------
        game
            The tree that is saved beside it, or what it is built from.
        answer
            Of this tree, or of the rules that it was built from.
        folder
            Where to write.
        """
        tree = _tree(game)
        best_child = on_tree(tree, answer).best_child
        with (folder / STRATEGY).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for start in _decisions(tree):
                child = int(best_child[int(start[0])])
                writer.writerow((*start, tree.action_text(tree.labels[tree.label[child]]), child))

    def transfer(self, game: GameTree, answer: Induction | TreeInduction) -> TreeInduction:
        """Return the answer as one of the game's tree."""
        return on_tree(game, answer)

    def load(
        self, game: Any, folder: Path, claims: Mapping[str, Any] | None = None
    ) -> TreeInduction:
        """Read what `save` wrote, and evaluate it on the tree.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, or of another tree.
        """
        from seqform.perfect_information.tree_induction import evaluate

        tree = _tree(game)
        return evaluate(tree, _read_choices(tree, folder / STRATEGY))


def on_tree(tree: GameTree, answer: Induction | TreeInduction) -> TreeInduction:
    """Return an answer as one of a tree that was built from the same rules.

    Raises
    ------
    InvalidStrategyError
        If it takes an action that the tree does not have.
    """
    if not isinstance(answer, Induction):
        return answer
    import numpy as np

    from seqform.perfect_information.tree_induction import evaluate
    from seqform.tree.as_rules import TreeGame

    game, best_child = answer.game, np.zeros(tree.num_nodes, dtype=np.int64)
    states = [game.root(), *[None] * (tree.num_nodes - 1)]
    if isinstance(game, TreeGame):
        states = list(range(tree.num_nodes))
    for node in range(tree.num_nodes):
        check_time("playing an answer on the tree")
        state, children = states[node], tree.children(node)
        labels = [tree.labels[tree.label[child]] for child in children]
        if not isinstance(game, TreeGame):
            for child, label in zip(children, labels, strict=True):
                states[child] = game.child(state, label)
            states[node] = None  # what was passed is needed no more
        if tree.player[node] >= 0:
            action = answer.best_action(state)
            if action not in labels:
                raise InvalidStrategyError(
                    f"the answer takes {action!r} at {tree.describe(node)}, where the actions are "
                    f"{', '.join(map(repr, labels))}"
                )
            best_child[node] = children[labels.index(action)]
    return evaluate(tree, best_child)


def _certificate(
    found: OneShotCertificate, line: tuple[Hashable, ...], extent: Extent
) -> SubgamePerfectCertificate:
    return SubgamePerfectCertificate(found, line, extent.largest_payoff, extent.sums_to_zero)


def _rules(game: Any) -> Game:
    if isinstance(game, Game):
        return game
    from seqform.tree.as_rules import TreeGame

    return TreeGame(_tree(game))


def _tree(game: Any) -> GameTree:
    from seqform.tree.from_any import build_tree, tree_in

    known = tree_in(game)
    return build_tree(game) if known is None else known


def _decisions(tree: GameTree) -> Iterator[tuple[str, str, str]]:
    """Yield node, player and label of the information set of each decision, as text."""
    for node in (tree.player >= 0).nonzero()[0].tolist():
        label = tree.infoset_text(int(tree.infoset[node]))
        yield str(node), str(int(tree.player[node])), label


def _read_choices(tree: GameTree, path: Path) -> Index:
    """Return the child chosen at each node, int64 (num_nodes,); of decisions only."""
    import numpy as np

    rows = _read_rows(path)
    expected = tree.count("decision")
    if len(rows) != expected:
        raise ResultFileError(
            f"{path} has {counted(len(rows), 'row')} and this game {counted(expected, 'decision')}"
        )
    best_child = np.zeros(tree.num_nodes, dtype=np.int64)
    for line, (row, start) in enumerate(zip(rows, _decisions(tree), strict=True), start=2):
        check_time("reading a strategy")
        if tuple(row[:3]) != start:
            raise ResultFileError(
                f"{path}, line {line}: expected {','.join(start)} and found {','.join(row[:3])}"
            )
        node = int(start[0])
        best_child[node] = _chosen(tree, node, row[3:], f"{path}, line {line}")
    return best_child


def _read_rows(path: Path) -> list[list[str]]:
    try:
        with path.open(newline="") as file:
            rows = list(csv.reader(file))
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, csv.Error) as error:
        raise ResultFileError(f"{path} cannot be read: {error}") from None
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ResultFileError(f"{path} does not begin with the columns {','.join(COLUMNS)}")
    return rows[1:]


def _chosen(tree: GameTree, node: int, cells: list[str], where: str) -> int:
    """Return the child that a row names by its action and its number, which must agree."""
    for child in tree.children(node):
        if cells == [tree.action_text(tree.labels[tree.label[child]]), str(child)]:
            return child
    raise ResultFileError(f"{where}: {','.join(cells)} is not an action of {tree.describe(node)}")


SUBGAME_PERFECT = SubgamePerfect()
