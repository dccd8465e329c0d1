"""The public names: what the stubs declare is there, shown, and loaded only when asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import seqform
from seqform.base.lazy import declared, homes_in

ROOT = Path(__file__).parents[2]
STUBS = sorted((ROOT / "seqform").rglob("__init__.pyi"))
PACKAGES = [".".join(path.parent.relative_to(ROOT).parts) for path in STUBS]


def imported_in(stub: Path) -> set[tuple[str, str]]:
    """Return the modules and names that a stub imports, as Python's own parser reads it."""
    steps = [node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ImportFrom)]
    return {(str(step.module), alias.name) for step in steps for alias in step.names}


def test_there_are_stubs() -> None:
    assert {"seqform", "seqform.io", "seqform.drawing", "seqform.perfect_information"} <= {
        *PACKAGES
    }


@pytest.mark.parametrize("stub", STUBS, ids=PACKAGES)
def test_every_name_of_a_stub_is_there(stub: Path) -> None:
    package = ".".join(stub.parent.relative_to(ROOT).parts)
    module, wanted = import_module(package), imported_in(stub)
    assert {(home, name) for name, home in declared(package).items()} == wanted
    assert set(module.__all__) == {name for _, name in wanted}
    for home, name in wanted:
        assert getattr(module, name) is getattr(import_module(home), name)


@pytest.mark.parametrize("package", PACKAGES)
def test_completion_shows_public_names_and_nothing_else(package: str) -> None:
    module = import_module(package)
    shown = {name for name in dir(module) if not (name.startswith("__") and name.endswith("__"))}
    assert shown == set(module.__all__)
    assert {"__name__", "__doc__", "__path__"} <= set(dir(module))
    assert dir(module) == sorted(dir(module))


def test_a_star_import_gives_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from seqform import *", names)
    assert set(names) - {"__builtins__"} == set(seqform.__all__)


@pytest.mark.parametrize(
    ("package", "wrong", "right"),
    [
        ("seqform", "sovle", "solve"),
        ("seqform", "Treplex", "Treeplex"),
        ("seqform.io", "read_egf", "read_efg"),
        ("seqform.perfect_information", "alphabeta", "alpha_beta"),
    ],
)
def test_a_wrong_name_is_told_the_nearest(package: str, wrong: str, right: str) -> None:
    said = f"module '{package}' has no attribute '{wrong}'; did you mean '{right}'"
    with pytest.raises(AttributeError, match=said) as found:
        getattr(import_module(package), wrong)
    assert found.value.name == wrong
    with pytest.raises(AttributeError, match=r"no attribute 'zzzzzz'$"):
        _ = import_module(package).zzzzzz
    assert not hasattr(import_module(package), "sys")


def test_stubs_may_be_wrapped_as_formatters_wrap_them() -> None:
    stub = '"""Names, as they are."""\n\nfrom a.b import (\n    long as long,\n)\n'
    stub += "from a.c import d as d, e as e\nfrom a.f import g as other\nfrom a.h import (i as i)\n"
    assert homes_in(stub) == {"long": "a.b", "d": "a.c", "e": "a.c", "i": "a.h"}
    assert "backward_induction_tree" in import_module("seqform.perfect_information").__all__


def test_importing_seqform_loads_no_more_than_its_names() -> None:
    """Not even `typing`, whose import takes longer than all the rest."""
    code = "import sys; known = set(sys.modules); import seqform; print(*set(sys.modules) - known)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    ours = {"seqform", "seqform.base", "seqform.base.lazy"}
    assert {name for name in loaded if name.startswith("seqform")} == ours
    assert not loaded & {"typing", "collections", "re", "difflib", "numpy"}


def test_wheels_hold_whole_packages() -> None:
    """And so the stubs: hatchling leaves out only what git ignores, or what it is told to."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    packages = ["seqform", "abstraction", "games", "experiments"]
    assert build == {"targets": {"wheel": {"packages": packages}}}
    command = ["git", "check-ignore", *STUBS]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout == b""
