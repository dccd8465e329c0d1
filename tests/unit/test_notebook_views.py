"""What notebooks show of answers: tables and pictures, made when they are asked for."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from seqform import Profile, analyze, build_sequence_form, build_tree, make, payoff_region, solve

HEAVY = ("matplotlib", "jinja2", "igraph", "pandas")


@pytest.fixture(scope="module")
def form() -> Any:
    return build_sequence_form(build_tree(make("kuhn")))


def cells(page: str) -> list[str]:
    """Return the texts of all cells of a page's tables."""
    return [part.split("</td>")[0].rpartition(">")[2] for part in page.split("<td")[1:]]


def test_a_profile_is_shown_by_the_names_of_its_game(form: Any) -> None:
    page = solve(form).profile._repr_html_()
    assert page.startswith("<table>")
    labels = {str(form.infoset_label(player, n)) for player in (0, 1) for n in range(6)}
    assert labels <= set(cells(page))
    assert "player 1" in page


def test_a_profile_without_names_is_shown_as_text(form: Any) -> None:
    assert Profile.uniform(form.treeplexes)._repr_html_() is None


def test_an_analysis_is_shown_with_reach_value_and_regret(form: Any) -> None:
    seen = analyze(form, form.profile(Profile.uniform(form.treeplexes).behaviors))
    page = seen._repr_html_()
    row = next(seen.rows(0))
    shown = cells(page)[:6]
    assert shown == [
        row["infoset"],
        row["action"],
        *(f"{row[name]:.4g}" for name in ("probability", "reach", "action_value", "action_regret")),
    ]
    assert page.count("<table>") == 2
    assert "rows more" not in page


def test_a_large_analysis_is_cut_and_says_so() -> None:
    form = build_sequence_form(build_tree(make("leduc")))
    seen = analyze(form, solve(form, method="cfr+", iterations=2).profile)
    page = seen._repr_html_()
    left = sum(1 for _ in seen.rows()) - 2 * 60
    assert f"<p>{left:,} rows more</p>" in page
    assert page.count("<tr>") == 2 * 61


def test_equilibria_are_shown_with_what_each_pays() -> None:
    found = solve(make("chicken"), all=True).equilibria
    page = found._repr_html_()
    shown = cells(page)
    assert len(shown) == 3 * len(found) == 9
    assert shown[::3] == [", ".join(map(str, each.values)) for each in found]
    one = replace(found, found=found.found * 20, components=None, is_complete=False)
    assert "<p>48 rows more</p>" in one._repr_html_()


def test_a_correlated_answer_is_shown_as_recommendations() -> None:
    solution = solve(make("chicken"), method="efce", optimize="welfare")
    named = cells(solution._repr_html_().partition("recommended together")[2])
    numbered = cells(solution.answer._repr_html_())
    game = solution.game
    assert named[1::5] == [
        str(game.actions(0, 0)[int(word.removeprefix("action "))]) for word in numbered[1::5]
    ]
    together = named[4::5]
    assert together == numbered[4::5]
    plan = solution.answer.plan
    assert len(together) == sum(
        1 for mine in (1, 2) for theirs in (1, 2) if plan.weight(mine, theirs)
    )


def test_a_payoff_region_is_shown_as_its_picture() -> None:
    assert payoff_region(make("chicken"), "efce")._repr_html_().startswith("<svg")


def test_nothing_heavy_is_loaded_before_something_is_shown() -> None:
    code = (
        "import sys; from seqform import make, solve; s = solve(make('kuhn'), method='lp');"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
