"""Solutions of recursive games that are saved, proven again, and forged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import matrix_game
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import ResultFileError, SeqformError, VerificationError
from seqform.base.number import fraction_text
from seqform.base.whole_folder import checksum, digest
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive.bound import Bound, Case
from seqform.recursive.proof import RecursiveProof, prove_again, prove_stationary
from seqform.recursive.saving import FORMAT, VERSION, fingerprint, save
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.solve import solve_recursive
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.verification import is_saved, verify
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status
from tests.random_recursive_games import TableGame, hide_or_run, kuhn_tournament, ruin

GAMES = {
    "kuhn": lambda: kuhn_tournament(4, 2),
    "run": hide_or_run,
    "ruin": lambda: ruin(3, Fraction(1, 3)),
    "unfair": lambda: ruin(3, Fraction(1, 3), (0, 0)),
    "longer": lambda: ruin(4, Fraction(1, 3)),
}


def find(name: str, parameters: dict[str, Any]) -> Any:
    return GAMES[name](**parameters)


@pytest.fixture(scope="module")
def kuhn() -> RecursiveSolution:
    return solve_recursive(GAMES["kuhn"]())


@pytest.fixture
def saved(kuhn: RecursiveSolution, tmp_path: Path) -> Path:
    kuhn.save(tmp_path / "kuhn", "kuhn")
    return tmp_path / "kuhn"


Change = Callable[[dict[str, Any]], None]


def forge(folder: Path, change: Change, plans: Change | None = None) -> None:
    """Change what a folder says, with checksums and all."""
    if plans is not None:
        _, arrays = read_arrays(folder / "plans.npz", FORMAT, VERSION)
        plans(arrays)
        write_arrays(folder / "plans.npz", FORMAT, VERSION, {}, arrays)
    content = json.loads((folder / "result.json").read_text())
    change(content)
    content["files"] = {"plans.npz": digest(folder / "plans.npz")}
    content["checksum"] = checksum(content)
    (folder / "result.json").write_text(json.dumps(content))


def test_what_is_saved_is_proven_again(kuhn: RecursiveSolution, saved: Path) -> None:
    assert is_saved(saved)
    forge(saved, lambda claims: None)
    verified = verify(saved, find)
    assert verified.is_proof
    assert verified.solution.proof.deviations == kuhn.proof.deviations
    assert verified.record()["verified"] is True
    assert verified.solution.record() == kuhn.record() | {"seconds": kuhn.run.seconds}
    for own, again in zip(kuhn.profile.behaviors, verified.solution.profile.behaviors, strict=True):
        for one, other in zip(own, again, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["run", "ruin", "unfair"])
def test_every_kind_of_proof_is_saved(name: str, tmp_path: Path) -> None:
    game = GAMES[name]()
    graph = stage_graph(game)
    proof = prove_stationary(StationaryProfile.uniform(graph))
    solution = RecursiveSolution(proof_profile(proof), proof, Status.LIMIT, "none", 1e-9)
    save(solution, tmp_path / name, name)
    assert verify(tmp_path / name, find).solution.proof.bounds == proof.bounds


def moved(claims: dict[str, Any], by: Fraction, *, stage: int = 0, seat: int = 0) -> None:
    """Move the upper bound of a position, and all that follows from it."""

    def add(entry: Any, name: Any, number: Fraction) -> None:
        entry[name] = fraction_text(Fraction(entry[name]) + number)

    add(claims["stages"][stage]["upper"], seat, by)
    add(claims["stages"][stage]["lower"], 1 - seat, -by)
    if stage == 0:
        add(claims, "upper" if seat == 0 else "lower", by if seat == 0 else -by)
        for player in range(2):
            add(claims["gains"], player, by)
    claims["width"] = fraction_text(
        max(
            Fraction(high) - Fraction(low)
            for entry in claims["stages"]
            for high, low in zip(entry["upper"], entry["lower"], strict=True)
        )
    )


@pytest.mark.parametrize("stage", [0, 1, 2])
@pytest.mark.parametrize("seat", [0, 1])
def test_bounds_that_are_wider_hold_and_narrower_ones_do_not(
    saved: Path, stage: int, seat: int
) -> None:
    width = Fraction(json.loads((saved / "result.json").read_text())["width"])
    forge(saved, lambda claims: moved(claims, width, stage=stage, seat=seat))
    with pytest.raises(VerificationError, match="not proven"):  # other positions hang on it
        verify(saved, find)
    forge(saved, lambda claims: moved(claims, -2 * width, stage=stage, seat=seat))
    with pytest.raises(VerificationError, match="not proven"):
        verify(saved, find)


def test_a_bound_may_not_be_too_low_by_less_than_the_last_digit() -> None:
    """Bounds are integers over 2**64. A claim between two of them is held to the lower one."""
    lowest = ruin(2, Fraction(1, 2))  # one stage, in which nobody decides: worth 1/2 exactly
    graph = stage_graph(lowest)
    proof = prove_stationary(StationaryProfile.uniform(graph))
    assert proof.upper[0][0] >= Fraction(1, 2)
    exact = Bound(((Fraction(1, 2), Fraction(1, 2)),), Case.ENDS)
    assert prove_again(graph, proof.plans, [exact]).width == 0
    false = Bound(((Fraction(1, 2) - Fraction(1, 2**70), Fraction(1, 2)),), Case.ENDS)
    with pytest.raises(VerificationError, match="not proven"):
        prove_again(graph, proof.plans, [false])


@pytest.mark.parametrize("case", ["ENDS", "SLACK", "NONE"])
def test_a_bound_is_proven_by_the_case_that_is_claimed(saved: Path, case: str) -> None:
    before = json.loads((saved / "result.json").read_text())["cases"]
    forge(saved, lambda claims: claims.update(cases=[case.lower()]))
    if [case.lower()] == before:
        verify(saved, find)
        return
    with pytest.raises((VerificationError, ResultFileError)):
        verify(saved, find)


def rows_moved(claims: dict[str, Any]) -> None:
    """Cut the bounds of all positions into stages in another way."""
    for side in ("upper", "lower"):
        first, second = (claims["stages"][number][side] for number in range(2))
        second[:0] = [first.pop()]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (rows_moved, "other positions"),
        (lambda claims: claims["stages"].pop(), "other positions"),
        (lambda claims: claims["stages"].append(claims["stages"][0]), "other positions"),
        (lambda claims: claims["stages"].reverse(), "not proven"),
        (lambda claims: claims.update(cases=["slack", "slack"]), "1 bounds have to be claimed"),
        (lambda claims: claims.update(cases=["slack"] * 3), "does not say for each stage"),
        (lambda claims: claims.update(cases=[]), "1 bounds have to be claimed, not 0"),
        (lambda claims: claims.update(cases=7), "does not say for each stage"),
        (lambda claims: claims.update(stages=7), "does not say for each stage"),
        (lambda claims: claims["stages"][0].update(upper=[0.5, 0.5]), "does not say for each"),
        (lambda claims: claims["stages"][0].update(upper=["1/0", "1/2"]), "does not say for each"),
        (lambda claims: claims["stages"][0].update(label="all"), "another stages"),
        (lambda claims: claims.update(width="0"), "another width"),
        (lambda claims: claims.update(lower="1/2"), "another lower"),
        (lambda claims: claims.update(gains=["0", "0"]), "another gains"),
        (lambda claims: claims.update(is_zero_sum=False), "another is_zero_sum"),
        (lambda claims: claims.update(unit="dollars"), "another unit"),
        (lambda claims: claims.update(tolerance=1e-30), "says solved"),
        (lambda claims: claims.update(tolerance=float("nan")), "how the search ended"),
        (lambda claims: claims.update(tolerance=float("inf")), "how the search ended"),
        (lambda claims: claims.update(tolerance=-1), "how the search ended"),
        (lambda claims: claims.update(tolerance="1"), "how the search ended"),
        (lambda claims: claims.update(tolerance=True), "how the search ended"),
        (lambda claims: claims.update(status="best_found"), "how the search ended"),
        (lambda claims: claims.update(status="sure"), "how the search ended"),
        (lambda claims: claims.update(status=[]), "how the search ended"),
        (lambda claims: claims.update(method=7), "how the search ended"),
        (lambda claims: claims.update(iterations=-7), "how the search ended"),
        (lambda claims: claims.update(iterations="7"), "how the search ended"),
        (lambda claims: claims.update(seconds=[1]), "how the search ended"),
        (lambda claims: claims.update(seconds={"solve": "1"}), "how the search ended"),
        (lambda claims: claims.pop("seconds"), "how the search ended"),
        (lambda claims: claims.update(game="ruin"), "another game now"),
        (lambda claims: claims.update(game=""), "which game it is of"),
        (lambda claims: claims.update(game=["kuhn"]), "which game it is of"),
        (lambda claims: claims.update(parameters=[1]), "with which parameters"),
        (lambda claims: claims.update(version=99), "not a result of version"),
        (
            lambda claims: claims.update(
                game="unfair", game_fingerprint=fingerprint(stage_graph(GAMES["unfair"]()))
            ),
            "shape",
        ),
    ],
)
def test_forged_claims_are_found(saved: Path, change: Change, error: str) -> None:
    forge(saved, change)
    with pytest.raises(SeqformError, match=error):
        verify(saved, find)


def swapped(arrays: dict[str, Any]) -> None:
    arrays["0.0"], arrays["0.1"] = arrays["0.1"], arrays["0.0"]


def halved(arrays: dict[str, Any]) -> None:
    arrays.update({name: array // 2 for name, array in arrays.items()})


def always_first(arrays: dict[str, Any]) -> None:
    """Have seat 0 of the first stage do the first thing everywhere."""
    form = stage_graph(GAMES["kuhn"]()).stages[0].form
    treeplex = form.treeplexes[0]
    plan = np.zeros_like(arrays["0.0"])
    plan[0] = arrays["0.0"][0]
    for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
        plan[treeplex.first_sequence[infoset]] = plan[parent]
    arrays["0.0"] = plan


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (swapped, "seat 0"),
        (always_first, "not proven"),
        (halved, "seat|not proven"),
        (lambda arrays: arrays.pop("1.0"), r"lacks the plan '1\.0'"),
        (lambda arrays: arrays.update({"0.0": np.array(7)}), "seat 0"),
        (lambda arrays: arrays.update({"0.0": np.zeros(0, dtype=np.int64)}), "seat 0"),
        (lambda arrays: arrays.update({"0.0": arrays["0.0"] / 2}), "seat 0"),
        (lambda arrays: arrays.update({"0.0": np.array(["a", "b"])}), "seat 0"),
        (lambda arrays: arrays.update({"0.0": -arrays["0.0"]}), "seat 0"),
        (lambda arrays: arrays.update({"1.1": arrays["1.1"] * 2}), "seat 1"),
        (lambda arrays: arrays.update({"1.1": arrays["1.1"].astype(np.int32)}), "seat 1"),
        (lambda arrays: arrays.update({"1.1": arrays["1.1"][:, None]}), "seat 1"),
    ],
)
def test_forged_plans_are_found(saved: Path, change: Change, error: str) -> None:
    forge(saved, lambda claims: None, change)
    with pytest.raises(SeqformError, match=error):
        verify(saved, find)


@pytest.mark.parametrize("name", ["result.json", "plans.npz"])
def test_what_is_altered_or_missing_is_said(saved: Path, name: str) -> None:
    content = (saved / name).read_bytes()
    (saved / name).write_bytes(content.replace(b"e", b"f", 1))
    with pytest.raises((VerificationError, ResultFileError)):
        verify(saved, find)
    (saved / name).unlink()
    with pytest.raises((VerificationError, ResultFileError)):
        verify(saved, find)
    assert is_saved(saved) is (name == "plans.npz")


def test_a_result_for_people_who_lost_the_game_needs_its_name(
    kuhn: RecursiveSolution, tmp_path: Path
) -> None:
    with pytest.raises(ResultFileError, match="loaded by its name"):
        kuhn.save(tmp_path / "kuhn")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("")
    with pytest.raises(ResultFileError, match="other files"):
        kuhn.save(tmp_path / "mine", "kuhn")


def test_other_stakes_are_another_game() -> None:
    prints = [fingerprint(stage_graph(make())) for make in GAMES.values()]
    assert len(set(prints)) == len(GAMES)


def test_more_stages_than_usual_are_verified(tmp_path: Path) -> None:
    """What was solved with a higher limit on stages is not refused afterwards."""
    graph = stage_graph(ruin(6, Fraction(1, 2)))
    proof = prove_stationary(StationaryProfile.uniform(graph))
    solution = RecursiveSolution(proof_profile(proof), proof, Status.LIMIT, "none", 1e-9)
    save(solution, tmp_path / "ruin", "six")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seqform.recursive.verification.MAX_STAGES", 3)
        patch.setattr("seqform.recursive.walk.MAX_STAGES", 3)
        verify(tmp_path / "ruin", lambda name, parameters: ruin(6, Fraction(1, 2)))


def proof_profile(proof: RecursiveProof) -> StationaryProfile:
    return StationaryProfile.uniform(proof.graph).as_played(proof.plans)


def test_a_game_of_three_players_is_saved(tmp_path: Path) -> None:
    """Then there is no value, and both bounds are claimed."""
    hand = matrix_game(*[np.zeros((2, 2, 2), dtype=int).tolist()] * 3, actions=[[1, 2]] * 3)
    game = TableGame({0: hand}, lambda k, leaf: three(leaf), (0, 0, 0))
    graph = stage_graph(game)
    proof = prove_stationary(StationaryProfile.uniform(graph))
    assert len(proof.bounds) == 2
    solution = RecursiveSolution(proof_profile(proof), proof, Status.LIMIT, "none", 1e-9)
    save(solution, tmp_path / "three", "three")
    assert verify(tmp_path / "three", lambda *_: game).solution.proof.bounds == proof.bounds

    def lower(claims: dict[str, Any]) -> None:
        row = claims["stages"][0]["lower"]
        row[2] = fraction_text(Fraction(row[2]) + Fraction(1, 100))

    forge(tmp_path / "three", lower)
    with pytest.raises(VerificationError, match="not proven"):
        verify(tmp_path / "three", lambda *_: game)


def three(leaf: Leaf) -> Any:
    first, second, third = leaf.at  # type: ignore[misc]
    return Next(0, (1, 2, 0)) if first == second == third else End((first, second, 3 * third))
