"""Pages of results in a browser: they check true certificates true, and false ones false."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import reduce
from hashlib import sha256
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from games.centipede import centipede
from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import chicken
from seqform import TreeBuilder, make, solve, write_report
from seqform.exact.certificate import canonical
from seqform.report import by_classes, report_page
from tests.changed_pages import KINDS, digits, draw_then_choose, resealed, with_other_digit
from tools.browser import CHROMIUM, DESK, DRIVER, PHONE, resize, start
from tools.time_page import milliseconds

LONGEST_WAIT = 10.0

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no chromium with its driver here"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on results that are shown in different ways."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    results = {
        "kuhn": solve(kuhn()),
        "leduc": solve(leduc()),
        "chicken": solve(chicken(), method="lcp"),
        "kuhn, in floats": solve(kuhn(), method="dcfr", gap=1e-3),
    }
    write_report(results, path)
    return path


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on answers that are no plans: trees with their choices, and correlation plans."""
    path = tmp_path_factory.mktemp("others") / "page.html"
    results = {
        "centipede": solve(centipede(), method="backward"),
        "a draw": solve(draw_then_choose(), method="backward"),
        "sheriff": solve(make("sheriff"), method="efce"),
        **{concept: solve(chicken(), method=concept) for concept in ("efce", "efcce", "nfcce")},
    }
    write_report(results, path)
    return path


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result on a game that is described by what is dealt, not by its tree, and its page."""
    folder = tmp_path_factory.mktemp("dealt") / "leduc"
    found = solve(leduc(), method="dcfr", abstract="equitable", gap=1e-2, prove=True, max_nodes=20)
    found.save(folder, "leduc")
    write_report(folder, folder / "page.html")
    return folder


def look(browser: Any, page: Path, width: int = DESK, scheme: str = "light") -> None:
    """Open a page, in a window of some width and with light or dark colors; all parts open."""
    resize(browser, width, scheme=scheme)
    browser.get(page.as_uri())
    parts = "document.querySelectorAll('[data-result]')"
    browser.execute_script(f"{parts}.forEach((part) => {{ part.open = true }})")


def verdicts(browser: Any, place: int | None = None) -> list[str]:
    """Press the buttons that check one result, or all, and return what is said then."""
    if place is None:
        buttons, found = "[data-check]", ".verdict"
    else:
        buttons, found = (f"#result-{place} {each}" for each in ("[data-check]", ".verdict"))
    browser.execute_script(f"document.querySelectorAll('{buttons}').forEach((b) => b.click())")
    done = (
        f"return [...document.querySelectorAll('{found}')]"
        ".every((verdict) => /right|wrong/.test(verdict.className))"
    )
    WebDriverWait(browser, LONGEST_WAIT, 0.05).until(lambda driver: driver.execute_script(done))
    return [verdict.text for verdict in browser.find_elements("css selector", found)]


def test_plans_that_have_few_digits_left_are_compared_as_far_as_they_go(
    browser: Any, tmp_path: Path
) -> None:
    """Each of n moves is rounded after the others: together by as much as n halves."""
    path = tmp_path / "page.html"
    write_report(KINDS["hardly ever"](), path)
    look(browser, path)
    (said,) = verdicts(browser)
    assert said.startswith("Confirmed.")
    assert "as far as its rounded plans tell, so do 40 probabilities more" in said


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_nothing_goes_wrong(
    browser: Any, page: Path, width: int, scheme: str
) -> None:
    look(browser, page, width, scheme)
    found = browser.execute_script(
        "const style = getComputedStyle(document.body);"
        "return [document.documentElement.scrollWidth, style.color, style.backgroundColor]"
    )
    assert found[0] <= width
    ink, paper = (sum(map(int, c.strip("rgb()").split(","))) for c in found[1:])
    assert (ink < 200 and paper > 600) if scheme == "light" else (ink > 600 and paper < 200)
    assert browser.get_log("browser") == []


def test_true_certificates_are_confirmed(browser: Any, page: Path) -> None:
    look(browser, page)
    said = verdicts(browser)
    assert len(said) == 4
    assert all(text.startswith("Confirmed.") for text in said)
    minus = "\N{MINUS SIGN}"
    assert said[0].startswith(f"Confirmed. The value to player 0 is {minus}1/18, exactly.")
    # above and in the table of results; by hand, and in the tree
    assert "certificate: 4 values and bounds, 72 probabilities" in said[0]
    assert "each of 58 nodes what follows from those below it" in said[0]
    assert "everything else on this page is as it was written" in said[0]
    assert said[2].startswith("Confirmed. An equilibrium, exactly: it pays the players")
    assert said[3].startswith(f"Confirmed. The value to player 0 is from {minus}0.0")


def change(browser: Any, name: str, old: str, new: str) -> None:
    """Change a text of a page's data, which is there."""
    script = (
        "const [name, old, fresh] = arguments, of = document.getElementById(name);"
        "const before = of.textContent; of.textContent = before.replace(old, fresh);"
        "return before !== of.textContent"
    )
    assert browser.execute_script(script, name, old, new), old


FIRST = "result-0-certificate"


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        (FIRST, '"value":[-1,18]', '"value":[-1,17]', "guarantees"),
        (FIRST, "2,1,0,3]},{", "3,0,0,3]},{", "guarantees"),
        (FIRST, "2,1,0,3]}]", "3,0,0,3]}]", "holds player 0 to"),
        (FIRST, '"numerators":[3,3,0,', '"numerators":[3,3,1,', "does not add up"),
        (FIRST, '"numerators":[3,3,0,', '"numerators":[3,4,-1,', "negative"),
        (FIRST, '"numerators":[-1,-1,1', '"numerators":[-1,-1,2', "not the one that was hashed"),
        (FIRST, '"name":"kuhn"', '"name":"Kuhn"', "not the one that was hashed"),
        (FIRST, '"version":1', '"version":1,"version":1', "there twice"),
        (FIRST, '"plans"', '"plan"', "there is no plans"),
        (FIRST, "[", "", "damaged"),
        ("result-0-hands", '"p":[1,0,', '"p":[0.9,0.1,', "shows the probability"),
        ("result-2-certificate", '"gains":[[0,1]', '"gains":[[1,1]', "gains"),
        ("result-2-certificate", '"values":[[', '"values":[[1', "values"),
    ],
)
def test_false_certificates_are_refused(
    browser: Any, page: Path, name: str, old: str, new: str, words: str
) -> None:
    look(browser, page)
    change(browser, name, old, new)
    (said,) = verdicts(browser, int(name.split("-")[1]))
    assert said.startswith("Refused")
    assert words in said


def test_proofs_of_other_kinds_are_confirmed(browser: Any, others: Path) -> None:
    look(browser, others)
    said = verdicts(browser)
    assert len(said) == 6
    assert all(text.startswith("Confirmed.") for text in said)
    assert "the players get 4, 1." in said[0]
    assert "at each of 6 decisions" in said[0]
    assert "the players get 17/3, 0." in said[1]
    assert "No deviation gains, exactly: those who obey get 12, 3." in said[2]
    assert "those who obey get 21/4, 21/4." in said[3]


def rehash(browser: Any, name: str) -> None:
    """Write the hash that fits the game which a certificate holds now, as a forger would."""
    held = browser.execute_script("return document.getElementById(arguments[0]).textContent", name)
    content = json.loads(held)
    names = list(content)
    described = {key: content[key] for key in names[2 : names.index("hash")]}
    content["hash"] = sha256(canonical(described).encode()).hexdigest()
    script = "document.getElementById(arguments[0]).textContent = arguments[1]"
    browser.execute_script(script, name, json.dumps(content))


def test_the_game_of_an_answer_of_another_kind_is_hashed(browser: Any, others: Path) -> None:
    for place, old in enumerate(['"name":"centipede"', "[1,3]", '"name":"sheriff"', "[7,2,6]"]):
        look(browser, others)
        change(browser, f"result-{place}-certificate", old, old[:-2] + "5" + old[-1])
        (said,) = verdicts(browser, place)
        assert "not the one that was hashed" in said


INDUCTION, DRAWN, OBEYED = (f"result-{n}-certificate" for n in (0, 1, 3))


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        (INDUCTION, '"choice":"0', '"choice":"1', "player 0 gains by another move at node 0"),
        (INDUCTION, '"choice":"0', '"choice":"2', "a choice is no child"),
        (INDUCTION, '"choice":"0', '"choice":"0 0', "too many choices"),
        (INDUCTION, '"values":[[4,1]', '"values":[[5,1]', "player 0 gets 4"),
        (INDUCTION, "[[2,1],[8,1]]", "[[9,1],[8,1]]", "player 0 gains by another move"),
        (INDUCTION, '"children":"2', '"children":"3', "are not those of a tree"),
        (INDUCTION, '"children":"2', '"children":"0', "comes before its parent"),
        (INDUCTION, '"player":"0', '"player":"1', "player 1 gains by another move"),
        (INDUCTION, '"player":"0', '"player":"2', "who is no player"),
        (DRAWN, "[1,3]", "[1,4]", "do not add up to 1"),
        (DRAWN, '"inner":[[1,', '"inner":[[9,', "a payoff is at no node"),
        (DRAWN, '"inner":[[1,', '"inner":[[0,', "player 0 gets"),
        (OBEYED, "[1,2,1],[2,1,1],[2,2,2]", "[1,2,1],[2,1,1],[2,2,1]", "does not add up"),
        (OBEYED, "[1,2,1],[2,1,1],[2,2,2]", "[1,2,1],[2,1,1],[2,2,-2]", "not positive"),
        (OBEYED, "[1,2,1],[2,1,1]", "[1,2,1],[1,2,1],[2,1,1]", "there twice"),
        (OBEYED, '"denominator":4', '"denominator":5', "has not weight 1"),
        (OBEYED, '"values":[[21,4]', '"values":[[22,4]', "proven is 21/4"),
        (OBEYED, '"gains":[[0,1]', '"gains":[[1,1]', "proven is 0"),
        (OBEYED, '"numerators":[7,2,6]', '"numerators":[9,2,6]', "proven is"),
        (OBEYED, '"concept":"efce"', '"concept":"nash"', "is not known here"),
        (OBEYED, "[0,-1],", "", "no relevant pair"),
    ],
)
def test_false_proofs_of_other_kinds_are_refused(
    browser: Any, others: Path, name: str, old: str, new: str, words: str
) -> None:
    look(browser, others)
    change(browser, name, old, new)
    rehash(browser, name)
    (said,) = verdicts(browser, int(name.split("-")[1]))
    assert said.startswith("Refused")
    assert words in said


def test_games_by_what_is_dealt_are_confirmed(browser: Any, dealt: Path) -> None:
    look(browser, dealt / "page.html")
    (said,) = verdicts(browser)
    assert said.startswith("Confirmed. The value to player 0 is from")
    assert "over all 120 deals" in said
    assert "3, 9 classes of player 0 and 3, 9 of player 1" in said
    assert re.search(r"3 values and bounds, \d{3} probabilities", said)
    script = (
        "const of = document.getElementById('result-0-hands'), grid = JSON.parse(of.textContent);"
    )
    script += "grid.rounds.at(-1).parts.at(-1).cells[0].p = grid.rounds[0].parts[0].cells[0].p;"
    browser.execute_script(script + "of.textContent = JSON.stringify(grid)")
    assert "shows the probability" in verdicts(browser)[0]


def test_rounded_plans_are_confirmed_and_what_is_far_from_them_is_not(
    browser: Any, dealt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = (dealt / "certificate.json.gz").stat().st_size
    monkeypatch.setattr(by_classes, "MOST_BYTES", 4 * packed // 5)
    write_report(dealt, dealt / "rounded.html")
    look(browser, dealt / "rounded.html")
    (said,) = verdicts(browser)
    assert said.startswith("Confirmed.")
    assert "as far as its rounded plans tell" in said
    cell = "JSON.parse(document.getElementById('result-0-hands').textContent)"
    script = f"const grid = {cell}; const {{ p }} = grid.rounds[0].parts[0].cells[0];"
    script += "p.reverse(); document.getElementById('result-0-hands').textContent = "
    browser.execute_script(script + "JSON.stringify(grid)")
    assert "shows the probability" in verdicts(browser)[0]
    look(browser, dealt / "rounded.html")
    browser.execute_script("document.querySelector('[data-claim=lower]').value = '0.1'")
    assert "shows the bound" in verdicts(browser)[0]


def test_what_a_browser_cannot_unpack_is_not_called_false(browser: Any, dealt: Path) -> None:
    look(browser, dealt / "page.html")
    browser.execute_script("delete window.DecompressionStream")
    browser.execute_script("document.querySelector('[data-check]').click()")
    verdict = browser.find_element("css selector", ".verdict")
    wait = WebDriverWait(browser, LONGEST_WAIT, 0.05)
    wait.until(lambda _: verdict.text.startswith("Not checked."))
    assert "this browser cannot unpack" in verdict.text


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("hash",), "0" * 64, "not the one that was hashed"),
        (("interval", 0), [-1, 1], "guarantees"),
        (("interval", 1), [0, 1], "holds player 0 to"),
        (("plans", 0, "numerators", 0, 0), 0, "does not add up"),
        (("plans", 1, "numerators", 0, 0), -1, "negative"),
        (("classes", 0, 0, "classes", 0), 1, "came from different ones"),
        (("classes", 0, 1, "classes", 0), 1, "differ within class"),
        (("classes", 1, 1, "weights", 0), 2, "differ within class"),
        (("signals", "deck", "copies", 0), 2, "the strengths: 30 entries"),
        (("signals", "outcomes", 1, "strengths", 0, 0), -1, "differ within class"),
        (("signals", "nodes", 0, "deal"), 1, "the strengths: 30 entries"),
        (("signals", "nodes", 7, "stake"), [7, 1], "holds player 0 to"),
        (("signals", "nodes", 5, "parent"), 9, "does not come after a parent"),
    ],
)
def test_false_classes_are_refused(
    browser: Any, dealt: Path, path: tuple[Any, ...], value: Any, words: str
) -> None:
    content = json.loads(gzip.decompress((dealt / "certificate.json.gz").read_bytes()))
    *above, last = path
    reduce(getitem, above, content)[last] = value
    if path[0] == "signals":  # a forger writes a hash that fits
        described = {name: content[name] for name in ("game", "signals")}
        content["hash"] = sha256(canonical(described).encode()).hexdigest()
    look(browser, dealt / "page.html")
    script = "const of = document.getElementById(arguments[0]);"
    script += "of.type = 'application/json'; of.textContent = arguments[1]"
    browser.execute_script(script, FIRST, json.dumps(content))
    (said,) = verdicts(browser)
    assert said.startswith("Refused")
    assert words in said


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [(0, "value-0", "-1/17"), (2, "value-1", "100"), (3, "lower", "0.1"), (3, "upper", "-0.1")],
)
def test_false_numbers_at_the_top_are_refused(
    browser: Any, page: Path, place: int, name: str, value: str
) -> None:
    look(browser, page)
    number = f"#result-{place} [data-claim='{name}']"
    script = "document.querySelector(arguments[0]).value = arguments[1]"
    browser.execute_script(script, number, value)
    assert verdicts(browser, place)[0].startswith("Refused")


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on one result, of each kind."""
    path = tmp_path_factory.mktemp("kinds") / "page.html"
    write_report({request.param: KINDS[request.param]()}, path)
    return path


def settled(browser: Any) -> str:
    """Press the one button that checks, and return what is said once all is done."""
    done = "return /right|wrong/.test(document.querySelector('.verdict').className)"
    try:
        browser.execute_script("document.querySelector('[data-check]').click()")
        WebDriverWait(browser, LONGEST_WAIT, 0.02).until(lambda now: now.execute_script(done))
    finally:
        text: str = browser.execute_script("return document.querySelector('.verdict').innerText")
    return text


def check_file(browser: Any, kind: Path, changed: Path, count: int) -> None:
    """Change digits of texts, of what scripts draw, and of the certificate: a seeded choice."""
    text = kind.read_text()
    look(browser, kind)
    assert settled(browser).startswith("Confirmed.")
    for place in digits(text, count):
        changed.write_text(with_other_digit(text, place))
        look(browser, changed)
        assert settled(browser).startswith("Refused"), text[place - 60 : place + 20]


def test_no_digit_of_a_page_can_be_changed(browser: Any, kind: Path, tmp_path: Path) -> None:
    check_file(browser, kind, tmp_path / "changed.html", 4)


@pytest.mark.long
def test_no_digit_of_many_can_be_changed(browser: Any, kind: Path, tmp_path: Path) -> None:
    check_file(browser, kind, tmp_path / "changed.html", 50)


TEXTS = """
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
const texts = [];
while (walker.nextNode()) {
  const at = walker.currentNode;
  if (/[0-9]/.test(at.data) && !at.parentElement.closest(".verdict, script")) texts.push(at);
}
"""
"""Finds texts with digits that a page shows now, or says of a picture that a pointer rests on."""

SHOWN = """
const copy = document.querySelector("main").cloneNode(true);
copy.querySelectorAll(".verdict, script").forEach((part) => part.remove());
return copy.textContent;
"""
"""Returns all that is seen or said; `innerText` would be without what is said."""

TITLES = TEXTS + "return texts.flatMap((at, i) => at.parentElement.closest('title') ? [i] : [])"
"""Which of them are said of pictures."""

CHANGE = (
    TEXTS
    + """
const text = texts[arguments[0] % texts.length];
window.changed = [text, text.data];
text.data = text.data.replace(/[0-9]/, (digit) => (Number(digit) + 1) % 10);
return [text.parentElement.closest("[data-drawn]") !== null, text.data];
"""
)
"""Changes a digit of one of them; returns whether a script drew it."""

TAKE_BACK = "window.changed[0].data = window.changed[1]"


def check_seen(browser: Any, kind: Path, places: Iterable[int]) -> None:
    """Change digits that are seen, one after the other, and take each change back.

    What a script drew is as it was after the check, which draws it anew; all else is refused.
    """
    look(browser, kind)
    before = browser.execute_script(SHOWN)
    for place in places:
        is_drawn, changed = browser.execute_script(CHANGE, place)
        said = settled(browser)
        assert said.startswith("Confirmed." if is_drawn else "Refused"), changed
        assert (browser.execute_script(SHOWN) == before) is is_drawn, changed
        browser.execute_script(TAKE_BACK)


def test_no_digit_that_is_seen_can_be_changed(browser: Any, kind: Path) -> None:
    check_seen(browser, kind, range(0, 600, 101))


def test_no_digit_of_what_is_said_of_pictures_can_be_changed(browser: Any, kind: Path) -> None:
    look(browser, kind)
    check_seen(browser, kind, browser.execute_script(TITLES)[:3])


@pytest.mark.long
def test_none_of_the_digits_that_are_seen_can_be_changed(browser: Any, kind: Path) -> None:
    check_seen(browser, kind, range(150))


FORGED = [
    ("exact", "\N{MINUS SIGN}1/18</data>", "1/18</data>", "which is not proven"),
    ("exact", "\N{MINUS SIGN}0.0555556</data>", "\N{MINUS SIGN}0.0655556</data>", "not proven"),
    ("exact", '"p":[1,0,', '"p":[0.9,0.1,', "shows the probability"),
    ("exact", '"p":[1,0.33333', '"p":[1,0.43333', "it follows"),
    ("exact", '"worth":[[-0.0556', '"worth":[[-0.0656', "it follows"),
    ("exact", '"reach":[1,0.333', '"reach":[1,0.433', "it follows"),
    ("three players", 'data-claim="gap">0.', 'data-claim="gap">0.0', "on the gains"),
    ("correlated", ">1/2 = 50 %", ">1/3 = 50 %", "shows the weight 1/3"),
    ("correlated", ">1/2 = 50 %", ">1/2 = 40 %", "shows the weight 40 %"),
    ("general sum", ">exact</data>", ">in part</data>", "calls the proof"),
    ("backward induction", '"worth":[[4,', '"worth":[[5,', "it follows"),
    ("backward induction", "32,32,256],", "32,32,257],", "not 256"),
    ("backward induction", '"p":[1,1,0', '"p":[1,0,1', "it follows"),
    ("drawn", '"children":[3,2,2,2', '"children":[3,2,2,-1', "is none"),
    ("drawn", '"player":[-1,0', '"player":[-1,1', "acts at node 1"),
]


@pytest.mark.parametrize(("kind_of", "old", "new", "words"), FORGED)
def test_what_the_certificate_tells_is_compared_with_it(
    browser: Any, tmp_path: Path, kind_of: str, old: str, new: str, words: str
) -> None:
    """Even if the forger makes fingerprints that fit."""
    text = report_page({kind_of: KINDS[kind_of]()})
    assert old in text
    path = tmp_path / "forged.html"
    path.write_text(resealed(text))
    look(browser, path)
    assert settled(browser).startswith("Confirmed.")
    path.write_text(resealed(text.replace(old, new, 1)))
    look(browser, path)
    said = settled(browser)
    assert said.startswith("Refused")
    assert words in said


def test_what_is_written_where_scripts_draw_is_gone(
    browser: Any, page: Path, tmp_path: Path
) -> None:
    text = page.read_text()
    changed = tmp_path / "changed.html"
    words = '<p id="lie">Confirmed. The value is 7.</p>'
    changed.write_text(text.replace("data-drawn></div>", f"data-drawn>{words}</div>"))
    look(browser, changed)
    assert browser.execute_script("return document.getElementById('lie')") is None


def test_tables_sort_by_buttons(browser: Any, page: Path) -> None:
    look(browser, page)
    head = browser.find_elements("css selector", "nav th")[5]
    rows = "[...document.querySelectorAll('nav tbody tr')]"
    column = f"return {rows}.map((row) => row.cells[5].textContent)"
    assert browser.execute_script(column) == ["58", "9,457", "7", "58"]
    for order, nodes in (
        ("ascending", ["7", "58", "58", "9,457"]),
        ("descending", ["9,457", "58", "58", "7"]),
    ):
        browser.execute_script("arguments[0].focus()", head.find_element("css selector", "button"))
        browser.switch_to.active_element.send_keys("\n")
        assert head.get_attribute("aria-sort") == order
        assert browser.execute_script(column) == nodes
    assert verdicts(browser, 0)[0].startswith("Confirmed.")  # rows in another order are the same


def test_hands_are_found_by_keyboard(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    look(browser, page)
    detail = browser.find_element("css selector", "#result-0 .detail")
    assert detail.find_element("css selector", "h4").text == "K, first to act"
    first = browser.find_element("css selector", "#result-0 .cell[tabindex='0']")
    browser.execute_script("arguments[0].focus()", first)
    for key in (Keys.ARROW_DOWN, Keys.ARROW_RIGHT):
        browser.switch_to.active_element.send_keys(key)
    assert detail.find_element("css selector", "h4").text == "Q, after check-bet"
    shown = [cell.text for cell in detail.find_elements("css selector", "td")]
    assert shown[0] == "66.7 %"
    assert shown[3] == "33.3 %"


def test_trees_open(browser: Any, page: Path) -> None:
    look(browser, page)
    count = "return document.querySelectorAll('#result-0 .tree summary').length"
    before = browser.execute_script(count)
    summary = browser.find_elements("css selector", "#result-0 .tree .below summary")[0]
    browser.execute_script("arguments[0].click()", summary)
    assert browser.execute_script(count) > before


def test_the_certificate_can_be_saved(browser: Any, page: Path) -> None:
    look(browser, page)
    browser.execute_script(
        "URL.createObjectURL = (blob) => {"
        " blob.text().then((text) => { window.saved = text }); return '#' }"
    )
    browser.execute_script("document.querySelector('[data-save]').click()")
    saved = browser.execute_async_script(
        "const done = arguments[0], wait = () => window.saved ? done(window.saved)"
        " : setTimeout(wait, 20); wait()"
    )
    assert json.loads(saved)["value"] == [-1, 18]


FOCUSED = """
const now = document.activeElement, style = getComputedStyle(now);
return [now.textContent.trim().slice(0, 20), parseFloat(style.outlineWidth), style.outlineStyle];
"""


def test_all_is_found_by_keyboard_and_where_one_is_can_be_seen(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    look(browser, page)
    seen = []
    for _ in range(24):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        text, width, style = browser.execute_script(FOCUSED)
        assert width >= 2, text
        assert style != "none", text
        seen.append(text)
    wanted = ["Results", "game", "method", "status", "value to player 0", "gap", "nodes", "seconds"]
    assert [text[: len(name)] for text, name in zip(seen, wanted, strict=False)] == wanted
    after = ["0", "1", "hand \N{DOWNWARDS ARROW}", "check", "chance worth"]
    start = seen.index("0")
    assert [text[: len(name)] for text, name in zip(seen[start:], after, strict=False)] == after
    assert seen.index("Check it here") < seen.index("Save the certificate")


def test_keys_press_buttons_and_open_nodes(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    look(browser, page)
    player = browser.find_elements("css selector", "#result-0 .switcher button")[1]
    player.send_keys(Keys.SPACE)
    assert browser.switch_to.active_element.get_attribute("aria-pressed") == "true"
    cell = browser.find_element("css selector", "#result-0 .cell[tabindex='0']")
    cell.send_keys(Keys.ARROW_DOWN)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    detail = browser.find_element("css selector", "#result-0 .detail")
    assert detail.text.startswith("Q, after check")
    assert "player 1" in detail.text
    node = browser.find_elements("css selector", "#result-0 .tree .below summary")[0]
    is_open = "return arguments[0].parentElement.open"
    for key in (Keys.ENTER, Keys.SPACE):
        before = browser.execute_script(is_open, node)
        node.send_keys(key)
        assert browser.execute_script(is_open, node) is not before
    browser.find_element("css selector", "#result-0 [data-check]").send_keys(Keys.SPACE)
    assert verdicts(browser, 0)[0].startswith("Confirmed.")


def test_text_of_pictures_is_text(browser: Any, page: Path) -> None:
    look(browser, page)
    picture = browser.find_element("css selector", "#result-3 svg.figure")
    words = [text.text for text in picture.find_elements("css selector", "text")]
    assert {"iterations", "gap, chips"} <= set(words)


def test_a_page_answers_within_a_second(browser: Any, page: Path) -> None:
    assert min(milliseconds(browser, page) for _ in range(2)) < 1000


IN_SIGHT = """
const room = document.documentElement.clientWidth;
return [...document.querySelectorAll("table.sortable tbody tr")].map((row) =>
  [...row.cells].filter((cell) => {
    const box = cell.getBoundingClientRect();
    return box.width > 0 && box.left >= 0 && box.right <= room;
  }).map((cell) => cell.textContent.trim()));
"""


def test_a_phone_shows_actions_with_their_probabilities(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    name = "a set of a name that is a lot longer than what a phone has room for"
    builder = TreeBuilder(2)
    for child in builder.decision(builder.root, 0, name, ["go on as before", "stop"]):
        for end, paid in zip(builder.decision(child, 1, "b", ["l", "r"]), (1, -1), strict=True):
            builder.terminal(end, (paid, -paid))
    write_report(solve(builder.freeze()), path)
    look(browser, path, PHONE)
    rows = browser.execute_script(IN_SIGHT)
    assert [row[:2] for row in rows[:2]] == [[name, "go on as before"], [name, "stop"]]
    assert all(row[2].endswith("%") for row in rows)
    look(browser, path, DESK)
    assert {len(row) for row in browser.execute_script(IN_SIGHT)} == {7}


def test_a_phone_shows_how_likely_moves_are_recommended(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write_report(solve(chicken(), method="efce"), path)
    look(browser, path, PHONE)
    rows = browser.execute_script(IN_SIGHT)
    assert rows
    assert all(row[-1].endswith("%") for row in rows)


def test_states_that_a_game_draws_are_boards(browser: Any, tmp_path: Path) -> None:
    game = make("tic-tac-toe", board="xoo/..x/...")
    solution = solve(game)
    solution.save(tmp_path / "saved", "tic-tac-toe", {"board": "xoo/..x/..."})
    for result in (solution, tmp_path / "saved"):
        path = tmp_path / "page.html"
        write_report(result, path)
        look(browser, path, PHONE)
        shown = [board.text for board in browser.find_elements("css selector", ".board")]
        expected = [game.draw(game.child(game.root(), move)) for move in game.actions(game.root())]
        assert shown == [game.draw(game.root()), *expected]
