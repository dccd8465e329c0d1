"""All reductions of one game side by side: sizes, refusals and losses, in Python and as printed."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.leduc import leduc
from seqform import (
    Comparison,
    build_sequence_form,
    compare_reductions,
    describe,
    make,
    merge_by,
    reduce,
    shrink,
    solve,
)
from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError, InvalidParameterError, UnknownNameError
from seqform.drawing import draw_comparison
from seqform.form.sizes import sizes
from seqform.links.link import EXACTLY, REDUCTIONS
from seqform.results.lift import lift
from tests.command_line import call
from tests.strategies import trees

CARDS = ("suit", "equitable", "outcome", "tree", "tree-published")
SMALL = ("rhode-island", {"ranks": 3, "suits": 2, "max_bets": 1})


class Endless:
    """A reduction that does not end by itself."""

    name, lossless, takes_threshold = "endless", True, False

    def accepts(self, game: Any) -> str | None:
        return None

    def apply(self, game: Any, options: Any = EXACTLY) -> Any:
        while True:
            time.sleep(0.01)
            check_time("going round in circles")


@pytest.fixture(scope="module")
def of_leduc() -> Comparison:
    return compare_reductions(leduc(), CARDS)


def test_sizes_are_those_of_each_reduction_alone(of_leduc: Comparison) -> None:
    game = leduc()
    info = describe(game)
    whole = of_leduc["none"].sizes
    assert whole == {name: info[name] for name in whole}
    assert [of.criterion for of in of_leduc.reduced] == ["none", *CARDS]
    for name in CARDS:
        found, alone = of_leduc[name], shrink(game, name)
        smaller, _ = reduce(game, name)
        counts = sizes(smaller)
        assert found.sizes == {of: counts[of] for of in counts if of != "nodes" or smaller.tree}
        for of in ("rows", "columns", "nonzeros"):
            assert found.sizes[f"lp_{of}"] == alone["after"][of]
            assert found.ratio[f"lp_{of}"] == alone["ratio"][of]
        assert (found.theorem is not None) == alone["lossless"]
        assert found.sizes.get("nodes") == alone.get("nodes", [None, None])[1]
        assert found.seconds is not None


def test_the_loss_is_that_of_the_lifted_answer(of_leduc: Comparison) -> None:
    for name in CARDS:
        loss = of_leduc[name].loss
        assert loss is not None
        if of_leduc[name].theorem is not None:
            assert loss < 1e-9
    smaller, inverse = reduce(leduc(), "outcome")
    measured = lift(solve(smaller), inverse).nash_gap
    assert of_leduc["outcome"].loss == pytest.approx(measured)
    assert measured > 0.5
    abstract_gap = of_leduc["outcome"].abstract_gap
    assert abstract_gap is not None
    assert abstract_gap < 1e-9


@given(trees(players=(2, 3), zero_sum=(True, False), depth=4), st.booleans())
def test_all_reductions_of_random_games(tree: Any, as_form: bool) -> None:
    game = build_sequence_form(tree) if as_form else tree
    found = compare_reductions(game, loss=False)
    assert [of.criterion for of in found.reduced] == ["none", *REDUCTIONS.names()]
    assert found["none"].sizes == sizes(build_sequence_form(tree))
    for reduction in REDUCTIONS:
        of = found[reduction.name]
        refusal = reduction.accepts(game)
        assert (of.status, of.reason) == (
            ("reduced", "") if refusal is None else ("refused", " ".join(refusal.split()))
        )
        assert bool(of.sizes) == (refusal is None)
        assert of.loss is None
        for name, ratio in of.ratio.items():
            assert ratio == pytest.approx(found["none"].sizes[name] / of.sizes[name], abs=1e-3)
            assert ratio >= 1 or name == "lp_nonzeros"


def test_what_is_large_is_counted_and_its_loss_not_measured() -> None:
    found = compare_reductions(make("rhode-island"), ["outcome"])
    assert found["none"].sizes["lp_rows"] == 91_224_226
    assert found["outcome"].sizes["lp_rows"] == 1_237_238
    assert found["outcome"].sizes["lp_nonzeros"] == 50_428_638
    assert found["outcome"].loss is None
    assert found["outcome"].ratio["lp_rows"] == 73.732


def test_the_loss_is_measured_if_asked_for_and_not_if_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.methods.compare.CHEAP", 10)
    assert compare_reductions(leduc(), ["suit"])["suit"].loss is None
    assert compare_reductions(leduc(), ["suit"], loss=True)["suit"].loss < 1e-9  # type: ignore[operator]
    monkeypatch.setattr("seqform.methods.compare.CHEAP", 10**9)
    assert compare_reductions(leduc(), ["suit"], loss=False)["suit"].loss is None


def test_a_loss_that_cannot_be_measured_says_why() -> None:
    forgets = merge_by(lambda player, label: label if label[-1] == ":" else label[2:])
    found = compare_reductions(make("kuhn"), [forgets]).reduced[1]
    assert found.loss is None or found.loss > 0  # a search, which may come close enough
    assert "lp_rows" not in found.sizes
    assert found.theorem is None
    assert (found.loss is None) == bool(found.reason)


@pytest.mark.parametrize("name", ["ultimatum", "centipede", "two-player-tree"])
def test_losses_are_measured_where_nothing_is_hidden(name: str) -> None:
    """Backward induction, which `solve` takes for these games, gives nothing that is lifted."""
    found = compare_reductions(make(name))
    for of in found.reduced[1:]:
        assert (of.loss is None) == (of.status == "refused"), of
    for of in (found["tree"], found["equitable"], found["contraction"]):
        assert of.loss == pytest.approx(0, abs=1e-6)


def test_one_that_does_not_end_lets_others_be_measured() -> None:
    found = compare_reductions(leduc(), [Endless(), "suit"], time_limit=6.0)
    assert found["endless"].status == "out of time"
    share = re.fullmatch(
        r"its share of the time limit, ([\d.]+) s, was too short", found["endless"].reason
    )
    assert share is not None  # and not a time limit that nobody gave
    assert 0 < float(share[1]) <= 3
    assert found["suit"].sizes["lp_rows"] == 782
    assert found["endless"].sizes == {}


def test_thresholds_are_refused_by_those_that_take_none() -> None:
    found = compare_reductions(leduc(), ["suit", "outcome"], threshold=0.5, loss=False)
    assert found["suit"].status == "refused"
    assert "has no threshold" in found["suit"].reason
    assert found["outcome"].theorem is None
    assert found["outcome"].sizes["lp_rows"] == shrink(leduc(), "outcome", 0.5)["after"]["rows"]


def test_games_that_cannot_be_counted_are_errors() -> None:
    with pytest.raises(GameTooLargeError):
        compare_reductions(make("goofspiel"), max_nodes=10)
    with pytest.raises(UnknownNameError, match="suit"):
        compare_reductions(make("kuhn"), ["suits"])
    with pytest.raises(InvalidParameterError):
        compare_reductions(make("kuhn"), time_limit=0)
    for threshold in (-1.0, float("nan")):
        with pytest.raises(InvalidParameterError, match="use a finite number from 0 on"):
            compare_reductions(make("kuhn"), threshold=threshold)


def test_the_summary_and_the_record_say_all(of_leduc: Comparison) -> None:
    text = repr(of_leduc)
    for words in ("1,562 lp rows", "lossless by deck symmetries", "measured loss"):
        assert words in text
    record = json.loads(json.dumps(of_leduc.record()))
    assert record["unit"] == "chips"
    assert [row["criterion"] for row in record["reductions"]] == ["none", *CARDS]
    assert record["reductions"][2]["ratio"]["lp_nonzeros"] == 4.171
    assert "refused: reduction 'suit' needs" in repr(compare_reductions(make("kuhn"), ["suit"]))


def test_the_picture_has_a_bar_for_each(of_leduc: Comparison) -> None:
    figure = draw_comparison(of_leduc, "leduc")
    rows, nonzeros = figure.axes
    assert [bar.get_width() for bar in rows.patches] == [
        of.sizes["lp_rows"] for of in of_leduc.reduced
    ]
    assert [bar.get_width() for bar in nonzeros.patches] == [
        of.sizes["lp_nonzeros"] for of in of_leduc.reduced
    ]
    labels = [label.get_text() for label in rows.get_yticklabels()]
    assert [label.split("\n")[0] for label in labels] == ["none", *CARDS]
    assert figure.get_suptitle() == "leduc"


def test_the_picture_of_a_game_without_a_program_and_of_refusals() -> None:
    found = compare_reductions(make("chicken"), ["equitable", "suit"])
    first, second = draw_comparison(found).axes
    assert [first.get_title(), second.get_title()] == ["information sets", "sequences"]
    assert len(first.patches) == 2
    assert " refused" in [text.get_text() for text in first.texts]


def test_the_command_prints_a_line_for_each(tmp_path: Path) -> None:
    picture = tmp_path / "all.svg"
    text = call("shrink", "kuhn", "--compare", "-o", str(picture))
    lines = text.split("\n")
    for name in ("none", *REDUCTIONS.names()):
        assert any(line.split()[:1] == [name] for line in lines), name
    assert "suit: reduction 'suit' needs a deck with suits" in text
    assert "dominated actions" in text
    assert "lp nonzeros" in text
    assert "nonzeros of the LP" in picture.read_text()
    assert f"saved {picture}" in text


def test_the_command_prints_json() -> None:
    record = json.loads(call("shrink", "kuhn", "--compare", "--no-loss", "--json"))
    assert record["game"] == "kuhn"
    assert {row["loss"] for row in record["reductions"]} == {None}
    assert record["reductions"][0]["sizes"]["lp_nonzeros"] == 68


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--compare", "--criterion", "suit"), "--compare is of all criteria"),
        (("--loss",), "are for --compare"),
        (("-o", "a.svg"), "are for --compare"),
        (("--compare", "-o", "a.gif"), "a picture's name ends in"),
        (("--compare", "--threshold", "-1"), "use a finite number from 0 on"),
    ],
)
def test_options_that_do_not_go_together(words: tuple[str, ...], error: str) -> None:
    with pytest.raises(InvalidParameterError, match=error):
        call("shrink", "kuhn", *words)
