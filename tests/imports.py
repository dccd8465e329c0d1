"""What the modules of this repository import, read from their syntax trees; nothing is run."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = ("seqform", "games", "abstraction", "experiments")


class Import(NamedTuple):
    """One name that a module imports."""

    module: str
    """The module of the repository that is meant if there is one, else the name as written."""
    name: str
    """What is taken from it; empty if it is the module itself."""
    function: str
    """The function that it stands in; empty at the head of the module."""
    for_types: bool
    """Whether it stands under `if TYPE_CHECKING`."""


@cache
def modules() -> dict[str, Path]:
    """Return the file of every module of the four packages, by the module's dotted name."""
    files = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {dotted(path): path for path in files}


def dotted(path: Path) -> str:
    """Return the dotted name of a file's module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(module: str) -> tuple[Import, ...]:
    """Return all imports of a module, those within functions and for types only included."""
    return tuple(imports_of(syntax(module)))


def imports_of(code: ast.AST) -> Iterator[Import]:
    """Return all imports of a piece of code."""
    return _visit(code, "", False)


@cache
def syntax(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(modules()[module].read_text())


def strings(module: str) -> Iterator[str]:
    """Return all texts that a module's code holds."""
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def defined(module: str) -> set[str]:
    """Return the names that the head of a module defines or imports."""
    names: set[str] = set()
    for node in syntax(module).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = ast.walk(node)
            names.update(
                target.id
                for target in targets
                if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
            )
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    return names


def reached_from(starts: Iterable[str]) -> set[str]:
    """Return all modules that some modules lead to, by imports of imports."""
    found, waiting = set(), list(starts)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(step.module for step in imports(module) if step.module in modules())
    return found


def _visit(node: ast.AST, function: str, for_types: bool) -> Iterator[Import]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        function = node.name
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(alias.name, "", function, for_types)
    if isinstance(node, ast.ImportFrom):
        if node.level:
            raise AssertionError(f"a relative import on line {node.lineno}: write the whole name")
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            is_module = submodule in modules()
            home, name = (submodule, "") if is_module else (str(node.module), alias.name)
            yield Import(home, name, function, for_types)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for child in node.body:
            yield from _visit(child, function, True)
        for child in node.orelse:
            yield from _visit(child, function, for_types)
        return
    for child in ast.iter_child_nodes(node):
        yield from _visit(child, function, for_types)


HEAVY = {
    "numpy",
    "scipy",
    "highspy",
    "clarabel",
    "cvxpy",
    "networkx",
    "igraph",
    "matplotlib",
    "numba",
    "pandas",
}


def loaded_by(code: str) -> set[str]:
    show = "print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\n{show}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.splitlines()[-1].split())
