"""The soak finds what is planted, and makes it small."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from operator import mul
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import GameTree, TreeBuilder, build_sequence_form, build_tree, load, solve
from seqform.exact.bracket import gains_of, interval_of
from seqform.form.profile import Profile
from seqform.results.solution import Status
from tests.reference.oracles import expected_values, tree_behavior
from tests.same_game import assert_same_game
from tests.soak import checks, runner
from tests.soak.branches import branch_of, grow, in_fractions
from tests.soak.checks import Case, DisagreementError, bounds_of, check_claims, checks_of
from tests.soak.games import SHAPES, draw
from tests.soak.runner import Soak, kind, outcome, save, smallest
from tests.soak.shrink import shrink


def test_random_games_agree() -> None:
    endings = [
        (seed, name, outcome(check, case))
        for seed in (1, 4, 30)
        for case in [Case(draw(seed).tree, draw(seed).signals)]
        for name, check in checks_of(case)
    ]
    assert [ending for ending in endings if ending[2].startswith("wrong")] == []
    assert len({name for _, name, _ in endings}) > 20
    assert sum(ending[2] == "refused" for ending in endings) < len(endings) / 3


def test_games_of_every_kind_are_drawn() -> None:
    kinds = " ".join(draw(seed).kind for seed in range(60))
    for word in [*SHAPES, "bits", "fractions", "floats", "magnitudes"]:
        assert word.removesuffix("s") in kinds


def test_trees_are_cut_and_grown_back() -> None:
    for tree in (build_tree(leduc()), draw(0).tree, draw(1).tree):
        assert_same_game(tree, grow(branch_of(tree), tree.num_players), infoset_labels=False)


def test_fractions_have_the_expectations_of_the_floats() -> None:
    builder = TreeBuilder(2)
    below = builder.chance(builder.root, [("a", 0.1), ("b", 0.7), ("c", 0.2)])
    payoffs = [1e9, -1e9 / 7, 0.3]
    for node, paid in zip(below, payoffs, strict=True):
        builder.terminal(node, (paid, -paid))
    (value, _) = expected_values(in_fractions(builder.freeze()), [])
    assert value == sum(map(mul, map(Fraction, [0.1, 0.7, 0.2]), map(Fraction, payoffs)))
    for seed in range(30):
        drawn = draw(seed).tree
        tree = grow(branch_of(drawn), drawn.num_players)  # information sets numbered alike
        form = build_sequence_form(tree)
        uniform = tree_behavior(form, Profile.uniform(form.treeplexes).behaviors)
        floats = expected_values(tree, uniform)
        exact = expected_values(in_fractions(tree), uniform)
        assert floats == pytest.approx([float(value) for value in exact], rel=1e-9, abs=1e-3)


def test_the_smallest_game_of_a_kind_is_found() -> None:
    def hides(tree: GameTree) -> bool:
        return tree.num_infosets < tree.count("decision")

    small = shrink(build_tree(leduc(2)), hides)
    assert (small.num_nodes, small.count("decision"), small.num_infosets) == (5, 2, 1)
    assert {abs(u) for row in small.payoffs for u in row} <= {0, 1}


def test_a_wrong_bound_is_found_and_saved_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = checks.solve

    def wrong(*game: Any, **options: Any) -> Any:
        solution = honest(*game, **options)
        if options["method"] != "dcfr" or solution.value <= 0:
            return solution
        certificate = replace(solution.certificate, upper=0.9 * solution.lower)
        return replace(solution, certificate=certificate)

    monkeypatch.setattr(checks, "solve", wrong)
    found = []
    for seed in range(20, 40):
        drawn = draw(seed)
        case = Case(drawn.tree, drawn.signals)
        check = dict(checks_of(case)).get("dcfr")
        if check is not None and (ending := outcome(check, case)).startswith("wrong"):
            found.append(seed)
    save(tmp_path, found[0], "dcfr", ending := "wrong: DisagreementError: upper bound too low")
    (text,) = tmp_path.glob("*.txt")
    assert ending in text.read_text()
    assert f"seed {found[0]}" in text.read_text()
    small = load(text.with_suffix(".efg"))
    assert isinstance(small, GameTree)
    assert small.num_nodes == 1
    assert kind(outcome(dict(checks_of(Case(small)))["dcfr"], Case(small))) == kind(ending)


@pytest.mark.parametrize("off", [0, 1, -1])
def test_a_wrong_bracket_is_found_of_either_kind(off: int) -> None:
    """Of Kuhn poker, whose value is -1/18, with uniform plans."""
    form = build_sequence_form(kuhn())
    uniform = Profile.uniform(form.treeplexes)
    interval, gains = interval_of(form, uniform), gains_of(form, uniform)
    assert bounds_of(gains) == (interval.lower, interval.upper)
    moved = off * (interval.upper - interval.lower)
    for proof in (
        replace(interval, lower=interval.lower + moved, upper=interval.upper + moved),
        replace(gains, values=(gains.values[0] + moved, gains.values[1] - moved)),
    ):
        solution = replace(solve(form, exact=False), proofs=(proof,))
        with pytest.raises(DisagreementError, match="bracket") if off else nullcontext():
            check_claims(Case(form.tree), solution)


@pytest.mark.parametrize("status", [Status.LIMIT, Status.SOLVED, Status.FAILED])
def test_no_equilibrium_is_wrong_unless_the_time_was_over(
    monkeypatch: pytest.MonkeyPatch, status: Status
) -> None:
    case = Case(build_tree(kuhn()))
    found = replace(solve(case.form, exact=False), status=status)
    monkeypatch.setattr(checks, "solve", lambda *_, **__: found)
    ending = outcome(lambda case: checks.by_objective(case, "welfare"), case)
    assert ending.startswith("limit" if status is Status.LIMIT else "wrong: Dis"), ending


def test_what_raises_is_wrong_and_what_refuses_is_not() -> None:
    def fails(case: Case) -> str:
        raise ZeroDivisionError("by zero")

    def disagrees(case: Case) -> str:
        raise DisagreementError("1, not 2")

    case = Case(draw(0).tree)
    assert outcome(fails, case) == "wrong: ZeroDivisionError: by zero"
    assert outcome(disagrees, case) == "wrong: DisagreementError: 1, not 2"
    assert smallest(case.tree, "no such check", "wrong") is case.tree


def test_processes_that_crash_or_hang_are_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    class Process:
        pid, exitcode = 7, -11

        def __init__(self, alive: bool) -> None:
            self.is_alive = lambda: alive

        def start(self) -> None: ...
        def kill(self) -> None: ...

    for alive, words in ((False, "crash -11"), (True, "stuck")):
        soak = Soak(games=1, first=3, jobs=0)
        soak.start = lambda alive=alive: Process(alive)  # type: ignore[misc, assignment]
        monkeypatch.setattr(runner, "STUCK", 0.0 if alive else 60.0)
        soak.add()
        soak.note(7, 3, "lp", None)
        soak.look_after()
        assert soak.wrong == [(3, "lp", f"wrong: {words}")]
        assert len(soak.processes) == 1
        assert "lp                       wrong 1" in soak.table()
