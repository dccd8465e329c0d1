"""The core of solve: what is asked for is checked, chosen, lifted, saved and verified as it is."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from seqform import Status, lift, load, make, reduce, solve, verify
from seqform.base.clock import Clock
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    ResultFileError,
    VerificationError,
)
from seqform.base.whole_folder import checksum
from seqform.concepts.nash import NashCertificate
from seqform.game.public_tree import PublicTree
from seqform.game.rules import TERMINAL
from seqform.methods.choose import choose_chain, choose_method
from seqform.methods.problem import Problem
from seqform.methods.request import Request
from seqform.results.rows import rows
from seqform.solvers.iterative import checkpoint


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threads": "2"}, "threads=2: use 1 or more"),
        ({"threads": 1.5}, "threads=1.5: use 1 or more"),
        ({"time_limit": "2"}, "time_limit=2: use a number of seconds"),
        ({"max_nodes": "2"}, "max_nodes='2': use a number from 1 on"),
        ({"max_nodes": 0}, "max_nodes=0: use a number from 1 on"),
        ({"abstract": "outcome", "threshold": "x"}, "threshold=x: use a finite number"),
        ({"solver": 5}, "solver 5: give a name"),
        ({"tolerance": float("inf")}, "tolerance=inf: use a number above 0"),
        ({"tolerance": 10**400}, "tolerance=10+: use a number above 0"),
        ({"method": "dcfr", "gap": 10**400}, "gap=10+: use a number above 0"),
        ({"checkpoint": 5}, "checkpoint=5: give the path of a file"),
        ({"checkpoint": 5, "resume": True}, "checkpoint=5: give the path of a file"),
        ({"polsih": False}, "'polsih' is an option of no method"),
        ({"method": "lp", "polsih": None}, "'polsih' is an option of no method"),
    ],
)
def test_wrong_arguments_are_errors_of_ours(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        solve(make("kuhn"), **options)


def test_a_name_is_a_text() -> None:
    with pytest.raises(InvalidParameterError, match="game 5: give a name"):
        make(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [np.float32(3), Fraction(7, 2)])
def test_time_limits_of_any_number_type(limit: Any) -> None:
    assert solve(make("kuhn"), time_limit=limit).status is Status.SOLVED


@pytest.mark.parametrize("options", [{"gap": np.float32(1e-3)}, {"tolerance": Fraction(1, 1000)}])
def test_tolerances_of_any_number_type_are_saved(options: Any, tmp_path: Path) -> None:
    solution = solve(make("kuhn"), **options)
    solution.save(tmp_path, "kuhn")
    assert load(tmp_path).tolerance == solution.tolerance


def test_a_signal_game_is_resumed_from_a_path_given_as_text(tmp_path: Path) -> None:
    path = str(tmp_path / "search")
    solve(make("leduc"), method="dcfr", iterations=20, checkpoint=path)
    solution = solve(make("leduc"), method="dcfr", gap=1e-1, checkpoint=path, resume=True)
    assert solution.status is Status.SOLVED


def test_a_young_checkpoint_of_a_game_without_a_tree_is_of_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of version 0.1.0 that holds no plans, of a game that was too large for a tree."""
    monkeypatch.setattr(checkpoint, "searched", lambda path: (None, None))
    options = {"checkpoint": "search", "resume": True}
    for max_nodes, whole in ((1000, False), (None, True)):
        problem = Problem(make("leduc"), max_nodes)
        assert Request(problem, "auto", None, 0.0, False, options).resumes_whole_game is whole


def poker_with_a_method() -> Any:
    """Return a signal game, large enough for classes, that brings a method of its own."""
    game = make("leduc", ranks=6)
    object.__setattr__(game, "methods", {"mine": "my_module:solve"})
    return game


@pytest.mark.parametrize("method", ["auto", "mine"])
def test_a_signal_game_is_solved_by_the_method_that_it_brings(method: str) -> None:
    request = Request(Problem(poker_with_a_method()), method, None, 0.0, False, {})
    assert choose_chain(request)[0] == ()
    assert choose_method(request).method.name == "mine"


def test_options_that_the_own_method_lacks_lead_to_classes() -> None:
    request = Request(Problem(poker_with_a_method()), "auto", None, 0.0, False, {"gap": 1e-2})
    chain, _ = choose_chain(request)
    assert [step.name for step in chain] == ["equitable"]


def test_a_proof_passes_over_the_own_method() -> None:
    game = make("connect-four", columns=2, rows=2, connect=2)
    assert solve(game).method == "bitboard"
    solution = solve(game, prove=True)
    assert solution.bracket is not None
    assert solution.bracket.width < 1e-9


def returns_a_number(game: Any, callback: Any, time_limit: Any) -> Any:
    """Stand for a method of a game's own that returns what it should not."""
    return 5


def test_an_own_method_returns_a_search_result() -> None:
    class Mine(SumOfMoves):
        methods: ClassVar = {"mine": f"{__name__}:returns_a_number"}

    with pytest.raises(InvalidGameError, match="returned int; it must return a SearchResult"):
        solve(Mine(1.0))


class SumOfMoves:
    """Two players choose 0 or 1, and everybody sees it; player 1 pays a multiple of the sum."""

    num_players, unit, perfect_information = 2, "units", True

    def __init__(self, stake: float) -> None:
        self.stake = stake

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return TERMINAL if len(state) == 2 else len(state)

    def chance(self, state: tuple[int, ...]) -> list[Any]:
        return []

    def actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return (0, 1)

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def infoset(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return state

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, float]:
        return sum(state) * self.stake, -sum(state) * self.stake


@pytest.mark.parametrize("stake", [1e-12, 0.1, 1e12])
def test_backward_induction_on_floats_of_any_scale(stake: float) -> None:
    solution = solve(SumOfMoves(stake))
    assert (solution.status, solution.values[0]) == (Status.SOLVED, stake)
    assert solution.gap <= solution.tolerance <= 1e-8 * stake


def test_a_lifted_solution_does_not_claim_to_come_from_the_smaller_game(tmp_path: Path) -> None:
    smaller, inverse = reduce(make("leduc"), "equitable")
    solution = solve(smaller)
    with pytest.raises(ResultFileError, match="lift"):
        solution.save(tmp_path / "smaller", "leduc")
    lifted = lift(solution, inverse)
    assert lifted.source is None
    assert lifted.reasons == ()
    lifted.save(tmp_path / "lifted", "leduc")
    assert load(tmp_path / "lifted").status is Status.SOLVED


def test_a_form_without_tree_or_signals_is_not_saved(tmp_path: Path) -> None:
    smaller, _ = reduce(make("goofspiel", cards=3), "equitable")
    with pytest.raises(ResultFileError, match="a result is saved with its game's tree"):
        solve(smaller).save(tmp_path, "goofspiel")


def test_rows_of_a_smaller_game_that_has_not_one_value() -> None:
    solution = solve(make("leduc"), abstract="outcome")
    small = solution.abstract
    assert small is not None
    assert isinstance(small.certificate, NashCertificate)
    general = SimpleNamespace(
        abstract=None,
        certificate=small.certificate,
        game=small.game,
        sizes={},
        gap=0.5,
        values=(1, 2.5),
        is_constant_sum=False,
    )
    object.__setattr__(solution.smaller, "solution", general)
    assert ("values of the abstract game", "1, 2.5 chips, nash_gap 0.5 there") in rows(solution)


def test_an_engine_that_fits_the_checkpoint_is_made_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from seqform.solvers.iterative.regret import engine

    path, made = tmp_path / "search", []
    solve(make("leduc"), method="dcfr", abstract="suit", iterations=20, checkpoint=path)
    original = engine.regret_engine

    def counted(*args: Any, **options: Any) -> Any:
        made.append(args)
        return original(*args, **options)

    monkeypatch.setattr(engine, "regret_engine", counted)
    solve(
        make("leduc"), method="dcfr", abstract="suit", iterations=30, checkpoint=path, resume=True
    )
    assert len(made) == 1


def altered(folder: Path, **claims: Any) -> Path:
    """Change what a saved result claims; None removes the claim."""
    path = folder / "result.json"
    content = json.loads(path.read_text()) | claims
    content = {key: value for key, value in content.items() if value is not None}
    path.write_text(json.dumps(content | {"checksum": checksum(content)}))
    return folder


@pytest.mark.parametrize(
    "claims",
    [
        {"status": "solved", "tolerance": None},
        {"status": "solved", "tolerance": float("inf")},
        {"tolerance": -1},
        {"tolerance": 10**400},
        {"loss": 0.0},
        {"unit": "dollars"},
        {"exact_value": "1/2"},
        {"proof": "bracketed"},
        {"proof": "by magic"},
    ],
)
def test_false_claims_beside_the_certificate(claims: dict[str, Any], tmp_path: Path) -> None:
    solve(make("leduc"), abstract="outcome").save(tmp_path, "leduc")
    assert verify(tmp_path).solution.status is Status.LIFTED
    with pytest.raises(VerificationError, match=f"the result claims (the )?({'|'.join(claims)})"):
        verify(altered(tmp_path, **claims))


def test_what_only_zero_sum_games_have_is_no_claim_of_others(tmp_path: Path) -> None:
    solve(make("chicken"), method="lcp").save(tmp_path, "chicken")
    for key in ("value", "lower", "upper"):
        with pytest.raises(VerificationError, match=f"claims {key} = 7"):
            verify(altered(tmp_path, **{**dict.fromkeys(("value", "lower", "upper")), key: 7.0}))


def test_claims_that_are_no_numbers_are_not_printed(tmp_path: Path) -> None:
    solve(make("kuhn")).save(tmp_path, "kuhn")
    sizes = json.loads((tmp_path / "result.json").read_text())["sizes"]
    altered(tmp_path, seconds={"solve": "long"}, sizes=sizes | {"solver_rows": "x"})
    assert rows(load(tmp_path))


@pytest.mark.parametrize("name", ["lp_rows", "lp_columns", "lp_nonzeros", "sequences"])
def test_false_sizes_are_refused(tmp_path: Path, name: str) -> None:
    solve(make("kuhn"), abstract="equitable").save(tmp_path, "kuhn")
    sizes = json.loads((tmp_path / "result.json").read_text())["sizes"]
    assert verify(tmp_path).solution.sizes == sizes
    with pytest.raises(VerificationError, match=f"claims 7 {name}, but its own game has"):
        verify(altered(tmp_path, sizes=sizes | {name: 7}))


def test_a_program_that_a_game_has_not_is_refused(tmp_path: Path) -> None:
    solve(make("chicken"), method="lcp").save(tmp_path, "chicken")
    sizes = json.loads((tmp_path / "result.json").read_text())["sizes"]
    with pytest.raises(VerificationError, match="claims 7 lp_rows, but its own game has None"):
        verify(altered(tmp_path, sizes=sizes | {"lp_rows": 7}))


def test_a_search_saved_as_version_1_is_no_crash(tmp_path: Path) -> None:
    solve(make("tic-tac-toe"), method="alphabeta").save(tmp_path, "tic-tac-toe")
    with pytest.raises((ResultFileError, VerificationError), match="version 1 claims profiles"):
        verify(altered(tmp_path, version=1))


def test_a_record_of_a_search_says_what_was_checked(tmp_path: Path) -> None:
    solve(make("tic-tac-toe"), method="alphabeta").save(tmp_path, "tic-tac-toe")
    assert verify(tmp_path).record()["checked"] == "the line of play, to its end"
    claimed = {"bounds": ["1", "1"], "values": [1.0, -1.0], "exact_values": ["1", "-1"]}
    claimed |= {"value": 1.0, "lower": 1.0, "upper": 1.0, "principal_variation": []}
    altered(tmp_path, best_action=None, **claimed)
    with pytest.raises(VerificationError, match="checked"):
        verify(tmp_path)
    assert verify(altered(tmp_path, checked="nothing")).record()["checked"] == "nothing"


def test_a_clock_keeps_numbers() -> None:
    clock = Clock(Fraction(1, 2), np.int64(2))  # type: ignore[arg-type]
    assert (type(clock.seconds_left), type(clock.threads)) == (float, int)


def test_a_signal_game_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is too large for a tree, and its tree, come from the same public tree."""
    grown: list[object] = []
    grow = PublicTree._grow
    monkeypatch.setattr(
        PublicTree, "_grow", lambda tree, *given: (grown.append(tree), grow(tree, *given))
    )
    problem = Problem(make("kuhn"))
    assert not problem.is_too_large
    assert problem.tree.num_nodes == 58
    assert len(grown) == 1
