"""Regret engines against a plain walk over histories, against each other, and against the
certificate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstraction.outcome import outcome
from games.kuhn import kuhn
from games.leduc import leduc
from games.random_games import random_game
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree
from seqform.base.arrays import Floats
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.from_signals import SequenceNumbering, build_signal_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.solvers.iterative.regret import signal_layout, signal_part
from seqform.solvers.iterative.regret.rules import RULES, RegretRule, rule
from seqform.solvers.iterative.regret.signal_engine import SignalEngine
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from seqform.strategies.exploit.model import model_from
from seqform.strategies.exploit.restricted_response import unstored
from tests.examples import examples
from tests.generic_games import GenericStakes, generic_signal_game, generic_tree
from tests.random_signal_games import LARGE, POKER, POKER_BY_SIZE, random_signal_game
from tests.reference.plain_cfr import PlainCFR

KINDS = {
    **RULES,
    "drifting": RegretRule("drifting", 1.0, 1.0, 3.0, drift=(1.0, -0.5, 2.0), horizon=6),
    "general dcfr": RegretRule("general", 2.5, 0.5, 3.0),
    "short memory": RegretRule("short memory", 1.0, -1.0, 0.0),
    "foreseeing": RegretRule("foreseeing", 1.0, 0.5, 2.0, 0.5, drift=(0.5, 0.5, 1.0), horizon=6),
}
STRUCTURED = {
    "leduc, 5 ranks": leduc(5),
    "rhode island, 4x2": rhode_island(4, 2, 1),
    "kuhn, 7 cards": kuhn(7),
}


def distance(mine: Any, theirs: Any) -> float:
    return max(
        float(np.abs(np.subtract(a, b)).max(initial=0)) for a, b in zip(mine, theirs, strict=True)
    )


def check_claim(form: SequenceForm, engine: Any, accuracy: float = 1e-13) -> None:
    """The engine's bounds are what the certificate says of its plans, up to rounding."""
    found = certify(form, Profile.from_plans(form.treeplexes, engine.plans()))
    assert engine.bounds() == pytest.approx(
        (found.lower, found.upper), abs=accuracy * (1 + form.largest_payoff) + found.rounding
    )


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_treeplexes_do_what_a_walk_over_histories_does(kind: str, alternating: bool) -> None:
    chosen = replace(KINDS[kind], alternating=alternating)
    trees = [
        build_tree(kuhn()),
        *(random_game(seed, depth=5, rewards=seed % 2 == 0) for seed in range(8)),
    ]
    for seed, tree in enumerate(trees):
        generic = generic_tree(tree, seed)
        form = build_sequence_form(generic)
        engine, plain = TreeplexEngine(form, chosen), PlainCFR(generic, chosen)
        for count in (1, 1, 3, 5):
            engine.run(count)
            for _ in range(count):
                plain.iterate()
            assert distance(engine.plans(), plain.plans(form)) < 1e-11
        check_claim(form, engine)


def form_of(game: Any, classes: Any = None) -> SequenceForm:
    structure = SignalStructure(game)
    return build_signal_form(structure, None if classes is None else classes(structure))


def engines(form: SequenceForm, chosen: RegretRule) -> tuple[SignalEngine, TreeplexEngine]:
    assert form.signals is not None
    return SignalEngine(*form.signals, chosen), TreeplexEngine(form, chosen)


@cache
def generic_poker(name: str) -> SequenceForm:
    """Return a game that several rules are tried on; in it no two actions tie."""
    return form_of(GenericStakes(POKER[name], 7))


@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)))
@examples(40, 80)
def test_rounds_and_treeplexes_agree_on_random_signal_games(seed: int, kind: str) -> None:
    try:
        form = form_of(generic_signal_game(random_signal_game(seed), seed))
        mine, theirs = engines(form, KINDS[kind])
    except UnsupportedGameError as error:
        assert "skips a stage" in str(error)  # noqa: PT017
        return
    for count in (1, 9):
        mine.run(count)
        theirs.run(count)
        assert distance(mine.plans(), theirs.plans()) < 1e-11
    assert mine.bounds() == pytest.approx(theirs.bounds(), abs=1e-12 * (1 + form.largest_payoff))
    check_claim(form, mine)


@pytest.mark.parametrize("name", POKER_BY_SIZE)
def test_rounds_and_treeplexes_agree_on_poker_until_ties_part_them(name: str) -> None:
    for classes, count in ((None, 2), (outcome, 6)):
        form = form_of(POKER[name], classes)
        for kind in RULES:
            mine, theirs = engines(form, rule(kind))
            mine.run(count)
            theirs.run(count)
            assert distance(mine.plans(), theirs.plans()) < 1e-10
            check_claim(form, mine)
            check_claim(form, theirs)


@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)), st.sampled_from([0, 0.3, 0.9, 1]))
@examples(20, 40)
def test_rounds_and_treeplexes_agree_against_models_in_random_games(
    seed: int, kind: str, p: float
) -> None:
    for player in (0, 1):
        try:
            check_against_model(
                generic_signal_game(random_signal_game(seed), seed), KINDS[kind], player, p, 10
            )
        except UnsupportedGameError as error:
            assert "skips a stage" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", POKER_BY_SIZE)
def test_rounds_and_treeplexes_agree_against_models_in_poker(name: str) -> None:
    for player in (0, 1):
        check_against_model(POKER[name], rule("dcfr"), player, 0.4, 2)


def check_against_model(game: Any, chosen: RegretRule, player: int, p: float, count: int) -> None:
    """Both engines do the same against a random model of a player, and claim what is so."""
    structure = SignalStructure(game)
    form = build_signal_form(structure).zero_sum()
    rng = np.random.default_rng(player)
    random = [t.to_plan(t.to_behavior(rng.random(t.num_sequences) + 0.1)) for t in form.treeplexes]
    model = model_from(Profile.from_plans(form.treeplexes, random), form, player)
    payoffs = unstored(model, p)
    restricted = form.with_operator(payoffs)
    mine = SignalEngine(structure, structure.identity, chosen, restricted=payoffs)
    theirs = TreeplexEngine(restricted, chosen)
    for engine in (mine, theirs):
        engine.run(count)
    assert distance(mine.plans(), theirs.plans()) < 1e-10
    check_claim(restricted, mine)


def randomize(engine: SignalEngine, seed: int, scale: float = 1.0, iterations: int = 50) -> None:
    """Give an engine random regrets, in which no two actions tie, and averages that are plans.

    Where negative regrets are forgotten there are none, and they stay away from 0: at 0 rounding
    decides between uniform and pure.
    """
    engine.run(1)
    rng = np.random.default_rng(seed)
    low = scale if np.isneginf(engine.rule.beta) else -scale
    drawn = {}
    for name, array in engine.state().items():
        drawn[name] = (
            array
            if name.startswith(("average", "total"))
            else rng.uniform(low, 2 * scale, array.shape).astype(array.dtype)
        )
    for name in drawn:
        if name.startswith("basis"):
            drawn[name] = drawn[name.replace("basis", "regret")] * rng.uniform(0.5, 2)
    engine.restore(drawn, iterations)


def by_sequence(engine: SignalEngine, name: str) -> list[Any]:
    """Return an array of the engine by the numbers of the sequence form."""
    found = []
    for player in (0, 1):
        betting = SequenceNumbering(engine.structure, engine.classes, player)
        vector = np.zeros(betting.treeplex.num_sequences)
        for parts in engine._parts:
            for part in parts:
                part.write(player, betting, getattr(part, name)[player], vector)
        found.append(vector)
    return found


def copy_state(mine: SignalEngine, theirs: TreeplexEngine, form: SequenceForm) -> None:
    """Put treeplexes into the state of an engine of rounds."""
    total, averages = mine.total_weight, mine.plans()
    state = {}
    for player, treeplex in enumerate(form.treeplexes):
        regret, basis = (by_sequence(mine, name)[player] for name in ("regret", "basis"))
        behavior = treeplex.to_behavior(np.maximum(basis, 0))
        values = {
            "regret": regret,
            "last": basis - regret,
            "behavior": behavior,
            "plan": treeplex.to_plan(behavior),
        }
        values["average"] = averages[player] * total
        state |= {f"{name}{player}": value for name, value in values.items()}
    theirs.restore(state, mine.iterations)


@pytest.mark.parametrize(
    "name",
    [
        "leduc",
        "leduc, 5 ranks",
        "rhode island, 2x3",
        "rhode island, 3x2",
        *(pytest.param(name, marks=pytest.mark.long) for name in LARGE),
    ],
)
@pytest.mark.parametrize("kind", RULES)
def test_rounds_and_treeplexes_agree_from_random_regrets(name: str, kind: str) -> None:
    form = generic_poker(name)
    mine, theirs = engines(form, rule(kind))
    assert any(found.structured.any() for stage in mine.stages for found in stage.outcomes)
    randomize(mine, 1, 20 * form.largest_payoff if np.isneginf(mine.rule.beta) else 1)
    copy_state(mine, theirs, form)
    for _ in range(3):
        mine.run(1)
        theirs.run(1)
        for player, regret in enumerate(by_sequence(mine, "regret")):
            same = theirs.players[player].regret
            assert np.abs(regret - same)[1:].max() <= 1e-11 * form.largest_payoff
    assert distance(mine.plans(), theirs.plans()) < 1e-10
    check_claim(form, mine)


@pytest.mark.parametrize("name", STRUCTURED)
def test_structured_blocks_pay_what_dense_ones_do(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    structure = SignalStructure(STRUCTURED[name])
    found = []
    for dense in (False, True):
        if dense:
            monkeypatch.setattr(signal_layout, "_factors", lambda _: None)
        engine = SignalEngine(structure, structure.identity, rule("dcfr"))
        parts = [part for stage in engine.stages for part in stage.outcomes]
        assert any(part.structured.any() for part in parts) != dense
        randomize(engine, 2)
        engine.run(3)
        found.append(engine)
    for key, array in found[0].state().items():
        assert np.allclose(array, found[1].state()[key], rtol=1e-11, atol=1e-11)
    assert found[0].bounds() == pytest.approx(found[1].bounds(), abs=1e-12 * 200)


@pytest.mark.parametrize("name", STRUCTURED)
def test_single_precision_is_as_accurate_as_it_can_be(name: str) -> None:
    structure = SignalStructure(STRUCTURED[name])
    form = build_signal_form(structure)
    double, single = (
        SignalEngine(structure, structure.identity, rule("dcfr"), dtype)
        for dtype in (np.float64, np.float32)
    )
    randomize(double, 3)
    single.run(1)
    state = {name: np.zeros_like(array) for name, array in single.state().items()}
    for key, array in double.state().items():
        state[key.replace("average", "earlier")] = array.astype(state[key].dtype)
    single.restore(state, double.iterations)
    for engine in (double, single):
        engine.run(1)
    for kept in ("regret", "basis"):
        for mine, theirs in zip(by_sequence(single, kept), by_sequence(double, kept), strict=True):
            assert np.abs(mine - theirs).max() < 1e-5 * max(1.0, float(np.abs(theirs).max()))
    assert distance(single.plans(), double.plans()) < 1e-6
    check_claim(form, single, 1e-6)


@dataclass(frozen=True)
class Rarely(RegretRule):
    """A rule whose average leaves out most iterations."""

    def schedule(self, start: int, count: int) -> Floats:
        steps = super().schedule(start, count)
        steps[np.arange(start, start + count) % 19 > 0, 2] = 0.0
        return steps


@pytest.mark.parametrize(
    "kind",
    [rule("cfr"), RegretRule("steep", 1.5, 0.0, 60.0), Rarely("rarely", 1.5, 0.0, 2.0)],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_averages_of_many_iterations_are_those_of_the_strategies_played(
    kind: RegretRule, dtype: Any
) -> None:
    """Weights of the steep rule leave the range of single precision; those of CFR never grow."""
    structure = SignalStructure(leduc())
    form = build_signal_form(structure)
    engine = SignalEngine(structure, structure.identity, kind, dtype)
    weights = kind.schedule(0, 300)[:, 2]
    sums = [np.zeros(treeplex.num_sequences) for treeplex in form.treeplexes]
    for weight in weights:
        played = by_sequence(engine, "basis")
        for player, treeplex in enumerate(form.treeplexes):
            behavior = treeplex.to_behavior(np.maximum(played[player], 0))
            sums[player] += weight * treeplex.to_plan(behavior)
        engine.run(1)
    means = [summed / weights.sum() for summed in sums]
    assert distance(engine.plans(), means) < (1e-6 if dtype is np.float32 else 1e-13)
    check_claim(form, engine, 1e-6 if dtype is np.float32 else 1e-13)


@pytest.mark.parametrize("kind", ["dcfr", "pcfr+"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("game", [rhode_island(4, 2, 1), kuhn()])
def test_threads_change_nothing(
    game: Any, dtype: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal_part, "SMALLEST_SHARE", 1)
    structure = SignalStructure(game)
    states = []
    for threads in (1, 2, 5):
        engine = SignalEngine(structure, structure.identity, rule(kind), dtype, threads=threads)
        shares = [len(part.shares) for parts in engine._parts for part in parts]
        blocks = [part.num_blocks for parts in engine._parts for part in parts]
        assert shares == [min(count, 4 * threads) if threads > 1 else 1 for count in blocks]
        engine.run(12)
        states.append((engine.state(), engine.bounds()))
    for state, bounds in states[1:]:
        assert bounds == states[0][1]
        for key, array in state.items():
            assert (array == states[0][0][key]).all()


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("engine", [0, 1, 2, 3])
def test_a_restored_engine_goes_on_bit_for_bit(kind: str, engine: int) -> None:
    def fresh() -> Any:
        structure = SignalStructure(leduc())
        if engine >= 2:
            dtype = np.float64 if engine == 2 else np.float32
            return SignalEngine(structure, structure.identity, rule(kind), dtype)
        return TreeplexEngine(
            build_signal_form(structure) if engine else build_sequence_form(build_tree(leduc())),
            rule(kind),
        )

    first, second = fresh(), fresh()
    first.run(70)
    second.restore({key: array.copy() for key, array in first.state().items()}, first.iterations)
    for one in (first, second):
        one.run(70)
    assert first.iterations == second.iterations == 140
    assert first.bounds() == second.bounds()
    for key, array in first.state().items():
        assert (array == second.state()[key]).all()


def test_runs_may_be_cut_anywhere() -> None:
    form = build_signal_form(SignalStructure(leduc()))
    for make in (
        lambda: TreeplexEngine(form, rule("dcfr")),
        lambda: SignalEngine(*form.signals, rule("dcfr")),
    ):  # type: ignore[misc]
        whole, cut = make(), make()
        whole.run(9)
        for count in (1, 3, 0, 5):
            cut.run(count)
        assert distance(whole.plans(), cut.plans()) == 0


def test_treeplexes_take_any_operator() -> None:
    by_signals = build_signal_form(SignalStructure(leduc()))
    by_tree = build_sequence_form(build_tree(leduc()))
    for alternating in (True, False):
        engines = [
            TreeplexEngine(form, rule("dcfr", alternating=alternating))
            for form in (by_signals, by_tree)
        ]
        for engine in engines:
            engine.run(2)
        assert distance(engines[0].plans(), engines[1].plans()) < 1e-12
    assert engines[0]._matrices is None
    assert engines[1]._matrices is not None


@pytest.mark.parametrize("kind", RULES)
def test_players_who_learn_at_once_converge_too(kind: str) -> None:
    form = build_sequence_form(build_tree(kuhn()))
    engine = TreeplexEngine(form, rule(kind, alternating=False))
    engine.run(4000)
    lower, upper = engine.bounds()
    assert lower <= -1 / 18 <= upper
    assert upper - lower < 0.02
    with pytest.raises(InvalidParameterError, match="alternat"):
        SignalEngine(
            *build_signal_form(SignalStructure(kuhn())).signals, rule(kind, alternating=False)
        )  # type: ignore[misc]


def test_exponents_drift_until_the_horizon() -> None:
    moving = RegretRule("moving", 1.0, -1.0, 15.0, drift=(3.0, -2.0, -5.0), horizon=1000)
    for t, alpha, beta, gamma in (
        (500, 2.5, -2.0, 12.5),
        (1000, 4.0, -3.0, 10.0),
        (9999, 4.0, -3.0, 10.0),
    ):
        rows = (
            chosen.schedule(t - 1, 2)
            for chosen in (moving, RegretRule("still", alpha, beta, gamma))
        )
        mine, still = ([*row[0, :2], row[1, 2] / row[0, 2]] for row in rows)
        np.testing.assert_allclose(mine, still, rtol=1e-5)
    assert (np.diff(moving.schedule(0, 5000)[:, 2]) >= 0).all()
    assert moving.schedule(0, 5000).astype(np.float32)[:, 2].min() > 0


def test_a_step_of_linear_cfr_keeps_what_was_negative_at_first() -> None:
    form = build_sequence_form(generic_tree(build_tree(kuhn()), 0))
    engine = TreeplexEngine(form, rule("linear-cfr"))
    engine.run(1)
    assert (engine.players[0].regret < 0).any()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"alpha": float("nan")}, "alpha=nan"),
        ({"prediction": 2.0}, "prediction=2"),
        ({"gamma": -1.0}, "gamma=-1"),
        ({"gamma": 100.0}, "gamma=100"),
        ({"drift": (0.0, 0.0, -5.0)}, "drift"),
        ({"horizon": 0}, "horizon=0"),
        ({"delta": 1.0}, "delta"),
    ],
)
def test_rules_that_make_no_sense_are_refused(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(InvalidParameterError, match=error):
        rule("dcfr", **arguments)
