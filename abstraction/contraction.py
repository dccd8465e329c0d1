"""Reductions `contraction` and `contraction-matched`: GameShrink's transformation, step by step.

The restricted game isomorphic abstraction transformation merges two restricted games, below nodes x
and y that are contractible: they lie in the same information set, all of whose nodes have one
parent, which is a chance node or alone in its information set, and the restricted games are
isomorphic. It is applied from the top down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from abstraction.compare_nodes import compare_nodes
from abstraction.contractible import (
    ContractiblePair,
    Relation,
    by_isomorphism,
    by_matching,
    pairs_of_level,
)
from abstraction.tree_shrink import TreeMerge, merge_nodes, why_no_tree
from seqform.base.errors import ImperfectRecallError, UnsupportedGameError
from seqform.base.progress import tell
from seqform.base.summary import counted
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.links.link import EXACTLY, Reduction, ReductionOptions, SequenceMap
from seqform.results.node_comparison import NodeComparison
from seqform.results.steps import Step
from seqform.tree.from_any import build_tree, tree_in
from seqform.tree.tree import GameTree


@dataclass(frozen=True)
class Contraction(Reduction):
    """Apply the transformation level by level, from the top down, while there is a pair.

    That is one pass: what is merged further down may make pairs contractible in levels that were
    done before.

    Parameters
    ----------
    name
        What the command line calls it.
    relation
        Which restricted games are isomorphic.
    """

    name: str
    relation: Relation
    lossless = False
    takes_threshold = False

    def accepts(self, game: Any) -> str | None:
        """Return None for every game but a sequence form that did not come from a tree."""
        return why_no_tree(self.name, game)

    def apply(
        self, game: Any, options: ReductionOptions = EXACTLY
    ) -> tuple[SequenceForm, SequenceMap]:
        """Return the sequence form after the last step, and the way back to the whole game.

        Raises
        ------
        UnsupportedGameError
            If the game is a sequence form that did not come from a tree.
        GameTooLargeError
            If the tree would have more than `max_nodes` nodes.
        ImperfectRecallError
            If players do not remember in the game, or would not in the smaller one.
        """
        tree = self._tree(game, options)
        large = game if isinstance(game, SequenceForm) else build_sequence_form(tree)
        merge = _nothing_merged(tree)
        for _, after in self._merges(tree):
            merge = _composed(merge, after)
        small = build_sequence_form(merge.tree)
        return small, SequenceMap(large, merge.sequences(small, large))

    def steps(self, game: Any, options: ReductionOptions = EXACTLY) -> Iterator[Step]:
        """Yield one application of the transformation after the other, from the top down.

        References
        ----------
        Gilpin, "Computing equilibria in extensive form games", talk, 2005, slide 32.
        """
        whole = before = self._tree(game, options)
        whole_form = before_form = _form(whole)
        merge = _nothing_merged(whole)
        for number, (pair, after) in enumerate(self._merges(whole), start=1):
            merge, form = _composed(merge, after), _form(after.tree)
            yield Step(
                number=number,
                before=before,
                after=after.tree,
                parent=pair.parent,
                kept=pair.x,
                merged=pair.y,
                by_name=_keeps_names(before, pair),
                smaller=form,
                back=_way_back(before_form, after, form),
                back_to_all=_way_back(whole_form, merge, form),
            )
            before, before_form = after.tree, form

    def _tree(self, game: Any, options: ReductionOptions) -> GameTree:
        refusal = self.accepts(game)
        if refusal is not None:
            raise UnsupportedGameError(refusal)
        known = tree_in(game)
        return build_tree(game, options.max_nodes) if known is None else known

    def _merges(self, tree: GameTree) -> Iterator[tuple[ContractiblePair, TreeMerge]]:
        """Yield pairs with what merging them makes, level by level."""
        number, done, match = 0, 0, self.relation(tree)
        while number < tree.depth:
            pair = next(pairs_of_level(tree, tree.levels()[number], match), None)
            if pair is None:
                number += 1
                continue
            done += 1
            tell(f"{counted(done, 'pair')} of nodes merged")
            kept = np.arange(tree.num_nodes)
            kept[pair.below_y] = pair.below_x
            merge = merge_nodes(tree, kept)
            yield pair, merge
            tree = merge.tree
            match = self.relation(tree)


def _keeps_names(tree: GameTree, pair: ContractiblePair) -> bool:
    """Return whether every action becomes one with an action of the same name."""
    chosen = tree.infoset[tree.parent[pair.below_y]] >= 0
    chosen[pair.below_y == pair.y] = False
    labels = [tree.label[below[chosen]] for below in (pair.below_x, pair.below_y)]
    return bool((labels[0] == labels[1]).all())


def _form(tree: GameTree) -> SequenceForm | None:
    """Return the sequence form of a tree, or None where players forget something."""
    try:
        return build_sequence_form(tree)
    except ImperfectRecallError:
        return None


def _way_back(
    large: SequenceForm | None, merge: TreeMerge, small: SequenceForm | None
) -> SequenceMap | None:
    """Return how strategies are lifted, or None where players forget something in one of both."""
    if large is None or small is None:
        return None
    return SequenceMap(large, merge.sequences(small, large))


def _nothing_merged(tree: GameTree) -> TreeMerge:
    places = tuple(tuple(range(n)) for n in tree.infoset_num_actions.tolist())
    return TreeMerge(tree, np.arange(tree.num_infosets, dtype=np.int32), places)


def _composed(first: TreeMerge, then: TreeMerge) -> TreeMerge:
    """Return two merges as one."""
    places = tuple(
        tuple(then.action[g][place] if place >= 0 else -1 for place in row)
        for g, row in zip(first.infoset.tolist(), first.action, strict=True)
    )
    return TreeMerge(then.tree, then.infoset[first.infoset], places)


class MatchedContraction(Contraction):
    """The transformation by matchings, whose graphs can be shown."""

    def compare(
        self, game: Any, x: str | int, y: str | int, *, literal: bool, max_nodes: int | None
    ) -> NodeComparison:
        """Return whether two nodes are isomorphic by matchings, and why."""
        return compare_nodes(self._tree(game, ReductionOptions(max_nodes=max_nodes)), x, y, literal)


CONTRACTION = Contraction("contraction", by_isomorphism)
CONTRACTION_MATCHED = MatchedContraction("contraction-matched", by_matching)
