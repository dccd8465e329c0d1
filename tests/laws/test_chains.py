"""Chains of reductions: the last game is solved, and each step is undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import GameTree, build_sequence_form, load, merge_by, solve, verify
from seqform.base.errors import (
    InvalidParameterError,
    UnknownNameError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.links.chain import Step, chain_of
from seqform.links.link import REDUCTIONS, apply
from seqform.results.status import Status
from tests.examples import examples
from tests.random_locks import random_lock
from tests.strategies import seeds, trees

JACKS = {(0, "J:", "bet"): "1/3", (1, "J:bet", "call"): 0}
"""A lock of Kuhn poker that leaves much to decide."""


def allowed(solution: Any) -> float:
    return float(2e-6 * solution.game.payoff_scale)


@examples(15, 30)
@given(trees(depth=4), seeds)
def test_a_locked_game_is_worth_the_same_by_classes(tree: GameTree, seed: int) -> None:
    form = build_sequence_form(tree)
    lock = random_lock(form, seed)
    plain = solve(form, lock=lock, method="lp", exact=True).locked
    found = solve(form, lock=lock, abstract="lock,equitable", method="lp")
    assert found.locked is not None
    assert plain is not None
    assert plain.exact is not None
    assert found.reductions == ("lock", "equitable")
    assert found.locked.game is not form
    assert found.locked.value == pytest.approx(float(plain.exact.value), abs=allowed(found))
    assert found.locked.status is Status.SOLVED
    assert found.lock is lock
    for player, fixed in enumerate(lock.fixed):
        for sequence, number in enumerate(fixed):
            if number is not None:
                behavior = found.profile.behaviors[player][sequence]
                assert behavior == pytest.approx(float(number), abs=1e-12)


@examples(15, 30)
@given(trees(depth=4))
def test_what_is_dominated_goes_before_classes_are_found(tree: GameTree) -> None:
    form = build_sequence_form(tree)
    plain = solve(form, method="lp", exact=True)
    found = solve(form, abstract=("dominated", "equitable"), method="lp")
    middle = found.abstract
    assert middle is not None
    assert middle.abstract is not None
    assert plain.exact is not None
    assert found.status is middle.status is Status.SOLVED
    assert found.game is form
    for solution in (found, middle, middle.abstract):
        assert solution.value == pytest.approx(float(plain.exact.value), abs=allowed(found))
    sizes = [
        sum(treeplex.num_sequences for treeplex in solution.game.treeplexes)
        for solution in (found, middle, middle.abstract)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_classes_of_suits_are_locked() -> None:
    """The lock names information sets of the game that `suit` made."""
    smaller = apply(REDUCTIONS.get("suit"), leduc()).after
    label = smaller.infoset_label(0, 0)
    lock = {(0, label, "bet"): 1}
    found = solve(leduc(), abstract=["suit", "lock"], lock=lock)
    assert found.locked is None
    assert found.abstract is not None
    assert found.abstract.locked is not None
    assert found.abstract.locked.status is Status.SOLVED
    assert found.status is Status.LIFTED
    assert found.gap == pytest.approx(found.abstract.gap, abs=1e-9)


def test_a_chain_is_saved_with_what_is_locked(tmp_path: Path) -> None:
    solution = solve(kuhn(), lock=JACKS, abstract="lock,equitable", prove=True)
    assert solution.asked is not None
    assert solution.asked["abstract"] == "lock,equitable"
    assert solution.record()["abstraction"] == ["lock", "equitable"]
    assert solution.locked is not None
    assert solution.locked.proof == "bracketed"
    solution.save(tmp_path / "chain", "kuhn")
    again = load(tmp_path / "chain")
    assert again.locked is not None
    assert again.locked.value == pytest.approx(solution.locked.value, abs=1e-12)
    assert again.locked.bracket.record() == solution.locked.bracket.record()
    text = (tmp_path / "chain" / "lock.csv").read_text()
    (tmp_path / "chain" / "lock.csv").write_text(text.replace("1/3", "1/2"))
    with pytest.raises(VerificationError):
        verify(tmp_path / "chain")


def test_a_locked_game_that_was_not_solved_is_not_said_to_be(tmp_path: Path) -> None:
    """Buckets after a lock lose something in the locked game already."""
    buckets = merge_by({(0, "Q:"): "high", (0, "K:"): "high"})
    solution = solve(kuhn(), lock=JACKS, abstract=["lock", buckets])
    assert solution.locked is not None
    assert solution.locked.gap > 1e-3
    assert solution.locked.status is solution.status is Status.LIFTED
    solution.save(tmp_path / "lossy", "kuhn")
    again = load(tmp_path / "lossy")
    assert again.locked is not None
    assert (again.status, again.locked.status) == (Status.LIFTED, Status.LIFTED)


def test_a_chain_without_a_lock_is_saved(tmp_path: Path) -> None:
    solve(leduc(), abstract="suit,equitable").save(tmp_path / "chain", "leduc")
    claims = verify(tmp_path / "chain").claims
    assert claims["abstraction"] == ["suit", "equitable"]
    assert load(tmp_path / "chain").reduction == "suit,equitable"


def test_a_chain_of_one_is_the_reduction() -> None:
    named, listed = solve(leduc(), abstract="suit"), solve(leduc(), abstract=["suit"])
    assert listed.values == named.values
    assert listed.record()["abstraction"] == "suit"
    assert solve(kuhn(), abstract=[]).reduction is None


@pytest.mark.parametrize(
    ("asked", "threshold", "expected"),
    [
        ("suit", 0.0, [("suit", 0.0)]),
        ("outcome", 0.5, [("outcome", 0.5)]),
        (" suit, equitable", 0.0, [("suit", 0.0), ("equitable", 0.0)]),
        (["suit", ("outcome", 0.25)], 0.0, [("suit", 0.0), ("outcome", 0.25)]),
        (["suit", ("outcome", {"threshold": 0.25})], 0.0, [("suit", 0.0), ("outcome", 0.25)]),
        ("suit,outcome", 0.5, [("suit", 0.0), ("outcome", 0.5)]),
    ],
)
def test_steps_are_read(asked: Any, threshold: float, expected: list[tuple[str, float]]) -> None:
    assert [(step.name, step.threshold) for step in chain_of(asked, threshold)] == expected


def test_a_table_whose_name_has_a_comma_is_one_step(tmp_path: Path) -> None:
    path = tmp_path / "one,two.csv"
    path.write_text("player,infoset,bucket\n")
    assert chain_of(str(path)) == (Step(str(path)),)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"abstract": "lock,equitable"}, InvalidParameterError, "give lock="),
        ({"abstract": "equitable", "lock": JACKS}, InvalidParameterError, "'lock,equitable'"),
        ({"abstract": "lock,lock", "lock": JACKS}, InvalidParameterError, "where it belongs"),
        ({"abstract": "lock,suit", "lock": JACKS}, UnsupportedGameError, "signal"),
        ({"abstract": "suit,nothing"}, UnknownNameError, "nothing"),
        ({"abstract": ["suit", 3]}, InvalidParameterError, "abstract=3: give a name"),
        ({"abstract": 3}, InvalidParameterError, "abstract=3: give a name"),
        (
            {"abstract": "lock,equitable", "lock": JACKS, "exact": True},
            InvalidParameterError,
            "as it is",
        ),
        ({"abstract": [("suit", 0.5), "equitable"]}, InvalidParameterError, "no threshold"),
        ({"abstract": [("outcome", -1.0)]}, InvalidParameterError, "threshold=-1.0"),
        ({"abstract": [("outcome", "much")]}, InvalidParameterError, "threshold=much"),
        ({"abstract": "suit,equitable", "threshold": 0.5}, InvalidParameterError, "no step of"),
        (
            {"abstract": "lock,equitable", "lock": JACKS, "threshold": -1.0},
            InvalidParameterError,
            "no step of the chain lock,equitable",
        ),
        ({"abstract": [("outcome", {"treshold": 0.5})]}, InvalidParameterError, "treshold"),
    ],
)
def test_what_is_no_chain_is_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        solve(kuhn(), **options)
