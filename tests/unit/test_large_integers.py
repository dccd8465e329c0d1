"""Payoffs of signal games that integers of 64 bits cannot hold are refused, not wrapped around."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from abstraction.equitable import equitable
from abstraction.outcome import outcome
from seqform import build_sequence_form, build_tree
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.form.kronecker import KroneckerPayoff
from seqform.game.observations import SignalStructure
from tests.rebuilt import KUHN, staked


def test_large_stakes_that_fit_are_exact() -> None:
    game = staked(2**58)
    direct, tree = build_signal_form(SignalStructure(game)), build_sequence_form(build_tree(game))
    assert direct.operator is not None
    assert tree.operator is not None
    assert (direct.operator.to_csr() != tree.operator.to_csr()).nnz == 0


@pytest.mark.parametrize("factor", [2**70, Fraction(2**70, 3)])
def test_stakes_that_do_not_fit_are_refused(factor: Any) -> None:
    with pytest.raises(UnsupportedGameError, match="63 bits"):
        build_signal_form(SignalStructure(staked(factor)))


def test_payoffs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="63 bits"):
        build_signal_form(SignalStructure(staked(1, 2**62)))


def test_products_that_do_not_fit_are_not_written_down() -> None:
    form = build_signal_form(SignalStructure(staked(2**40, 2**30)))
    assert isinstance(form.operator, KroneckerPayoff)
    with pytest.raises(UnsupportedGameError, match="too many digits"):
        form.operator.to_csr()
    assert replace(form.operator, terms=()).to_csr().nnz == 0


@pytest.mark.parametrize("unit", [2**55, 2**60, 2**60 - 1])
def test_classes_do_not_depend_on_the_unit_of_payoffs(unit: int) -> None:
    """Two cards meet in 64 ways, and 64 payoffs of 2**60 are 0 modulo 2**64."""
    deck = replace(KUHN.deck, copies=(8, 8, 8))
    for criterion in (equitable, outcome):
        found, expected = (criterion(SignalStructure(staked(1, u, deck))) for u in (unit, 1))
        for a, b in zip(chain(*found), chain(*expected), strict=True):
            assert a.tolist() == b.tolist() == [0, 1, 2]
