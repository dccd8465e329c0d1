"""Terms of the glossary lead to it, where a page of the site uses one for the first time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes

GLOSSARY = "docs/glossary"
EVERYDAY = "basis", "chance", "class", "connected", "operator", "reach", "triangle", "unit"
"""Terms that are everyday words too, so that most places that have them mean less."""
OTHERS = (nodes.reference, nodes.title, nodes.literal, nodes.literal_block, nodes.math)
"""What text is in that is no prose, or is a link already."""


def connect(app: Any) -> None:
    """Have all pages linked once they are read."""
    app.connect("doctree-resolved", link)


def terms() -> dict[str, str]:
    """Return what is explained, and the name of its place on the page of the glossary.

    A cell may hold several words for one thing; notes in brackets and symbols are none of them.
    """
    table = (Path(__file__).with_name("glossary.md")).read_text()
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")][1:]
    return {term: place(cell) for cell in cells for term in words(cell)}


def words(cell: str) -> list[str]:
    """Return the words of a cell in the first column."""
    plain = re.sub(r"\([^)]*\)", "", cell)
    return [word.strip() for word in plain.split(",") if "`" not in word and word.strip()]


def place(cell: str) -> str:
    """Return the anchor of a cell in the first column."""
    return "term-" + re.sub(r"\W+", "-", cell.lower()).strip("-")


def link(app: Any, tree: nodes.document, page: str) -> None:
    """Add anchors to the glossary, and links to it to every other page of docs/."""
    if page == GLOSSARY:
        for row in tree.findall(nodes.row):
            row["ids"].append(place(row.astext().split("\n")[0]))
    elif page.startswith("docs/") and not page.startswith("docs/api/"):
        target = app.builder.get_relative_uri(page, GLOSSARY)
        first_uses(tree, {term: f"{target}#{to}" for term, to in terms().items()})


def first_uses(tree: nodes.document, uris: dict[str, str]) -> None:
    """Link the first use of each term in prose."""
    left = {term.lower(): uri for term, uri in uris.items() if term not in EVERYDAY}
    for text in list(tree.findall(nodes.Text)):
        if not any(isinstance(node, OTHERS) for node in ancestors(text)):
            text.parent.replace(text, list(linked(text, left)))


def linked(text: nodes.Text, left: dict[str, str]) -> Iterator[nodes.Node]:
    """Yield the parts of a text; terms that are found leave `left`."""
    end = 0
    for found in pattern(left).finditer(text) if left else ():
        uri = left.pop(found[1].lower(), None)
        if uri is not None:
            yield nodes.Text(text[end : found.start()])
            yield nodes.reference("", found[0], refuri=uri, internal=True, classes=["term"])
            end = found.end()
    yield nodes.Text(text[end:])


def pattern(left: dict[str, str]) -> re.Pattern[str]:
    """Return a pattern of whole words, the longest first, in singular or plural."""
    longest = sorted(left, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest))})s?\b", re.IGNORECASE)


def ancestors(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield all nodes that a node is in."""
    while node.parent is not None:
        node = node.parent
        yield node
