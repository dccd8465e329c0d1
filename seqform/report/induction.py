"""The tree and the choices of backward induction, for the page's script to check."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from seqform.base.number import Number
from seqform.exact.certificate import hash_of, number
from seqform.game.rules import CHANCE
from seqform.perfect_information.tree_induction import TreeInduction
from seqform.report.game_tree import by_parents
from seqform.report.reported import Reported
from seqform.results.record import jsonable
from seqform.tree.file import fingerprint
from seqform.tree.tree import GameTree

FORMAT, VERSION = "seqform-induction", 1


def induction_text(of: Reported) -> str | None:
    """Return tree, choices and values as JSON; None of another answer, or where it is too much.

    Lists of numbers are texts, which browsers read faster: `children` of each node, level by level
    and in the order of parents; `player` of each that has any, -1 for chance; `choice`, the place
    of the child chosen at each decision; `chance`, for each child of chance its place in
    `probabilities`; `leaves`, the place of each leaf in `payoffs`, -1 for nothing. `inner` has node
    and place of what is paid before.
    """
    found = of.on_tree
    if found is None or not found.game.is_exact:
        return None
    tree, answer = found.game, cast("TreeInduction", found.answer)
    described = {"game": _identity(of, tree), **_tree(tree)}
    content = {"format": FORMAT, "version": VERSION, **described, "hash": hash_of(described)}
    nodes = by_parents(tree)
    decisions = nodes[tree.player[nodes] >= 0]
    content["choice"] = _text(answer.best_child[decisions] - tree.first_child[decisions])
    content["values"] = [_pair(value) for value in of.solution.values]
    return json.dumps(content, separators=(",", ":"))


def _identity(of: Reported, tree: GameTree) -> dict[str, Any]:
    """Return what the game is called, as certificates say it."""
    called = {"name": of.claims.get("game"), "params": jsonable(of.claims.get("params"))}
    return {**called, "unit": tree.unit, "fingerprint": fingerprint(tree)}


def _tree(tree: GameTree) -> dict[str, Any]:
    nodes = by_parents(tree)
    payoff, probability = tree.payoff[nodes], tree.probability[nodes]
    has_children = tree.num_children[nodes] > 0
    paid_before = np.flatnonzero(has_children & (payoff >= 0))
    return {
        "players": tree.num_players,
        "children": _text(tree.num_children[nodes]),
        "player": _text(np.where(tree.player == CHANCE, -1, tree.player)[nodes][has_children]),
        "chance": _text(probability[probability >= 0]),
        "probabilities": [_pair(p) for p in tree.probabilities],
        "leaves": _text(payoff[~has_children]),
        "inner": [[node, int(payoff[node])] for node in paid_before.tolist()],
        "payoffs": [[_pair(amount) for amount in row] for row in tree.payoffs],
    }


def _text(numbers: Iterable[Any]) -> str:
    return " ".join(map(str, np.asarray(numbers).tolist()))


def _pair(value: Number) -> list[int | str]:
    return [number(part) for part in value.as_integer_ratio()]
