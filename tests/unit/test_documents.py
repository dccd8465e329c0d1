"""Pages lead to one another, recipes show the code that is tested, and lines are not too long."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *NOTEBOOKS])
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
DEFINITION = re.compile(
    r"^\*\*Definition\.\*\* .*?(?=\n\n(?! |\d+\. )|\Z)", re.DOTALL | re.MULTILINE
)
FORMULA = re.compile(r"\$[^$]+\$")
RECIPE = re.compile(r"^`(tests/plugin/[^`]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LONGEST_LINE, MOST_WORDS, MOST_WORDS_OF_A_DEFINITION = 100, 29, 130
NOT_MODULES = {f"seqform.{group}" for group in ("games", "reductions", "experiments", "proofs")}
"""Groups of entry points that are called like no folder."""


def names(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text_of(page: Path) -> str:
    """Return what a page says; of a notebook the cells of text."""
    text = page.read_text()
    if page.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def prose(page: Path) -> str:
    """Return a page without its code, its tables and its quoted output."""
    lines = CODE.sub("", text_of(page)).split("\n")
    kept = [line for line in lines if not re.match(r" {4}|\s*\|", line)]
    return "\n".join(kept)


def links(page: Path) -> list[str]:
    return [link for link in LINK.findall(CODE.sub("", text_of(page))) if "://" not in link]


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links."""
    heads = re.findall(r"^#+ (.*)$", CODE.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        target, _, anchor = link.partition("#")
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), link
        assert not anchor or anchor in anchors(found), link


def test_the_index_leads_to_every_page() -> None:
    index = DOCS / "index.md"
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in links(index)}
    assert {*DOCS.rglob("*.md"), *NOTEBOOKS} - {index} <= linked
    assert "docs/index.md" in links(ROOT / "README.md")


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_lines_of_prose_are_short(page: Path) -> None:
    lines = [re.sub(r"\]\([^)]*\)", "]", line) for line in prose(page).split("\n")]
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_lines_of_code_are_short(page: Path) -> None:
    """So that the site shows them whole: they are not wrapped, but scrolled."""
    lines = [line for code in CODE.findall(text_of(page)) for line in code.split("\n")]
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def sentences(text: str) -> list[str]:
    """Split text into sentences; items of lists and the two sides of a colon count apart."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    blocks = re.split(r"\n\s*\n|\n(?=#)|\n(?=\s*(?:[*-]|\d+\.) )", text)
    ends = re.compile(r"(?<=[.!?:])[*)\"]*\s+|(?<=[.!?]\))\s+")
    return [part for block in blocks for part in ends.split(" ".join(block.split()))]


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_sentences_are_short(page: Path) -> None:
    """But those of definitions, which say all that a thing must be; a formula is one word."""
    text = FORMULA.sub("formula", DEFINITION.sub("", prose(page)))
    assert [said for said in sentences(text) if len(said.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_what_is_called_a_definition_defines_something(page: Path) -> None:
    """A term in italics, once as short as a definition can be: the name excuses nothing else."""
    for definition in DEFINITION.findall(prose(page)):
        assert re.search(r"(?<!\*)\*[^*\n]+\*(?!\*)", definition), definition
        assert len(definition.split()) <= MOST_WORDS_OF_A_DEFINITION, definition


def test_only_definitions_may_have_long_sentences() -> None:
    long = "word " * MOST_WORDS + "and *more*."
    page = f"**Definition.** {long}\n\n1. item {long}\n\nText.\n"
    assert DEFINITION.sub("", page).strip() == "Text."
    assert DEFINITION.sub("", long) == long


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_files_and_modules_that_a_page_names_exist(page: Path) -> None:
    text = text_of(page)
    if page.name == "CHANGELOG.md":  # whose tables begin with what there was before
        text = re.sub(r"^\|[^|]*\|", "|", text, flags=re.MULTILINE)
    paths = re.findall(r"`((?:seqform|abstraction|games|tests|tools|experiments)/[\w./]+)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []
    for dotted in re.findall(r"\b(?:seqform|abstraction|games)(?:\.\w+)+", text):
        if dotted.endswith((".npz", ".py", ".md")) or dotted in NOT_MODULES:
            continue
        home, _, attribute = dotted.rpartition(".")
        is_module = (ROOT / (dotted.replace(".", "/") + ".py")).exists()
        is_room = (ROOT / dotted.replace(".", "/")).is_dir()
        assert is_module or is_room or hasattr(import_module(home), attribute), dotted


@pytest.mark.parametrize("page", sorted((DOCS / "explanation").glob("*.md")), ids=names)
def test_an_explanation_begins_with_its_result(page: Path) -> None:
    """In bold sentences, before anything else is said."""
    first = page.read_text().split("\n\n")[1]
    assert re.match(r"\*\*[^*]+[.]\*\*(\s|$)", first), first


def test_recipes_are_the_code_of_the_plugin() -> None:
    shown = dict(RECIPE.findall((ROOT / "CONTRIBUTING.md").read_text()))
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "tests/plugin"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    ).stdout.split()
    assert set(listed) - set(shown) <= {"tests/plugin/coin_games/__init__.py"}
    for path, code in shown.items():
        assert code == (ROOT / path).read_text(), path


def test_pre_commit_runs_what_make_lint_runs() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\nlint:")[2].partition("\n\n")[0]
    commands = re.findall(r"\$\(BIN\)/(.*)", recipe)
    hooks = re.findall(r"entry: \.venv/bin/(.*)", (ROOT / ".pre-commit-config.yaml").read_text())
    assert hooks == commands
