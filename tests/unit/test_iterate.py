"""Searches: when they stop, what they report, and what is left when they are stopped."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.random_games import random_game
from games.textbook import matching_pennies
from seqform import Status, build_sequence_form, build_tree, solve
from seqform.base.errors import InvalidParameterError, UnknownNameError, UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.methods import iterative, iterative_method
from seqform.solvers.iterative.regret import signal_part
from seqform.solvers.iterative.regret.engine import regret_engine
from seqform.solvers.iterative.regret.rules import RULES, rule
from seqform.solvers.iterative.regret.signal_engine import SignalEngine
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from seqform.solvers.iterative.search import PATIENCE, Limits, Progress, progress, search
from seqform.tree.builder import TreeBuilder
from tests.random_signal_games import random_signal_game

BY_TREE = {
    name: build_sequence_form(build_tree(game))
    for name, game in (("kuhn", kuhn()), ("leduc", leduc()), ("dice", liars_dice(1, 4)))
}
BY_SIGNALS = {
    name: build_signal_form(SignalStructure(game))
    for name, game in (("kuhn", kuhn()), ("leduc", leduc()), ("dice", liars_dice(1, 4)))
}
VALUES = {name: solve(form, solver="highs").value for name, form in BY_TREE.items()}
KUHN = BY_TREE["kuhn"]
SKIPS = build_signal_form(SignalStructure(random_signal_game(248)))


class Script:
    """An engine whose gap after so many iterations is looked up; plans say at which iteration they
    were taken."""

    def __init__(self, gap: Any, seconds: float = 0.0) -> None:
        self.gap, self.seconds, self.iterations, self.runs = gap, seconds, 0, []  # type: ignore[var-annotated]

    def run(self, count: int) -> None:
        self.runs.append(count)
        self.iterations += count
        if self.seconds:
            time.sleep(self.seconds * count)

    def plans(self) -> Any:
        return np.array([self.iterations]), np.array([self.iterations])

    def last_plans(self) -> Any:
        return self.plans()

    def finish(self) -> None:
        return

    def bounds(self) -> tuple[float, float]:
        return 1.0, 1.0 + self.gap(self.iterations)


@pytest.fixture(autouse=True)
def small_games_go_by_rounds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.BY_ROUNDS_FROM", 0)
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.NONZEROS_PER_PUBLIC_NODE", 0)


def test_few_signals_and_many_bids_go_by_a_stored_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each public node costs the same however few are its signals."""
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.NONZEROS_PER_PUBLIC_NODE", 150)
    bids, cards = (build_signal_form(SignalStructure(game)) for game in (liars_dice(), kuhn(60)))
    assert bids.operator.num_nonzeros > cards.operator.num_nonzeros
    assert isinstance(regret_engine(bids, rule("dcfr")), TreeplexEngine)
    assert isinstance(regret_engine(cards, rule("dcfr")), SignalEngine)
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.MOST_STORED", 1000)
    assert isinstance(regret_engine(bids, rule("dcfr")), SignalEngine)


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("name", BY_TREE)
def test_every_rule_reaches_its_gap_around_the_known_value(name: str, kind: str) -> None:
    for form, engine in ((BY_TREE[name], "treeplex"), (BY_SIGNALS[name], "signal")):
        solution = solve(form, method=kind, gap=0.02)
        assert solution.status is Status.SOLVED
        assert solution.method == f"{kind}/{engine}"
        assert solution.message == "stopped at the gap"
        assert solution.nash_gap <= 0.02
        assert solution.lower - 1e-9 <= VALUES[name] <= solution.upper + 1e-9
        assert solution.iterations > 1


def test_the_gap_is_in_the_games_unit_and_by_default_a_share_of_the_largest_payoff() -> None:
    assert solve(BY_SIGNALS["leduc"], method="dcfr").nash_gap <= 1e-5 * 13
    exact = solve(BY_SIGNALS["kuhn"], method="pcfr+", gap=1e-7)  # too small for single precision
    assert exact.status is Status.SOLVED
    assert exact.nash_gap <= 1e-7


SMALLEST = 1.01 * iterative_method.SINGLE_PRECISION_FROM


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("kuhn", SMALLEST),
        ("kuhn", 5e-6),
        ("leduc", 5e-6),
        pytest.param("leduc", SMALLEST, marks=pytest.mark.long),
    ],
)
def test_what_single_precision_claims_the_certificate_confirms(name: str, share: float) -> None:
    form = BY_SIGNALS[name]
    engine = regret_engine(form, rule("dcfr"), single=True)
    assert isinstance(engine, SignalEngine)
    assert engine.dtype == np.float32
    assert solve(form, method="pcfr+", gap=share * form.largest_payoff).status is Status.SOLVED


def test_single_precision_errs_less_than_it_is_given_credit_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form = build_signal_form(SignalStructure(kuhn(6)))
    engine = regret_engine(form, rule("dcfr"), single=True)
    for count in (5_000, 10_000, 10_000):
        engine.run(count)
        lower, upper = engine.bounds()
        profile = Profile.from_plans(form.treeplexes, engine.plans())
        # strategies sum to one in single precision, in which a few iterations at a time are summed
        assert certify(form, profile).nash_gap == pytest.approx(upper - lower, abs=1e-8)
        rounded = certify(form, profile.rounded(form.treeplexes)).nash_gap
        assert rounded - (upper - lower) < iterative.ROUNDING_ERROR * form.largest_payoff
    aims: list[Limits] = []
    monkeypatch.setattr(
        iterative,
        "search",
        lambda engine, limits, *_: aims.append(limits) or search(engine, Limits(1.0, 1)),
    )
    for share in (1e-5, 1e-7):
        solve(form, method="dcfr", gap=share * form.largest_payoff)
    shares = [limits.gap / form.largest_payoff for limits in aims]
    # the second in double precision
    assert shares == pytest.approx([0.98e-5 - iterative.ROUNDING_ERROR, 0.98e-7])


@pytest.mark.parametrize("form", [BY_TREE["leduc"], BY_SIGNALS["leduc"]])
def test_a_limit_leaves_a_certified_profile(form: SequenceForm) -> None:
    counts: list[int] = []
    few = solve(
        form,
        method="dcfr",
        gap=1e-9,
        iterations=37,
        callback=lambda now: counts.append(now.iterations),
    )
    assert (few.status, few.iterations, few.message) == (Status.LIMIT, 37, "stopped by a limit")
    assert counts[-1] == 37
    assert 0 < few.nash_gap < 1
    start = time.perf_counter()
    short = solve(form, method="dcfr", gap=1e-12, time_limit=2)
    assert time.perf_counter() - start < 60  # without the limit it would take minutes
    assert short.status is Status.LIMIT
    assert short.iterations >= 1
    assert short.lower <= VALUES["leduc"] <= short.upper


@pytest.mark.parametrize("form", [BY_TREE["leduc"], BY_SIGNALS["leduc"]])
def test_no_time_at_all_leaves_the_uniform_profile(form: SequenceForm) -> None:
    solution = solve(form, method="dcfr", time_limit=1e-12)
    assert (solution.status, solution.iterations) == (Status.LIMIT, 0)
    assert solution.profile is not None
    uniform = form.treeplexes[0].uniform()
    # saved in 24 bits
    np.testing.assert_allclose(solution.profile.behaviors[0], uniform, atol=2**-23)


def test_a_gap_reached_at_the_limit_is_a_gap_reached() -> None:
    assert solve(KUHN, method="dcfr", gap=10.0, iterations=1).status is Status.SOLVED


def test_progress_is_told_at_growing_distances() -> None:
    told = list(
        itertools.islice(progress(TreeplexEngine(KUHN, rule("dcfr")), Limits(0.0, 500)), 1000)
    )
    iterations = [now.iterations for now in told]
    assert iterations[:9] == [1, 2, 3, 5, 8, 12, 18, 27, 41]
    assert iterations[-1] == 500
    steps = np.diff(iterations)
    assert (steps > 0).all()
    for step, before in zip(steps, iterations, strict=False):
        assert step <= 2 + 0.02 * before + max(0.1 * before, 25)
    assert all(a.seconds <= b.seconds for a, b in itertools.pairwise(told))
    assert all(now.gap == now.upper - now.lower >= 0 for now in told)


def test_the_best_plans_are_kept_although_gaps_rise_again() -> None:
    found = search(Script(lambda t: 0.1 if 160 <= t < 170 else 1.0), Limits(0.01, iterations=400))
    assert found.plans[0] == [165]
    assert found.gap == pytest.approx(0.1)
    assert (found.iterations, found.reached, found.stalled) == (400, False, False)


def test_the_last_plans_are_taken_if_they_are_the_best() -> None:
    for count in range(40, 60, 5):
        found = search(Script(lambda t: 1 / (1 + t)), Limits(0.001, iterations=count))
        assert found.plans[0] == [count]


def test_a_gap_that_stops_shrinking_ends_the_search() -> None:
    found = search(Script(lambda t: max(1 / t, 1e-3)), Limits(1e-9))
    assert (found.stalled, found.reached) == (True, False)
    assert found.gap == pytest.approx(1e-3)
    assert PATIENCE * 1000 < found.iterations < 1.3 * PATIENCE * 1000
    assert search(Script(lambda t: math.nan), Limits(1e-9)).stalled


def test_a_search_goes_on_where_it_has_come_to_no_number() -> None:
    engine = Script(lambda t: math.nan if t < 50 else 1 / t)
    engine.run(10)
    found = search(engine, Limits(1e-2))
    assert found.reached
    assert 100 <= found.iterations <= 103


def test_a_gap_below_rounding_ends_inaccurate_with_the_best_interval() -> None:
    solution = solve(KUHN, method="pcfr+", gap=1e-18)
    assert solution.status is Status.INACCURATE
    # rounding may make the gap 0; the certificate adds what rounding can hide
    assert solution.message in ("the gap stopped shrinking", "stopped at the gap")
    assert solution.nash_gap < 1e-11
    assert solution.lower <= -1 / 18 <= solution.upper


def test_slices_are_short_enough_for_a_deadline() -> None:
    engine = Script(lambda t: 1.0, seconds=0.02)
    search(engine, Limits(0.1, deadline=time.perf_counter() + 0.5))
    assert max(engine.runs) <= 32


@pytest.mark.parametrize("form", [BY_TREE["leduc"], BY_SIGNALS["leduc"]])
@pytest.mark.parametrize("at", [1, 20])
def test_an_interrupt_in_the_callback_leaves_a_certified_profile(
    form: SequenceForm, at: int
) -> None:
    def stop(now: Progress) -> None:
        if now.iterations >= at:
            raise KeyboardInterrupt

    solution = solve(form, method="dcfr", gap=1e-9, callback=stop)
    assert solution.status is Status.LIMIT
    assert solution.iterations >= at
    assert solution.lower <= VALUES["leduc"] <= solution.upper


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", [1, 9])
def test_an_interrupt_within_an_iteration_leaves_a_certified_profile(
    monkeypatch: pytest.MonkeyPatch, call: int, threads: int
) -> None:
    monkeypatch.setattr(signal_part, "SMALLEST_SHARE", 1)
    honest = SignalEngine._descend

    def descend(engine: Any, *rest: Any, **options: Any) -> None:
        if engine.iterations >= call:
            raise KeyboardInterrupt
        honest(engine, *rest, **options)

    monkeypatch.setattr(SignalEngine, "_descend", descend)
    solution = solve(BY_SIGNALS["leduc"], method="dcfr", gap=1e-9, threads=threads)
    assert (solution.status, solution.iterations) == (Status.LIMIT, call)
    assert solution.lower <= VALUES["leduc"] <= solution.upper


@pytest.mark.parametrize(
    ("options", "error", "word"),
    [
        ({"method": "dcfr", "gap": 0}, InvalidParameterError, "gap=0"),
        ({"method": "dcfr", "gap": -1e-3}, InvalidParameterError, "gap=-0.001"),
        ({"method": "dcfr", "gap": math.nan}, InvalidParameterError, "gap=nan"),
        ({"method": "dcfr", "gap": math.inf}, InvalidParameterError, "gap=inf"),
        ({"method": "dcfr", "iterations": 0}, InvalidParameterError, "iterations=0"),
        ({"method": "lp", "iterations": 10}, InvalidParameterError, "is an option of cfr"),
        ({"solver": "highs", "iterations": 10}, InvalidParameterError, "option of .*dcfr"),
        (
            {"method": "dcfr", "solver": "highs"},
            InvalidParameterError,
            "'solver' is an option of .*lp",
        ),
        ({"method": "dcrf"}, UnknownNameError, "did you mean 'dcfr'"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: dict[str, Any], error: type[Exception], word: str
) -> None:
    with pytest.raises(error, match=word):
        solve(KUHN, **options)


def test_asking_for_a_gap_is_asking_for_regret_minimization() -> None:
    assert solve(KUHN, gap=1e-3).method == "sapdcfr+/treeplex"
    assert solve(KUHN, iterations=10).iterations == 10


def test_a_rule_that_does_not_exist_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'pcfr\+'"):
        rule("pcfr")


@pytest.mark.parametrize("options", [{"players": 3}, {"zero_sum": False}])
def test_games_that_are_not_for_two_players_and_zero_sum_are_refused(
    options: dict[str, Any],
) -> None:
    game = random_game(3, depth=3, **options)
    with pytest.raises(UnsupportedGameError, match="R10"):
        solve(game, method="pdhg")
    with pytest.raises(UnsupportedGameError, match="R10"):
        TreeplexEngine(build_sequence_form(game), rule("dcfr"))


def test_betting_that_skips_a_stage_is_solved_by_treeplexes() -> None:
    with pytest.raises(UnsupportedGameError, match="skips a stage"):
        SignalEngine(*SKIPS.signals, rule("dcfr"))  # type: ignore[misc]
    solution = solve(SKIPS, method="dcfr")
    assert (solution.status, solution.method) == (Status.SOLVED, "dcfr/treeplex")
    assert solution.value == pytest.approx(solve(SKIPS).value, abs=solution.nash_gap + 1e-9)


@pytest.mark.parametrize("mover", [0, 1])
def test_a_player_without_moves_only_watches(mover: int) -> None:
    b = TreeBuilder(2)
    for child, payoff in zip(b.decision(b.root, mover, "only", ["l", "r"]), (1, -2), strict=True):
        b.terminal(child, (payoff, -payoff))
    solution = solve(b.freeze(), method="dcfr", gap=1e-3)
    assert solution.value == pytest.approx((1, -2)[mover], abs=1e-3)
    assert solution.status is Status.SOLVED


@pytest.mark.parametrize("seed", range(40))
def test_the_smallest_signal_games_are_solved(seed: int) -> None:
    form = build_signal_form(SignalStructure(random_signal_game(seed)))
    for kind in ("dcfr", "pcfr+"):
        solution = solve(form, method=kind, gap=1e-2)
        assert solution.status is Status.SOLVED
        assert solution.value == pytest.approx(solve(form, solver="highs").value, abs=1e-2)


def test_a_game_of_one_node_is_solved() -> None:
    b = TreeBuilder(2)
    b.terminal(b.root, (3, -3))
    solution = solve(b.freeze(), method="dcfr")
    assert (solution.status, solution.value, solution.nash_gap) == (
        Status.SOLVED,
        3,
        pytest.approx(0, abs=1e-14),
    )


def test_constant_sum_games_are_bounded_in_player_0s_payoffs() -> None:
    b = TreeBuilder(2)
    for child, row in zip(b.decision(b.root, 0, "rows", ["u", "d"]), ((7, 3), (4, 6)), strict=True):
        for leaf, payoff in zip(b.decision(child, 1, "columns", ["l", "r"]), row, strict=True):
            b.terminal(leaf, (payoff, 10 - payoff))
    seen: list[Progress] = []
    solution = solve(b.freeze(), method="dcfr", gap=1e-3, callback=seen.append)
    assert solution.value == pytest.approx(5, abs=1e-3)
    assert seen[-1].lower - 1e-9 <= 5 <= seen[-1].upper + 1e-9


def test_matching_pennies_is_solved_at_once() -> None:
    solution = solve(matching_pennies(), method="dcfr")
    assert (solution.status, solution.value) == (Status.SOLVED, 0)
