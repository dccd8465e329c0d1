"""Who may import whom, and what must not be imported before it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module

import pytest

from tests.imports import (
    HEAVY,
    PACKAGES,
    ROOT,
    Import,
    defined,
    imports,
    imports_of,
    loaded_by,
    modules,
    reached_from,
    strings,
    syntax,
)

ALLOWED = {
    "seqform": set(),
    "games": {"seqform"},
    "abstraction": {"seqform"},
    "experiments": {"seqform", "games", "abstraction"},
}
DRAWN = re.compile(r"^base -> .*? cli$", re.DOTALL | re.MULTILINE)
"""The order of the rooms, as pages draw it."""


def drawn(page: str) -> list[set[str]]:
    """Return the rooms of each stage by a page; those between braces stand side by side."""
    found = DRAWN.search((ROOT / page).read_text())
    assert found is not None
    return [set(re.findall(r"\w+", stage)) for stage in found[0].split("->")]


HOUSE = "docs/explanation/architecture.md"
STAGES = (
    *drawn(HOUSE)[:-1],
    {"seqform", "plugins"},  # the package itself, from which users import, and what others add to
    *drawn(HOUSE)[-1:],
    {"__main__"},  # python -m seqform
)
"""A stage uses those before it, and those that stand side by side do not use each other."""

FILES = {"seqform", "plugins", "__main__"}
"""Those that are no folders."""


def package_of(module: str) -> str:
    return module.partition(".")[0]


def room_of(module: str) -> str:
    """Return the folder of seqform that a module is in; `seqform` for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def stage_of(module: str) -> int:
    return next(i for i, rooms in enumerate(STAGES) if room_of(module) in rooms)


def crosses_packages(module: str, target: str) -> bool:
    """Return whether an import goes from one of the four packages to one that it may not use."""
    package, imported = package_of(module), package_of(target)
    return imported in set(PACKAGES) - {package} - ALLOWED[package]


def runs_back(module: str, target: str) -> bool:
    """Return whether an import within seqform goes to a later stage, or to the room beside."""
    if package_of(module) != "seqform" or package_of(target) != "seqform":
        return False
    return room_of(module) != room_of(target) and stage_of(target) >= stage_of(module)


def reaches_too_far(module: str, target: str) -> bool:
    """Return whether games or reductions use what comes after the methods."""
    is_part = package_of(module) in ("games", "abstraction")
    return (
        is_part
        and room_of(target) in ("drawing", "report", "cli")
        and package_of(target) == "seqform"
    )


def uses_the_command_line(module: str, target: str) -> bool:
    """Return whether anything but the command line imports a part of it."""
    is_part = module == "seqform.__main__" or module.startswith("seqform.cli")
    return f"{target}.".startswith("seqform.cli.") and not is_part


RULES = (crosses_packages, runs_back, reaches_too_far, uses_the_command_line)


def broken_rules() -> Iterator[tuple[str, str]]:
    for module in modules():
        for step in imports(module):
            if any(rule(module, step.module) for rule in RULES):
                yield module, step.module


def test_every_import_goes_to_an_earlier_stage() -> None:
    assert set(broken_rules()) == set()


def test_every_folder_of_seqform_is_a_stage() -> None:
    rooms = {path.parent.name for path in (ROOT / "seqform").glob("*/__init__.py")}
    assert rooms == set().union(*STAGES) - FILES
    assert {path.name for path in (ROOT / "seqform").glob("*.py")} == {
        *("__init__.py", "__main__.py", "plugins.py")
    }


def test_pages_describe_one_house() -> None:
    assert drawn("CONTRIBUTING.md") == drawn(HOUSE)
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / HOUSE).read_text(), re.MULTILINE)
    order = [next(i for i, stage in enumerate(drawn(HOUSE)) if room in stage) for room in listed]
    assert sorted(listed) == sorted(set().union(*drawn(HOUSE)))
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("module", "target", "rule"),
    [
        ("seqform.form.treeplex", "games.kuhn", crosses_packages),
        ("games.kuhn", "abstraction.criteria", crosses_packages),
        ("abstraction.criteria", "experiments.labels", crosses_packages),
        ("seqform.base.number", "seqform.game.rules", runs_back),
        ("seqform.concepts.nash", "seqform.exact.interval", runs_back),
        ("seqform.exact.interval", "seqform.concepts.nash", runs_back),
        ("seqform.io.efg_reader", "seqform.methods.solve", runs_back),
        ("seqform.solvers.iterative.regret.rules", "seqform.results.solution", runs_back),
        ("seqform.results.folder", "seqform", runs_back),
        ("games.kuhn", "seqform.drawing.draw", reaches_too_far),
        ("experiments.sweep", "seqform.cli.experiment", uses_the_command_line),
        ("experiments.sweep", "seqform.cli", uses_the_command_line),
    ],
)
def test_rules_find_what_breaks_them(module: str, target: str, rule: object) -> None:
    assert [found for found in RULES if found(module, target)] == [rule]


def test_imports_within_functions_and_for_types_count() -> None:
    code = "if TYPE_CHECKING:\n    import a.b\ndef f():\n    from c import d\nelse_ = 1\n"
    found = list(imports_of(ast.parse(code)))
    assert found == [Import("a.b", "", "", True), Import("c", "d", "f", False)]
    with pytest.raises(AssertionError, match="line 1"):
        list(imports_of(ast.parse("from . import x")))


def test_programs_beside_the_packages_call_the_command_line_as_users_do() -> None:
    files = [path for room in ("benchmarks", "tools") for path in (ROOT / room).rglob("*.py")]
    assert files
    assert [path for path in files if "seqform.cli" in path.read_text()] == []


def test_no_module_is_imported_by_what_it_imports() -> None:
    graph = {
        module: {step.module for step in imports(module) if not step.for_types} & set(modules())
        for module in modules()
    }
    TopologicalSorter(graph).prepare()  # CycleError names the modules of a cycle


def test_solvers_do_not_certify_and_the_certificate_does_not_solve() -> None:
    def rooms_reached_from(room: str) -> set[str]:
        starts = [module for module in modules() if module.startswith(f"seqform.{room}")]
        assert starts
        return {room_of(module) for module in reached_from(starts)}

    assert "concepts" not in rooms_reached_from("solvers")
    assert "solvers" not in rooms_reached_from("concepts")
    assert "solvers" not in rooms_reached_from("form")
    for name in ("concepts/nash.py", "concepts/best_response.py", "form/treeplex.py"):
        assert "solvers" not in (ROOT / "seqform" / name).read_text()
    # A second opinion: neither the solvers nor the certificate in floats.
    assert not rooms_reached_from("exact") & {"solvers", "concepts", "methods"}


def test_no_method_uses_another_as_a_library() -> None:
    homes = PYPROJECT["project"]["entry-points"]["seqform.methods"].values()
    methods = {home.partition(":")[0] for home in homes} | {"seqform.methods.game_method"}
    uses = {(m, step.module) for m in methods for step in imports(m) if step.module in methods}
    assert {(m, used) for m, used in uses if m != used} == set()


# Names of modules that stand in texts


PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def exists(home: str) -> bool:
    """Return whether there is a module, or a ``module:attribute``, of one of our packages."""
    module, _, attribute = home.partition(":")
    if module not in modules():
        return False
    return not attribute or attribute.partition(".")[0] in defined(module)


def test_every_entry_point_exists() -> None:
    project = PYPROJECT["project"]
    groups = [project["scripts"], *project["entry-points"].values()]
    homes = [home for group in groups for home in group.values()]
    assert homes
    assert [home for home in homes if not exists(home)] == []


def test_every_module_of_the_settings_of_mypy_exists() -> None:
    named = [name for part in PYPROJECT["tool"]["mypy"]["overrides"] for name in part["module"]]
    ours = [name for name in named if package_of(name) in PACKAGES]
    assert ours
    assert [name for name in ours if not exists(name)] == []


def test_every_module_that_a_text_names_exists() -> None:
    own = "|".join(PACKAGES)
    home = re.compile(rf"({own})(\.\w+)*:[A-Za-z_]\w*")
    named = {(m, text) for m in modules() for text in strings(m) if home.fullmatch(text)}
    named |= {(module, text) for module in modules() for text in imported_by_name(module)}
    assert sorted((module, text) for module, text in named if not exists(text)) == []


def imported_by_name(module: str) -> Iterator[str]:
    """Return what a module imports by a text of ours, as far as it is written down."""
    for node in ast.walk(syntax(module)):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("import_module"):
            continue
        text = node.args[0]
        if isinstance(text, ast.JoinedStr):
            text = text.values[0]
        if isinstance(text, ast.Constant) and package_of(str(text.value)) in PACKAGES:
            yield str(text.value).rstrip(".")


def test_missing_homes_are_found() -> None:
    assert exists("seqform.cli:main")
    assert exists("games.kuhn")
    assert not exists("seqform.cli:nothing")
    assert not exists("seqform.nothing:main")


def test_everything_public_is_where_the_packages_say() -> None:
    import seqform

    rooms = [
        "seqform",
        "seqform.plugins",
        *(f"seqform.{room}" for stage in STAGES for room in stage - FILES),
    ]
    for room in rooms:
        module = import_module(room)
        for name in getattr(module, "__all__", ()):
            assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = seqform.nothing_of_the_kind


# The command line

BEFORE_ALL = {
    "seqform.base.alarm",
    "seqform.base.deadline",
    "seqform.base.errors",
    "seqform.base.interrupt",
    "seqform.base.left_behind",
    "seqform.base.memory",
    "seqform.base.nearest",
    "seqform.base.number",
    "seqform.base.summary",
    "seqform.base.wrapped",
}
"""What the command line needs before anything of the library is loaded, and words for numbers."""


def uses_private(step: Import) -> bool:
    """Return whether the command line imports what is neither its own nor public."""
    package = package_of(step.module)
    if package in sys.stdlib_module_names | {"typer", "click", "rich", "__future__"}:
        return False
    if step.module.startswith("seqform.cli") or step.module in BEFORE_ALL:
        return False
    if step == Import("seqform", "", step.function, step.for_types):
        return False  # its public names are all that `seqform.name` finds
    is_public_room = package == "seqform" and step.module.count(".") <= 1
    return not is_public_room or step.name not in getattr(import_module(step.module), "__all__", ())


def private_uses() -> set[tuple[str, str, str]]:
    """Return module, what it imports from, and the name of each such import."""
    found = ((m, step) for m in modules() if m.startswith("seqform.cli") for step in imports(m))
    return {(m, step.module, step.name) for m, step in found if uses_private(step)}


def test_the_command_line_calls_the_public_library_only() -> None:
    assert private_uses() == set()


def test_private_uses_are_found() -> None:
    assert not uses_private(Import("seqform", "", "", False))
    assert not uses_private(Import("seqform.drawing", "draw_tree", "", False))
    assert uses_private(Import("seqform.drawing", "walk", "", False))
    assert uses_private(Import("seqform.drawing.draw", "draw_tree", "", False))
    assert uses_private(Import("numpy", "", "", False))


# What is loaded


def test_importing_the_package_or_the_command_line_loads_nothing_heavy() -> None:
    assert not loaded_by("import seqform") & HEAVY
    assert not loaded_by("import seqform.cli") & HEAVY


@pytest.mark.parametrize("command", ["", "solve", "shrink", "draw"])
def test_help_loads_nothing_heavy(command: str) -> None:
    words = [*command.split(), "--help"]
    code = f"sys.argv[1:] = {words}\nfrom seqform.cli import main\n"
    loaded = loaded_by(f"{code}try:\n    main()\nexcept SystemExit:\n    pass")
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_solving_a_small_game_loads_one_engine_only() -> None:
    loaded = loaded_by("from seqform import solve; from games.kuhn import kuhn; solve(kuhn())")
    assert "highspy" in loaded
    assert not loaded & {"clarabel", "cvxpy", "networkx", "igraph", "matplotlib", "numba", "pandas"}


def test_a_small_basis_is_inverted_without_sparse_factorizations() -> None:
    code = "from seqform import make, solve; assert solve(make('kuhn')).exact"
    show = "print(*(name for name in sys.modules if name.startswith('scipy.sparse.linalg')))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\n{show}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout.split() == []
