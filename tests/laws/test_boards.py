"""Signal games board by board: the bounds are those of whole vectors, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abstraction.suit import suit
from games.kuhn import kuhn
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import lift, make, reduce, solve
from seqform.base.errors import GameTooLargeError, InvalidStrategyError
from seqform.concepts.nash import NashCertificate, certify
from seqform.exact.bracket import interval_of
from seqform.form.board_passage import WholePlans
from seqform.form.boards import boards_of
from seqform.form.from_signals import build_signal_form, pair_table
from seqform.form.signal_strategy import SignalStrategy
from seqform.form.whole_form import CountedTreeplex, LaterTerms, WholeForm, whole_form
from seqform.game.observations import SignalStructure
from seqform.strategies.evaluate.respond import respond
from tests.random_signal_games import POKER, random_signal_game
from tests.strategies import random_profile

GAMES = {
    **{name: game for name, game in POKER.items() if "kuhn" not in name and "dice" not in name},
    **{f"random {seed}": random_signal_game(seed) for seed in range(80)},
}


@pytest.fixture(autouse=True)
def all_games_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.form.whole_form.FEW_SEQUENCES", 0)


def with_boards(game: Any) -> WholeForm | None:
    form = whole_form(SignalStructure(game))
    return form if isinstance(form, WholeForm) else None


BY_BOARDS = {name: form for name, game in GAMES.items() if (form := with_boards(game)) is not None}


def close(a: NashCertificate, b: NashCertificate) -> bool:
    pairs = [*zip(a.values, b.values, strict=True), *zip(a.gains, b.gains, strict=True)]
    pairs += [
        pair
        for both in zip(a.residuals, b.residuals, strict=True)
        for pair in zip(*both, strict=True)
    ]
    return bool(np.allclose(*np.array(pairs).T, rtol=0, atol=1e-13))


def test_many_games_have_boards() -> None:
    assert {"leduc", "leduc, suits merged", "rhode island, 3x2, 2 bets"} <= set(BY_BOARDS)
    assert len(BY_BOARDS) > 15
    assert with_boards(kuhn()) is None  # nobody sees anything in common


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", BY_BOARDS)
def test_bounds_are_those_of_whole_vectors(name: str, sparse: bool) -> None:
    whole = BY_BOARDS[name]
    structure = whole.boards.structure
    form = build_signal_form(structure)
    profile = random_profile(form, 5, sparse)
    strategy = SignalStrategy(structure, structure.identity, profile.behaviors)
    plain, found = certify(form, profile), certify(whole, strategy.in_form(whole))
    assert (found.lower, found.upper, found.rounding) == (plain.lower, plain.upper, plain.rounding)
    assert close(found, plain)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", BY_BOARDS)
def test_best_responses_are_those_of_whole_vectors(name: str, player: int) -> None:
    whole = BY_BOARDS[name]
    structure = whole.boards.structure
    form = build_signal_form(structure)
    profile = random_profile(form, 5, sparse=True)
    strategy = SignalStrategy(structure, structure.identity, profile.behaviors)
    plain, found = respond(form, profile, player), respond(whole, strategy, player)
    assert found.bound == plain.bound
    assert found.value == pytest.approx(plain.value, abs=1e-13)
    assert found.before == pytest.approx(plain.before, abs=1e-13)
    assert [*map(len, found.profile.plans)] == [*map(len, plain.profile.plans)]
    for mine, theirs in zip(found.profile.plans, plain.profile.plans, strict=True):
        assert (mine == theirs).all()


@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_to_lossless_classes_needs_no_vectors(
    player: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    smaller, _ = reduce(leduc(), "suit")
    assert smaller.signals is not None
    structure, classes = smaller.signals
    uniform = tuple(treeplex.uniform() for treeplex in smaller.treeplexes)
    strategy = SignalStrategy(structure, classes, uniform)
    wanted = respond(build_signal_form(structure), strategy, player)
    monkeypatch.setattr("seqform.form.whole_form.BYTES_PER_SEQUENCE", 10**15)
    found = respond(whole_form(structure), strategy, player)
    assert found.bound == pytest.approx(wanted.bound, abs=1e-12)
    assert found.value == pytest.approx(wanted.value, abs=1e-12)
    assert found.form.treeplexes[0].num_sequences == smaller.treeplexes[0].num_sequences


@pytest.mark.parametrize("bits", [52, 7])
@pytest.mark.parametrize("name", BY_BOARDS)
def test_proven_intervals_are_those_of_whole_vectors(name: str, bits: int) -> None:
    whole = BY_BOARDS[name]
    structure = whole.boards.structure
    form = build_signal_form(structure)
    profile = random_profile(form, 9, sparse=True)
    strategy = SignalStrategy(structure, structure.identity, profile.behaviors)
    plain, found = (
        interval_of(form, profile, bits),
        interval_of(whole, strategy.in_form(whole), bits),
    )
    assert isinstance(found.plans, WholePlans)
    assert (found.lower, found.upper, found.bits) == (plain.lower, plain.upper, bits)
    assert all((a == b).all() for a, b in zip(found.plans, plain.plans, strict=True))
    assert form.operator.numerator_bound() >= whole.boards.numerator_bound()


@pytest.mark.parametrize("name", ["MOST_PAID", "ROOM"])
def test_intervals_with_too_large_sums_are_proven_by_whole_vectors(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"seqform.form.board_passage.{name}", 1)
    smaller, inverse = reduce(leduc(), "suit")
    lifted = lift(solve(smaller), inverse)
    assert lifted.profile is not None
    found = interval_of(lifted.game, lifted.profile)
    assert not isinstance(found.plans, WholePlans)
    again = interval_of(smaller, smaller.profile(lifted.profile.small.behaviors))  # type: ignore[attr-defined]
    assert (found.lower, found.upper) == (again.lower, again.upper)


def test_observations_in_another_order_are_left_to_whole_vectors() -> None:
    """Some deals show a player a card of its own and one of everybody's at the same time."""
    for seed in (311, 764):
        assert boards_of(SignalStructure(random_signal_game(seed))) is None


@pytest.mark.parametrize("name", BY_BOARDS)
def test_counts_are_those_of_the_form_itself(name: str) -> None:
    whole = BY_BOARDS[name]
    form = build_signal_form(whole.boards.structure)
    names = ("num_infosets", "num_sequences", "num_runs", "most_actions", "most_following")
    for mine, plain in zip(whole.treeplexes, form.treeplexes, strict=True):
        assert [getattr(mine, of) for of in names] == [getattr(plain, of) for of in names]
    assert whole.payoffs.num_nonzeros == form.payoffs.num_nonzeros
    assert [whole.roundings(player) for player in (0, 1)] == [form.roundings(p) for p in (0, 1)]
    assert (whole.largest_payoff, whole.num_nodes) == (form.largest_payoff, form.num_nodes)


@pytest.mark.parametrize("name", ["leduc, 4 ranks, 3 suits merged", "rhode island, 3x3"])
def test_what_is_made_later_is_the_form_itself(name: str) -> None:
    whole = whole_form(SignalStructure(GAMES[name]))
    form = build_signal_form(whole.boards.structure) if isinstance(whole, WholeForm) else None
    assert form is not None
    for mine, plain in zip(whole.treeplexes, form.treeplexes, strict=True):
        assert (mine.parent_sequence == plain.parent_sequence).all()
        assert (mine.first_sequence == plain.first_sequence).all()
    assert (whole.operator.to_csr() != form.operator.to_csr()).nnz == 0


@pytest.mark.parametrize("name", ["leduc", "rhode island, 3x3"])
def test_every_deal_is_on_one_board(name: str) -> None:
    structure = SignalStructure(GAMES[name])
    boards = boards_of(structure)
    assert boards is not None
    for stage, (order, bounds) in boards.deals.items():
        assert sorted(order.tolist()) == list(range(structure.deals.count(structure.stages[stage])))
        assert bounds[-1] == len(order)
    last = structure.num_stages - 1
    row = next(r for r, (_, at) in enumerate(structure.outcomes) if at == last)
    table = pair_table(structure, structure.identity, row, (last, last)).toarray()
    again = np.zeros_like(table)
    for board in range(boards.count):
        blocks = boards.blocks(board, last)
        mine, theirs = (boards.seen[player][last].on(board) for player in (0, 1))
        entries = boards.entries(board, last, last, blocks)
        paid, turned = boards.tables(row, blocks, entries)
        for block in range(len(blocks.tables) - 1):
            rows, columns = (
                of[starts[block] : starts[block + 1]]
                for of, starts in zip((mine, theirs), blocks.starts, strict=True)
            )
            part = slice(blocks.tables[block], blocks.tables[block + 1])
            again[np.ix_(rows, columns)] = paid[part].reshape(len(columns), len(rows)).T
            assert (again[np.ix_(rows, columns)].ravel() == turned[part]).all()
    assert (again == table).all()


def test_lifting_makes_no_vector_of_the_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: object) -> None:
        raise AssertionError("a vector of the whole game was made")

    smaller, inverse = reduce(rhode_island(3, 3, 1), "equitable")
    abstract = solve(smaller, method="dcfr", gap=1e-2)
    for of in (CountedTreeplex, LaterTerms):
        monkeypatch.setattr(of, "_made", property(refused))
    lifted = lift(abstract, inverse)
    assert lifted.profile is not None
    assert lifted.profile.kept is not None
    assert abs(lifted.nash_gap - abstract.nash_gap) < 1e-12
    assert lifted.sizes["sequences"] == 2 * 19045


def test_lifted_vectors_are_made_when_they_are_asked_for() -> None:
    smaller, inverse = reduce(leduc(), suit.__name__)
    lifted = lift(solve(smaller), inverse)
    assert lifted.profile is not None
    assert lifted.profile.kept is not None
    form = build_signal_form(SignalStructure(leduc()))
    plain = certify(form, form.profile(lifted.profile.behaviors))
    assert lifted.certificate is not None
    # boards that differ by suits alone are added up in the order of the first of them
    assert np.allclose(*np.array([(c.lower, c.upper) for c in (plain, lifted)]), rtol=0, atol=1e-14)
    other = lifted.profile.of(form)
    assert other.kept is not None
    assert certify(form, other).nash_gap == plain.nash_gap


def test_vectors_that_do_not_fit_are_refused_when_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    structure = SignalStructure(make("leduc"))
    form = whole_form(structure)
    monkeypatch.setattr("seqform.form.whole_form.BYTES_PER_SEQUENCE", 10**15)
    with pytest.raises(GameTooLargeError, match="2,186 sequences"):
        form.treeplexes[0].uniform()
    with pytest.raises(GameTooLargeError, match="2,186 sequences"):
        form.operator.to_csr()
    with pytest.raises(GameTooLargeError):
        whole_form(SignalStructure(kuhn()))


def test_small_games_are_certified_by_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which load no compiled loops; the bounds are the same."""
    monkeypatch.setattr("seqform.form.whole_form.FEW_SEQUENCES", 5000)
    monkeypatch.setattr("seqform.form.board_passage.BoardPassage", None)
    smaller, inverse = reduce(leduc(), "suit")
    assert lift(solve(smaller), inverse).nash_gap < 1e-9


def test_strategies_that_are_none_are_refused() -> None:
    structure = SignalStructure(leduc())
    form = whole_form(structure)
    behaviors = [treeplex.uniform() for treeplex in form.treeplexes]
    behaviors[1][5] = 0.9
    strategy = SignalStrategy(structure, structure.identity, tuple(behaviors))
    with pytest.raises(InvalidStrategyError, match=r"player 1, information set .*sum to"):
        strategy.in_form(form)
