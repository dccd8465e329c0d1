"""Pages of results: they stand alone, hold what they say, and escape whatever they show."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from gzip import decompress
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import chicken
from seqform import GameTree, Solution, TreeBuilder, load, make, solve, write_report
from seqform.base.errors import InvalidParameterError, ResultFileError, VerificationError
from seqform.cli import app
from seqform.concepts.correlated import CorrelatedCertificate
from seqform.report import by_classes, proof, report_page
from seqform.report.fingerprint import VOID
from tools import check_certificate

FIRST = "result-0-certificate"
HOSTILE = "<script>alert('x')</script>&\"</details>"


class Page(HTMLParser):
    """A page's elements and texts; every element is closed, and in the right order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[self.elements[-1][1].get("id") or ""] = data
        else:
            self.text += data

    def data(self, name: str) -> Any:
        return json.loads(self.scripts[name])

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(kuhn())


@pytest.fixture(scope="module")
def folder(solution: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("results") / "kuhn"
    solution.save(place, "kuhn")
    return place


def test_a_page_loads_nothing(folder: Path) -> None:
    text = report_page(folder)
    page = Page(text)
    assert not re.search(r"https?:|@import|url\(|\bsrc=|<link", text)
    policy = next(m["content"] for m in page.of("meta") if "http-equiv" in m)
    assert policy is not None
    assert policy.startswith("default-src 'none';")


def test_names_of_elements_are_used_once(folder: Path, solution: Solution) -> None:
    page = Page(report_page([folder, solution]))
    names = [a["id"] for _, a in page.elements if "id" in a]
    assert len(names) == len(set(names))
    links = [str(a["href"]) for a in page.of("a")]
    assert links == ["#result-0", "#result-1"]


def test_the_certificate_is_the_file(folder: Path) -> None:
    page = Page(report_page(folder))
    held = page.scripts["result-0-certificate"].replace("\\u003c", "<")
    assert held == (folder / "certificate.json").read_text()
    assert "-1/18" in {a["value"] for a in page.of("data")}


def test_probabilities_are_those_of_the_solution(folder: Path, solution: Solution) -> None:
    grid = Page(report_page(folder)).data("result-0-hands")
    assert grid["actions"] == ["check", "bet", "fold", "call"]
    first = next(r for r in grid["rounds"] if r["player"] == 0)
    assert [name for _, name, _ in first["rows"]] == ["J", "Q", "K"]
    lines = first["parts"][0]["lines"]
    assert [line["name"] for line in lines] == ["first to act", "check-bet"]
    for hand, history, column in (("Q", "", 0), ("Q", "check-bet", 1), ("K", "check-bet", 1)):
        row = "JQK".index(hand)
        shown = first["parts"][0]["cells"][column]["p"][2 * row : 2 * row + 2]
        assert shown == pytest.approx(list(solution.ask(hand, history).values()), abs=1e-4)


def test_the_tree_has_every_node(folder: Path) -> None:
    tree = Page(report_page(folder)).data("result-0-tree")
    assert len(tree["children"]) == tree["total"] == 58
    assert sum(tree["children"]) == 57
    assert tree["worth"][0][0] == pytest.approx(-1 / 18, abs=1e-4)


def ends_of(record: dict[str, Any]) -> dict[tuple[str, ...], list[float]]:
    """Return what a page's tree says is paid after each line of moves, as its script reads it."""
    lines: list[tuple[str, ...]] = [()]
    ends = {}
    for node, children in enumerate(record["children"]):
        first = len(lines)
        lines += [(*lines[node], move) for move in record["move"][first : first + children]]
        if not children:
            ends[lines[node]] = [worth[node] for worth in record["worth"]]
    return ends


@pytest.mark.parametrize("name", ["kuhn", "goofspiel"])
def test_the_tree_is_that_of_the_game(name: str) -> None:
    """In trees from signal games children do not come in the order of their parents."""
    game = solve(make(name)).game.tree
    assert isinstance(game, GameTree)
    expected = {}
    for node in range(game.num_nodes):
        if game.num_children[node] == 0:
            line, at = [], node
            while at:
                line.append(str(game.labels[game.label[at]]))
                at = int(game.parent[at])
            expected[tuple(reversed(line))] = [float(v) for v in game.payoffs[game.payoff[node]]]
    assert ends_of(Page(report_page(solve(make(name)))).data("result-0-tree")) == expected


def hostile() -> Solution:
    """A game whose names would end their elements, were they not escaped."""
    builder = TreeBuilder(num_players=2, unit=HOSTILE)
    for child in builder.decision(builder.root, 0, HOSTILE, [HOSTILE, "b"]):
        builder.terminal(child, [1, 2])
    return solve(builder.freeze(), method="lcp")


def test_names_are_escaped() -> None:
    page = Page(report_page({HOSTILE: hostile()}))
    plain = Page(report_page({"plain": hostile()}))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert HOSTILE in page.text
    assert page.data("result-0-tree")["move"][1] == HOSTILE
    assert page.data("result-0-certificate")["game"]["name"] == HOSTILE


def test_what_a_mediator_recommends_is_a_table() -> None:
    page = Page(report_page(solve(chicken(), method="efce")))
    assert "tells each player its own moves only" in page.text
    shares = [a["data-sort"] for a in page.of("td") if "data-sort" in a]
    told = [share for share in shares if share != "1.0"]  # how often both sets are reached
    assert told == ["0.25", "0.75"] * 2 + ["0.25", "0.25", "0.5"]
    held = page.data("result-0-certificate")
    assert held["plan"]["denominator"] == 4
    assert held["plan"]["weights"][-3:] == [[1, 2, 1], [2, 1, 1], [2, 2, 2]]


def test_backward_induction_is_a_tree_with_its_choices() -> None:
    page = Page(report_page(solve(make("centipede"), method="backward")))
    held = page.data("result-0-certificate")
    assert held["children"].split() == ["2", "0"] * 6 + ["0"]
    assert held["choice"].split() == ["0"] * 6
    assert held["values"] == [[4, 1], [1, 1]]
    shown = page.data("result-0-tree")
    assert [shown["worth"][player][0] for player in (0, 1)] == [4, 1]


def test_a_search_has_no_proof_that_a_page_could_check() -> None:
    page = Page(report_page(solve(make("tic-tac-toe"), method="alphabeta")))
    assert "only a new search can prove it" in page.text


def test_a_search_of_a_part_of_the_game_has_bounds_that_are_infinite() -> None:
    guess = {"depth": 2, "evaluation": lambda state: 0.25}
    page = Page(report_page(solve(make("nim"), method="minimax", **guess)))
    assert "\N{MINUS SIGN}\N{INFINITY} and \N{INFINITY}" in page.text


def test_a_concept_may_have_bounds_for_each_player(solution: Solution) -> None:
    @dataclass(frozen=True)
    class Bounds:
        values: tuple[float, ...] = (0.5, 0.25)
        lower: tuple[float, ...] = (0.0, 0.0)
        upper: tuple[float, ...] = (1.0, 1.0)
        gap: float = 0.125

        def rows(self, unit: str) -> list[tuple[str, str]]:
            return [("bounds", f"0 and 1 {unit}")]

        def record(self) -> dict[str, Any]:
            return {"values": list(self.values)}

    found = replace(solution, answer="no profile", certificate=Bounds(), proofs=())
    page = Page(report_page(found))
    assert "0 and 1 chips" in page.text


def test_what_is_certified_in_floats_is_proven_for_the_page() -> None:
    page = Page(report_page(solve(kuhn(), method="dcfr", gap=1e-3)))
    held = page.data("result-0-certificate")
    shown = {a["data-claim"]: float(str(a["value"])) for a in page.of("data")}
    (low, below), (high, above) = held["interval"]
    numbers = [int(n, 16) if isinstance(n, str) else n for n in (low, below, high, above)]
    assert shown["lower"] <= numbers[0] / numbers[1] < numbers[2] / numbers[3] <= shown["upper"]


def test_folders_of_results_are_one_page(folder: Path, tmp_path: Path) -> None:
    solve(chicken()).save(tmp_path / "all" / "chicken", "chicken")
    (tmp_path / "all" / "kuhn").symlink_to(folder)
    path = tmp_path / "all.html"
    write_report(tmp_path / "all", path)
    page = Page(path.read_text())
    assert [a["id"] for a in page.of("details")] == ["result-0", "result-1"]


def test_bad_results_are_refused_and_nothing_is_written(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    with pytest.raises(ResultFileError, match="does not exist"):
        write_report(tmp_path, out)
    damaged = tmp_path / "damaged"
    load(folder).save(damaged, "kuhn")
    claims = (damaged / "result.json").read_text()
    (damaged / "result.json").write_text(claims.replace('"-1/18"', '"-1/17"'))
    with pytest.raises(VerificationError, match="claims another value"):
        write_report([folder, damaged], out)
    with pytest.raises(InvalidParameterError, match="give one at least"):
        write_report([], out)
    with pytest.raises(InvalidParameterError, match="a int is no result"):
        write_report([3], out)  # type: ignore[list-item]
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("page.pdf", "ends in .html"),
        ("none/page.html", "there is no folder"),
        ("folder.html", "is a folder"),
    ],
)
def test_bad_files_are_refused_before_any_work(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InvalidParameterError, match=words):
        write_report(tmp_path / "no-result", tmp_path / name)


def test_the_command_writes_a_page(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    out.write_text("before")
    done = CliRunner().invoke(app, ["report", str(folder), "-o", str(out)])
    assert done.exit_code == 0, done.output
    wrote = re.escape(f"wrote {out}, ")
    assert re.fullmatch(wrote + r"0\.\d\d MB, fingerprint [0-9a-f]{64}\n", done.output)
    assert Page(out.read_text()).scripts


def test_solutions_without_an_answer_have_a_page(solution: Solution) -> None:
    nothing = replace(solution, answer=None, certificate=None, proofs=())
    assert "there is no strategy to show" in Page(report_page(nothing)).text


def test_attributes_are_escaped() -> None:
    page = Page(report_page({HOSTILE: hostile()}))
    names = [
        str(attributes["aria-label"])
        for _, attributes in page.elements
        if "aria-label" in attributes
    ]
    assert any(HOSTILE in name for name in names)


def test_a_plan_that_need_not_be_one_of_any_distribution_has_no_bound_on_gains() -> None:
    found = solve(make("private-types"), method="efce")
    assert isinstance(found.certificate, CorrelatedCertificate)
    unsure = replace(found, certificate=replace(found.certificate, triangle="three sets"))
    page = Page(report_page(unsure))
    assert "gap" not in {a.get("data-claim") for a in page.of("data")}
    assert "without a triangle" in page.text
    assert "result-0-certificate" not in page.scripts


@pytest.mark.parametrize("max_nodes", [20, 10_000])
def test_what_a_page_holds_is_confirmed_by_the_checker(tmp_path: Path, max_nodes: int) -> None:
    found = solve(
        leduc(), method="dcfr", abstract="equitable", gap=0.1, prove=True, max_nodes=max_nodes
    )
    found.save(tmp_path / "leduc", "leduc")
    page = Page(report_page(tmp_path / "leduc"))
    held = page.scripts["result-0-certificate"]
    is_packed = max_nodes == 20  # then the game is described by what is dealt
    path = tmp_path / "saved"
    path.write_bytes(b64decode(held) if is_packed else held.replace("\\u003c", "<").encode())
    assert check_certificate.main([str(path)]) == 0


def test_long_certificates_are_packed(
    solution: Solution, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "LONG", 100)
    held = Page(report_page(folder)).scripts["result-0-certificate"]
    assert decompress(b64decode(held)) == (folder / "certificate.json").read_bytes()
    monkeypatch.setattr(proof, "MOST_BYTES", 100)
    page = Page(report_page(solution))
    assert "too many for a page" in page.text
    assert "result-0-certificate" not in page.scripts


def dealt(abstract: str, *, prove: bool = False) -> Solution:
    """Leduc as a game that is too large for a tree."""
    how: dict[str, Any] = {"method": "dcfr", "gap": 1e-2, "max_nodes": 20}
    return solve(leduc(), abstract=abstract, prove=prove, **how)


@pytest.mark.parametrize("is_proven", [False, True])
def test_plans_are_rounded_until_their_certificate_fits(
    is_proven: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = dealt("equitable", prove=is_proven)
    found.save(tmp_path / "leduc", "leduc")
    whole = Page(report_page(tmp_path / "leduc"))
    monkeypatch.setattr(by_classes, "MOST_BYTES", 3 * len(whole.scripts[FIRST]) // 5)
    monkeypatch.setattr(by_classes, "BITS", (52, 10))
    page = Page(report_page(tmp_path / "leduc"))
    assert "to integers over 2^10" in page.text
    assert "certified, rounding errors included" in page.text or is_proven
    assert "data_rounded" not in page.text
    shown = {str(a["data-claim"]): str(a["value"]) for a in page.of("data") if "data-claim" in a}
    content = json.loads(decompress(b64decode(page.scripts[FIRST])))
    assert content["plans"][0]["denominator"] == 1024
    lower, upper = (Fraction(*end) for end in content["interval"])
    assert Fraction(shown["lower"]) <= lower <= upper <= Fraction(shown["upper"])
    assert upper - lower > found.upper - found.lower
    (tmp_path / "saved").write_bytes(b64decode(page.scripts[FIRST]))
    assert check_certificate.main([str(tmp_path / "saved")]) == 0


def test_classes_that_lose_something_have_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(report_page(dealt("outcome")))
    assert FIRST not in page.scripts
    assert "treat hands alike that are not" in page.text
    monkeypatch.setattr(by_classes, "MOST_SEQUENCES", 10)
    assert FIRST not in Page(report_page(dealt("equitable"))).scripts


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a game is read, its rules are walked, and its form is made."""
    counts = Counter[str]()

    def count(module: str, name: str) -> None:
        there = getattr(import_module(module), name)

        def counted(*args: Any, **given: Any) -> Any:
            counts[there.__name__] += 1
            return there(*args, **given)

        for using in [m for m in sys.modules.values() if vars(m).get(name) is there]:
            monkeypatch.setattr(using, name, counted)

    for home in (
        ("seqform.tree.file", "load_tree"),
        ("seqform.tree.from_rules", "expand"),
        ("seqform.tree.from_signals", "assemble"),
        ("seqform.game.public_tree", "PublicTree"),
        ("seqform.form.from_tree", "build_sequence_form"),
    ):
        count(*home)
    return counts


@pytest.mark.parametrize(
    ("name", "parameters", "asked"),
    [
        ("kuhn", {}, {}),
        ("sheriff", {}, {"method": "efce"}),
        ("centipede", {}, {"method": "backward"}),
        ("tic-tac-toe", {}, {"method": "alphabeta"}),
        (
            "rhode-island",
            {"ranks": 3, "suits": 2, "max_bets": 1},
            {"abstract": "equitable", "max_nodes": 1000},
        ),
    ],
)
def test_a_report_makes_its_game_once(
    name: str,
    parameters: dict[str, Any],
    asked: dict[str, Any],
    tmp_path: Path,
    made: Counter[str],
) -> None:
    solution = solve(make(name, **parameters), **asked)
    made.clear()
    solution.save(tmp_path / "saved", name, parameters)
    assert max([0, *made.values()]) <= 1
    made.clear()
    report_page(tmp_path / "saved")
    assert made["PublicTree"] or made["load_tree"] or name == "tic-tac-toe"
    assert max([0, *made.values()]) <= 1, made
    made.clear()
    report_page(solution)
    assert max([0, *made.values()]) <= 1, made
    assert made["PublicTree"] + made["expand"] <= 1
