"""Shrinking, and solving what was shrunk, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.random_games import random_game
from seqform import build_sequence_form, build_tree, shrink
from seqform.base.errors import InvalidParameterError, VerificationError
from seqform.links.link import REDUCTIONS
from tests.command_line import KEYS, SIZES, call, typed
from tests.random_signal_games import SMALL

VALUE, ABSTRACT_VALUE = -0.282605352, -0.294198022


def test_info_counts_a_game_that_cannot_be_built() -> None:
    assert "6,705,372,545" in call("info", "rhode-island")
    record = json.loads(call("info", "rhode-island", "--json"))
    assert record["nodes"] == 6_705_372_545
    assert (
        record["nodes"]
        == record["decision_nodes"] + record["chance_nodes"] + record["terminal_nodes"]
    )
    assert (record["lp_rows"], record["lp_columns"]) == (91_224_226, 91_224_226)
    assert 5_000 < record["memory_estimate_mb"] < 10_000  # as it is solved by default: by classes


def test_info_counts_as_it_does_from_a_tree() -> None:
    built, counted = (
        json.loads(call("info", *SMALL, *more, "--json")) for more in ((), ("--max-nodes", "1000"))
    )
    assert counted["depth"] == built["depth"]
    assert counted.pop("branching_factor") == pytest.approx(built["branching_factor"])
    assert {key for key in counted if counted[key] != built[key]} <= {"memory_estimate_mb"}


def test_shrink_prints_one_json_object_with_the_promised_keys() -> None:
    record = json.loads(call("shrink", "rhode-island", "--json"))
    assert record.keys() >= {
        "game",
        "params",
        "criterion",
        "threshold",
        "classes",
        "before",
        "after",
        "ratio",
        "seconds",
    }
    assert (record["criterion"], record["threshold"]) == ("outcome", 0.0)
    assert record["classes"] == [13, 205, 1_774]
    assert record["before"].keys() == record["after"].keys() == {"rows", "columns", "nonzeros"}
    assert record["after"]["nonzeros"] == 50_428_638
    assert 0 < record["seconds"] < 60


def test_shrink_for_people() -> None:
    text = call("shrink", "leduc", "--criterion", "equitable")
    for word in (
        "criterion equitable",
        "classes 3, 9",
        "before",
        "after",
        "ratio",
        "1,562",
        "482",
        "3.241",
        "s of CPU",
    ):
        assert word in text
    assert "nodes of the tree: 9,457 before, 1,939 after" in call(
        "shrink", "leduc", "--criterion", "tree"
    )


def test_shrink_takes_a_threshold() -> None:
    sizes = [
        json.loads(call("shrink", "leduc", "--threshold", threshold, "--json"))["classes"]
        for threshold in ("0", "100")
    ]
    assert sizes == [[3, 7], [1, 1]]


def test_shrink_of_a_game_without_cards_looks_at_the_sequence_form() -> None:
    record = json.loads(call("shrink", "goofspiel", "-p", "cards=3", "--json"))
    assert record["criterion"] == "equitable"
    assert record["after"]["rows"] <= record["before"]["rows"]


def solved(*arguments: str) -> dict[str, object]:
    record: dict[str, object] = json.loads(call("solve", *SMALL, *arguments, "--json"))
    assert record.keys() == KEYS | {
        "asked",
        "gains",
        "values",
        "concept",
        "tolerance",
        "message",
        "iterations",
        "abstraction",
        "abstract_value",
        "abstract_sizes",
        "loss",
        "off_path",
    }
    assert record["sizes"].keys() == SIZES  # type: ignore[attr-defined]
    phases = {"reduce", "build", "solve", "certify", "complete", "lift"}
    assert record["seconds"].keys() == phases  # type: ignore[attr-defined]
    assert record["loss"] == record["nash_gap"]
    return record


def test_an_abstraction_that_loses_is_lifted_and_says_what_it_loses() -> None:
    record = solved("--abstract", "outcome")
    assert record["status"] == "lifted"
    assert record["abstraction"] == "outcome"
    assert record["abstract_value"] == pytest.approx(ABSTRACT_VALUE, abs=1e-8)
    assert record["loss"] > 0.1  # type: ignore[operator]
    assert record["lower"] < VALUE < record["upper"]  # type: ignore[operator]


@pytest.mark.parametrize("criterion", ["suit", "equitable"])
def test_an_abstraction_that_loses_nothing_is_solved(criterion: str) -> None:
    record = solved("--abstract", criterion)
    assert record["status"] == "solved"
    assert record["abstract_value"] == pytest.approx(VALUE, abs=1e-8)
    assert record["value"] == pytest.approx(VALUE, abs=1e-8)
    assert record["loss"] < 1e-9  # type: ignore[operator]


def test_a_lifted_result_for_people_names_the_loss() -> None:
    assert "lossy" in call("solve", *SMALL, "--abstract", "outcome")
    text = call("solve", *SMALL, "--abstract", "outcome", "--details")
    for word in (
        "LIFTED",
        "value of the abstract game",
        "-0.294198021",
        "loss (nash_gap of the lifted profile)",
        "abstract LP rows",
    ):
        assert word in text


@pytest.mark.parametrize("criterion", ["outcome", "suit"])
def test_a_lifted_result_is_verified_from_its_files(tmp_path: Path, criterion: str) -> None:
    folder = tmp_path / "result"
    small = ("rhode-island", "-p", "ranks=3", "-p", "suits=2", "-p", "max_bets=1")
    asked = ("solve", *small, "--abstract", criterion, "--out", str(folder), "--json")
    record = json.loads(call(*asked))
    saved = json.loads((folder / "result.json").read_text())
    assert saved["abstraction"] == criterion
    assert saved["loss"] == record["loss"]
    found = json.loads(call("verify", str(folder), "--json"))
    assert found["verified"] is True
    assert found["nash_gap"] == pytest.approx(record["nash_gap"], abs=1e-9)
    (folder / "result.json").write_text(json.dumps({**saved, "value": record["value"] + 0.001}))
    with pytest.raises(VerificationError, match="value"):
        call("verify", str(folder))


def test_a_lifted_result_ends_with_status_0() -> None:
    done = typed("solve", *SMALL, "--abstract", "outcome")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("abstract", ["auto", "suit", "outcome"])
def test_a_game_too_large_for_a_tree_is_saved_by_its_classes(tmp_path: Path, abstract: str) -> None:
    out = str(tmp_path / "result")
    record = json.loads(
        call("solve", *SMALL, "--abstract", abstract, "--max-nodes", "1000", "--out", out, "--json")
    )
    assert {path.name for path in Path(out).iterdir()} == {"result.json", "strategy.npz"}
    verified = json.loads(call("verify", out, "--json"))
    assert verified["nash_gap"] == pytest.approx(record["nash_gap"], abs=1e-12)
    assert (record["nash_gap"] < 1e-9) == (abstract != "outcome")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("write-lp", "rhode-island", "large.lp"), ("6,705,372,545", "--abstract")),
        (
            ("solve", "leduc", "--abstract", "suits"),
            ("no reduction 'suits'", "did you mean 'suit'"),
        ),
        (
            ("solve", "goofspiel", "--abstract", "outcome"),
            ("signal games", "use 'equitable' or 'tree'"),
        ),
        (("solve", "leduc", "--threshold", "1"), ("--threshold needs --abstract", "outcome, tree")),
        (
            ("shrink", "leduc", "--criterion", "suit", "--threshold", "1"),
            ("'suit' has no threshold",),
        ),
        (("shrink", "leduc", "--threshold", "nan"), ("--threshold nan",)),
        (
            ("shrink", "leduc", "-p", "merge_suits=yes", "--criterion", "suit"),
            ("suits to exchange", "use 'equitable'"),
        ),
        (
            ("shrink", "rhode-island", "--criterion", "tree"),
            ("6,705,372,545", "more than the limit"),
        ),
    ],
)
def test_a_mistake_gets_one_line_and_no_stack_trace(
    arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    done = typed(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("seqform: ")
    assert len(done.stderr.splitlines()) == 1
    for word in words:
        assert word in done.stderr


def test_the_help_of_shrink_lists_all_reductions() -> None:
    words = " ".join(call("shrink", "--help").replace("│", " ").split())
    assert ", ".join(REDUCTIONS.names()) in words
    assert "{" not in words


def test_information_sets_are_merged_by_a_table(tmp_path: Path) -> None:
    """The jacks of Kuhn poker's player 0 play as its kings do, and the loss is measured."""
    table, folder = tmp_path / "buckets.csv", tmp_path / "result"
    table.write_text("player,infoset,bucket\n0,J:,first\n0,K:,first\n")
    record = json.loads(
        call("solve", "kuhn", "--abstract", str(table), "--out", str(folder), "--json")
    )
    assert record["abstraction"] == "merged"
    assert record["status"] == "lifted"
    assert record["loss"] > 1 / 40  # which equilibrium of the merged game is found is left open
    assert json.loads(call("verify", str(folder), "--json"))["verified"] is True
    table.write_text("player,infoset,bucket\n0,J:,first\n0,J:check-bet,first\n")
    with pytest.raises(InvalidParameterError, match="different actions"):
        call("solve", "kuhn", "--abstract", str(table))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [2, 3])
def test_games_that_are_not_zero_sum_are_shrunk_too(seed: int, players: int) -> None:
    """What is left may be zero-sum, or nothing at all; sizes are then of the forms."""
    game = random_game(seed, players=players, depth=4, zero_sum=False)
    record = shrink(game, "dominated")
    form = build_sequence_form(build_tree(game))
    assert record["before"] == {
        "infosets": sum(t.num_infosets for t in form.treeplexes),
        "sequences": sum(t.num_sequences for t in form.treeplexes),
        "payoffs": form.payoffs.num_nonzeros,
    }
    assert list(record["after"]) == list(record["before"])
    assert record["after"]["sequences"] <= record["before"]["sequences"]
    assert record["nodes"][1] <= record["nodes"][0]


def test_a_game_of_three_players_is_shrunk_for_people() -> None:
    text = call("shrink", "kuhn", "-p", "players=3", "--criterion", "dominated")
    assert "sequences   99       61" in text
