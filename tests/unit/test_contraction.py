"""GameShrink's transformation, applied to trees written down by hand one pair at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from abstraction.contractible import by_matching, contractible_pairs
from abstraction.contraction import CONTRACTION, CONTRACTION_MATCHED
from experiments.two_jacks import two_jacks
from seqform import (
    GameTree,
    MeasuredStep,
    TreeBuilder,
    build_sequence_form,
    build_tree,
    certify,
    load,
    make,
    reduce,
    shrink_steps,
    solve,
)
from seqform.base.errors import (
    ImperfectRecallError,
    InvalidParameterError,
    SeqformError,
    SolverError,
    UnsupportedGameError,
)
from seqform.cli import app
from seqform.form.from_signals import build_signal_form
from seqform.game.observations import SignalStructure
from seqform.links.lifting import lift_profile
from tests.same_game import assert_same_game
from tests.shrinkable_games import hidden_coin

HALF = Fraction(1, 2)
BOTH = ("contraction", "contraction-matched")


def one_unseen(parent: int, seen_elsewhere: bool = False) -> GameTree:
    """Let chance (-1) or a player go left or right, unseen by player 1, who goes up or down."""
    b = TreeBuilder(2)
    if parent < 0:
        nodes = b.chance(b.root, [("left", HALF), ("right", HALF)])
    else:
        moves = ["left", "right"] + ["out"] * seen_elsewhere
        nodes = b.decision(b.root, parent, "first", moves)
    for node in nodes:
        for u, end in zip((1, -1), b.decision(node, 1, "second", ["up", "down"]), strict=True):
            b.terminal(end, (u, -u))
    return b.freeze()


def unseen_coin(num_players: int) -> GameTree:
    """Let chance move unseen, and then each player choose once, told of nothing; the last action of
    each pays it 1, 2, and so on, and nobody else."""
    b = TreeBuilder(num_players)
    nodes = [(node, ()) for node in b.chance(b.root, [("left", HALF), ("right", HALF)])]
    for player in range(num_players):
        nodes = [
            (below, (*paid, u * (player + 1)))  # type: ignore[misc]
            for node, paid in nodes
            for u, below in enumerate(b.decision(node, player, "own", ["down", "up"]))
        ]
    for end, paid in nodes:
        b.terminal(end, paid)
    return b.freeze()


def unseen_coin_of_two() -> GameTree:
    return unseen_coin(2)


def unseen_coin_of_three() -> GameTree:
    return unseen_coin(3)


@pytest.mark.parametrize("reduction", BOTH)
@pytest.mark.parametrize("parent", [-1, 0, 1])
def test_seven_nodes_become_four_below_chance_and_below_a_lone_node(
    parent: int, reduction: str
) -> None:
    tree = one_unseen(parent)
    if parent == 1:  # player 1 does not remember what it did itself
        (measured,) = shrink_steps(tree, reduction)
        assert measured.gap is None
        assert measured.reason == "a player forgets something, so that nothing is lifted"
        assert measured.step.back_to_all is None
        return
    (measured,) = shrink_steps(tree, reduction)
    step = measured.step
    assert (step.before.num_nodes, step.after.num_nodes) == (7, 4)
    assert (step.parent, step.kept, step.merged, step.infoset) == (0, 1, 2, "second")
    assert step.moves == ("left", "right")
    assert step.by_name
    assert measured.gap == pytest.approx(0, abs=1e-12)
    if parent < 0:
        assert step.what == "chances 1/2 + 1/2"
        assert step.after.probabilities[step.after.probability[1]] == 1
    else:
        assert step.what == "player 0 plays left for right"
        assert step.after.actions(0) == ("left",)


def test_to_pay_zero_before_the_end_is_to_pay_nothing() -> None:
    b = TreeBuilder(2)
    nodes = b.chance(b.root, [("left", HALF), ("right", HALF)])
    b.reward(nodes[0], (0, 0))
    for node in nodes:
        for u, end in enumerate(b.decision(node, 0, "own", ["down", "up"])):
            b.terminal(end, (u, -u))
    (step,) = CONTRACTION.steps(b.freeze())
    assert step.after.num_nodes == 4


def test_the_action_that_is_kept_is_played_for_both() -> None:
    (step,) = CONTRACTION.steps(one_unseen(0))
    assert step.back is not None
    assert [images.tolist() for images in step.back.sequences] == [[0, 1, -1], [0, 1, 2]]
    assert step.smaller is not None
    lifted = lift_profile(solve(step.smaller).profile, step.back)  # type: ignore[arg-type]
    assert lifted.behaviors[0].tolist() == [1, 1, 0]


def test_of_three_actions_two_become_one() -> None:
    tree = one_unseen(0, seen_elsewhere=True)
    steps = list(CONTRACTION.steps(tree))
    assert [step.after.actions(0) for step in steps] == [("left", "out"), ("left",)]
    inverses = [step.back_to_all.sequences[0].tolist() for step in steps if step.back_to_all]
    assert inverses == [[0, 1, -1, 2], [0, 1, -1, -1]]


def test_a_parent_that_shares_its_information_set_is_left_alone() -> None:
    b = TreeBuilder(2)
    for deal in b.chance(b.root, [("x", HALF), ("y", HALF)]):
        for side in b.decision(deal, 0, "not seen", ["left", "right"]):
            for u, end in enumerate(b.decision(side, 1, ("deal", deal), ["a", "b"])):
                b.terminal(end, (deal + u, 0))  # what chance did matters
    assert list(contractible_pairs(b.freeze())) == []


def test_an_information_set_with_nodes_elsewhere_is_left_alone() -> None:
    """Player 1 does not know either whether chance moved at all."""
    b = TreeBuilder(2)
    chance, sure = b.decision(b.root, 0, "first", ["gamble", "do not"])
    for node in [*b.chance(chance, [("x", HALF), ("y", HALF)]), sure]:
        for u, end in zip((1, 2), b.decision(node, 1, "second", ["a", "b"]), strict=True):
            b.terminal(end, (u, -u))
    assert list(contractible_pairs(b.freeze())) == []


def test_outcomes_that_are_seen_are_not_merged() -> None:
    """They lie in two information sets; `tree` merges them."""
    b = TreeBuilder(2)
    for i, node in enumerate(b.chance(b.root, [("x", HALF), ("y", HALF)])):
        for u, end in zip((1, -1), b.decision(node, 0, f"seen {i}", ["up", "down"]), strict=True):
            b.terminal(end, (u, -u))
    tree = b.freeze()
    assert list(contractible_pairs(tree)) == []
    assert reduce(tree, "tree")[0].num_nodes < tree.num_nodes


@pytest.mark.parametrize("reduction", BOTH)
def test_two_jacks(reduction: str) -> None:
    steps = list(shrink_steps(two_jacks(), reduction))
    assert [each.step.after.num_nodes for each in steps] == [23, 18]
    records = [each.record() for each in steps]
    assert [record["level"] for record in records] == [1, 2]
    assert [record["parent"] for record in records] == [[], ["K"]]
    assert [record["pair"] for record in records] == [["J1", "J2"]] * 2
    assert [record["merged"] for record in records] == ["chances 1/3 + 1/3", "chances 1/2 + 1/2"]
    assert [record["infosets"] for record in records] == [[6, 4], [4, 4]]
    assert all(record["actions_by_name"] for record in records)
    assert max(max(record["gap"], record["gap_to_all"]) for record in records) < 1e-9
    assert_same_game(steps[-1].step.after, reduce(two_jacks(), "tree")[0].tree)  # type: ignore[arg-type]


@pytest.mark.parametrize("reduction", BOTH)
def test_the_coin_is_merged_with_its_opposite(reduction: str) -> None:
    """Actions of the pair's own information set are matched freely: value 1 instead of 1/3."""
    (measured,) = shrink_steps(hidden_coin(), reduction)
    assert not measured.step.by_name
    assert measured.record()["value"] == pytest.approx(1)
    assert measured.record()["values"] == pytest.approx([1, -1])
    assert (measured.gap, measured.gap_to_all) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


@pytest.mark.parametrize("reduction", BOTH)
def test_a_step_may_make_a_player_forget(reduction: str) -> None:
    """After a guess the player may stop; what it guessed is mapped to its opposite, and so is what
    it knows of it."""
    b = TreeBuilder(2)
    for side, node in enumerate(b.chance(b.root, [("heads", HALF), ("tails", HALF)])):
        for guess, below in enumerate(b.decision(node, 0, "guess", ["heads", "tails"])):
            for u, end in enumerate(b.decision(below, 0, ("after", guess), ["stop", "on"])):
                won = 2 * (guess == side) + u
                b.terminal(end, (won, -won))
    tree = b.freeze()
    (measured,) = shrink_steps(tree, reduction)
    assert measured.step.after.num_nodes == 8
    assert measured.record()["reason"] == "a player forgets something, so that nothing is lifted"
    assert (measured.solution, measured.gap, measured.record()["value"]) == (None, None, None)
    with pytest.raises(ImperfectRecallError):
        reduce(tree, reduction)


def test_the_definition_loses_on_kuhn_poker_and_the_algorithm_merges_nothing() -> None:
    """A queen and a king beat a jack alike, but are not alike to who holds them."""
    steps = list(shrink_steps(make("kuhn")))
    assert [(each.step.infoset, each.step.moves) for each in steps] == [
        ("J:", ("Q", "K")),
        ("K:", ("J", "Q")),
    ]
    assert all(each.step.by_name for each in steps)
    assert [each.record()["value"] for each in steps] == pytest.approx([1 / 15, 1 / 3])
    assert list(shrink_steps(make("kuhn"), "contraction-matched")) == []


def test_all_steps_together_are_the_reduction() -> None:
    for game in (two_jacks(), hidden_coin(), build_tree(make("kuhn")), one_unseen(0)):
        for reduction in (CONTRACTION, CONTRACTION_MATCHED):
            steps = list(reduction.steps(game))
            smaller, inverse = reduction.apply(game)
            if not steps:
                assert smaller.num_nodes == game.num_nodes
                continue
            assert smaller.tree is not None
            assert_same_game(smaller.tree, steps[-1].after)
            assert steps[-1].back_to_all is not None
            for images, stepped in zip(
                inverse.sequences, steps[-1].back_to_all.sequences, strict=True
            ):
                assert np.array_equal(images, stepped)
    found = solve(make("kuhn"), abstract="contraction")
    assert found.status.name == "LIFTED"
    assert found.nash_gap > 0.1


def test_leduc_holdem_by_the_algorithm() -> None:
    steps = list(CONTRACTION_MATCHED.steps(make("leduc")))
    infosets = [step.after.num_infosets for step in steps]
    assert infosets == [735, 564, 423, 393, 363, 333, 318, 303, 288]
    assert [step.record()["level"] for step in steps] == [1] * 3 + [2] * 6
    last = steps[-1]
    assert last.smaller is not None
    assert last.back_to_all is not None
    profile = solve(last.smaller).profile
    lifted = lift_profile(profile, last.back_to_all)  # type: ignore[arg-type]
    assert certify(last.back_to_all.original, lifted).nash_gap < 1e-6


def test_leduc_holdem_by_the_definition() -> None:
    """Suits are exchanged so that what both players' sets have in common stays as it is. In the
    steps that make 300 and 162 sets, cards of two ranks become one."""
    steps = list(CONTRACTION.steps(make("leduc")))
    infosets = [step.after.num_infosets for step in steps]
    assert infosets == [735, 564, 423, 393, 363, 300, 270, 255, 240, 225, 162]
    assert all(step.by_name for step in steps)
    ranks = [{label[0] for label in step.moves} for step in steps]
    assert [len(of) for of in ranks] == [1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2]


def twins(keys: tuple[str, str, str, str], orders: tuple[str, str]) -> GameTree:
    """Let chance move twice, and player 0 then choose in one of the sets; nothing matters."""
    b = TreeBuilder(2)
    places = iter(keys)
    for node, order in zip(b.chance(b.root, [("x", HALF), ("y", HALF)]), orders, strict=True):
        for deal in b.chance(node, [("u", HALF), ("v", HALF)]):
            for end in b.decision(deal, 0, next(places), list(order)):
                b.terminal(end, (0, 0))
    return b.freeze()


def test_of_several_isomorphisms_one_keeps_names_and_sets() -> None:
    first = next(CONTRACTION.steps(twins(("p", "q", "r", "s"), ("ab", "ba"))))
    assert first.by_name
    assert first.after.num_infosets == 2
    first = next(CONTRACTION.steps(twins(("p", "q", "q", "p"), ("ab", "ab"))))
    assert first.by_name
    assert first.after.num_infosets == 2  # each of them mapped to itself


def test_a_sequence_form_of_a_tree_will_do() -> None:
    form = build_sequence_form(two_jacks())
    assert len(list(CONTRACTION.steps(form))) == 2
    assert CONTRACTION.apply(form)[1].original is form


def test_refusals() -> None:
    with pytest.raises(InvalidParameterError, match="'tree' has no steps; use contraction or"):
        list(shrink_steps(two_jacks(), "tree"))
    signals = build_signal_form(SignalStructure(make("kuhn")))
    with pytest.raises(UnsupportedGameError, match="'contraction' needs the game's tree"):
        list(shrink_steps(signals))
    with pytest.raises(InvalidParameterError, match="has no threshold"):
        reduce(two_jacks(), "contraction", threshold=1)
    with pytest.raises(ImperfectRecallError):
        reduce(one_unseen(1), "contraction")
    assert next(contractible_pairs(two_jacks(), by_matching)).y == 2


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.output


def test_the_command(tmp_path: Path) -> None:
    game, folder = "experiments.two_jacks:two_jacks", tmp_path / "steps"
    code, text = run("shrink", game, "--steps", "--out", str(folder))
    assert code == 0
    assert "level 2, below K: J1 and J2 of K; chances 1/2 + 1/2" in text
    assert "nodes 34 -> 23, infosets 6 -> 4; actions correspond by name" in text
    assert "no step is lossless by a theorem" in text
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"step-{number}.{kind}" for number in range(3) for kind in ("npz", "svg")
    )
    sizes = [load(folder / f"step-{number}.npz").num_nodes for number in range(3)]
    assert sizes == [34, 23, 18]
    record = json.loads(run("shrink", game, "--steps", "--json", "--no-loss")[1])
    assert (record["criterion"], len(record["steps"])) == ("contraction", 2)
    assert [step["gap"] for step in record["steps"]] == [None, None]
    text = run("shrink", game, "--steps", "--no-loss")[1]
    assert text.endswith("\nno step is lossless by a theorem\n")  # and nothing of a nash_gap
    with pytest.raises(InvalidParameterError, match="has steps of an earlier call, such as step-0"):
        CliRunner().invoke(
            app, ["shrink", game, "--steps", "--out", str(folder)], catch_exceptions=False
        )


def test_the_command_without_steps(tmp_path: Path) -> None:
    words = ("shrink", "kuhn", "--steps", "--criterion", "contraction-matched")
    said = "kuhn, criterion contraction-matched: no two nodes can be merged\n"
    assert run(*words) == (0, said)
    assert run("shrink", "kuhn", "--steps", "--criterion", "tree", "--out", str(tmp_path))[0] != 0
    assert list(tmp_path.iterdir()) == []
    assert run(*words, "--out", str(tmp_path)) == (
        0,
        f"{said}wrote the game as it is to {tmp_path}\n",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-0.npz", "step-0.svg"]


def test_steps_are_printed_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> Iterator[MeasuredStep]:
        yield next(shrink_steps(*given))
        raise SolverError("no second step")

    monkeypatch.setattr("seqform.shrink_steps", broken)
    done = CliRunner().invoke(app, ["shrink", "kuhn", "--steps"])
    assert isinstance(done.exception, SolverError)
    assert done.output.startswith("1  level")


def test_steps_of_a_game_in_which_nothing_is_hidden_are_measured() -> None:
    (measured,) = shrink_steps(unseen_coin(1))
    assert measured.step.after.perfect_information
    assert measured.reason == ""
    assert measured.gap_to_all == pytest.approx(0, abs=1e-6)
    assert measured.record()["values"] == pytest.approx([1])


@pytest.mark.parametrize(
    ("game", "values"), [("unseen_coin_of_two", [1, 2]), ("unseen_coin_of_three", [1, 2, 3])]
)
def test_the_command_measures_games_that_are_not_zero_sum(game: str, values: list[int]) -> None:
    name = f"tests.unit.test_contraction:{game}"
    code, text = run("shrink", name, "--steps")
    assert code == 0
    assert f"values {', '.join(map(str, values))}; nash_gap lifted one step" in text
    code, text = run("shrink", name, "--steps", "--json")
    assert code == 0
    for step in json.loads(text)["steps"]:
        assert step["values"] == pytest.approx(values)
        assert step["value"] is None
        assert step["gap_to_all"] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "there"), "are for --compare and --steps"),
        (("--steps", "--threshold", "1"), "leave out --threshold"),
        (("--steps", "--criterion", "tree"), "reduction 'tree' has no steps"),
        (("--steps", "--out", "no/folder/there"), "cannot write into no/folder/there"),
    ],
)
def test_what_the_command_refuses(words: tuple[str, ...], message: str) -> None:
    done = CliRunner().invoke(app, ["shrink", "kuhn", *words])
    assert isinstance(done.exception, SeqformError)
    assert message in str(done.exception)


def test_actions_that_do_not_correspond_are_said_in_capitals(tmp_path: Path) -> None:
    assert run("convert", "tests.unit.test_tree_shrink:hidden_coin", f"{tmp_path}/coin.efg")[0] == 0
    text = run("shrink", f"{tmp_path}/coin.efg", "--steps")[1]
    assert "actions do NOT all correspond by name" in text
    assert "to the whole game 0.667" in text
