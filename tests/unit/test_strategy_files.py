"""Strategies from elsewhere: OpenSpiel's policies, Gambit's profiles, saved results."""

from __future__ import annotations

import io
import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from games.leduc import leduc
from games.random_games import random_game
from games.rhode_island import rhode_island
from seqform import SequenceForm, TreeBuilder, build_sequence_form, build_tree, make, solve
from seqform.base.errors import InvalidStrategyError as Refused
from seqform.base.errors import ResultFileError, UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.io import (
    efg_text,
    from_gambit_profile,
    from_open_spiel,
    from_open_spiel_policy,
    gambit_profiles,
    parse_efg,
    read_open_spiel_policy,
    read_strategy,
    to_open_spiel_policy,
)
from seqform.io.gambit_profile import prefix_order
from seqform.strategies.evaluate.evaluate import evaluate
from seqform.strategies.exploit.model import model_from
from tests.strategies import random_profile


@pytest.fixture(scope="module")
def kuhn() -> SequenceForm:
    return build_sequence_form(build_tree(make("kuhn")))


@pytest.fixture(scope="module")
def spiel() -> SequenceForm:
    pytest.importorskip("pyspiel")
    return build_sequence_form(from_open_spiel("kuhn_poker"))


def assert_same(mine: tuple[np.ndarray, ...], theirs: tuple[np.ndarray, ...]) -> None:
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def test_prefix_order_is_that_of_a_walk() -> None:
    tree = random_game(seed=3, depth=5, chance=0.3)
    stack, walk = [0], []
    while stack:
        walk.append(stack.pop())
        stack += reversed(tree.children(walk[-1]))
    assert np.argsort(prefix_order(tree)).tolist() == walk


@pytest.mark.parametrize("seed", range(6))
def test_gambits_own_profiles_pay_here_what_they_pay_there(seed: int, tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    tree = random_game(seed=seed, players=2 + seed % 2, depth=4, chance=0.3, zero_sum=False)
    text = efg_text(tree)
    theirs = pygambit.read_efg(io.StringIO(text))
    form = build_sequence_form(parse_efg(text))
    rng = np.random.default_rng(seed)
    data = [
        [rng.dirichlet(np.ones(len(list(choice)))).tolist() for _, choice in of_player]
        for of_player in theirs.mixed_behavior_profile()
    ]
    profile = theirs.mixed_behavior_profile(data)
    numbers = [p for of_player in data for action in of_player for p in action]
    (tmp_path / "printed").write_text("C,0\n" + "NE," + ",".join(map(repr, numbers)) + "\n")
    for given in (from_gambit_profile(profile, form), *gambit_profiles(tmp_path / "printed", form)):
        values = evaluate(form, given).seats[0].values
        paid = [float(profile.payoffs[player]) for player in theirs.players]
        assert values == pytest.approx(paid, abs=1e-9)


def test_gambits_equilibrium_of_kuhn_in_fractions_gains_nothing(kuhn) -> None:
    pygambit = pytest.importorskip("pygambit")
    theirs = pygambit.read_efg(io.StringIO(efg_text(kuhn.tree)))
    found = pygambit.nash.lcp_solve(theirs, rational=True).equilibrium
    evaluation = evaluate(kuhn, from_gambit_profile(found, kuhn))
    assert evaluation.profile.nash_gap < 1e-12
    assert evaluation.seats[0].values[0] == pytest.approx(-1 / 18)


def test_what_is_no_profile_of_gambits_is_refused(kuhn, tmp_path) -> None:
    with pytest.raises(Refused, match="int is not a profile of Gambit: give a MixedBehaviorProf"):
        from_gambit_profile(3, kuhn)
    with pytest.raises(Refused, match="for 1 player, and the game has 2"):
        from_gambit_profile([[("", [("a", 1.0)])]], kuhn)
    path = tmp_path / "printed"
    with pytest.raises(ResultFileError, match="printed does not exist"):
        gambit_profiles(path, kuhn)
    path.write_text("nothing\n")
    with pytest.raises(ResultFileError, match="has no line that begins with NE"):
        read_strategy(path, kuhn)
    path.write_text("NE,1,0\n")
    with pytest.raises(Refused, match=r"line 1: a profile of this game has 24 probabilities, and"):
        read_strategy(path, kuhn)
    path.write_text("NE," + ",".join(["1", "0"] * 11 + ["1", "0.1"]) + "\n")
    with pytest.raises(Refused, match=r"line 1: player 1, information set .* sum to 1\.1"):
        read_strategy(path, kuhn)
    path.write_text("NE," + ",".join(["1", "0"] * 11 + ["1", "x"]) + "\n")
    with pytest.raises(Refused, match=r"line 1: 'x' is not a probability"):
        read_strategy(path, kuhn)
    path.write_text(("NE," + ",".join(["1", "0"] * 12) + "\n") * 2)
    assert len(gambit_profiles(path, kuhn)) == 2
    with pytest.raises(ResultFileError, match="printed holds 2 profiles; keep the line of one"):
        read_strategy(path, kuhn)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ResultFileError, match="printed cannot be read: it is not UTF-8"):
        read_strategy(path, kuhn)
    signals = build_signal_form(SignalStructure(make("kuhn")))
    path.write_text("NE," + ",".join(["1", "0"] * 12) + "\n")
    with pytest.raises(UnsupportedGameError, match="of trees, and this form has none"):
        read_strategy(path, signals)


def test_policies_of_both_kinds_and_mappings_say_the_same(spiel, tmp_path) -> None:
    import pyspiel
    from open_spiel.python import policy

    solution = solve(spiel.tree)
    theirs = to_open_spiel_policy(solution)
    wanted = solution.profile.behaviors
    assert_same(from_open_spiel_policy(theirs, spiel).completed("refuse").behaviors, wanted)

    table = {key: dict(choice) for key, choice in theirs.policy_table().items()}
    assert_same(from_open_spiel_policy(table, spiel).completed("refuse").behaviors, wanted)
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(table))
    assert_same(read_open_spiel_policy(path, spiel).completed("refuse").behaviors, wanted)
    path.write_text(json.dumps({key: list(choice.items()) for key, choice in table.items()}))
    assert_same(read_strategy(path, spiel).completed("refuse").behaviors, wanted)

    tabular = policy.TabularPolicy(pyspiel.load_game("kuhn_poker"))
    for state, choice in table.items():
        tabular.policy_for_key(state)[:] = [choice[0], choice[1]]
    assert_same(from_open_spiel_policy(tabular, spiel).completed("refuse").behaviors, wanted)
    uniform = policy.UniformRandomPolicy(pyspiel.load_game("kuhn_poker"))
    assert {0.5, 1.0} == set(np.concatenate(from_open_spiel_policy(uniform, spiel).behaviors))


def test_actions_of_policies_go_by_number_or_name_and_may_be_left_out(spiel) -> None:
    ways = [{"0": {"1": 1}}, {"0": {1: 1.0}}, {"0": {"Bet": 1}}, {"0": [(1, 1), (0, 0)]}]
    for way in ways:
        given = from_open_spiel_policy(way, spiel)
        assert np.nansum(given.behaviors[0]) == 2.0
        assert len(given.missing(0)) == 5


def test_a_state_that_two_players_see_is_given_to_both() -> None:
    builder = TreeBuilder(num_players=2)
    for node in builder.decision(builder.root, 0, "start", ["a", "b"]):
        for leaf in builder.decision(node, 1, ("start",), ["a", "b"]):
            builder.terminal(leaf, [0, 0])
    tree = builder.freeze()
    tree = replace(tree, infoset_labels=("start", "start"))
    given = from_open_spiel_policy({"start": {"a": 1}}, build_sequence_form(tree))
    assert [behavior.tolist() for behavior in given.behaviors] == [[1, 1, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (3, "int is no policy of OpenSpiel: give a TabularPolicy"),
        ({"9": {"0": 1}}, "information state '9': the game has none of that name"),
        ({"0": {"7": 1}}, "information state '0' has no action '7'; use Pass, Bet"),
        ({"0": {"0": 0.5}}, "player 0, information set '0': the probabilities sum to 0.5"),
        ({"0": {"0": -1, "1": 2}}, "action .*: -1 is not a probability"),
        ({"0": [(0, 1), (0, 1)]}, "information state '0': the action '0' is given twice"),
        ({"0": 3}, "information state '0': 3 says no probability of each action"),
    ],
)
def test_wrong_policies_are_refused(spiel, policy, message) -> None:
    with pytest.raises(Refused, match=message):
        from_open_spiel_policy(policy, spiel)


def test_wrong_policy_files_are_refused(spiel, tmp_path) -> None:
    path = tmp_path / "policy.json"
    path.write_text('{"0": {"0": 1, "0": 0}}')
    with pytest.raises(Refused, match="the action '0' is given twice"):
        read_strategy(path, spiel)
    path.write_text('{"0": {"0": 1}, "0": {"0": 1}}')
    with pytest.raises(Refused, match="the information state '0' is given twice"):
        read_strategy(path, spiel)
    path.write_text("[]")
    with pytest.raises(ResultFileError, match="is no object: give a TabularPolicy"):
        read_open_spiel_policy(path, spiel)


def test_a_pickle_is_never_read(kuhn, tmp_path) -> None:
    class Trap:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "ran",))

    for name in ("policy.pkl", "policy.pickle", "policy.csv", "policy"):
        (tmp_path / name).write_bytes(pickle.dumps(Trap()))
        with pytest.raises(ResultFileError, match="is a pickle, which could run any code when"):
            read_strategy(tmp_path / name, kuhn)
    assert not (tmp_path / "ran").exists()


def test_saved_results_are_strategies(kuhn, tmp_path) -> None:
    solution = solve(kuhn)
    solution.save(tmp_path / "result", "kuhn")
    read = read_strategy(tmp_path / "result", kuhn)
    assert_same(read.completed("refuse").behaviors, solution.profile.behaviors)
    with pytest.raises(ResultFileError, match=r"holds no strategy: neither strategy.csv nor"):
        read_strategy(tmp_path, kuhn)
    with pytest.raises(Refused, match="player 0 has no information set"):
        read_strategy(tmp_path / "result", build_sequence_form(build_tree(leduc())))


def test_strategies_by_classes_are_read_where_there_is_no_tree(tmp_path) -> None:
    structure = SignalStructure(rhode_island(3, 2, 1))
    form = build_signal_form(structure)
    profile = random_profile(form, 1)
    path = tmp_path / "classes.npz"
    SignalStrategy(structure, structure.identity, profile.behaviors).save(path)
    assert_same(read_strategy(path, form).behaviors, profile.behaviors)
    model = model_from(read_strategy(path, form), form, 1)
    np.testing.assert_allclose(model.behavior, profile.behaviors[1], rtol=0, atol=1e-12)
    on_tree = build_sequence_form(build_tree(structure.game))
    with pytest.raises(Refused, match="by classes of hands, which is of a signal game too large"):
        read_strategy(path, on_tree)
    other = build_signal_form(SignalStructure(rhode_island(3, 2, 2)))
    with pytest.raises(ResultFileError, match="is of another game"):
        read_strategy(path, other)
