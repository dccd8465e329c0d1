"""What `info` says that a method takes is what a process of its own takes, nearly."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from benchmarks.memory import BY_METHOD, measure_method
from games.random_games import random_game
from seqform import build_sequence_form, build_tree, describe, make, solve
from seqform.base.errors import GameTooLargeError
from seqform.base.memory import in_words
from seqform.form.integer_payoffs import integer_payoffs
from seqform.form.relevant_pairs import relevant_pairs
from seqform.methods.method import METHODS
from seqform.solvers.linear.correlated_program import KINDS, correlated_program, counted_size
from seqform.solvers.linear.nash_program import counted_size as nash_size
from seqform.solvers.linear.nash_program import nash_program

SMALL = (
    "tic-tac-toe -p board=xoo/..x/...",
    "tic-tac-toe -p board=xoo/..x/... --method minimax",
    "leduc -p ranks=2 --method lcp",
)
LONG = (
    "leduc --method lcp",
    "leduc -p ranks=12 --method lcp",
    "tic-tac-toe",
    "tic-tac-toe --method minimax",
)

USED, SAID, SLACK_MB = 1.25, 1.5, 30
"""How far what is used may exceed what is said, and the other way round."""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are counted in other ways")
@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=[pytest.mark.long] * (words in LONG)) for words in BY_METHOD]
    + [*SMALL],
)
def test_what_is_said_is_what_is_used(words: str) -> None:
    row = measure_method(words)
    estimate, used = row["estimated"], row["measured"]
    assert used <= USED * estimate, row
    assert estimate <= SAID * used + SLACK_MB, row


LARGE = (
    ("leduc", {"ranks": 6}, "lcp"),
    ("leduc", {"ranks": 6}, "mip"),
    ("leduc", {}, "efce"),
    ("leduc", {}, "nfcce"),
    ("random", {"depth": 13, "seed": 1}, "lp"),
)


@pytest.mark.parametrize(("name", "parameters", "method"), LARGE, ids=str)
def test_a_refusal_names_what_info_counts(
    name: str, parameters: dict[str, Any], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = build_sequence_form(build_tree(make(name, **parameters)))
    need = METHODS.get(method).need(form)
    assert need is not None
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: need.num_bytes)
    with pytest.raises(GameTooLargeError) as error:
        solve(form, method=method)
    assert f"{need.what} needs about {in_words(need.num_bytes)} of memory" in str(error.value)
    assert need.instead in str(error.value)


def test_info_says_what_will_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("leduc", ranks=13)
    record = describe(game, method="dcfr")
    assert record["memory_estimate_of"] == "dcfr after equitable"
    assert "will_not_fit" not in record
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 100 * 2**20)
    assert describe(game, method="dcfr")["will_not_fit"].endswith(
        "needed, and 100 MB may be taken: use a smaller game, or another method"
    )


def test_every_method_that_says_what_it_takes_says_it_of_a_small_game() -> None:
    form = build_sequence_form(build_tree(make("kuhn")))
    needs = {method.name: method.need(form) for method in METHODS.usable()}
    saying = {name for name, need in needs.items() if need is not None}
    assert saying >= {"lp", "lcp", "mip", "efce", "efcce", "nfcce", "dcfr", "cfr+", "pdhg"}
    assert all(need.num_bytes > 0 and not need.endless for need in needs.values() if need)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_a_correlated_program_is_as_large_as_was_counted(kind: str, seed: int) -> None:
    form = build_sequence_form(random_game(seed, depth=5, zero_sum=False))
    pairs, payoffs = relevant_pairs(form), integer_payoffs(form)
    counted = counted_size(pairs, payoffs, kind)
    made = correlated_program(pairs, payoffs, kind).size
    assert (counted.rows, counted.columns) == (made.rows, made.columns)
    assert made.nonzeros <= counted.nonzeros <= 1.3 * made.nonzeros + 10


@pytest.mark.parametrize("seed", range(6))
def test_an_integer_program_is_as_large_as_was_counted(seed: int) -> None:
    form = build_sequence_form(random_game(seed, depth=5, zero_sum=False))
    counted, made = nash_size(form), nash_program(form, (1, 1)).program.size
    assert (counted.rows, counted.columns) == (made.rows, made.columns)
    assert made.nonzeros <= counted.nonzeros <= 1.3 * made.nonzeros + 10
