"""What numba has compiled and kept is not used any more when what is in it has changed."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import ROOT

LOOP = """
import helper
from helper import CONSTANT, twice
from seqform.base.kept_loops import kept_with

@kept_with({helpers})
def loop(x):
    return twice(x) + CONSTANT

print(loop(1), sum(loop.stats.cache_hits.values()))
"""

HELPER = """
from numba import njit

CONSTANT = {constant}

@njit
def twice(x):
    return {factor} * x
"""

PLAIN = ("seqform.base.arrays", "seqform.base.kept_loops")
"""Modules of which nothing is compiled into loops."""


def ran(folder: Path) -> str:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "loop.py"]
    return subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout.strip()


def write(folder: Path, constant: int, factor: int) -> None:
    (folder / "helper.py").write_text(HELPER.format(constant=constant, factor=factor))


def test_a_loop_is_compiled_anew_when_a_helper_changes(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP.format(helpers="helper"))
    write(tmp_path, 10, 2)
    assert [ran(tmp_path), ran(tmp_path)] == ["12 0", "12 1"]  # compiled, and kept
    write(tmp_path, 20, 2)
    assert ran(tmp_path) == "22 0"
    write(tmp_path, 20, 3)
    assert [ran(tmp_path), ran(tmp_path)] == ["23 0", "23 1"]


def with_loops() -> list[Path]:
    folders = (ROOT / name for name in ("seqform", "abstraction", "games", "experiments"))
    files = (file for folder in folders for file in sorted(folder.rglob("*.py")))
    keeps = re.compile(r"njit\(.*cache=True|kept_with\(")
    return [file for file in files if keeps.search(file.read_text())]


@pytest.mark.parametrize(
    "file", [file for file in with_loops() if file.stem != "kept_loops"], ids=lambda file: file.stem
)
def test_loops_name_the_modules_that_are_compiled_into_them(file: Path) -> None:
    tree = ast.parse(file.read_text())
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    own = ("seqform", "abstraction", "games")
    used = {
        node.module.rpartition(".")[2]
        for node in imports
        if node.module
        and node.module.startswith(tuple(f"{name}." for name in own))
        and node.module not in PLAIN
        and not (ROOT / node.module.replace(".", "/")).is_dir()
    }
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "kept_with"
    ]
    assert all(used <= {ast.unparse(name) for name in call.args} for call in calls)
    assert calls or not used
