"""The documentation site shows every page, every public name, every command and every game.

`make docs` builds it, and fails on any warning.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import seqform
from seqform.cli.commands import app

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def site():
    spec = importlib.util.spec_from_file_location("site_pages", DOCS / "site_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_sidebar(site):
    index = (DOCS / "index.md").read_text()
    listed = set("".join(site.navigation(index)).split())
    pages = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    names = {str(page.relative_to(DOCS).with_suffix("")) for page in pages} - {"index"}
    assert names <= listed
    assert {"/README", "/CONTRIBUTING", "/CHANGELOG"} <= listed


def test_pages_are_in_the_section_that_lists_them(site):
    text = "# All\n\n[a](../README.md)\n\n## How to\n\n* [b](how-to/play.md)\n"
    start, how_to = site.navigation(text)
    assert ":caption: Start" in start
    assert "/README\n" in start
    assert ":caption: How to" in how_to
    assert "\nhow-to/play\n" in how_to


def test_all_public_names_have_an_entry(site):
    pages = "".join(map(site.room_page, site.ROOMS))
    found = set(re.findall(r"^\.\. auto\w+:: [\w.]+\.(\w+)$", pages, re.MULTILINE))
    assert set(seqform.__all__) <= found


def test_all_commands_and_games_are_there(site):
    commands = site.commands_page()
    for command in app.registered_commands:
        assert f"\nseqform {command.name}\n---" in commands
    assert "--abstract" in commands
    games = site.games_page()
    for name in seqform.GAMES.names():
        assert f"\n{name}\n---" in games
    assert "-1/18" in games


def test_nothing_is_loaded_from_elsewhere():
    conf = (DOCS / "conf.py").read_text()
    assert "http" not in conf
    assert "mathjax" not in conf
