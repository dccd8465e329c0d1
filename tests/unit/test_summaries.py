"""What Python and notebooks show of large objects: a few lines, a table, a picture."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.random_games import random_game
from seqform import Solution, TreeBuilder, brief, build_sequence_form, build_tree, solve
from seqform.base.errors import GameTooLargeError
from seqform.base.pictures import PICTURES
from seqform.base.summary import Summarized, counts_text, summary_table, summary_text
from seqform.tree.tree import DRAWN_NODES, GameTree

KUHN = build_tree(kuhn())
LEDUC = build_tree(leduc())
FORM = build_sequence_form(LEDUC)
GENERAL = build_sequence_form(random_game(3, players=3, depth=4, zero_sum=False))


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(kuhn())


class Cells(HTMLParser):
    """The texts of a table's cells, and how often each tag is opened and closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.caption, self.open = "", []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        assert tag in ("table", "caption", "tr", "th", "td")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        if self.open[-1] == "caption":
            self.caption += text
        else:
            self.texts.append(text)


def shown_twice(thing: Summarized) -> dict[str, str]:
    """Return the rows of a summary, after checking that text and table both show just them."""
    rows, name = thing.summary(), type(thing).__name__
    lines = repr(thing).split("\n")
    assert lines[0] == name
    assert [tuple(re.split(r"\s{2,}", line.strip(), maxsplit=1)) for line in lines[1:]] == rows
    table = Cells(Summarized._repr_html_(thing))
    assert table.caption == name
    assert table.texts == [text for row in rows for text in row]
    return dict(rows)


def test_a_tree_says_how_large_it_is() -> None:
    assert shown_twice(LEDUC) == {
        "players": "2",
        "nodes": "9,457 (3,780 decision, 157 chance, 5,520 terminal)",
        "depth": "11",
        "infosets": "936 (468 + 468)",
        "numbers": "exact",
        "unit": "chips",
    }
    assert dict(random_game(1, players=3).summary())["players"] == "3"


def test_forms_and_treeplexes_say_how_large_they_are() -> None:
    assert type(FORM).__name__ == "ZeroSumForm"
    assert shown_twice(FORM) == {
        "players": "2",
        "nodes": "9,457",
        "infosets": "936 (468 + 468)",
        "sequences": "2,186 (1,093 + 1,093)",
        "nonzeros": f"{FORM.operator.num_nonzeros:,}",
        "sum": "0",
        "unit": "chips",
    }
    first = FORM.treeplexes[0]
    rows = {"infosets": "468", "sequences": "1,093", "passes": f"{len(first.runs)}"}
    assert shown_twice(first) == rows
    general = shown_twice(GENERAL)
    assert type(GENERAL).__name__ == "SequenceForm"
    assert general["sum"] == "general"
    assert general["sequences"] == counts_text([t.num_sequences for t in GENERAL.treeplexes])


def test_a_solution_shows_its_short_answer(solution: Solution) -> None:
    assert str(solution) == repr(solution) == brief(solution).text
    assert [name for name, _ in solution.summary()] == ["value", "certainty", "time"]
    assert Cells(summary_table("Solution", solution.summary())).texts[1].startswith("-1/18 chips")
    assert len(solution.rows()) > 2 * len(solution.summary())


def test_nothing_shows_an_array_or_goes_on_for_pages(solution: Solution) -> None:
    for thing in (KUHN, LEDUC, FORM, GENERAL, FORM.treeplexes[0], solution):
        for text in (repr(thing), Summarized._repr_html_(thing)):
            assert len(text) < 2_000
            assert "array" not in text
            assert "np." not in text
        assert 3 < len(repr(thing).split("\n")) <= (17 if thing is not solution else 26)


def test_text_is_escaped_in_html() -> None:
    odd = replace(FORM, unit="<b>chips</b> & 'cents'")
    assert "<b>chips</b> & 'cents'" in repr(odd)
    assert "&lt;b&gt;chips&lt;/b&gt; &amp;" in odd._repr_html_()
    assert Cells(odd._repr_html_()).texts[-1] == odd.unit
    assert Cells(summary_table("<i>", [("<u>", "<s>")])).texts == ["<u>", "<s>"]
    assert summary_text("nothing", []) == "nothing"


def test_a_short_solution_shows_what_is_played(solution: Solution) -> None:
    tables = solution._repr_html_().replace("</table>", "</table>\n").splitlines()
    captions = ["Solution", "player 0", "player 1"]
    assert [re.findall("<caption>(.*?)</caption>", table) for table in tables[:3]] == [
        [caption] for caption in captions
    ]
    assert tables[3:] == ["<p>(in brackets: where play never comes)</p>"]
    cells = Cells(re.sub(' (style|colspan)="[^"]*"', "", tables[1]))
    assert cells.texts[-5:] == ["K", "1", "0", "0", "1"]
    assert "66.7%" in tables[1]
    large = solve(LEDUC)._repr_html_()
    assert large.count("<table>") < 8
    assert large.count("<tr>") < 45
    nothing = replace(solution, answer=None, certificate=None, proofs=())
    assert nothing._repr_html_() == Summarized._repr_html_(nothing)


def is_picture(html: str) -> bool:
    return html.startswith("<svg")


def test_a_small_tree_shows_its_picture() -> None:
    picture = KUHN._repr_html_()
    root = ElementTree.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    written = {text.strip() for text in root.itertext()}
    assert {"J", "Q", "K", "1/3", "check", "bet", "fold", "call"} <= written


def chain(moves: int) -> GameTree:
    builder = TreeBuilder(1)
    node = builder.root
    for move in range(moves):
        (node,) = builder.decision(node, 0, move, ["on"])
    builder.terminal(node, (0,))
    return builder.freeze()


def test_a_large_tree_shows_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Cells(LEDUC._repr_html_()).caption == "GameTree"
    monkeypatch.setattr(PICTURES, "get", lambda name: lambda tree: "<svg/>")
    assert is_picture(chain(DRAWN_NODES - 1)._repr_html_())
    assert not is_picture(chain(DRAWN_NODES)._repr_html_())


def test_a_tree_that_cannot_be_drawn_shows_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_wide(tree: GameTree) -> str:
        raise GameTooLargeError("too wide")

    monkeypatch.setattr(PICTURES, "get", lambda name: too_wide)
    assert Cells(KUHN._repr_html_()).caption == "GameTree"
