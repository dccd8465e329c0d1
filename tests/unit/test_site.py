"""The documentation site shows every page, every public name, every command and every game.

`make docs` builds it, and fails on any warning.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from docutils import nodes

import seqform
from seqform.cli.commands import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"


def module_of_the_site(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site():
    return module_of_the_site("site_pages")


@pytest.fixture(scope="module")
def glossary():
    return module_of_the_site("glossary_links")


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
    for command in COMMANDS:
        assert f"\nseqform {command}\n---" in commands
    assert "--abstract" in commands
    games = site.games_page()
    for name in seqform.GAMES.names():
        assert f"\n{name}\n---" in games
    assert "-1/18" in games


def test_the_index_says_how_to_begin_and_knows_the_reference(site):
    index = (DOCS / "index.md").read_text()
    start = index.partition("\n## ")[0]
    assert {"What you get", "How to begin"} <= set(re.findall(r"\*\*(.+?)\*\*", start))
    assert "pip install" in start
    shown = site.with_reference(index)
    for page, words in site.GENERATED.items():
        title, _, rest = words.partition(":")
        assert f"* [{title}]({page}.rst):{rest}.\n" in shown
    *_, reference, _others = site.navigation(index)
    assert set(site.GENERATED) <= set(reference.split())


def test_a_page_of_the_start_that_belongs_to_a_section_is_there_only(site):
    text = "[a](a.md) and [b](b.md)\n\n## How to\n\n* [b](b.md)\n"
    start, how_to = site.navigation(text)
    assert ("\na\n" in start, "\nb\n" in start) == (True, False)
    assert "\nb\n" in how_to


def test_the_root_of_the_site_leads_to_its_first_page(site, tmp_path):
    site.write_entrance(tmp_path)
    entrance = (tmp_path / "index.html").read_text()
    assert entrance.count('"docs/index.html"') == 1  # of the link; the other is in a refresh
    assert "url=docs/index.html" in entrance


def test_help_on_the_site_is_what_the_command_line_prints(site):
    commands = site.commands_page()
    assert re.findall(r"\{\w+\}", commands) == []
    for kind in ("REDUCTIONS", "METHODS", "SOLVERS"):
        for name in getattr(seqform, kind).names():
            assert name in commands, name
    assert not set("╭╮╰╯│") & set(commands)
    assert max(map(len, commands.splitlines())) <= site.WIDTH + len("   ")


def test_frames_go_and_what_they_hold_stays(site):
    framed = "╭─ Options ──╮\n│ --a    one │\n╰────────────╯\n\n\n\nEnd"
    assert site.unframed(framed) == "Options\n--a    one\n\nEnd"


def test_nothing_is_loaded_from_elsewhere():
    conf = (DOCS / "conf.py").read_text()
    assert "http" not in conf
    assert "mathjax" not in conf


def test_terms_lead_to_their_row_of_the_glossary(glossary):
    terms = glossary.terms()
    assert terms["information set"] == terms["infoset"] == "term-infoset-information-set"
    assert terms["QRE"] == "term-logit-equilibrium-qre"
    assert "word" not in terms
    assert "nash_gap" not in terms
    assert set(terms) >= set(glossary.EVERYDAY)


def test_only_first_uses_in_prose_are_linked(glossary):
    text = "Best responses, by a literal. The best response; no class, no treeplexing."
    there = nodes.reference("", "lift", refuri="there")
    tree = nodes.document(None, None)
    tree += nodes.title("", "A best response")
    tree += nodes.paragraph("", "", nodes.literal("", "treeplex"), nodes.Text(text))
    tree += nodes.paragraph("", "", there, nodes.Text(" lift"))
    words = ("best response", "treeplex", "class", "lift")
    glossary.first_uses(tree, {word: f"#{word[0]}" for word in words})
    links = [(link.astext(), link["refuri"]) for link in tree.findall(nodes.reference)]
    assert links == [("Best responses", "#b"), ("lift", "there"), ("lift", "#l")]
    assert text in tree.astext()
