"""The size of a tree by random probes and by states, against the tree itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import log10, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from benchmarks.perfect_information import Uniform
from games.kuhn import kuhn
from games.leduc import leduc
from games.nim import nim
from games.random_games import random_game
from games.rhode_island import rhode_island
from games.tic_tac_toe import tic_tac_toe
from seqform import build_tree, describe, estimate_size, make
from seqform.base.errors import GameTooLargeError, InvalidGameError, InvalidParameterError
from seqform.cli import app
from seqform.game.probe import Probe, RulesWalk, SignalWalk, Walk, probe
from seqform.game.size_estimate import lower_bound, why_too_large
from seqform.game.state_counts import count_by_states
from seqform.methods.estimate_size import walk_of
from seqform.tree.tree import GameTree
from seqform.tree.walk import branching_of_tree
from tests.perfect_games import Chain, Lattice

seeds = st.integers(0, 10_000)


def scripted(script: list[int], widths: list[int], width: int) -> int:
    """Choose as a script says, the first of all where it ends; note how many moves there were."""
    widths.append(width)
    return script[len(widths) - 1] if len(widths) <= len(script) else 0


def all_probes(walk: Walk) -> Iterator[tuple[Fraction, Probe]]:
    """Yield every probe that there can be, with its probability."""
    script: list[int] = []
    while True:
        widths: list[int] = []

        found = probe(walk, partial(scripted, script, widths))
        yield Fraction(1, prod(widths)), found
        script = (script + [0] * len(widths))[: len(widths)]
        while script and script[-1] == widths[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1


def check_unbiased(walk: Walk, tree: GameTree) -> None:
    """Check that the mean over all probes is the number of nodes, and of leaves."""
    probes = list(all_probes(walk))
    assert sum(chance for chance, _ in probes) == 1
    assert sum(chance * found.nodes for chance, found in probes) == tree.num_nodes
    assert sum(chance * found.terminal_nodes for chance, found in probes) == tree.count("terminal")
    assert max(found.depth for _, found in probes) == tree.depth
    inner = sum(chance * found.inner for chance, found in probes)
    children = sum(chance * Fraction(found.children) for chance, found in probes)
    expected = float(children / inner) if inner else 0.0
    assert branching_of_tree(tree) == pytest.approx(expected)


@given(seeds, st.integers(0, 5), st.integers(1, 4))
def test_the_mean_of_all_probes_of_a_tree_is_its_size(
    seed: int, depth: int, branching: int
) -> None:
    tree = random_game(seed, depth=depth, branching=branching, nodes=300)
    check_unbiased(walk_of(tree), tree)


@given(seeds)
def test_the_mean_of_all_probes_of_rules_is_the_size_of_their_tree(seed: int) -> None:
    game = Lattice(seed, levels=4, width=3, chance=0.3)
    check_unbiased(RulesWalk(game), build_tree(game))


@pytest.mark.parametrize("game", [kuhn(), kuhn(cards=5), leduc(), rhode_island(3, 2, 1)])
def test_the_mean_of_all_probes_of_a_signal_game_is_the_size_of_its_tree(game: Any) -> None:
    check_unbiased(SignalWalk(game), build_tree(game))


def check_counts(game: Any, tree: GameTree) -> None:
    states, counts, endless = count_by_states(walk_of(game))  # type: ignore[arg-type]
    assert counts is not None
    assert endless is None
    assert counts.nodes == tree.num_nodes >= states
    assert counts.terminal_nodes == tree.count("terminal")
    assert counts.chance_nodes == tree.count("chance")
    assert counts.depth == tree.depth
    expected = branching_of_tree(tree)
    assert (counts.children / counts.inner if counts.inner else 0.0) == pytest.approx(expected)


@given(seeds)
def test_counts_by_states_are_those_of_the_tree(seed: int) -> None:
    game = Lattice(seed, chance=0.3)
    check_counts(game, build_tree(game))


@pytest.mark.parametrize("game", [kuhn(), leduc(), rhode_island(3, 2, 1), make("liars-dice")])
def test_counts_by_public_states_are_those_of_the_tree(game: Any) -> None:
    check_counts(game, build_tree(game))


@pytest.mark.parametrize("odds", [2, 4])
@pytest.mark.parametrize("branches", [1, 2, 5])
def test_the_lower_bound_is_wrong_as_rarely_as_it_says(
    odds: int, branches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly, over all sequences of five probes of a lopsided tree, stopped when it is wrong."""
    monkeypatch.setattr("seqform.game.size_estimate.ODDS", log10(odds))
    monkeypatch.setattr("seqform.game.size_estimate.BLOCKS", (1, 2))
    # one of 1 + branches moves ends play, and below each of the others are 9 more
    chances = [(Fraction(1, 1 + branches), 2 + branches)]
    chances.append((1 - chances[0][0], 2 + branches + 9 * (1 + branches)))
    size = sum(chance * nodes for chance, nodes in chances)
    wrong = Fraction(0)
    for sequence in product(chances, repeat=5):
        nodes = [counted for _, counted in sequence]
        bounds = (lower_bound(nodes[:k]) for k in range(1, 6))
        if any(bound > log10(size) + 1e-12 for bound in bounds):
            wrong += prod((chance for chance, _ in sequence), start=Fraction(1))
    assert wrong <= Fraction(1, odds)
    assert lower_bound([int(size)] * 5) < log10(size)


def test_equal_seeds_and_numbers_give_equal_estimates() -> None:
    game = make("connect-four")
    first, again, other = (estimate_size(game, 30, seed) for seed in (7, 7, 8))
    assert first.record() == again.record()
    assert first.nodes == again.nodes != other.nodes
    assert first.probes == 30
    assert sum(first.batches) / 10 == first.nodes  # three probes in each
    assert estimate_size(game, seconds=1e-9).probes == 1
    assert len(estimate_size(game, 4).batches) == 4


class Wide(Chain):
    """A thousand moves at each of `length` states."""

    def actions(self, state: int) -> Any:
        return range(1000)


def test_sizes_that_no_float_holds() -> None:
    estimate = estimate_size(Wide(200), 2)
    assert estimate.nodes == sum(1000**level for level in range(201))
    assert estimate.record()["log10_nodes"] == pytest.approx(600)
    assert "10^600.0" in repr(estimate)
    assert estimate.branching_factor == 1000


class Ring(Chain):
    """The fifth state leads back to the second."""

    perfect_information = True

    def child(self, state: int, action: Any) -> int:
        return 1 if state == 4 else state + 1


class Counting(Chain):
    """Play goes on for ever, two ways at each state."""

    def actions(self, state: int) -> Any:
        return ("left", "right")


def test_play_that_need_not_end() -> None:
    ring = estimate_size(Ring(10), 5)
    assert ring.endless == "the state after 5 moves, 1, is the state after 1 move"
    assert "log10_nodes" not in json.loads(json.dumps(ring.record()))
    assert describe(Ring(10), max_nodes=50)["play"].endswith("infinite: the state 1 comes back")
    on = estimate_size(Counting(10**9), 3, longest=50)
    assert (on.cut, on.depth, on.terminal_nodes) == (3, 50, 0)
    assert "3 of 3 probes were cut" in repr(on)
    assert "none seen" in repr(on)
    with pytest.raises(GameTooLargeError, match="it is cyclic: the state after 5 moves"):
        build_tree(type("Twice", (Ring,), {"actions": Counting.actions})(10))


def test_a_tree_is_given_up_early_only_if_it_is_too_large() -> None:
    assert build_tree(Uniform(2, 15), 2**16 - 1).num_nodes == 2**16 - 1
    with pytest.raises(GameTooLargeError, match="65,534 nodes"):
        build_tree(Uniform(2, 15), 2**16 - 2)
    with pytest.raises(GameTooLargeError, match=r"random probes show that it has 10\^"):
        build_tree(make("connect-four"))
    walk = RulesWalk(tic_tac_toe())
    assert why_too_large(walk, 549_946) is None
    assert "10^4" in str(why_too_large(walk, 30_000))


def test_a_description_counts_what_it_can() -> None:
    record = describe(tic_tac_toe(), max_nodes=50_000)
    assert record["nodes"] == 549_946
    assert record["terminal_nodes"] == 255_168
    assert (record["decision_nodes"], record["infosets"]) == (294_778, 294_778)
    assert (record["depth"], record["states"]) == (9, 5_478)
    large = describe(nim("9,9,9,9"))
    assert (large["nodes"], large["depth"]) == ("about 1.14e19", 36)
    counted, built = describe(leduc(), max_nodes=50), describe(leduc())
    assert {name: built[name] for name in ("nodes", "depth")} == {
        name: counted[name] for name in ("nodes", "depth")
    }
    assert "infosets" not in describe(Lattice(3, levels=12), max_nodes=20)


def test_refusals() -> None:
    for wrong in ({"probes": 0}, {"longest": 0}):
        with pytest.raises(InvalidParameterError, match="use 1 or more"):
            estimate_size(kuhn(), **wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidGameError, match="int is not a game"):
        estimate_size(3)  # type: ignore[arg-type]
    broken = type("Broken", (Chain,), {"actions": lambda self, state: ()})(3)
    with pytest.raises(InvalidGameError, match=r"R3: a state has no actions.*the state 0"):
        estimate_size(broken)


def info(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["info", *arguments, "--json"])
    if done.exception:
        raise done.exception
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_info_estimates_what_cannot_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    few = partial(count_by_states, max_states=1_000)
    monkeypatch.setattr("seqform.methods.describe.count_by_states", few)
    record = info("connect-four", "--probes", "8", "--seed", "3")
    assert record == info("connect-four", "--probes", "8", "--seed", "3")
    assert (record["probes"], record["seed"], record["play"]) == (8, 3, "ended in every probe")
    low, high = record["log10_nodes_by_batches"]
    assert low < record["log10_nodes"] < high
    shown = CliRunner().invoke(app, ["info", "connect-four", "--probes", "4"]).stdout
    assert "No confidence is claimed" in " ".join(shown.split())


def test_info_of_games_of_open_spiel() -> None:
    pytest.importorskip("pyspiel")
    record = info("openspiel:chess", "--probes", "5")
    assert (record["players"], record["probes"]) == (2, 5)
    assert record["log10_nodes"] > 100
    assert record["not_built"].endswith("or more")


def test_open_spiel_is_walked_as_its_tree() -> None:
    pytest.importorskip("pyspiel")
    from seqform.io import from_open_spiel, open_spiel_walk

    check_unbiased(open_spiel_walk("kuhn_poker"), from_open_spiel("kuhn_poker"))
