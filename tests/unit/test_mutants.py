"""The mutations that need not be tried are of functions that there are."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from tests.imports import ROOT
from tools.mutants.accepted import Accepted, Key
from tools.mutants.mutations import mutations


def of_nothing(keys: Iterable[Key]) -> list[Key]:
    """Return those whose function, or class, has nothing that could be changed."""
    listed = sorted(keys)
    files = {file for file, *_ in listed if (ROOT / file).exists()}
    trees = {file: ast.parse((ROOT / file).read_text()) for file in files}
    found = {(file, each.function) for file, tree in trees.items() for each in mutations(tree)}
    return [key for key in listed if key[:2] not in found]


def test_every_function_on_the_list_is_one_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    keys = Accepted.read().keys
    assert keys
    assert of_nothing(keys) == []


def test_functions_that_are_gone_are_found() -> None:
    file = "seqform/concepts/rounding.py"
    gone = [(file, "of_nobody", "1 -> 2"), ("seqform/nowhere.py", "of_plan", "1 -> 2")]
    assert of_nothing([(file, "of_plan", "1 -> 2"), *gone]) == gone
