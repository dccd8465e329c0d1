"""Strategies as users give them: read in any order, refused with the label of the set."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import SequenceForm, TreeBuilder, build_sequence_form, build_tree, make
from seqform.base.errors import InvalidStrategyError as Refused
from seqform.base.errors import ResultFileError, UnknownNameError, UnsupportedGameError
from seqform.form.profile_table import write_table
from seqform.strategies.read_given import given_from, read_given
from tests.strategies import games, random_profile, seeds

HEADER = "player,infoset,action,probability"


@pytest.fixture(scope="module")
def kuhn() -> SequenceForm:
    return build_sequence_form(build_tree(make("kuhn")))


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: str, header: str = HEADER) -> Path:
        path = tmp_path / "mine.csv"
        path.write_text("\n".join([header, *lines]) + "\n")
        return path

    return write


@given(game=games(players=(1, 3)), seed=seeds, shuffle=st.randoms())
def test_rows_in_any_order_read_the_same(tmp_path_factory, game, seed, shuffle) -> None:
    path = tmp_path_factory.mktemp("order") / "profile.csv"
    profile = random_profile(game, seed, sparse=True)
    write_table(game, profile, path)
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    shuffle.shuffle(rows)
    columns = list(range(len(header)))
    shuffle.shuffle(columns)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[row[c] for c in columns] for row in [header, *rows]])
    read = read_given(path, game)
    assert read.is_complete
    for mine, theirs in zip(read.completed("refuse").behaviors, profile.behaviors, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-15)


def test_json_mapping_and_callable_say_the_same_as_a_table(kuhn, table, tmp_path) -> None:
    by_json = tmp_path / "mine.json"
    by_json.write_text(json.dumps({"0": {"K:": {"bet": "2/3", "check": "1/3"}}}))
    ways = [
        read_given(table("0,K:,bet,2/3", "0,K:,check,1/3"), kuhn),
        read_given(by_json, kuhn),
        given_from({(0, "K:", "bet"): 2 / 3, (0, "K:", "check"): 1 / 3}, kuhn),
        given_from(lambda p, name, _: (1 / 3, 2 / 3) if (p, name) == (0, "K:") else None, kuhn),
    ]
    for way in ways:
        for mine, theirs in zip(way.behaviors, ways[0].behaviors, strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert not way.is_complete
        assert way.players == (0,)
        assert [len(way.missing(player)) for player in (0, 1)] == [5, 6]


def test_what_is_open_is_filled_by_the_rule(kuhn) -> None:
    part = given_from({(0, "K:", "check"): 0, (0, "K:", "bet"): 1}, kuhn)
    uniform = part.completed()
    said = ~np.isnan(part.behaviors[0])
    np.testing.assert_array_equal(uniform.behaviors[0][said], part.behaviors[0][said])
    assert set(uniform.behaviors[0][~said]) == {0.5}
    other = random_profile(kuhn, 3)
    filled = part.completed(other)
    np.testing.assert_array_equal(filled.behaviors[0][~said], other.behaviors[0][~said])
    np.testing.assert_array_equal(filled.behaviors[1], other.behaviors[1])
    with pytest.raises(Refused, match=r"^player 0, information set .*nothing is said of it"):
        part.completed("refuse")
    with pytest.raises(UnknownNameError, match=r"no rule .*'unifrom' \(did you mean 'uniform'"):
        part.completed("unifrom")
    leduc = build_sequence_form(build_tree(make("leduc", merge_suits=True)))
    with pytest.raises(Refused, match="belongs to another game"):
        part.completed(random_profile(leduc, 0))


def test_an_empty_cell_says_nothing(kuhn, table) -> None:
    assert not read_given(table("0,K:,bet,", "0,K:,check,"), kuhn).players


def test_blank_lines_a_byte_order_mark_and_other_columns_do_no_harm(kuhn, tmp_path) -> None:
    path = tmp_path / "mine.csv"
    header = "note,probability,action,infoset,player,reach"
    lines = [header, "x,0.25,bet,K:,0,7", "", ",0.75,check,K:,0,"]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert read_given(path, kuhn).completed().behaviors[0].min() == 0.25


def test_six_digits_are_rounding_and_fewer_are_not(kuhn, table) -> None:
    read = read_given(table("0,K:,bet,0.3333334", "0,K:,check,0.6666664"), kuhn)
    assert np.nansum(read.behaviors[0]) == 2.0
    with pytest.raises(Refused, match=r"^player 0, information set 'K:': .* sum to 0\.99"):
        read_given(table("0,K:,bet,0.333", "0,K:,check,0.666"), kuhn)


WHOLE = "0,K:,check,0.5"
BAD_LINES = [
    (["2,K:,bet,1"], r"mine.csv, line 2: there is no player '2'; use an integer from 0 to 1"),
    (["-1,K:,bet,1"], r"line 2: there is no player '-1'"),
    (["0,K:chek-bet,bet,1"], r"line 2: player 0 has no information set .* mean 'K:check-bet'"),
    (["1,K:,bet,1"], r"line 2: player 1 has no information set 'K:'$"),
    ([WHOLE, "0,K:,bett,0.5"], r"line 3: player 0, information set 'K:' has no action 'bett' "),
    ([WHOLE, "0,K:,fold,0.5"], r"'K:' has no action 'fold'; use check, bet"),
    (
        [WHOLE, WHOLE],
        r"line 3: player 0, .* 'K:': the action 'check' is given twice, ",
    ),
    (["0,K:,check,", WHOLE, "0,K:,bet,0.5"], r"given twice, first in .*mine.csv, line 2"),
    (
        ["0,K:,check,1.2"],
        r"^player 0, information set 'K:': the probabilities sum to 1.2, not to 1",
    ),
    (["0,K:,check,-0.5", "0,K:,bet,1.5"], r"line 2: .*'K:', action 'check': '-0.5' is not a prob"),
    ([WHOLE, "0,K:,bet,often"], r"line 3: .*action 'bet': 'often' is not a probability"),
    ([WHOLE, "0,K:,bet,nan"], r"'nan' is not a probability"),
    ([WHOLE, "0,K:,bet,1/0"], r"'1/0' is not a probability"),
    ([WHOLE, "0,K:,bet,0.6"], r"^player 0, information set 'K:': the probabilities sum to 1.1, "),
]


@pytest.mark.parametrize(("lines", "message"), BAD_LINES)
def test_wrong_tables_are_refused_with_the_label(kuhn, table, lines, message) -> None:
    with pytest.raises(Refused, match=message):
        read_given(table(*lines), kuhn)


def test_files_that_are_no_strategy_are_refused(kuhn, table, tmp_path) -> None:
    with pytest.raises(ResultFileError, match=r"line 3: 2 cells under 4 columns"):
        read_given(table(WHOLE, "0,K:"), kuhn)
    with pytest.raises(ResultFileError, match=r"nowhere.csv does not exist"):
        read_given(tmp_path / "nowhere.csv", kuhn)
    with pytest.raises(ResultFileError, match=r"nowhere.json does not exist"):
        read_given(tmp_path / "nowhere.json", kuhn)
    with pytest.raises(ResultFileError, match=r"a strategy is read from a table .csv or from"):
        read_given(tmp_path / "mine.txt", kuhn)
    with pytest.raises(ResultFileError, match=r"has no column infoset: it begins with 'player,"):
        read_given(table("0,K:,bet,1", header="player,set,action,probability"), kuhn)
    for content in ("", "\0"):
        (tmp_path / "empty.csv").write_text(content)
        with pytest.raises(ResultFileError, match=r"empty.csv (has no column player|cannot be)"):
            read_given(tmp_path / "empty.csv", kuhn)
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ResultFileError, match=r"bytes.csv .*: it is not UTF-8 text; save it"):
        read_given(tmp_path / "bytes.csv", kuhn)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ResultFileError, match=r"folder.csv cannot be read: Is a directory"):
        read_given(tmp_path / "folder.csv", kuhn)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("{", ResultFileError, r"mine.json cannot be read: Expecting"),
        ("[1]", ResultFileError, r"mine.json: it is not an object: a strategy is "),
        ('{"0": [1]}', ResultFileError, r"player '0' is not an object"),
        ('{"0": {"K:": 1}}', ResultFileError, r"information set 'K:' is not an object"),
        ('{"7": {"K:": {"bet": 1}}}', Refused, r"mine.json: there is no player '7'"),
        ('{"0": {"K:": {"bet": 1, "bet": 0}}}', Refused, r"the action 'bet' is given twice"),
        ('{"0": {"K:": {"bet": true}}}', Refused, r"action 'bet': True is not a probability"),
        ('{"0": {"K:": {"bet": [1]}}}', Refused, r"is not a probability"),
    ],
)
def test_wrong_json_is_refused(kuhn, tmp_path, text, kind, message) -> None:
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(kind, match=message):
        read_given(tmp_path / "mine.json", kuhn)


def test_wrong_python_is_refused(kuhn) -> None:
    with pytest.raises(Refused, match=r"\('K:', 'bet'\) is not a key of a strategy"):
        given_from({("K:", "bet"): 1}, kuhn)
    with pytest.raises(Refused, match=r"^player 0, information set '\w:': what was returned"):
        given_from(lambda *_: (1,), kuhn)
    with pytest.raises(Refused, match=r"what was returned is not"):
        given_from(lambda *_: 1, kuhn)
    with pytest.raises(Refused, match=r"has no action 'raise'"):
        given_from(lambda *_: {"raise": 1}, kuhn)
    with pytest.raises(ValueError, match=r"given by a mapping or a callable, not by int"):
        given_from(3, kuhn)


def test_names_that_would_be_written_alike_are_numbered() -> None:
    builder = TreeBuilder(num_players=1)
    go, stop = builder.decision(builder.root, 0, 1, ["go", "stop"])
    for node in (stop, *builder.decision(go, 0, "1", [1, "2"])):
        builder.terminal(node, [0])
    form = build_sequence_form(builder.freeze())
    assert [form.infoset_text(0, infoset) for infoset in range(2)] == ["1 #2", "1"]
    assert given_from({(0, "1", "2"): 1}, form).missing(0).tolist() == [0]
    assert given_from({(0, "1 #2", "go"): 1}, form).missing(0).tolist() == [1]
    assert given_from({(0, 1, "go"): 1, (0, 1, "stop"): 0}, form).missing(0).tolist() == [1]


def test_games_with_too_many_sets_are_refused_before_any_is_named(
    kuhn: SequenceForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqform.strategies.read_given.MOST_SETS", 11)
    with pytest.raises(UnsupportedGameError, match="12 information sets are too many to be given"):
        given_from({}, kuhn)
