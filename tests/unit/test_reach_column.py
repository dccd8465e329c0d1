"""The columns `probability`, `reach` and `others_reach` of strategy.csv, by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from games.kuhn import kuhn
from seqform import TreeBuilder, build_sequence_form, build_tree
from seqform.base.errors import ResultFileError
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.profile_table import COLUMNS, read_table, write_table
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure


def form() -> SequenceForm:
    """Return a game in which player 0 moves twice, and player 1 in between."""
    builder = TreeBuilder(2)
    stop, on = builder.decision(builder.root, 0, "first", ["stop", "on"])
    builder.terminal(stop, (0, 0))
    for middle in builder.decision(on, 1, "between", ["l", "r"]):
        for end in builder.decision(middle, 0, "last", ["a", "b"]):
            builder.terminal(end, (1, -1))
    return build_sequence_form(builder.freeze())


ROWS = [
    ("0", "first", "stop", 0.75, 1.0, 1.0),
    ("0", "first", "on", 0.25, 1.0, 1.0),
    ("0", "last", "a", 0.125, 0.25, 1.0),  # player 0's own part: what player 1 does is not in it
    ("0", "last", "b", 0.875, 0.25, 1.0),
    ("1", "between", "l", 0.5, 1.0, 0.25),
    ("1", "between", "r", 0.5, 1.0, 0.25),
]


def saved(path: Path) -> tuple[SequenceForm, Profile]:
    game = form()
    behaviors = [np.array([1, 0.75, 0.25, 0.125, 0.875]), np.array([1, 0.5, 0.5])]
    profile = Profile.from_behaviors(game.treeplexes, behaviors)
    write_table(game, profile, path)
    return game, profile


def test_each_row_has_the_probability_and_the_players_own_reach(tmp_path: Path) -> None:
    game, profile = saved(tmp_path / "strategy.csv")
    with (tmp_path / "strategy.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == COLUMNS
    assert [(*row[:3], *map(float, row[3:])) for row in rows] == ROWS
    again = read_table(game, tmp_path / "strategy.csv")
    assert all(np.array_equal(a, b) for a, b in zip(again.plans, profile.plans, strict=True))


@pytest.mark.parametrize("wrong", ["1.0", "0.125", "0.2500001", "nan", "much", ""])
def test_a_reach_that_is_another_is_refused(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "strategy.csv"
    game, _ = saved(path)
    path.write_text(path.read_text().replace("a,0.125,0.25", f"a,0.125,{wrong}"))
    with pytest.raises(ResultFileError, match=r"line 4: the reach is .*0\.25"):
        read_table(game, path)


def test_a_reach_may_be_off_by_what_rounding_changes(tmp_path: Path) -> None:
    path = tmp_path / "strategy.csv"
    game, _ = saved(path)
    text = path.read_text()
    path.write_text(text.replace("a,0.125,0.25", "a,0.125,0.2500000000009"))
    read_table(game, path)
    for wrong in ("a,0.125,0.2500000000011", "a,0.125"):
        path.write_text(text.replace("a,0.125,0.25", wrong))
        with pytest.raises(ResultFileError, match=r"line 4: the (others_)?reach is"):
            read_table(game, path)


def test_a_table_is_read_within_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "strategy.csv"
    game, _ = saved(path)
    said: list[str] = []
    monkeypatch.setattr("seqform.form.profile_table.check_time", said.append)
    read_table(game, path)
    assert said == ["reading a strategy"] * len(ROWS)


def test_a_table_with_other_columns_or_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "strategy.csv"
    game, _ = saved(path)
    text = path.read_text()
    path.write_text(text.replace("a,0.125,0.25,1.0", "a"))
    with pytest.raises(ResultFileError, match="line 4: the probability is not a number"):
        read_table(game, path)
    path.write_text(text.replace("reach", "weight", 1))
    with pytest.raises(ResultFileError, match=r"6 rows under .*weight,others_reach; this"):
        read_table(game, path)
    path.write_text(text[: text.index("1,between,r")])
    with pytest.raises(ResultFileError, match="5 rows under"):
        read_table(game, path)
    path.write_text(text.replace("first", "f" * (csv.field_size_limit() + 1)))
    with pytest.raises(ResultFileError, match="cannot be read: field larger"):
        read_table(game, path)
    with pytest.raises(ResultFileError, match=r"cannot be read: .*directory"):
        read_table(game, tmp_path)


def test_the_part_of_the_others_is_checked_and_may_be_lacking(tmp_path: Path) -> None:
    path = tmp_path / "strategy.csv"
    game, profile = saved(path)
    text = path.read_text()
    path.write_text(text.replace("l,0.5,1.0,0.25", "l,0.5,1.0,0.5"))
    with pytest.raises(ResultFileError, match=r"line 6: the others_reach is 0\.5, .* it 0\.25"):
        read_table(game, path)
    earlier = "\n".join(line.rpartition(",")[0] for line in text.splitlines())
    path.write_text(earlier)
    again = read_table(game, path)
    assert all(np.array_equal(a, b) for a, b in zip(again.plans, profile.plans, strict=True))


def test_a_form_that_does_not_know_it_leaves_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "strategy.csv"
    game, profile = saved(path)
    images = [np.arange(t.num_sequences, dtype=np.int32) for t in game.treeplexes]
    every = [np.arange(t.num_infosets) for t in game.treeplexes]
    quotient = game.quotient(game.treeplexes, images, every)
    write_table(quotient, profile, path)
    assert all(line.endswith(",") for line in path.read_text().splitlines()[1:])
    assert read_table(quotient, path).plans[0].tolist() == profile.plans[0].tolist()


def test_a_form_of_cards_writes_what_its_tree_does(tmp_path: Path) -> None:
    tree = build_sequence_form(build_tree(kuhn()))
    cards = build_signal_form(SignalStructure(kuhn()))
    for name, of in (("tree", tree), ("cards", cards)):
        write_table(of, Profile.uniform(of.treeplexes), tmp_path / name)
    assert (tmp_path / "tree").read_text() == (tmp_path / "cards").read_text()
