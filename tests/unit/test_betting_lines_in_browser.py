"""Pages of games of hands in a browser: readers click through lines, cards and hands."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from gzip import compress
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from seqform import Solution, certify, make, solve, write_report
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.line.at_line import AtLine, at_line
from seqform.strategies.show.table_text import amount_text
from tests.changed_pages import resealed
from tests.unit.test_betting_lines import HERE, akq, drawn, flop, lines_in
from tools.browser import CHROMIUM, DESK, DRIVER, PHONE, resize, start

LONGEST_WAIT = 10.0

FIGURES = ".at .figures > :nth-child"

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no chromium with its driver here"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def turn() -> Solution:
    """A turn on which spades are like hearts, and clubs like diamonds; the river makes flushes.

    What is played is drawn at random.
    """
    game = make(
        "turn", oop="AA,K9s,T9s", ip="TT,98s,K7s", board="QsQhJsJh", sizes="bet 75%", stack=150
    )
    found = solve(game, method="dcfr", iterations=2)
    assert isinstance(found.game, SequenceForm)
    profile = drawn(found.game)
    return replace(found, answer=profile, certificate=certify(found.game, profile))


@pytest.fixture(scope="module")
def page(turn: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "turn.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seqform.report.betting_lines.LEAST_REACH", 0.0)
        write_report({"turn": turn}, path)
    return path


def look(browser: Any, page: Path, width: int = DESK, scheme: str = "light") -> None:
    """Open a page and wait for the first line."""
    resize(browser, width, scheme=scheme)
    browser.get(page.as_uri())
    until(browser, "First to act")


def until(browser: Any, words: str) -> None:
    """Wait until the line that is shown is called so."""
    head = "return document.querySelector('.at strong')?.textContent"
    wait = WebDriverWait(browser, LONGEST_WAIT, 0.02)
    wait.until(lambda driver: driver.execute_script(head) == words)


def verdict(browser: Any) -> str:
    """Press the button that checks numbers, and return what is said then."""
    press(browser, "[data-check-lines]")
    done = "return /right|wrong/.test(document.querySelector('.verdict').className)"
    WebDriverWait(browser, LONGEST_WAIT, 0.02).until(lambda driver: driver.execute_script(done))
    return str(browser.find_element("css selector", ".verdict").text)


def press(browser: Any, selector: str) -> None:
    """Click what a selector finds first."""
    script = "document.querySelector(arguments[0]).click()"
    browser.execute_script(script, selector)


def act(browser: Any, step: int, action: int, line: str) -> None:
    """Take an action at a step of the path, and wait for the line."""
    press(browser, f'[data-step="{step}"] [data-action="{action}"]')
    until(browser, f"After {line}")


def texts(browser: Any, selector: str) -> list[str]:
    """Return what stands in elements, with plain spaces."""
    script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
    return [text.replace("\u00a0", " ") for text in browser.execute_script(script, selector)]


def table(browser: Any) -> dict[str, list[str]]:
    """Return the rows of the table of hands."""
    script = (
        "return [...document.querySelectorAll('.rows tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    rows = browser.execute_script(script)
    return {row[0]: [text.replace("\u00a0", " ") for text in row[1:]] for row in rows}


def percent(share: float) -> str:
    return f"{float(f'{100 * share:.1f}'):g} %"


def amount(number: float) -> str:
    return amount_text(number).replace("-", "\N{MINUS SIGN}")


def check_shown(browser: Any, at: AtLine) -> None:
    """Check what is known of both players, and a table of hands together."""
    for text, player in zip(
        texts(browser, ".at .figures > :nth-child(2) > div"), (0, 1), strict=True
    ):
        assert text.endswith(f" {amount(at.values[player])}")
    for text, player in zip(
        texts(browser, ".at .figures > :nth-child(3) > div"), (0, 1), strict=True
    ):
        assert text.endswith(f" {percent(at.equity[player])}")
    shown = table(browser)
    wanted = at.by("made").groups
    assert sorted(shown) == sorted(of.name for of in wanted)
    for of in wanted:
        hands, _, value, equity, *played = shown[of.name]
        assert (hands, value) == (str(of.num_hands), amount(of.value))
        assert equity == percent(of.equity)
        for text, share in zip(played, of.probabilities, strict=True):
            assert share < 1e-3 or text == percent(share)


def test_a_reader_clicks_through_lines_and_cards(browser: Any, page: Path, turn: Solution) -> None:
    look(browser, page)
    check_shown(browser, at_line(turn, ""))
    act(browser, 0, 0, "check")
    check_shown(browser, at_line(turn, "check"))
    act(browser, 1, 0, "check-check/2c")
    for card in ("Kd", "3h", "As"):
        number = str(turn.game.origin.hands.game.deck.index(card))
        press(browser, f'[data-card="{number}"]')
        until(browser, f"After check-check/{card}")
        check_shown(browser, at_line(turn, f"check-check/{card}"))
    act(browser, 2, 1, "check-check/As/allin150")
    check_shown(browser, at_line(turn, "check-check/As/allin150"))
    press(browser, '[data-step="1"] .who')  # back
    until(browser, "After check")
    assert len(texts(browser, ".steps li")) == 2
    assert browser.get_log("browser") == []


def test_hands_are_those_of_the_card_that_is_picked(
    browser: Any, page: Path, turn: Solution
) -> None:
    look(browser, page)
    act(browser, 0, 0, "check")
    act(browser, 1, 0, "check-check/2c")
    number = turn.game.origin.hands.game.deck.index("3s")
    press(browser, f'[data-card="{number}"]')
    until(browser, "After check-check/3s")
    press(browser, '[data-group="table by"] button:last-child')
    shown, held = table(browser), at_line(turn, "check-check/3s").acting
    signs = dict(zip("shdc", "♠♥♦♣", strict=True))
    names = ["".join(signs.get(letter, letter) for letter in name) for name in held.names]
    assert sorted(shown) == sorted(names)
    assert held.probabilities is not None
    for name, value, played in zip(names, held.values, held.probabilities, strict=True):
        assert shown[name][1] == amount(value)
        assert shown[name][-1] == percent(played[-1]) or played[-1] < 1e-3
    flush, *others = (float(shown[name][1]) for name in ("K♠9♠", "K♥9♥", "K♦9♦"))
    assert flush > max(others)


def test_ends_and_what_is_left_out_are_said(
    browser: Any, turn: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqform.report.betting_lines.MOST_POINTS", 0)
    write_report({"turn": turn}, tmp_path / "page.html")
    look(browser, tmp_path / "page.html")
    act(browser, 0, 1, "allin150")
    press(browser, '[data-step="1"] [data-action="0"]')
    assert texts(browser, ".said") == ["After allin150-fold nobody acts any more: a fold."]
    press(browser, '[data-step="0"] .who')
    until(browser, "First to act")
    act(browser, 0, 0, "check")
    press(browser, '[data-step="1"] [data-action="0"]')
    (said,) = texts(browser, ".said")
    assert (
        said == "check-check/2c: not on this page; seqform show DIR --line check-check/2c shows it."
    )
    (note,) = [text for text in texts(browser, "p.note") if text.startswith("Not on this page")]
    assert "seqform show DIR --line LINE shows any of them" in note


def test_the_matrix_is_gone_through_by_keys(browser: Any, page: Path) -> None:
    look(browser, page)
    press(browser, ".matrix .in-matrix:not(:disabled)")
    active = "return document.activeElement.getAttribute('aria-label').split(':')[0]"
    keys = ActionChains(browser)
    assert browser.execute_script(active) == "AA"
    keys.send_keys(Keys.ARROW_DOWN).perform()  # nobody holds what is there
    assert browser.execute_script(active) == "AA"
    press(browser, '[aria-label^="K9s"]')
    for key, name in ((Keys.ARROW_DOWN, "T9s"), (Keys.ARROW_UP, "K9s")):
        keys.send_keys(key).perform()  # over what nobody holds
        assert browser.execute_script(active) == name
    press(browser, '[aria-label^="AA"]')
    cells = "return [...document.querySelectorAll('.in-matrix[tabindex=\"0\"]')].length"
    assert browser.execute_script(cells) == 1
    (head,) = texts(browser, ".detail h4")
    assert head == "AA, 6 hands"
    assert len(texts(browser, ".detail .combos li")) == 6


def test_what_the_matrix_shows_can_be_chosen(browser: Any, page: Path, turn: Solution) -> None:
    look(browser, page)
    press(browser, '[data-group="hands of"] button:nth-child(2)')
    assert texts(browser, '[data-group="matrix of"] button') == ["EV", "equity", "weight"]
    at, labels = at_line(turn, ""), "return document.querySelector(arguments[0]).ariaLabel"
    of = {group.name: group for group in at.by("class", 1).groups}
    first = '.matrix [aria-label^="TT"]'
    assert browser.execute_script(labels, first) == f"TT: {amount(of['TT'].value)}"
    press(browser, '[data-group="matrix of"] button:nth-child(2)')
    said = browser.execute_script(labels, first).replace("\u00a0", " ")
    assert said == f"TT: {percent(of['TT'].equity)}"


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_nothing_goes_wrong(
    browser: Any, page: Path, width: int, scheme: str
) -> None:
    look(browser, page, width, scheme)
    act(browser, 0, 0, "check")
    act(browser, 1, 0, "check-check/2c")
    press(browser, '[data-group="table by"] button:last-child')
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    color = "return getComputedStyle(document.querySelector('.steps .who')).color"
    assert browser.execute_script(color) == "rgb(255, 255, 255)"
    assert browser.get_log("browser") == []


def test_hands_without_a_matrix_are_a_table(browser: Any, tmp_path: Path) -> None:
    write_report({"akq": solve(akq().explicit())}, tmp_path / "page.html")
    look(browser, tmp_path / "page.html")
    assert list(table(browser)) == ["A", "K", "Q"]
    assert texts(browser, ".matrix") == []
    assert browser.get_log("browser") == []


def test_the_button_says_that_numbers_fit_together(browser: Any, page: Path) -> None:
    look(browser, page)
    said = verdict(browser)
    assert said.startswith("The numbers of this page fit together.")
    assert re.search(
        r"at [\d,]+ points of the betting, boards told apart, probabilities add up", said
    )
    assert re.search(r"reach and EV of [\d,]+ points follow from the points before", said)
    assert "what is certified at the top of this page (1 value)" in said
    assert "everything else on this page is as it was written" in said
    assert browser.get_log("browser") == []


def scaled(numbers: list[Any], place: int, by: float = 1.05) -> None:
    """Change a number in a list."""
    numbers[place] *= by


CHANGES: dict[str, tuple[bool, Callable[[Any], None]]] = {
    "how often anything is done": (False, lambda at: scaled(at["often"], 0)),
    "what both get together": (False, lambda at: scaled(at["ev"], 1)),
    "both players' equity together": (True, lambda at: scaled(at["eq"], 0)),
    "the EV of player 0 (oop)": (False, lambda at: scaled(at["after"], 0, 0.9)),
    "how often hands do anything": (True, lambda at: scaled(at["sides"][0]["grid"]["p"], 0, 0.5)),
    "the whole range": (True, lambda at: scaled(at["sides"][1]["made"]["share"], 0, 0.5)),
    "the equity of player 1 (ip)": (True, lambda at: scaled(at["sides"][1]["made"]["eq"], 0, 0.5)),
    "the EV of a hand": (False, lambda at: scaled(at["sides"][0]["hand"]["v"], 0, 3)),
    "how often play comes there": (True, lambda at: at.update(reach=at["reach"] * 1.05)),
    "reach times the EV": (True, lambda at: at.update(ev=[at["ev"][0] + 9, at["ev"][1] - 9])),
    "how often play begins": (False, lambda at: at.update(reach=0.5)),
}
"""Changes of a point, by what is then said: where play begins, or on the river."""


@pytest.mark.parametrize("words", CHANGES)
def test_numbers_that_do_not_fit_are_found_though_fingerprints_do(
    browser: Any, page: Path, tmp_path: Path, words: str
) -> None:
    is_later, change = CHANGES[words]
    text = page.read_text()
    lines = lines_in(text)
    node = max(lines) if is_later else min(lines)
    point = next(at for at in lines[node] if at["reach"] > 0)
    change(point)
    if words == "reach times the EV":  # of the player who acted before
        point["after"] = [worth and worth + 9 for worth in point["after"]]
    written = b64encode(compress(json.dumps(lines[node]).encode())).decode()

    def held(found: re.Match[str]) -> str:
        return found[0].replace(found[2], written) if int(found[1]) == node else found[0]

    (tmp_path / "page.html").write_text(resealed(HERE.sub(held, text)))
    look(browser, tmp_path / "page.html")
    said = verdict(browser)
    assert said.startswith("Refused: the numbers of this page do not fit together.")
    assert words in said


def test_a_value_that_is_not_that_of_the_lines_is_found(
    browser: Any, page: Path, tmp_path: Path
) -> None:
    value = re.compile(r'(<data[^>]* value=")([^"]*)(" data-claim="value-0">)')
    text, count = value.subn(r"\g<1>77\g<3>", page.read_text())
    assert count == 1
    (tmp_path / "page.html").write_text(resealed(text))
    look(browser, tmp_path / "page.html")
    assert "as the EV of player 0 (oop), after “”, and it follows 177" in verdict(browser)


def test_a_page_of_one_turn_goes_on_to_its_rivers(browser: Any, tmp_path: Path) -> None:
    form, profile = flop()
    bare = solve(form, method="dcfr", iterations=1)
    solution = replace(bare, answer=profile, certificate=certify(form, profile))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seqform.report.betting_lines.LEAST_REACH", 0.0)
        write_report({"flop": solution}, tmp_path / "flop.html", dealt="3c")
    look(browser, tmp_path / "flop.html")
    assert verdict(browser).startswith("The numbers of this page fit together.")
    act(browser, 0, 0, "check")
    act(browser, 1, 0, "check-check/3c")
    deck = form.origin.hands.game.deck  # type: ignore[union-attr]
    places = "[...document.querySelectorAll('[data-card]:not(:disabled)')]"
    found = browser.execute_script(f"return {places}.map((button) => button.dataset.card)")
    assert [deck[int(card)] for card in found] == ["3s", "3c"]
    act(browser, 2, 0, "check-check/3c/check")
    press(browser, '[data-step="3"] [data-action="0"]')
    until(browser, "After check-check/3c/check-check/2c")
    for card in ("Kd", "As"):
        press(browser, f'[data-deal="3-0"] [data-card="{deck.index(card)}"]')
        line = f"check-check/3c/check-check/{card}"
        until(browser, f"After {line}")
        check_shown(browser, at_line(profile, line))
    press(browser, f'[data-deal="1-0"] [data-card="{deck.index("3s")}"]')
    until(browser, "After check-check/3s/check-check/As")
    check_shown(browser, at_line(profile, "check-check/3s/check-check/As"))
    assert browser.get_log("browser") == []
