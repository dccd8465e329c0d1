"""Our own files of games as they reach us from strangers: whatever is in them, a game or an error
of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kuhn import kuhn
from seqform import build_tree
from seqform.base.errors import SeqformError
from seqform.tree.file import fingerprint, load_tree, save_tree
from seqform.tree.tree import GameTree
from tests.same_game import assert_same_game
from tests.strategies import trees


@given(trees(players=(1, 2, 3), zero_sum=(True, False)))
def test_a_saved_game_is_the_same_game(tmp_path_factory: Any, tree: GameTree) -> None:
    path = tmp_path_factory.mktemp("saved") / "game.npz"
    assert save_tree(tree, path) == fingerprint(tree)
    assert_same_game(tree, load_tree(path))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: Any) -> Path:
    path = tmp_path_factory.mktemp("saved") / "kuhn.npz"
    save_tree(build_tree(kuhn()), path)
    return path  # type: ignore[no-any-return]


@given(st.data())
def test_damaged_bytes_are_refused_or_change_nothing(saved: Path, data: Any) -> None:
    content = bytearray(saved.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = saved.with_name("damaged.npz")
    path.write_bytes(
        content[: data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))]
    )
    try:
        tree = load_tree(path)
    except SeqformError as error:
        assert str(path) in str(error)  # noqa: PT017
    else:
        assert_same_game(tree, build_tree(kuhn()))


SPOILED: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "no fingerprint": lambda head, columns: head.pop("fingerprint"),
    "header without labels": lambda head, columns: head.pop("labels"),
    "labels that are a number": lambda head, columns: head.update(labels=3),
    "labels that are lists": lambda head, columns: head.update(labels=[[1]] * 9),
    "payoffs in words": lambda head, columns: head.update(payoffs=[["one", "two"]]),
    "payoffs that divide by zero": lambda head, columns: head.update(payoffs=[["1/0", "1"]]),
    "payoffs that are numbers": lambda head, columns: head.update(payoffs=[[1.5, 2.5]]),
    "no players": lambda head, columns: head.update(num_players=0),
    "endless players": lambda head, columns: head.update(num_players=float("inf")),
    "a unit that is a list": lambda head, columns: head.update(unit=[1]),
    "no nodes": lambda head, columns: columns.update(
        {name: column[:0] for name, column in columns.items()}
    ),
    "columns in words": lambda head, columns: columns.update(player=np.array(["x"] * 58)),
    "columns of floats": lambda head, columns: columns.update(player=columns["player"] + 0.5),
    "columns of infinities": lambda head, columns: columns.update(
        player=columns["player"] * np.inf
    ),
    "columns of large integers": lambda head, columns: columns.update(
        player=columns["player"].astype(np.int64) + 2**32
    ),
    "columns in two dimensions": lambda head, columns: columns.update(
        player=columns["player"].reshape(2, 29)
    ),
    "columns of different lengths": lambda head, columns: columns.update(
        player=columns["player"][:-1]
    ),
    "a negative first child": lambda head, columns: columns.update(
        first_child=columns["first_child"] - 7
    ),
    "children without end": lambda head, columns: columns.update(
        num_children=columns["num_children"] + 2**30
    ),
    "a player too many": lambda head, columns: columns.update(player=columns["player"] + 1),
    "an infoset without a label": lambda head, columns: columns.update(
        infoset=columns["infoset"] + 1
    ),
}


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
@pytest.mark.parametrize("forged", [False, True], ids=["as it is", "with a fingerprint that fits"])
@pytest.mark.parametrize("name", SPOILED)
def test_files_that_hold_no_game_are_refused(
    saved: Path, name: str, forged: bool, monkeypatch: Any
) -> None:
    with np.load(saved) as data:
        columns: dict[str, Any] = {key: data[key] for key in data.files}
    head = json.loads(bytes(columns.pop("header")))
    SPOILED[name](head, columns)
    path = saved.with_name("spoiled.npz")
    np.savez(path, header=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **columns)
    if forged:
        monkeypatch.setattr(
            "seqform.tree.file.fingerprint", lambda tree: head.get("fingerprint", "none")
        )
    with pytest.raises(SeqformError):
        load_tree(path)
