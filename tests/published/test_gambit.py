"""Gambit, where it is installed: it reads what we write with the same values, and we read every
file of its catalogue."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.gambit import value
from games.circular_precedence import circular_precedence
from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.liars_dice import liars_dice
from games.random_games import random_game
from games.satisfiability import satisfiability
from games.signalling import signalling
from seqform import (
    Profile,
    TreeBuilder,
    build_normal_form,
    build_sequence_form,
    build_tree,
    certify,
    solve,
)
from seqform.base.errors import ImperfectRecallError
from seqform.io import efg_text, parse_efg, read_efg, write_nfg
from seqform.io.nfg_reader import read_nfg
from seqform.perfect_information import backward_induction, check_one_shot
from seqform.tree.as_rules import TreeGame
from seqform.tree.tree import GameTree
from tests.same_game import assert_same_game

pygambit = pytest.importorskip("pygambit")
gambit = pytest.importorskip("tests.reference.gambit")

CATALOGUE = Path(pygambit.__file__).parent / "catalog_data"
FILES = sorted(str(path.relative_to(CATALOGUE)) for path in CATALOGUE.rglob("*.efg"))


@pytest.mark.parametrize(
    "game",
    [
        kuhn(),
        liars_dice(1, 2),
        goofspiel(3),
        *(random_game(seed=seed, depth=4, chance=0.3, rewards=True) for seed in range(12)),
    ],
)
def test_gambit_reads_what_we_write_with_the_same_value(game: Any) -> None:
    tree = build_tree(game)
    theirs = gambit.read(efg_text(tree))
    assert gambit.num_nodes(theirs) == tree.num_nodes
    assert gambit.num_infosets(theirs) == [int((tree.infoset_player == p).sum()) for p in range(2)]
    assert float(value(theirs)) == pytest.approx(solve(tree).value, abs=1e-9)
    assert_same_game(tree, parse_efg(theirs.to_efg()), infoset_labels=False)


@pytest.mark.parametrize(
    "game",
    [
        kuhn(),
        *(random_game(seed=s, depth=4, chance=0.3, zero_sum=s % 2 == 0) for s in range(8)),
        random_game(seed=3, players=3, depth=4, zero_sum=False),
    ],
)
def test_gambit_has_the_same_reduced_normal_form(game: Any, tmp_path: Path) -> None:
    """Its own of the tree, up to the order of strategies; and in order what it reads of ours."""
    tree = build_tree(game)
    normal = build_normal_form(build_sequence_form(tree))
    own = gambit.read(efg_text(tree)).to_arrays()
    write_nfg(normal, tmp_path / "game.nfg", "a game")
    read = pygambit.read_nfg(str(tmp_path / "game.nfg")).to_arrays()
    for player in range(tree.num_players):
        mine = [normal.payoff(where)[player] for where in np.ndindex(*normal.num_strategies)]
        theirs = np.asarray(own[player], dtype=object)
        assert theirs.shape == normal.num_strategies
        assert sorted(map(fraction, theirs.flat)) == sorted(mine)
        assert [fraction(number) for number in np.asarray(read[player], dtype=object).flat] == mine


def fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def test_gambit_reads_labels_and_numbers_of_every_kind() -> None:
    b = TreeBuilder(2)
    first, second = b.chance(
        b.root, [('the "first"', Fraction(1, 3)), ("the \\second", Fraction(2, 3))]
    )
    b.reward(b.root, [1e22, 1e-5])
    b.reward(second, [0.1, Fraction(-1, 7)])
    b.terminal(first, [0, 0])
    b.terminal(b.decision(second, 1, ("key", 1), ["a\nb\N{BLACK SPADE SUIT}"])[0], [2.5, -3])
    text = efg_text(b.freeze(), 'a "title"')
    theirs = gambit.read(text)
    assert theirs.title == 'a "title"'
    assert_same_game(b.freeze(), parse_efg(theirs.to_efg()), labels=False)


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_the_catalogue(name: str) -> None:
    """Constant-sum games have Gambit's value, those of perfect information a subgame-perfect
    profile, others of two players an equilibrium in which Gambit finds no regret, and those of more
    an equilibrium with proven gains."""
    tree = read_efg(CATALOGUE / name)
    assert_same_game(tree, parse_efg(efg_text(tree)))
    if tree.perfect_information:
        rules = TreeGame(tree)
        assert check_one_shot(rules, backward_induction(rules)).largest_gain == 0
        return
    try:
        form = build_sequence_form(tree)
    except ImperfectRecallError:
        assert not pygambit.read_efg(CATALOGUE / name).is_perfect_recall
        return
    assert pygambit.read_efg(CATALOGUE / name).is_perfect_recall
    if form.num_players == 2 and form.constant_sum is not None:
        try:
            theirs = float(value(pygambit.read_efg(CATALOGUE / name)))
        except ValueError as error:  # pygambit 17 leaves sets that are not reached without a move
            pytest.skip(str(error))
        assert solve(form).value == pytest.approx(theirs, abs=1e-12)
    elif form.num_players == 2:
        assert gains_nothing(tree)
    else:
        solution = solve(form)
        assert solution.exact is not None or solution.bracket.nash_gap <= Fraction(1, 10**9)


def gains_nothing(tree: GameTree, **options: Any) -> bool:
    """Return whether Gambit finds no regret in the equilibrium of complementary pivots."""
    form = build_sequence_form(tree)
    exact = solve(form, method="lcp", exact=True, **options).exact
    behaviors = gambit.exact_behaviors(form, exact)
    return bool(gambit.largest_regret(tree, form, behaviors) == 0)


@pytest.mark.parametrize("seed", range(10))
def test_gambit_finds_no_regret(seed: int) -> None:
    tree = random_game(seed, depth=5, chance=0.3, zero_sum=False, max_payoff=1 + seed % 3 * 50)
    assert gains_nothing(tree, start=seed)
    form = build_sequence_form(tree)  # and where there is some regret, Gambit and we agree
    uniform = [
        [Fraction(1), *(Fraction(1, int(n)) for n in t.num_actions for _ in range(n))]
        for t in form.treeplexes
    ]
    gains = certify(form, Profile.uniform(form.treeplexes)).gains
    assert float(gambit.largest_regret(tree, form, uniform)) == pytest.approx(max(gains), abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_payoffs_are_among_those_of_all_extreme_equilibria(seed: int) -> None:
    """Gambit enumerates them on the normal form; without ties there are no others."""
    tree = random_game(seed, depth=4, zero_sum=False, max_payoff=10**6, chance=0.1, hidden=1.0)
    found = pygambit.nash.enummixed_solve(gambit.game_of(tree), rational=True).equilibria
    theirs = {tuple(Fraction(e.payoffs[p]) for p in e.game.players) for e in found}
    for start in ("uniform", 1, 2):
        assert solve(tree, method="lcp", start=start).exact.values in theirs


@pytest.mark.parametrize("seed", range(8))
def test_all_extreme_equilibria_are_among_those_of_the_normal_form(seed: int) -> None:
    """Gambit's are on the normal form, where some more are corners; none of these is better."""
    tree = random_game(seed, depth=4, branching=2, zero_sum=False, chance=0.2, hidden=1.0)
    found = pygambit.nash.enummixed_solve(gambit.game_of(tree), rational=True).equilibria
    theirs = {tuple(Fraction(e.payoffs[p]) for p in e.game.players) for e in found}
    solution = solve(tree, all=True)
    ours = {each.values for each in solution.equilibria}
    assert solution.equilibria.is_complete
    assert ours <= theirs
    assert max(map(sum, ours)) == max(map(sum, theirs))


@pytest.mark.parametrize("name", ["6x6_game_with_75_eq", "6x6_game_with_75_eq_small_payoffs"])
def test_a_game_has_75_equilibria(name: str) -> None:
    """von Stengel, "New maximal numbers of equilibria in bimatrix games", Discrete & Computational
    Geometry 21, 1999: more than the 63 that were thought to be the most."""
    game = read_nfg(CATALOGUE / "journals/dcg/vonstengel1999" / f"{name}.nfg")
    found = solve(game, all=True).equilibria
    assert (len(found), found.is_complete, len(set(found.components))) == (75, True, 75)
    best = solve(game, optimize="welfare").optimum
    assert best.value == max(sum(each.values) for each in found)


def test_the_catalogue_has_games_of_every_kind() -> None:
    assert len(FILES) >= 32


@pytest.mark.parametrize(
    ("figure", "game"),
    [("fig1", signalling()), ("fig6", circular_precedence()), ("fig9", satisfiability())],
)
def test_games_of_von_stengel_and_forges(figure: str, game: GameTree) -> None:
    """All three of the catalogue, told without names of information sets and actions."""
    theirs = read_efg(CATALOGUE / "journals/mor/vonstengelforges2008" / f"{figure}.efg")
    normal = [build_normal_form(build_sequence_form(tree)) for tree in (game, theirs)]
    assert normal[0].num_strategies == normal[1].num_strategies
    pays = [
        sorted(one.payoff(where) for where in np.ndindex(*one.num_strategies)) for one in normal
    ]
    assert pays[0] == pays[1]
    assert game.num_nodes == theirs.num_nodes
    assert np.bincount(game.infoset_player).tolist() == np.bincount(theirs.infoset_player).tolist()
