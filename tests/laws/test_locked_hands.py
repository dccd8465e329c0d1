"""Locked games of hands by boards, against the same locked games with all sequences listed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform.base.arrays import Floats, Ints
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.concepts.judge import responses
from seqform.concepts.nash import certify
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.hand_form import hand_form
from seqform.form.hand_lock import HandLock, LockedNode
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandClasses, HandGame
from seqform.form.locked_hand_passage import LockedHandPassage
from seqform.form.sequence_form import SequenceForm
from seqform.links.locked_game import LockedGame, lock_game
from seqform.links.locked_hands import lock_hands
from seqform.strategies.exploit.hand_lock_from import hand_lock_from
from seqform.strategies.exploit.lock import lock_from
from tests.examples import examples
from tests.random_hand_locks import hand_lock, in_form, placed, random_said
from tests.symmetric_hand_games import random_strategy, small_hand_game

SEEDS = st.integers(0, 100_000)


class Both:
    """A random game, a random lock, and the locked game in both ways."""

    def __init__(self, game: HandGame, seed: int) -> None:
        self.game, self.form = game, hand_form(game)
        structure = self.form.origin.hands
        assert structure is not None
        said = random_said(structure.without_symmetries, seed)
        self.structure: HandStructure = structure
        self.lock = hand_lock(structure.without_symmetries, said).with_its_symmetries(structure)
        self.by_boards, self.inverse = lock_hands(self.form, self.lock)
        self.listed: LockedGame = lock_game(in_form(self.form, game, said))

    def strategy(self, seed: int, **how: Any) -> HandStrategy:
        return random_strategy(self.lock.structure, seed, **how)

    def behaviors(self, strategy: HandStrategy) -> list[Floats]:
        """Return what strategies do where the listed game is free."""
        kept = strategy.in_form(self.form).behaviors
        found = []
        for player, treeplex in enumerate(self.listed.form.treeplexes):
            images = self.listed.inverse.sequences[player]
            free = np.flatnonzero(images > 0)
            behavior = np.ones(treeplex.num_sequences)
            behavior[images[free]] = kept[player][free]
            found.append(treeplex.normalize(_evened(treeplex, behavior)))
        return found


def _evened(treeplex: Any, behavior: Floats) -> Floats:
    """Return even odds where all are 0."""
    first = treeplex.first_sequence.tolist()
    for start, stop in pairwise(first):
        if not behavior[start:stop].any():
            behavior[start:stop] = 1 / (stop - start)
        behavior[start:stop] /= behavior[start:stop].sum()
    return behavior


@given(SEEDS, st.booleans(), st.sampled_from([np.float64, np.float32]))
def test_a_certificate_is_that_of_the_listed_game(seed: int, rake: bool, dtype: Any) -> None:
    of = Both(small_hand_game(seed, zero_sum=not rake), seed)
    strategy = of.strategy(seed, sparse=True, dtype=dtype)
    kept, plain = strategy.in_form(of.by_boards), of.listed.form.profile(of.behaviors(strategy))
    assert isinstance(of.by_boards.through(kept), LockedHandPassage)
    assert isinstance(of.listed.form.through(plain), ExplicitPassage)
    found, wanted = certify(of.by_boards, kept), certify(of.listed.form, plain)
    off = found.rounding + wanted.rounding + 1e-12
    assert found.is_constant_sum == wanted.is_constant_sum
    assert found.values == pytest.approx(wanted.values, abs=1e-11)
    assert found.gains == pytest.approx(wanted.gains, abs=4 * off + 1e-8)
    if found.is_constant_sum:
        assert found.lower == pytest.approx(wanted.lower, abs=off)
        assert found.upper == pytest.approx(wanted.upper, abs=off)
    assert max(map(max, found.residuals)) < 1e-14


@given(SEEDS)
def test_what_is_left_to_decide_is_counted(seed: int) -> None:
    of = Both(small_hand_game(seed), seed)
    counts = [[t.num_infosets, t.num_sequences] for t in of.by_boards.treeplexes]
    assert counts == [[t.num_infosets, t.num_sequences] for t in of.listed.form.treeplexes]
    lock = of.listed.inverse.lock
    assert lock is not None
    assert list(of.lock.counts) == list(lock.counts)


@examples(15, 60)
@given(SEEDS)
def test_what_is_lifted_pays_what_it_did_and_keeps_to_the_lock(seed: int) -> None:
    of = Both(small_hand_game(seed), seed)
    kept = of.strategy(seed).in_form(of.by_boards)
    lifted = of.inverse.lifted(kept, of.by_boards)
    before, after = certify(of.by_boards, kept), certify(of.form, lifted)
    assert after.values == pytest.approx(before.values, abs=1e-11)
    # what is gained at most in the free game is no less than what is gained at least in the locked
    for locked, free in zip(responses(of.by_boards, kept), responses(of.form, lifted), strict=True):
        least = locked.best - 2 * locked.widened - locked.value - locked.error
        assert free.best - free.value + free.error >= least
    lock = of.listed.inverse.lock
    assert lock is not None
    for behavior, fixed in zip(lifted.behaviors, lock.fixed, strict=True):
        said = [(s, float(p)) for s, p in enumerate(fixed) if p is not None]
        assert [behavior[s] for s, _ in said] == pytest.approx([p for _, p in said], abs=1e-12)
    again = of.inverse.locked(lifted, of.by_boards)
    assert certify(of.by_boards, again).values == pytest.approx(before.values, abs=1e-11)


@given(seed=SEEDS)
@examples(15, 30)
def test_locks_are_the_same_by_any_symmetries_and_from_files(
    seed: int, tmp_path_factory: Any
) -> None:
    of = Both(small_hand_game(seed), seed)
    whole = of.lock.on(of.structure.without_symmetries)
    path = tmp_path_factory.mktemp("locks") / "lock.npz"
    of.lock.save(path)
    loaded = HandLock.load(path, of.structure) if any(of.lock.nodes) else of.lock
    assert loaded.structure is of.lock.structure
    for player in (0, 1):
        for other in (loaded, whole.with_its_symmetries(of.structure)):
            assert other.nodes[player].keys() == of.lock.nodes[player].keys()
            for node, here in of.lock.nodes[player].items():
                assert np.array_equal(other.nodes[player][node].fixed, here.fixed, equal_nan=True)
                assert (other.nodes[player][node].left == here.left).all()


@given(SEEDS)
@settings(max_examples=40)
def test_a_lock_moves_to_other_boards_as_strategies_do(seed: int) -> None:
    structure = hand_form(small_hand_game(seed)).origin.hands
    assert structure is not None
    strategy, nodes = random_strategy(structure, seed), ({}, {})  # type: ignore[var-annotated]
    for player, tables in enumerate(strategy.behaviors):
        for node, table in tables.items():
            fixed = np.full(table.shape, np.nan)
            fixed[:, 0] = table[:, 0]
            nodes[player][node] = LockedNode(fixed, 1 - table[:, 0])
    whole = HandLock(structure, nodes).on(structure.without_symmetries)
    back = whole.with_its_symmetries(structure)
    assert back.structure is structure
    for player, tables in enumerate(strategy.behaviors):
        for node in tables:
            there, again = whole.nodes[player][node], back.nodes[player][node]
            assert np.array_equal(again.fixed, nodes[player][node].fixed, equal_nan=True)
            assert (again.left == nodes[player][node].left).all()
            for board in range(len(there.left)):
                taken = strategy.on_board(player, node, board)[0]
                assert there.fixed[board, 0] == pytest.approx(taken, abs=1e-15)
                assert there.left[board] == pytest.approx(1 - taken, abs=1e-15)


@given(SEEDS)
@settings(max_examples=40)
def test_symmetries_that_change_what_is_fixed_are_not_kept(seed: int) -> None:
    structure = hand_form(small_hand_game(seed)).origin.hands
    assert structure is not None
    every, nodes = structure.without_symmetries, ({}, {})  # type: ignore[var-annotated]
    for player, tables in enumerate(random_strategy(every, seed).behaviors):
        for node, table in tables.items():
            nodes[player][node] = LockedNode(table, np.zeros((len(table), table.shape[2])))
    kept = HandLock(every, nodes).with_its_symmetries(structure).structure
    for symmetry in kept.symmetries:
        for player in (0, 1):
            for node, of in nodes[player].items():
                boards = structure.boards(int(structure.game.betting.dealt[node]))
                for board, cards in enumerate(boards):
                    image = structure.board_number(symmetry.cards[cards].tolist())
                    there = of.fixed[image][:, symmetry.hands[player]]
                    assert (there == of.fixed[board]).all()


def test_strategies_by_symmetries_that_a_lock_breaks_are_refused() -> None:
    broken = (Both(small_hand_game(seed), seed) for seed in range(60))
    of = next(b for b in broken if len(b.structure.symmetries) > len(b.lock.structure.symmetries))
    more = random_strategy(of.structure, 1)
    with pytest.raises(InvalidStrategyError, match="symmetries that the lock breaks"):
        certify(of.by_boards, more.in_form(of.by_boards))


def test_locks_keep_all_symmetries_some_and_none() -> None:
    kinds = set()
    for seed in range(60):
        of = Both(small_hand_game(seed), seed)
        assert of.lock.structure.without_symmetries is of.structure.without_symmetries
        kept, every = len(of.lock.structure.symmetries), len(of.structure.symmetries)
        if every > 1:
            kinds.add("all" if kept == every else "none" if kept == 1 else "some")
    assert kinds == {"all", "some", "none"}


def parities(hands: Ints) -> list[str]:
    return ["odd" if hand[-1] % 2 else "even" for hand in hands.tolist()]


def meant(text: str, hands: Ints) -> Any:
    known = {"odd": ["odd"], "even": ["even"], "odd+": ["odd", "even"]}
    if text not in known:
        raise InvalidParameterError(f"{text!r} is neither odd nor even")
    return np.array([of in known[text] for of in parities(hands)])


def random_rows(form: SequenceForm, seed: int) -> dict[tuple[Any, str, str], Any]:
    """Return rows of names and of patterns; they may be wrong, or say different things."""
    rng, rows = random.Random(seed), {}
    for player, treeplex in enumerate(form.treeplexes):
        if not treeplex.num_infosets:
            continue
        for _ in range(rng.randint(1, 4)):
            infoset = rng.randrange(treeplex.num_infosets)
            name = rng.choice(list(names_like(form.infoset_text(player, infoset), rng)))
            actions = list(form.action_texts(player, infoset))
            if rng.random() < 0.05:
                actions.append("nothing")
            for action in rng.sample(actions, rng.randint(1, len(actions))):
                share = rng.choice(["1/4", "1/4", "0", "25%", "", 0.5, "1"])
                rows[player, name, action] = share
    return rows


def names_like(name: str, rng: random.Random) -> Iterator[str]:
    """Yield a name, and patterns that match it, and one that may match nothing."""
    hand, _, line = name.partition(":")
    yield from (name, name, f":{line}", f"*:{line}", f"{hand}:*", f"{hand[0]}*:{line}", "*")
    yield from (f"odd:{line}", f"even:{line[:-1]}*", "odd+:*", f"odd+:{line}", f"even?{line}")
    yield from (f"*{hand[-1]}:*", f"{hand}?{line}", f"*{line[-2:]}", f"{hand}:{line[:-1]}?")
    at = rng.randrange(len(name))
    yield f"{name[:at]}*{name[at + 1 :]}"
    yield f"{name}x"


def refusal(function: Callable[[], Any]) -> str:
    """Return what an error says; nothing if there is none."""
    try:
        function()
    except InvalidStrategyError as error:
        return str(error)
    return ""


@given(SEEDS, SEEDS)
@examples(40, 80)
def test_rows_mean_what_they_mean_in_listed_games(seed: int, other: int) -> None:
    game = replace(small_hand_game(seed), classes=HandClasses(parities, meant))
    form = hand_form(game)
    assert form.origin.hands is not None
    rows = random_rows(form, other)
    structure = form.origin.hands
    refused = [
        refusal(lambda: lock_from(rows, form)),
        refusal(lambda: hand_lock_from(rows, structure)),
    ]
    assert refused[0][:25] == refused[1][:25]
    if refused[0]:
        return
    wanted, found = lock_from(rows, form), hand_lock_from(rows, structure)
    whole = found.on(form.origin.hands.without_symmetries)
    for player, treeplex in enumerate(form.treeplexes):
        first, place = treeplex.first_sequence.tolist(), placed(game, player)
        for infoset in range(treeplex.num_infosets):
            node, board, hand = place(infoset)
            numbers = wanted.fixed[player][first[infoset] : first[infoset + 1]]
            here = whole.nodes[player].get(node)
            fixed = None if here is None else here.fixed[board, :, hand].tolist()
            plain = [np.nan if of is None else float(of) for of in numbers]
            assert np.array_equal(fixed or [np.nan] * len(plain), plain, equal_nan=True)
            if here is not None:
                left = 1 - sum(of for of in numbers if of is not None)
                assert here.left[board, hand] == float(left)
    assert [str(of) for of in found.matched] == [str(of) for of in wanted.matched]
    assert list(found.counts) == list(wanted.counts)
