"""Pages of recursive games: what they hold, and a check that runs in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from games.three_handed import ThreeHanded
from games.three_handed_holdem import hands_dealt
from games.three_handed_one_card import three_handed_one_card
from seqform import make, matrix_game, search_recursive, solve_recursive
from seqform.recursive.bound import Case
from seqform.recursive.proof import prove_again
from seqform.recursive.solution import RecursiveSolution
from seqform.report import report_page, stages_certificate
from seqform.report.proof import Absent, Embedded
from tests.changed_pages import resealed
from tools.browser import CHROMIUM, DESK, DRIVER, PHONE, resize, start

LONGEST_WAIT = 20.0

needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no chromium with its driver here"
)

HELD = re.compile(
    r'(<script type="application/json" id="result-0-certificate">)(.*?)(</script>)', re.DOTALL
)


class HideOrRun:
    """Who hides for ever loses; whoever runs sometimes gets through as often as not seen."""

    num_players, endless = 2, (0, 1)
    hand = matrix_game(
        [[0, 1], [1, 0]], [[1, 0], [0, 0]], actions=[["run", "hide"], ["throw", "wait"]]
    )

    def start(self) -> str:
        return "snow"

    def stage(self, key: str) -> Any:
        return self.hand

    def leads_to(self, key: str, leaf: Any) -> Any:
        return ("snow", (0, 1)) if leaf.at == ("hide", "wait") else None


@pytest.fixture(scope="module")
def kuhn() -> RecursiveSolution:
    return solve_recursive(make("kuhn-tournament", chips=4))


@pytest.fixture(scope="module")
def kinds(kuhn: RecursiveSolution) -> dict[str, RecursiveSolution]:
    return {
        "kuhn": kuhn,
        "three": search_recursive(three_handed_one_card(chips=6, cards=4), iterations=2),
        "push or fold": solve_recursive(make("push-fold-tournament", chips=1200), iterations=1),
        "hide or run": solve_recursive(HideOrRun(), gap=0.1),
    }


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


def verdict(browser: Any, path: Path, text: str) -> str:
    """Press the button of a page, and return what is said then."""
    path.write_text(text)
    resize(browser, DESK)
    browser.get(path.as_uri())
    browser.execute_script("document.querySelector('[data-check]').click()")
    done = "return /right|wrong/.test(document.querySelector('.verdict').className)"
    WebDriverWait(browser, LONGEST_WAIT, 0.05).until(lambda driver: driver.execute_script(done))
    return str(browser.find_element("css selector", ".verdict").text)


@needs_browser
@pytest.mark.parametrize("kind", ["kuhn", "three", "push or fold", "hide or run"])
def test_true_bounds_are_confirmed(
    browser: Any, kinds: dict[str, RecursiveSolution], kind: str, tmp_path: Path
) -> None:
    said = verdict(browser, tmp_path / "page.html", report_page({kind: kinds[kind]}))
    assert said.startswith("Confirmed.")
    positions = len(kinds[kind].graph.stages) * kinds[kind].graph.num_players
    assert f"at each of {positions} positions" in said
    assert f"certificate: {2 * positions + 3} values and bounds" in said
    assert "seqform verify does that" in said


Change = Callable[[dict[str, Any]], None]


def plan_that_does_not_add_up(held: dict[str, Any]) -> None:
    """Take a little from a plan."""
    plan = next(p for stage in held["stages"] for p in stage["plans"] if len(p) > 1)
    place = next(s for s, number in enumerate(plan) if s and number)
    plan[place] -= 1


def other_plan(held: dict[str, Any]) -> None:
    """Have a seat do something else: always the first action, wherever it acts."""
    for stage in held["stages"]:
        for plan, treeplex in zip(
            stage["plans"], held["forms"][stage["form"]]["treeplexes"], strict=True
        ):
            start = 1
            for parent, count in zip(treeplex["parents"], treeplex["actions"], strict=True):
                plan[start : start + count] = [plan[parent], *[0] * (count - 1)]
                start += count


def lower_bound_raised(held: dict[str, Any]) -> None:
    """Claim less than the best answer gets."""
    held["deviations"]["values"][0] = hex(int(held["deviations"]["values"][0], 16) - 2**50)


def other_lead(held: dict[str, Any]) -> None:
    """Have the winner of all chips get nothing."""
    lead = next(of for stage in held["stages"] for of in stage["leads"] if of["stage"] < 0)
    lead["paid"].reverse()


def other_sum(held: dict[str, Any]) -> None:
    """Claim that players get more together."""
    held["sum"] = [2, 1]


def other_case(held: dict[str, Any]) -> None:
    """Claim slack where there is none: all bounds are as high as can be."""
    held["deviations"]["values"] = [hex(2**63) for _ in held["deviations"]["values"]]


def no_case(held: dict[str, Any]) -> None:
    """Give a reason that nobody knows."""
    held["deviations"]["case"] = "luck"


def chances_of_deviations_taken_away(held: dict[str, Any]) -> None:
    """Have deviations lead nowhere: then none of them gets anything."""
    for number, form in enumerate(held["forms"]):
        own = [stage["plans"] for stage in held["stages"] if stage["form"] == number]
        for entry, met in enumerate(zip(*form["places"], strict=True)):
            if not any(all(p[s] for p, s in zip(plans, met, strict=True)) for plans in own):
                form["weights"][entry] = 0


def all_bounds_as_high_as_can_be(held: dict[str, Any]) -> None:
    """Claim only what is true of any play."""
    held["deviations"] |= {
        "case": "ends",
        "values": [hex(2**64) for _ in held["deviations"]["values"]],
    }


def leads_between_stages(held: dict[str, Any]) -> None:
    """Lead on to half a stage: to seats of two different ones."""
    all_bounds_as_high_as_can_be(held)
    for lead in (lead for stage in held["stages"] for lead in stage["leads"]):
        if lead["stage"] >= 0:
            lead["stage"] = "0.5"


def stages_of_one_seat(held: dict[str, Any]) -> None:
    """Add two stages of one seat, which no number of a position fits."""
    held["forms"].append(
        {
            "treeplexes": [{"parents": [], "actions": []}],
            "denominator": 1,
            "weights": [held["whole"]],
            "leaves": [0],
            "places": [[0]],
        }
    )
    end = {"paid": [[1, 1], [0, 1]], "stage": -1, "seats": []}
    alone = {"leads": [end], "after": [0], "plans": [[held["whole"]]], "endless": [[1, 1]]}
    held["stages"] += [{"form": len(held["forms"]) - 1, **alone}] * 2
    held["deviations"]["values"] += [hex(2**64)] * 2


@needs_browser
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (plan_that_does_not_add_up, "does not add up at information set"),
        (other_plan, "a plan gets more than the bound"),
        (lower_bound_raised, "a plan gets more than the bound"),
        (other_lead, "a plan gets more than the bound"),
        (other_sum, "do not add up to the constant"),
        (other_case, "a plan gets more than the bound|no slack"),
        (no_case, "not said why bounds hold"),
        (chances_of_deviations_taken_away, "chances of stage 0 do not add up to 1"),
        (leads_between_stages, "no whole number"),
        (stages_of_one_seat, "not as many seats"),
    ],
)
def test_false_certificates_are_refused(
    browser: Any, kuhn: RecursiveSolution, change: Change, why: str, tmp_path: Path
) -> None:
    text = report_page({"kuhn": kuhn})

    def changed(found: re.Match[str]) -> str:
        held = json.loads(found[2].replace("\\u003c", "<"))
        change(held)
        return found[1] + json.dumps(held) + found[3]

    made, count = HELD.subn(changed, text)
    assert count == 1
    said = verdict(browser, tmp_path / "page.html", resealed(made))
    assert said.startswith("Refused")
    assert re.search(why, said)


@needs_browser
@pytest.mark.parametrize(
    ("case", "why"), [("slack", "bounds have no slack"), ("ends", "end play, and they do not")]
)
def test_a_fixed_point_alone_is_no_proof(
    browser: Any, kinds: dict[str, RecursiveSolution], case: str, why: str, tmp_path: Path
) -> None:
    """Against one who always hides, who waits for ever gets no more than any bound says."""

    def always_hides(found: re.Match[str]) -> str:
        held = json.loads(found[2].replace("\\u003c", "<"))
        held["stages"][0]["plans"][0] = [held["whole"], 0, held["whole"]]
        held["deviations"]["case"] = case
        return found[1] + json.dumps(held) + found[3]

    text = HELD.sub(always_hides, report_page({"hide or run": kinds["hide or run"]}))
    said = verdict(browser, tmp_path / "page.html", resealed(text))
    assert said.startswith("Refused")
    assert why in said


@needs_browser
@pytest.mark.parametrize(
    ("shown", "instead", "why"),
    [
        (r'(data-bound="lower:0:0">)0\.4', r"\g<1>0.5", "the page shows the bound"),
        (r'(data-bound="upper:1:1">0\.\d\d)\d', r"\g<1>0", "the page shows the bound"),
        (r'(data-sequence="0:\d+">)100 %', r"\g<1>90 %", "the page shows the probability"),
        (r'(data-claim="upper">)0\.4', r"\g<1>0.3", "the page shows the bound"),
        ("A recursive game", "A famous game", "the page was changed"),
    ],
)
def test_a_page_that_shows_something_else_is_refused(
    browser: Any, kuhn: RecursiveSolution, shown: str, instead: str, why: str, tmp_path: Path
) -> None:
    made, count = re.subn(shown, instead, report_page({"kuhn": kuhn}), count=1)
    assert count == 1
    text = made if why.endswith("changed") else resealed(made)
    assert why in verdict(browser, tmp_path / "page.html", text)


@needs_browser
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_pages_fit(
    browser: Any, kinds: dict[str, RecursiveSolution], width: int, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(report_page({"push or fold": kinds["push or fold"]}))
    resize(browser, width)
    browser.get(path.as_uri())
    browser.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []


def test_hands_stand_in_a_matrix_with_what_they_do(kinds: dict[str, RecursiveSolution]) -> None:
    text = report_page({"push or fold": kinds["push or fold"]})
    assert "push of seat 0 (small blind), first to act" in text
    assert "call of seat 1 (big blind), after push" not in text  # 600 chips are all-in by the blind
    cells = re.findall(
        r'<td style="--p:100%">AA <small data-sequence="0:2">100 %</small></td>', text
    )
    assert cells
    three = report_page({"three": kinds["three"]})
    assert "<caption>seat 0, first to act</caption>" in three
    assert "<caption>seat 1, after push</caption>" in three


def test_three_who_push_or_fold_are_shown_in_matrices(tmp_path: Path) -> None:
    """Classes that nobody holds leave their cells empty."""
    aces_and_deuces = hands_dealt(20, 1, classes=(0, 168))
    found = search_recursive(ThreeHanded(aces_and_deuces, (3, 3, 3), (50, 30, 20)), iterations=1)
    text = report_page({"three": found})
    assert "push of seat 0, first to act" in text
    assert "call of seat 2, after push-call" in text
    table = text.partition("<caption>call of seat 2, after push-call</caption>")[2]
    cells = table.partition("</table>")[0]
    assert cells.count("<td></td>") == 167
    assert re.search(r">AA <small data-sequence=.2:\d+.>", cells)


def test_a_proof_that_is_too_much_for_a_page_is_named(
    kuhn: RecursiveSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept = replace(kuhn.proof, deviations=replace(kuhn.proof.deviations, case=Case.HORIZON))
    found = stages_certificate.stages_certificate(replace(kuhn, proof=swept))
    assert isinstance(found, Absent)
    assert "finite horizons" in found.reason
    monkeypatch.setattr(stages_certificate, "MOST_PRODUCTS", 1)
    text = report_page({"kuhn": kuhn})
    assert "too much for a page" in text
    assert "seqform verify DIR" in text
    assert "data-check=" not in text.partition("<script data-whole>")[0]


def test_the_certificate_has_the_bounds_that_are_proven(kuhn: RecursiveSolution) -> None:
    found = HELD.search(report_page({"kuhn": kuhn}))
    assert found is not None
    held = json.loads(found[2])
    values = [Fraction(int(str(n), 16), 2**64) for n in held["deviations"]["values"]]
    assert values == [bound for row in kuhn.proof.upper for bound in row]
    assert held["sum"] == [1, 1]
    assert [len(stage["plans"]) for stage in held["stages"]] == [2, 2, 2]


def test_bounds_that_are_claimed_more_finely_are_those_that_are_proven(
    kuhn: RecursiveSolution,
) -> None:
    """Saved bounds may be any fractions; what is checked of them is rounded down."""
    proof, finer = kuhn.proof, Fraction(1, 3 * 2**64)
    rows = tuple(tuple(bound + finer for bound in row) for row in proof.upper)
    claimed = prove_again(proof.graph, proof.plans, [replace(proof.deviations, values=rows)])
    found = stages_certificate.stages_certificate(replace(kuhn, proof=claimed))
    assert isinstance(found, Embedded)
    assert found == stages_certificate.stages_certificate(kuhn)
