"""What people install: the wheel, built from the source archive, in an environment of its own.

Dependencies are those of the tests, so that no network is needed; the checkout is out of sight.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from shutil import unpack_archive

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


def run(*command: object, cwd: Path) -> str:
    """Return what a command prints; nothing of the tests' own Python is passed on."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV"))}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=clean | {"COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind: str, source: Path, folder: Path) -> Path:
    """Build a distribution with the tests' own hatchling, without isolation."""
    run(sys.executable, "-m", "hatchling", "build", "--target", kind, "-d", folder, cwd=source)
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source archive, and the wheel from it, as pip does where there is no wheel."""
    folder = tmp_path_factory.mktemp("dist")
    unpack_archive(build("sdist", ROOT, folder), folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return build("wheel", source, folder)


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment with the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    install = ["install", "--quiet", "--no-index", "--no-deps", "--no-compile", wheel]
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=folder)
    site = run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=folder)
    # behind what is installed; links of editable packages there are not followed
    Path(site.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def test_the_wheel_holds_every_file_of_its_packages(wheel: Path) -> None:
    mine = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {f"{package}/py.typed" for package in PACKAGES} | {"seqform/io/__init__.pyi"} <= mine
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == mine


def test_every_entry_point_and_every_module_loads_from_the_wheel(python: Path) -> None:
    code = """
import importlib, json, pkgutil, sys
from importlib.metadata import distribution
found = {}
for entry in distribution("seqform").entry_points:
    entry.load()
    found.setdefault(entry.group, {})[entry.name] = entry.value
homes = set()
for package in sys.argv[1:]:
    module = importlib.import_module(package)
    homes.add(module.__file__)
    for each in pkgutil.walk_packages(module.__path__, package + "."):
        if not each.name.endswith("__main__"):
            homes.add(importlib.import_module(each.name).__file__)
print(json.dumps([found, sorted(homes), sys.path]))
"""
    said = run(python, "-c", code, *PACKAGES, cwd=python.parent)
    entries, homes, searched = json.loads(said)
    assert entries == {
        "console_scripts": PROJECT["project"]["scripts"],
        **PROJECT["project"]["entry-points"],
    }
    assert all(Path(home).is_relative_to(python.parents[1]) for home in homes)
    assert len(homes) > 100
    assert str(ROOT) not in searched


def test_the_command_solves_saves_and_verifies_in_any_folder(python: Path, tmp_path: Path) -> None:
    command = python.with_name("seqform")
    assert "rhode-island" in run(command, "games", cwd=tmp_path)
    assert "-0.055555556" in run(command, "demo", "--no-large", cwd=tmp_path)
    solved = json.loads(run(command, "solve", "kuhn", "--out", "saved", "--json", cwd=tmp_path))
    assert abs(solved["value"] + 1 / 18) < 1e-12
    run(command, "verify", "saved", cwd=tmp_path)
    run(command, "solve", "leduc", "--abstract", "outcome", cwd=tmp_path)  # a reduction's package
