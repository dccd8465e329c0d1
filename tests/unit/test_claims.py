"""What the experiments claim, on few and small games."""

from fractions import Fraction

import pytest

from experiments.kuhn_family import KUHN_FAMILY
from experiments.labels import broken, game_of, method_of
from experiments.perfect_information import PERFECT_INFORMATION
from experiments.searches import SEARCHES_OF_TREES
from experiments.solvers import SOLVERS
from experiments.thresholds import THRESHOLDS_OF_OUTCOME
from seqform import run_experiment


@pytest.fixture
def rows(tmp_path):
    def run(spec, **axes):
        found = run_experiment(spec, axes, out=tmp_path, quick=True)
        assert all(path.stat().st_size > 1000 for path in found.figures)
        assert len(found.figures) == len(spec.figures)
        return found.rows

    return run


def test_who_bluffs_with_more_than_a_third_of_the_jacks_guarantees_less(rows):
    for row in rows(KUHN_FAMILY, alphas="0,1/6,1/3,5/12,1"):
        alpha = Fraction(row["alpha"])
        excess = max(alpha - Fraction(1, 3), Fraction(0))
        assert Fraction(row["guarantee_exact"]) == Fraction(-1, 18) - excess / 3
        assert row["is_equilibrium"] == (excess == 0)
        if not excess:
            assert row["king_bets"] == pytest.approx(3 * float(alpha), abs=1e-12)
            assert row["queen_calls"] == pytest.approx(float(alpha) + 1 / 3, abs=1e-12)


def test_an_alpha_is_a_probability(rows):
    with pytest.raises(Exception, match="write a probability from 0 to 1, such as 1/6"):
        rows(KUHN_FAMILY, alphas="3/2")


def test_a_larger_threshold_makes_a_smaller_game_and_loses_more(rows):
    exact, rough = rows(THRESHOLDS_OF_OUTCOME)
    assert (
        exact["lp_rows"] == rough["lp_rows"] > exact["abstract_lp_rows"] > rough["abstract_lp_rows"]
    )
    assert 0 < exact["gap"] < rough["gap"]
    assert {row["status"] for row in (exact, rough)} == {"lifted"}


def test_histories_positions_and_what_is_left_of_them(rows):
    found = {
        (row["game"], row["method"]): row
        for row in rows(PERFECT_INFORMATION, games="nim,centipede")
    }
    nodes = [found["nim", name]["nodes"] for name in ("minimax", "backward", "alphabeta")]
    assert nodes == [219_447, 91, 500]
    assert found["centipede", "backward"]["status"] == "solved"
    assert found["centipede", "minimax"]["status"] == "refused"


def test_all_methods_have_one_value(rows):
    found = rows(SOLVERS)
    assert {row["status"] for row in found} == {"solved"}
    for row in found:
        assert abs(row["value"] + 1 / 18) <= row["gap"] + 1e-12
    assert found[0]["gap"] < 1e-12


def test_labels():
    row = {"game": "leduc", "parameters": '{"ranks": 6, "suits": 2}', "method": "lp"}
    assert game_of(row) == "leduc(ranks=6,suits=2)"
    assert broken(game_of(row)).splitlines() == ["leduc", "ranks=6", "suits=2"]
    assert method_of(row | {"options": '{"gap": 0.001}'}) == "lp(gap=0.001)"


def test_searches_count_what_theory_says(rows, monkeypatch):
    monkeypatch.setattr("experiments.searches.TIMED_NODES", 1)  # counts are those of one search
    found = rows(SEARCHES_OF_TREES)
    for row in found:
        if not row["search"].startswith("alphabeta"):
            assert (row["nodes"], row["leaves"]) == (row["nodes_of_tree"], row["leaves_of_tree"])
        elif row["order"] == "best":
            assert row["leaves"] == row["fewest_leaves"]
        elif row["order"] in ("random", "worst"):
            assert row["fewest_leaves"] <= row["leaves"] <= row["leaves_of_tree"]
    same_tree = {}
    for row in found:
        key = row["branching"], row["depth"], row["order"]
        assert same_tree.setdefault(key, row["value"]) == row["value"]
    assert len(same_tree) == 20
