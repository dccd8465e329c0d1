"""Names and next steps that are said where somebody looks: in help, and in refusals."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import seqform
from seqform import EVERYONE, GAMES, METHODS, make, solve
from seqform.base.errors import REQUIREMENTS, InvalidGameError, InvalidParameterError, SeqformError
from seqform.methods.solve import naming_others
from tests.command_line import call, typed

ROOT = Path(__file__).parents[2]
OPTIONS = {field.name for method in METHODS.at_hand() for field in fields(method.Options)}


@pytest.mark.parametrize("name", GAMES.names())
def test_every_parameter_of_every_game_has_words_of_its_own(name: str) -> None:
    entry = GAMES.get(name)
    assert set(entry.parameters) <= set(entry.meanings)
    asked = [entry.meanings[parameter] for parameter in entry.parameters]
    assert all(asked)
    assert len(set(asked)) == len(asked)


def test_help_of_solve_names_all_methods_and_options() -> None:
    words = solve.__doc__ or ""
    for method in METHODS.at_hand():
        if METHODS.is_ours(method.name):
            assert f"'{method.name}'" in words, method.name
    for option in OPTIONS:
        assert re.search(rf"\b{option}\b", words), option
    printed = " ".join(re.sub("[│╭╮╰╯─]", " ", call("solve", "--help")).split())
    assert all(method.name in printed for method in METHODS.at_hand())
    assert all(f"--{option.replace('_', '-')}" in printed for option in OPTIONS)
    assert re.search(r"Options of \d+ methods", printed)
    assert "sapcfr+, sapdcfr+, tuned-dcfr." in printed


def test_methods_of_strangers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(METHODS, "not_at_hand", lambda: {"guessing": "guesses 1.0"})
    words = "A game may bring its own, and other packages can add some."
    assert naming_others(words).endswith("and other packages add 'guessing' (of guesses 1.0).")
    monkeypatch.setattr(METHODS, "not_at_hand", dict)
    assert naming_others(words) == words


@pytest.mark.parametrize(
    ("thing", "step"),
    [
        ("kuhn", "give what seqform.make('kuhn') returns"),
        ("two_player_tree", "seqform.make('two_player_tree')"),
        ("mine.efg", "give what seqform.load('mine.efg') returns"),
        (Path("folder/result"), "seqform.load('folder/result')"),
        (GAMES.get("kuhn"), "what its make() returns"),
    ],
)
def test_what_is_not_yet_a_game_is_met_with_the_next_step(thing: Any, step: str) -> None:
    for function in (solve, seqform.build_tree, seqform.describe):
        with pytest.raises(InvalidGameError, match=re.escape(step)):
            function(thing)


def test_a_solution_is_solved_already() -> None:
    with pytest.raises(InvalidGameError, match="its game is its `source`"):
        solve(solve(make("kuhn")))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ({"methd": "lp"}, "method"),
        ({"itertions": 5}, "iterations"),
        ({"method": "cfr", "itertions": 5}, "iterations"),
        ({"timelimit": 5}, "time_limit"),
        ({"refin": None}, "refine"),
    ],
)
def test_misspelt_options_are_met_with_the_nearest(options: dict[str, Any], meant: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"did you mean '{meant}'"):
        solve(make("kuhn"), **options)


def test_a_folder_is_met_with_what_to_do_with_it(tmp_path: Path) -> None:
    call("solve", "kuhn", "--out", str(tmp_path / "result"))
    (tmp_path / "empty").mkdir()
    done = typed("solve", "result", folder=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "`seqform show result` shows the strategies" in done.stderr
    assert "is a folder, and a game is a name" in typed("solve", "empty", folder=tmp_path).stderr
    (tmp_path / "kuhn").mkdir()
    assert typed("solve", "kuhn", folder=tmp_path).returncode == 0  # the name is the game


def test_requirements_are_explained_where_they_stand() -> None:
    page = (ROOT / "docs" / "data-model.md").read_text()
    assert set(REQUIREMENTS) == set(re.findall(r"^\| (R\d+) \|", page, re.MULTILINE))
    with pytest.raises(SeqformError, match="R10: method 'lp'") as refused:
        solve(make("chicken"), method="lp")
    (note,) = refused.value.__notes__
    assert note == f"(R10 in docs/data-model.md: {REQUIREMENTS['R10']})"
    done = typed("solve", "chicken", "--method", "lp")
    assert done.stderr.rstrip().endswith(note)
    assert done.stderr.count("\n") == 1
    assert not hasattr(SeqformError("nothing of the kind"), "__notes__")


def test_who_sees_a_public_card_is_public() -> None:
    assert EVERYONE == -1
    assert "EVERYONE" in dir(seqform)
