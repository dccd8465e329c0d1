"""Gains in fractions: what plans pay and how much deviating pays, for any players and sums."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, build_tree, make, solve, verify
from seqform.base.errors import (
    InvalidStrategyError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.whole_folder import checksum
from seqform.concepts.nash import certify
from seqform.exact.bracket import bracket, gains_of
from seqform.exact.certificate import as_bytes, certificate_of, read_certificate
from seqform.exact.plan_proof import ProvenGains, prove_equilibrium, prove_gains
from seqform.exact.plans import round_plan
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import sizes
from seqform.results.solution import Run, Solution
from seqform.results.status import Status
from tests.certificates import CHECKER, forgeries, load_tool, rehashed
from tests.float_games import float_game
from tests.reference.pure_plans import pays, pure_plans
from tests.strategies import random_profile

IDENTITY = {"name": "a game", "params": {}, "unit": "units", "fingerprint": ""}


@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
def test_gains_are_those_of_the_best_pure_plan(seed: int, players: int, zero_sum: bool) -> None:
    form = build_sequence_form(
        random_game(seed, players=players, depth=4, branching=2, zero_sum=zero_sum)
    )
    proven = gains_of(form, random_profile(form, seed, sparse=bool(seed % 2)), bits=7)
    plans = [
        [Fraction(int(entry), whole) for entry in plan]
        for plan, whole in zip(proven.plans, proven.denominators, strict=True)
    ]
    for player in range(players):
        value = pays(form, plans, player)
        best = max(
            pays(form, [*plans[:player], pure, *plans[player + 1 :]], player)
            for pure in pure_plans(form, player)
        )
        assert proven.values[player] == value
        assert proven.gains[player] == best - value


@given(st.integers(0, 10**6), st.integers(2, 4))
def test_the_certificate_in_floats_agrees(seed: int, players: int) -> None:
    form = build_sequence_form(random_game(seed, players=players, depth=6, zero_sum=False))
    profile = random_profile(form, seed)
    proven = gains_of(form, profile)
    certificate = certify(form, profile)
    for gain, bound in zip(proven.gains, certificate.gains, strict=True):
        assert abs(gain - Fraction(bound)) < Fraction(1, 10**9)


def test_of_a_zero_sum_game_the_gap_is_the_width_of_the_interval() -> None:
    form = build_sequence_form(build_tree(make("leduc")))
    profile = Profile.uniform(form.treeplexes)
    assert gains_of(form, profile).nash_gap == bracket(form, profile).width  # type: ignore[union-attr]


def test_a_constant_belongs_to_player_1() -> None:
    b = TreeBuilder(2)
    for node, mine in zip(b.decision(b.root, 0, "h", ["l", "r"]), (1, Fraction(1, 3)), strict=True):
        b.terminal(node, (mine, Fraction(1, 2) - mine))
    form = build_sequence_form(b.freeze())
    assert form.constant_sum == Fraction(1, 2)
    proven = prove_gains(form, [np.array([1, 0, 1]), np.array([1])], [1, 1])
    assert proven.values == (Fraction(1, 3), Fraction(1, 6))
    assert proven.gains == (Fraction(2, 3), 0)


def dilemma() -> SequenceForm:
    """Return a prisoners' dilemma with defection paying 10**30 more."""
    b, huge = TreeBuilder(2), 10**30
    left, right = b.decision(b.root, 0, "row", ["cooperate", "defect"])
    cells = [b.decision(node, 1, "column", ["cooperate", "defect"]) for node in (left, right)]
    amounts = [(3, 3), (0, 3 + huge), (3 + huge, 0), (Fraction(1, 3), Fraction(1, 3))]
    for node, amount in zip([*cells[0], *cells[1]], amounts, strict=True):
        b.terminal(node, amount)
    return build_sequence_form(b.freeze())


def test_payoffs_of_any_size() -> None:
    form = dilemma()
    ones = [np.array([1, 1, 0]), np.array([1, 1, 0])]
    proven = prove_gains(form, ones, [1, 1])
    assert (proven.values, proven.gains) == ((3, 3), (10**30, 10**30))
    assert proven.record()["nash_gap"] == f"{2 * 10**30}"
    with pytest.raises(VerificationError, match=r"players gain 1e\+30, 1e\+30"):
        prove_equilibrium(form, ones, [1, 1])
    defect = [np.array([2, 0, 2]), np.array([5, 0, 5])]
    found = prove_equilibrium(form, defect, [2, 5])
    assert found.values == (Fraction(1, 3), Fraction(1, 3))
    with pytest.raises(UnsupportedGameError, match="use values"):
        _ = found.value
    assert found.record() == {"exact_values": ["1/3", "1/3"]}


def test_what_is_no_plan_proves_nothing() -> None:
    form = dilemma()
    good = np.array([2, 1, 1])
    with pytest.raises(InvalidStrategyError, match="player 1, information set 0"):
        prove_gains(form, [good, np.array([2, 2, 1])], [2, 2])
    with pytest.raises(InvalidStrategyError, match="1 plan with 2 denominators"):
        prove_gains(form, [good], [2, 2])
    with pytest.raises(InvalidStrategyError, match="starts with 3"):
        prove_gains(form, [good, good], [2, 3])
    with pytest.raises(InvalidStrategyError, match="of 1 player"):
        gains_of(form, Profile((np.ones(3),), (np.ones(3),)))
    floats = build_sequence_form(float_game(1, zero_sum=False))
    with pytest.raises(UnsupportedGameError, match="floats"):
        gains_of(floats, Profile.uniform(floats.treeplexes))


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, ProvenGains]:
    form = build_sequence_form(random_game(5, players=3, depth=4, branching=2, zero_sum=False))
    plans = [round_plan(t, t.uniform(), 3) for t in form.treeplexes]
    proven = prove_gains(form, plans, [8, 8, 8])
    (tmp_path / "certificate.json").write_bytes(as_bytes(certificate_of(proven, IDENTITY)))
    return tmp_path / "certificate.json", proven


def test_certificates_are_read_and_checked(
    written: tuple[Path, ProvenGains], capsys: pytest.CaptureFixture[str]
) -> None:
    path, proven = written
    again = read_certificate(path, proven.game, IDENTITY, of_gains=True)
    assert (again.values, again.gains) == (proven.values, proven.gains)
    assert load_tool(CHECKER).main([str(path)]) == 0
    assert ", ".join(map(str, proven.gains)) in capsys.readouterr().out


def test_no_forged_certificate_is_confirmed(written: tuple[Path, ProvenGains]) -> None:
    path, proven = written
    checker, content = load_tool(CHECKER), json.loads(path.read_text())
    tried = 0
    for place, forged in forgeries(content):
        path.write_text(json.dumps(forged))
        assert not accepted(checker, forged), place
        # rehashed, what was changed of the rest may be true of another game
        if not {"hash", "game", "treeplexes", "sequences"} & {*place}:
            assert not accepted(checker, rehashed(forged)), place
        with pytest.raises(Exception, match=r"damaged|altered|another game"):
            read_certificate(path, proven.game, IDENTITY, of_gains=True)
        tried += 1
    assert tried > 100


def accepted(checker: Any, content: Any) -> bool:
    """Return whether the checker confirms a certificate."""
    try:
        checker.confirmed(content)
    except (checker.RefusedError, ValueError, RecursionError):
        return False
    return True


def test_exact_equilibria_of_zero_sum_games_keep_one_value() -> None:
    exact = solve(make("kuhn")).exact
    assert exact is not None
    assert exact.values == (Fraction(-1, 18), Fraction(1, 18))
    assert exact.value == Fraction(-1, 18)
    assert exact.record() == {"exact_value": "-1/18"}


def test_an_equilibrium_of_a_general_sum_game_is_saved_and_verified(tmp_path: Path) -> None:
    form, plans = dilemma(), [np.array([1, 0, 1]), np.array([1, 0, 1])]
    profile = form.profile_of_plans([plan.astype(float) for plan in plans])
    solution = Solution(
        game=form,
        status=Status.SOLVED,
        method="by hand",
        answer=profile,
        certificate=certify(form, profile),
        run=Run(sizes=sizes(form)),
        proofs=(prove_equilibrium(form, plans, [1, 1]),),
        source=form.tree,
    )
    solution.save(tmp_path / "exact")
    found = verify(tmp_path / "exact")
    assert found.record()["exact_values"] == ["1/3", "1/3"]
    assert ("proven in exact arithmetic", EXACTLY) in found.rows()
    assert load_tool(CHECKER).main([str(tmp_path / "exact" / "certificate.json")]) == 0
    bounded = replace(solution, proofs=(gains_of(form, profile),))
    bounded.save(tmp_path / "bounded")
    found = verify(tmp_path / "bounded")
    assert (found.solution.proof, found.record()["proven"]["nash_gap"]) == ("bounded", "0")
    for folder, changes in (
        ("exact", {"exact_values": ["1/3", "1/2"]}),
        ("exact", {"exact_values": None}),
        ("exact", {"proof": "bounded"}),
        ("exact", {"proof": None}),
        ("bounded", {"proof": "exact"}),
        ("bounded", {"proof": None}),
        ("bounded", {"proven": None}),
        ("bounded", {"proven": found.claims["proven"] | {"gains": ["0", "1"]}}),
    ):
        path = tmp_path / folder / "result.json"
        text = path.read_text()
        claims = json.loads(text) | changes
        claims = {key: claim for key, claim in claims.items() if claim is not None}
        path.write_text(json.dumps(claims | {"checksum": checksum(claims)}))
        with pytest.raises(VerificationError, match=r"claims|equilibrium"):
            verify(tmp_path / folder)
        path.write_text(text)


EXACTLY = (
    "each player gains 0 and gets 1/3 = 0.33333333333333333333, 1/3 = 0.33333333333333333333 units"
)


def test_an_equilibrium_in_fractions_and_gains_are_saved_together(tmp_path: Path) -> None:
    solution = solve(make("chicken"), method="lcp", exact=True, prove=True)
    assert [proof.kind for proof in solution.proofs] == ["exact", "bracket"]
    solution.save(tmp_path, "chicken")
    again = verify(tmp_path).solution
    assert solution.exact is not None
    assert again.exact is not None
    assert again.exact.values == solution.exact.values
    assert again.bracket.record() == solution.bracket.record()  # type: ignore[union-attr]
    path = tmp_path / "result.json"
    claims = json.loads(path.read_text())
    claims["proven"]["gains"][0] = "1/9"
    path.write_text(json.dumps(claims | {"checksum": checksum(claims)}))
    with pytest.raises(VerificationError, match="its own files prove"):
        verify(tmp_path)
