"""Who may import whom, and what must not be imported before it is needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("seqform", "games", "abstraction", "experiments")
ALLOWED = {
    "seqform": set(),
    "games": {"seqform"},
    "abstraction": {"seqform"},
    "experiments": {"seqform", "games", "abstraction"},
}
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


def imports(path: Path) -> list[tuple[str, str]]:
    """Return (function or '', top-level package) of every import in a file."""
    found = []

    def visit(node: ast.AST, function: str) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = node.name
        if isinstance(node, ast.Import):
            found.extend((function, alias.name.split(".")[0]) for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            found.append((function, node.module.split(".")[0]))
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(ast.parse(path.read_text()), "")
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_what_lies_below_them(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        for function, imported in imports(path):
            if path.parts[-2:] == ("cli", "loading.py") and function == "registry":
                continue  # the one place that must reach for the games
            siblings = set(PACKAGES) - {package}
            assert imported not in siblings or imported in ALLOWED[package], (
                f"{path.name} imports {imported} in {function or 'its head'}"
            )


def test_solvers_do_not_certify_and_the_certificate_does_not_solve() -> None:
    for path in (ROOT / "seqform" / "solvers").rglob("*.py"):
        assert "concepts" not in "".join(
            line for line in path.read_text().splitlines() if "import" in line
        )
    for name in ("concepts/nash.py", "concepts/best_response.py", "form/treeplex.py"):
        assert "solvers" not in (ROOT / "seqform" / name).read_text()
    for path in (ROOT / "seqform" / "exact").glob(
        "*.py"
    ):  # a second opinion: neither solvers nor the float certificate
        heads = "".join(line for line in path.read_text().splitlines() if "import" in line)
        assert not any(word in heads for word in ("solvers", "concepts", "methods"))


def loaded_by(code: str) -> set[str]:
    script = (
        f"import sys\n{code}\nprint(' '.join(sorted({{m.split('.')[0] for m in sys.modules}})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_importing_the_package_or_the_command_line_loads_nothing_heavy() -> None:
    assert not loaded_by("import seqform") & HEAVY
    assert not loaded_by("import seqform.cli") & HEAVY


def test_solving_a_small_game_loads_one_engine_only() -> None:
    loaded = loaded_by("from seqform import solve; from games.kuhn import kuhn; solve(kuhn())")
    assert "highspy" in loaded
    assert not loaded & {"clarabel", "cvxpy", "networkx", "igraph", "matplotlib", "numba", "pandas"}


def test_everything_public_is_where_the_package_says() -> None:
    import seqform

    for name in seqform.__all__:
        assert getattr(seqform, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = seqform.nothing_of_the_kind
