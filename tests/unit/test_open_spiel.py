"""OpenSpiel's games through the adapter: the games, the policies that go back, and what is
refused."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import build_sequence_form, build_tree, certify, solve, verify
from seqform.base.errors import (
    GameTooLargeError,
    ImperfectRecallError,
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    SolverError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.form.profile import Profile
from seqform.io import from_open_spiel, open_spiel_game, to_open_spiel_policy
from seqform.io.open_spiel_traversal import exact_lottery, rounded, simplest
from seqform.results.solution import Solution
from seqform.results.status import Status
from seqform.tree.file import load_tree, save_tree
from tests.imperfect_recall import ABSENT_MINDED, FORGETFUL
from tests.same_game import assert_same_game
from tests.strategies import random_profile

pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = "goofspiel(num_cards={},imp_info=True,points_order=descending)"
PAIRS = {
    "kuhn": ("kuhn_poker", kuhn()),
    "leduc": ("leduc_poker", leduc()),
    "liar's dice": ("liars_dice(numdice=1,dice_sides=3)", liars_dice(1, 3)),
    "simultaneous": (GOOFSPIEL.format(3), goofspiel(3)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_its_trees_are_ours_with_exact_chance(name: str) -> None:
    theirs, ours = PAIRS[name]
    tree = from_open_spiel(theirs)
    assert tree.is_exact
    # OpenSpiel lists actions in our order in these games
    assert_same_game(tree, build_tree(ours), labels=False, infoset_labels=False)


def test_labels_are_what_open_spiel_calls_moves() -> None:
    tree = from_open_spiel("kuhn_poker")
    assert [str(label) for label in tree.path(tree.num_nodes - 1)] == [
        "Deal:2",
        "Deal:1",
        "Pass",
        "Bet",
        "Bet",
    ]
    assert tree.infoset_labels[:3] == ("0", "1p", "0pb")


def test_it_reads_a_state_as_it_was_before_its_children_were_made() -> None:
    assert_same_game(
        from_open_spiel("tiny_hanabi"), from_open_spiel(pyspiel.load_game("tiny_hanabi"))
    )
    tree = from_open_spiel("matrix_rps")
    assert tree.num_nodes == 13
    assert [tree.payoffs[row][0] for row in tree.payoff.tolist()[4:]] == [
        0,
        -1,
        1,
        1,
        0,
        -1,
        -1,
        1,
        0,
    ]


@pytest.mark.parametrize(
    "name", [*(theirs for theirs, _ in PAIRS.values()), "matrix_rpsw", "python_kuhn_poker"]
)
def test_a_solution_is_worth_in_open_spiel_what_its_certificate_says(name: str) -> None:
    game = open_spiel_game(name)
    solution = solve(from_open_spiel(game))
    assert solution.status is Status.SOLVED
    policy = to_open_spiel_policy(solution)
    assert pyspiel.exploitability(game, policy) == pytest.approx(solution.exploitability, abs=1e-9)
    form = solution.game
    for seed in range(3):  # and so is any other profile
        profile = random_profile(form, seed)
        certificate = certify(form, profile)
        other = Solution(form, Status.LIMIT, "none", profile, certificate)
        assert certificate.nash_gap > 0.01
        assert pyspiel.exploitability(game, to_open_spiel_policy(other)) == pytest.approx(
            other.exploitability, abs=1e-12
        )


@pytest.mark.parametrize(
    ("name", "nodes", "values"),
    [
        ("catch(rows=3,columns=3)", 40, (1,)),  # one player; chance says where the ball falls
        ("pig(winscore=3,diceoutcomes=2,horizon=6)", 708, (Fraction(5, 32), Fraction(-5, 32))),
        ("breakthrough(rows=3,columns=2)", 69, (1, -1)),
    ],
)
def test_perfect_information_needs_no_information_states(
    name: str, nodes: int, values: tuple[Fraction, ...], tmp_path: Path
) -> None:
    game = open_spiel_game(name)
    assert not game.get_type().provides_information_state_string
    tree = from_open_spiel(game)
    assert tree.perfect_information
    assert tree.num_nodes == nodes
    solution = solve(tree)
    assert (solution.status, solution.values) == (Status.SOLVED, values)
    solution.save(tmp_path / "saved")
    assert verify(tmp_path / "saved").is_proof


def test_simultaneous_moves_are_hidden_until_all_have_moved() -> None:
    """Where a type says that all else is seen, players know the history before the round."""
    tree = from_open_spiel("markov_soccer(horizon=2)")
    assert (tree.num_nodes, tree.num_infosets) == (163, 4)  # two openings, two players
    for first in np.flatnonzero(tree.player == 0).tolist():
        below = tree.infoset[list(tree.children(first))]
        assert len(set(below.tolist())) == 1 < len(below)
    assert solve(tree).value == pytest.approx(0, abs=1e-9)


def test_a_game_of_general_sum_says_so() -> None:
    form = build_sequence_form(from_open_spiel("first_sealed_auction(max_value=3)"))
    assert form.constant_sum is None
    with pytest.raises(UnsupportedGameError, match="sum"):
        solve(form, method="lp")


@pytest.mark.parametrize(
    ("text", "message"), [(ABSENT_MINDED, "absent-minded"), (FORGETFUL, "forgets its own action")]
)
def test_imperfect_recall_is_refused_although_open_spiel_accepts_it(
    text: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "game.efg").write_text(text)
    for game in (pyspiel.load_efg_game(text), f"efg_game(filename={tmp_path / 'game.efg'})"):
        with pytest.raises(ImperfectRecallError, match=message):
            solve(from_open_spiel(game))


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("kuhn_pokr", UnknownNameError, "no OpenSpiel game 'kuhn_pokr' .did you mean 'kuhn_poker'"),
        ("python_nothing", UnknownNameError, "no OpenSpiel game 'python_nothing'"),
        ("", UnknownNameError, "no OpenSpiel game ''"),
        (
            "kuhn_poker(colour=3)",
            InvalidParameterError,
            "cannot make kuhn_poker.colour=3.: .*colour",
        ),
        ("kuhn_poker(", InvalidParameterError, "cannot make"),
        ("phantom_go", UnsupportedGameError, "phantom_go hides .* not say what players know"),
        ("coop_box_pushing", UnsupportedGameError, "not say what players know"),
        ("mfg_crowd_modelling", UnsupportedGameError, "mean-field"),
    ],
)
def test_what_open_spiel_has_not_or_does_not_say_is_refused(
    name: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        from_open_spiel(name)


def test_games_that_are_too_large_or_never_end_are_refused() -> None:
    assert from_open_spiel("leduc_poker", max_nodes=9457).num_nodes == 9457
    with pytest.raises(GameTooLargeError, match="does not end within 9,456 nodes"):
        from_open_spiel("leduc_poker", max_nodes=9456)
    with pytest.raises(GameTooLargeError):
        from_open_spiel(Fake(lambda path: (0, str(path), [0])), max_nodes=1000)


def test_without_pyspiel_the_error_says_how_to_install_it(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(SolverError, match="pip install open_spiel"):
        from_open_spiel("kuhn_poker")


def test_only_solutions_of_its_games_become_policies(tmp_path: Path) -> None:
    tree = from_open_spiel("kuhn_poker")
    save_tree(tree, tmp_path / "kuhn.npz")
    for game in (kuhn(), load_tree(tmp_path / "kuhn.npz")):
        with pytest.raises(InvalidStrategyError, match="from_open_spiel"):
            to_open_spiel_policy(solve(game))
    failed = Solution(build_sequence_form(tree), Status.FAILED, "none", None, None)
    with pytest.raises(InvalidStrategyError, match="FAILED"):
        to_open_spiel_policy(failed)


class Fake:
    """A game with the methods that the adapter calls; `rules` gives (player, infoset or returns,
    actions or outcomes) for each path."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def get_type(self) -> Any:
        return pyspiel.load_game("kuhn_poker").get_type()

    def num_players(self) -> int:
        return 2

    def new_initial_state(self) -> FakeState:
        return FakeState(self.rules, ())


class FakeState:
    def __init__(self, rules: Any, path: tuple[int, ...]) -> None:
        self.rules, self.path = rules, path
        self.mover, self.content, self.moves = rules(path)

    def current_player(self) -> int:
        return self.mover  # type: ignore[no-any-return]

    def information_state_string(self) -> Any:
        return self.content

    def returns(self) -> Any:
        return self.content

    def legal_actions(self) -> Any:
        return self.moves

    def chance_outcomes(self) -> Any:
        return self.moves

    def action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def history_str(self) -> str:
        return str(self.path)

    def child(self, action: int) -> FakeState:
        return FakeState(self.rules, (*self.path, action))

    def apply_action(self, action: int) -> None:
        self.__init__(self.rules, (*self.path, action))  # type: ignore[misc]


END = (-4, [1.0, -1.0], [])


def lottery(*probabilities: float) -> Any:
    return Fake(lambda path: END if path else (-1, None, list(enumerate(probabilities))))


def test_chance_in_floats_becomes_exact_or_is_refused_with_the_remedy() -> None:
    assert set(from_open_spiel(lottery(1 / 3, 1 / 3, 1 / 3)).probabilities) == {Fraction(1, 3)}
    assert from_open_spiel(lottery(0.1, 0.2, 0.7)).probabilities == (
        Fraction(1, 10),
        Fraction(1, 5),
        Fraction(7, 10),
    )
    for bad in (
        (0.123456789012345, 0.876543210987655),
        (0.5, 0.25),
        (0.5, 0.5000001),
        (float("nan"), 1.0),
        (),
    ):
        with pytest.raises(InvalidGameError, match="chance_denominator=1000000 to round"):
            from_open_spiel(lottery(*bad))
    tree = from_open_spiel(lottery(0.123456789012345, 0.876543210987655), chance_denominator=1000)
    assert tree.probabilities == (Fraction(123, 1000), Fraction(877, 1000))
    for denominator in (0, -1, 1.5, "1000"):
        with pytest.raises(InvalidParameterError, match="chance_denominator"):
            from_open_spiel("kuhn_poker", chance_denominator=denominator)  # type: ignore[arg-type]
    with pytest.raises(InvalidGameError, match="R4"):
        from_open_spiel(lottery(-0.5, 1.5), chance_denominator=10)


def test_a_state_of_a_known_infoset_with_other_actions_is_refused() -> None:
    for rules, message in (
        (
            lambda path: [
                (0, "a", [0, 1]),
                (1, "h", [0, 1 + len(path) % 2 * path[0]] if path else [0]),
                END,
            ][len(path)],
            "R8.*'h'.*0, 1.*0, 2",
        ),
        (lambda path: END if path else (-2, None, [0]), "OpenSpiel's player -2"),
        (lambda path: END if path else (7, None, [0]), "OpenSpiel's player 7"),
        (lambda path: END if path else (0, "a", []), "R3"),
        (lambda path: (-4, [1.0], []) if path else (0, "a", [0]), "R5"),
        (lambda path: (-4, [float("nan"), 0.0], []) if path else (0, "a", [0]), "R5"),
    ):
        with pytest.raises((InvalidGameError, UnsupportedGameError), match=message):
            from_open_spiel(Fake(rules))


def test_players_who_see_the_same_have_information_sets_of_their_own() -> None:
    matching = Fake(
        lambda path: (
            (-4, [1.0, -1.0] if path[0] == path[1] else [-1.0, 1.0], [])
            if len(path) == 2
            else (len(path), "?", [0, 1])
        )
    )
    tree = from_open_spiel(matching)
    assert tree.infoset_player.tolist() == [0, 1]
    solution = solve(tree)
    assert solution.value == pytest.approx(0, abs=1e-12)
    assert to_open_spiel_policy(solution).policy_table() == {"?": [(0, 0.5), (1, 0.5)]}
    pure = Profile.from_behaviors(
        solution.game.treeplexes, [np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0])]
    )
    with pytest.raises(InvalidStrategyError, match=r"two players see '.'"):
        to_open_spiel_policy(Solution(solution.game, Status.LIMIT, "none", pure, None))


def test_memory_that_runs_out_is_an_error(monkeypatch: Any) -> None:
    monkeypatch.setattr("seqform.base.memory.MemoryLimit.is_used_up", lambda self, states: True)
    with pytest.raises(GameTooLargeError, match=r"does not end within .* of memory"):
        from_open_spiel(open_spiel_game("leduc_poker"))


def test_an_error_within_open_spiel_is_an_error_of_our_own() -> None:
    def broken(path: Any) -> Any:
        if path:
            pyspiel.load_game("no such game")
        return 0, "a", [0]

    with pytest.raises(InvalidGameError, match="OpenSpiel itself fails within the game"):
        from_open_spiel(Fake(broken))


def test_numbers_meant_by_floats() -> None:
    assert [simplest(x) for x in (2.0, -0.5, 1 / 3, 0.1, -0.0)] == [
        2,
        Fraction(-1, 2),
        Fraction(1, 3),
        Fraction(1, 10),
        0,
    ]
    assert type(simplest(2.0)) is int
    assert simplest(0.12345678901234) == 0.12345678901234
    assert type(simplest(1e-9)) is float
    assert exact_lottery((0.25, 0.75)) == (Fraction(1, 4), Fraction(3, 4))
    assert rounded((0.3333, 0.3333, 0.3334), 10) == (
        Fraction(3, 10),
        Fraction(3, 10),
        Fraction(2, 5),
    )
    assert sum(rounded((0.7, 0.2, 0.05, 0.05), 3)) == 1


@pytest.mark.parametrize("name", ["havannah(board_size=-1)", "hanabi(ranks=-1)"])
def test_a_game_that_crashes_open_spiel_is_an_error(name: str) -> None:
    with pytest.raises(InvalidParameterError, match=r"its process was ended by SIG.*use other"):
        from_open_spiel(name)


def test_a_game_registered_in_this_process_only_is_found_by_name() -> None:
    from open_spiel.python.games import kuhn_poker

    known, kind = kuhn_poker._GAME_TYPE, pyspiel.GameType
    name = "kuhn_registered_here_only"
    here = kind(
        short_name=name,
        long_name=name,
        dynamics=known.dynamics,
        chance_mode=known.chance_mode,
        information=known.information,
        utility=known.utility,
        reward_model=known.reward_model,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
    )
    pyspiel.register_game(here, kuhn_poker.KuhnPokerGame)
    assert from_open_spiel(name).num_nodes == 58
