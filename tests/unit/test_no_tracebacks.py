"""What users get wrong, and what a machine does to them, is an error of ours in one line."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import experiments.two_jacks
from seqform import (
    SeqformError,
    TreeBuilder,
    analyze,
    best_response,
    build_normal_form,
    build_sequence_form,
    build_tree,
    certify,
    expected_values,
    exploit,
    make,
    sample,
    solve,
)
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
)
from seqform.base.whole_file import replacing, write_text
from seqform.experiment.toml_file import read_sweep
from tests.command_line import call, process

LONG = "a" * 300

PATHS = [
    ("solve", "kuhn", "--out", LONG),
    ("draw", "kuhn", "--out", f"{LONG}.svg"),
    ("solve", "kuhn", "--method", "dcfr", "--checkpoint", LONG),
    ("sample", "kuhn", "--hands", "3", "--out", LONG),
    ("exploit", "kuhn", "--player", "0", "--seen", f"{LONG}.csv"),
    ("convert", "kuhn", f"{LONG}.efg"),
    ("report", LONG),
    ("verify", LONG),
    ("show", LONG),
    ("solve", LONG),
    ("solve", f"{LONG}.efg"),
    ("convert", f"{LONG}.npz", "x.efg"),
]


@pytest.mark.parametrize("words", PATHS, ids=lambda words: "-".join(words)[:20])
def test_names_that_are_too_long_for_files(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SeqformError) as refused:
        call(*words)
    assert LONG in str(refused.value)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["solve kuhn --json", "games", "--help", "sample kuhn"])
def test_what_cannot_be_printed_is_an_error(words: str) -> None:
    code = "from seqform.cli import main; main()"
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-c", code, *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert ended.returncode == 2
    said = ended.stderr.splitlines()[-1]
    assert said == "seqform: cannot write what is printed: No space left on device"
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("count", ["9" * 5000, "1e5000", "-1", "1.5", ""])
def test_counts_that_are_none(count: str, tmp_path: Path) -> None:
    table = tmp_path / "seen.csv"
    table.write_text(f"player,infoset,action,count\n1,K:bet,call,{count}\n")
    with pytest.raises(InvalidStrategyError, match="not a count") as refused:
        call("exploit", "kuhn", "--player", "0", "--seen", str(table))
    assert len(str(refused.value)) < 300


def test_what_counts_nothing_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "seen.csv"
    for lines in ("", "1,K:bet,call,0\n"):
        table.write_text("player,infoset,action,count\n" + lines)
        with pytest.raises(InvalidStrategyError, match="nothing was seen"):
            call("exploit", "kuhn", "--player", "0", "--seen", str(table))


def test_a_lock_that_fixes_nothing_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "lock.csv"
    for lines in ("", "0,J:,bet,\n"):
        lock.write_text("player,infoset,action,probability\n" + lines)
        with pytest.raises(InvalidStrategyError, match="fixes no probability"):
            solve(make("kuhn"), lock=lock)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "says nothing"),
        ("# only a comment\n", "says nothing"),
        ("[axes]\n", "says nothing"),
        ("[axes]\n[options]\n", "says nothing"),
        ("[axes]\ngame = " + "[" * 600 + "]" * 600, "too deep"),
        ("memory = " + "9" * 5000, "is no TOML"),
    ],
    ids=["empty", "comment", "no axes", "no options", "brackets", "digits"],
)
def test_sweeps_that_are_none(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(text)
    with pytest.raises(InvalidParameterError, match=words):
        read_sweep(path)


@pytest.mark.parametrize("where", ["chance", "infoset", "action", "unit"])
def test_half_of_a_character_is_no_name(where: str) -> None:
    def name(place: str) -> str:
        return "\ud800" if place == where else place

    def build() -> None:
        builder = TreeBuilder(2, unit=name("unit"))
        for node in builder.chance(builder.root, [(name("chance"), 0.5), ("tails", 0.5)]):
            for end in builder.decision(node, 0, name("infoset"), [name("action"), "fold"]):
                builder.terminal(end, (1, -1))
        builder.freeze()

    with pytest.raises(InvalidGameError, match=r"'\\ud800' has half of a character"):
        build()


def test_every_function_takes_a_game() -> None:
    game = make("kuhn")
    tree, form = build_tree(game), build_sequence_form(game)
    profile = solve(game).profile
    for each in (game, tree, form):
        assert certify(each, profile).record() == certify(form, profile).record()
        assert expected_values(each, profile).tolist() == expected_values(form, profile).tolist()
        assert best_response(each, profile, 0)[0] == best_response(form, profile, 0)[0]
        assert build_normal_form(each).num_strategies == (27, 64)
        seen = analyze(each, profile)
        assert seen.players[0].values.tolist() == analyze(form, profile).players[0].values.tolist()
    for function in (certify, analyze, expected_values):
        with pytest.raises(InvalidGameError, match="is not a game"):
            function("kuhn", profile)  # type: ignore[operator]


def test_the_trees_of_two_jacks_are_drawn_where_one_asks(tmp_path: Path) -> None:
    docs = Path(experiments.two_jacks.__file__).parents[1] / "docs"
    before = {path: path.stat().st_mtime_ns for path in docs.rglob("*") if path.is_file()}
    made = module("experiments.two_jacks", folder=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "two-jacks-after.svg",
        "two-jacks-before.svg",
    ]
    after = {path: path.stat().st_mtime_ns for path in docs.rglob("*") if path.is_file()}
    assert after == before
    (tmp_path / "file").touch()
    refused = module("experiments.two_jacks", "file/folder", folder=tmp_path)
    assert refused.returncode == 1
    assert refused.stderr == "two_jacks: cannot write to file/folder: Not a directory\n"


def module(name: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", name, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
    )


@pytest.fixture
def room() -> Iterator[Callable[[int], None]]:
    """Let no file grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("old", [None, "what was there\n"])
@pytest.mark.parametrize("what", ["hands", "plan"])
def test_a_full_disk_cuts_no_table(
    what: str, old: str | None, tmp_path: Path, room: Callable[[int], None]
) -> None:
    game, path = make("kuhn"), tmp_path / "table.csv"
    if old is not None:
        path.write_text(old)
    profile = solve(game).profile
    made: Any = (
        sample(game, profile, hands=50) if what == "hands" else exploit(game, profile, player=0)
    )
    room(300)
    with pytest.raises(ResultFileError, match="File too large"):
        made.save(path)
    room(100_000)
    assert (path.read_text() if path.exists() else None) == old
    made.save(path)
    assert len(path.read_text()) > 300
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.csv"]


def test_what_is_no_file_of_a_disk_is_written_to_as_it_is() -> None:
    made = process("sample", "kuhn", "--hands", "2", "--out", "/dev/stdout")
    assert made.returncode == 0
    assert made.stdout.startswith("hand,seat,deal,actions")
    write_text("/dev/null", "nothing")
    with replacing("/dev/null") as file:
        file.write(b"nothing")
    assert Path("/dev/null").is_char_device()


def test_an_analysis_of_a_game_is_the_analysis_of_its_form() -> None:
    form = build_sequence_form(make("leduc"))
    profile = form.profile([treeplex.uniform() for treeplex in form.treeplexes])
    mine, theirs = analyze(make("leduc"), profile), analyze(form, profile)
    for one, other in zip(mine.players, theirs.players, strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True)


@pytest.mark.parametrize("nothing", [3, None, "uniform", [[1.0]]])
def test_what_is_no_strategy_is_not_analyzed(nothing: Any) -> None:
    with pytest.raises(InvalidParameterError, match="a strategy is a profile, a solution"):
        analyze(make("kuhn"), nothing)


@pytest.mark.parametrize("nothing", [3, None, "uniform", [[1.0]], {}])
@pytest.mark.parametrize("judge", [certify, expected_values])
def test_what_is_no_profile_is_refused(judge: Callable[..., Any], nothing: Any) -> None:
    with pytest.raises(InvalidStrategyError, match="is no profile: give a Profile"):
        judge(make("kuhn"), nothing)
    with pytest.raises(InvalidStrategyError, match="is no profile: give a Profile"):
        best_response(make("kuhn"), nothing, 0)
