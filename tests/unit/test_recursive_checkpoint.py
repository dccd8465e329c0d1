"""Searches over stages that are saved, stopped anywhere, and gone on with to the last bit."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seqform
from games.three_handed_one_card import three_handed_one_card
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.checkpoint_file import KIND, VERSION
from seqform.base.errors import OutOfTimeError, ResultFileError
from seqform.recursive import checkpoint, stage_play, sweeps
from seqform.recursive.search import search_recursive
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.walk import stage_graph
from tests.command_line import call

GRAPH = stage_graph(three_handed_one_card(chips=6, cards=3))
GAME = ("three-handed-one-card", "-p", "chips=6", "-p", "cards=3")
NEVER = 1e-12


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "search.npz"


def searched(count: int, method: str = "pi-pcfr+", **options: Any) -> RecursiveSolution:
    return search_recursive(GRAPH, method=method, gap=NEVER, iterations=count, **options)


def assert_same(one: RecursiveSolution, other: RecursiveSolution) -> None:
    assert one.run.iterations == other.run.iterations
    assert one.run.message == other.run.message
    assert one.proof.upper == other.proof.upper
    for own, again in zip(one.profile.behaviors, other.profile.behaviors, strict=True):
        for mine, theirs in zip(own, again, strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("method", ["pi-pcfr+", "vi-dcfr", "pi-fp"])
def test_parts_of_a_search_find_what_the_whole_finds(method: str, path: Path) -> None:
    options = {"stage_gap": 0.5} if method == "pi-fp" else {}
    for part, count in enumerate((1, 3, 6)):
        found = searched(count, method, checkpoint=path, resume=part > 0, **options)
        assert read_arrays(path, KIND, VERSION)[0]["iterations"] == count
    assert_same(found, searched(6, method, **options))


def test_the_state_is_kept_and_not_only_the_best(path: Path) -> None:
    """A search that goes on from the best strategies alone goes another way."""
    first = searched(3, checkpoint=path)
    on = searched(5, checkpoint=path, resume=True)
    anew = searched(2, start=first.profile)
    assert on.width != anew.width


def test_values_that_went_round_before_count_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "comes_round", len)  # of all values so far
    searched(2, checkpoint=path)
    whole = searched(4)
    assert "after 5 sweeps" in whole.run.message
    assert_same(searched(4, checkpoint=path, resume=True), whole)
    assert_same(searched(4, checkpoint=path, resume=True), whole)  # where nothing is left to do


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_what_is_stopped_within_a_sweep_is_made_again(
    share: float, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stages of one form have learned then, and others have not."""
    looks, most = [0], [10**9]

    def over(doing: str) -> None:
        looks[0] += 1
        if looks[0] > most[0]:
            raise OutOfTimeError("the time is over")

    monkeypatch.setattr(stage_play, "check_time", over)
    searched(2)
    looks[0], most[0] = 0, looks[0] + int(share * looks[0] / 2)  # within the third sweep
    stopped = searched(6, checkpoint=path)
    assert stopped.run.iterations == 2
    monkeypatch.undo()
    assert_same(searched(6, checkpoint=path, resume=True), searched(6))


def test_it_is_saved_from_time_to_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SweepsFile", partial(checkpoint.SweepsFile, seconds=0.0))
    seen: list[int] = []

    def look(now: Any) -> None:
        if path.exists():
            seen.append(read_arrays(path, KIND, VERSION)[0]["iterations"])

    searched(4, checkpoint=path, callback=look)
    assert seen == [1, 2, 3]


def test_what_has_come_to_the_gap_is_not_searched_again(path: Path) -> None:
    whole = search_recursive(GRAPH, gap=0.5, checkpoint=path)
    again = search_recursive(GRAPH, gap=0.5, checkpoint=path, resume=True)
    assert_same(whole, again)


def test_a_file_is_of_one_game_and_one_method(path: Path) -> None:
    searched(2, checkpoint=path)
    content = path.read_bytes()
    other = three_handed_one_card(chips=6, cards=3, third=10)
    for game, method in ((other, "pi-pcfr+"), (GRAPH, "vi-pcfr+"), (GRAPH, "pi-dcfr")):
        with pytest.raises(ResultFileError, match="another game, method"):
            search_recursive(game, method=method, checkpoint=path, resume=True)
    with pytest.raises(ResultFileError, match="exists; go on from it with resume=True"):
        searched(2, checkpoint=path)
    assert path.read_bytes() == content
    with pytest.raises(ResultFileError, match="does not exist"):
        searched(2, checkpoint=path.parent / "none.npz", resume=True)
    with pytest.raises(ResultFileError, match="there is no folder"):
        searched(2, checkpoint=path.parent / "none" / "search.npz")


def missing(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    del arrays["regrets.0"]


def of_other_shape(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    arrays["average.0"] = arrays["average.0"][:-1]


def fewer_values(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    arrays["values"] = arrays["values"][:, :1]


def no_values(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    arrays["values"] = arrays["values"][:0]


def fewer_counts(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    header["played"] = header["played"][:-1]


def no_strategies(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    arrays["best"] = np.full_like(arrays["best"], -1.0)


def no_count(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    header["iterations"] = "many"


@pytest.mark.parametrize(
    "change",
    [missing, of_other_shape, fewer_values, no_values, fewer_counts, no_strategies, no_count],
)
def test_a_file_that_does_not_fit_is_refused(change: Any, path: Path) -> None:
    searched(1, checkpoint=path)
    header, arrays = read_arrays(path, KIND, VERSION)
    change(header, arrays)
    head = {k: v for k, v in header.items() if k not in ("format", "version", "checksum")}
    write_arrays(path, KIND, VERSION, head, arrays)
    with pytest.raises(ResultFileError, match="does not fit this search"):
        searched(2, checkpoint=path, resume=True)


def test_the_command_line_goes_on(path: Path) -> None:
    told = ("solve", *GAME, "--gap", "1e-12", "--checkpoint", str(path), "--json")
    call(*told, "--iterations", "2")
    with pytest.raises(ResultFileError, match="--resume"):
        call(*told, "--iterations", "4")
    text = call(*told, "--iterations", "4", "--resume")
    found = seqform.search_recursive(GRAPH, gap=1e-12, iterations=4)
    assert f'"width": "{found.record()["width"]}"' in text
