"""Lines of games that say hand and line: numbers, matrices, pictures, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seqform
from games.blinds import Blinds
from games.hand_classes import CLASS_GRID
from games.one_card_tournament import one_card_hands
from games.push_fold import push_fold
from seqform import Profile, TreeBuilder, at_line, build_sequence_form, expected_values, solve
from seqform.base.array_file import read_npz, write_npz
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    ResultFileError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.form.sequence_form import SequenceForm
from seqform.game.labels import GivenLabels, NamedGrid
from seqform.report.hand_matrices import matrices
from seqform.tree.file import load_tree, save_tree
from seqform.tree.tree import GameTree
from tests.command_line import call

GRID = NamedGrid(("A", "K"), ("x", "y"), ("Ax", "Ay", "Kx", "Ky"))


@pytest.fixture(scope="module")
def form() -> SequenceForm:
    return build_sequence_form(push_fold("10"))


@pytest.fixture(scope="module")
def pushing_aces(form: SequenceForm) -> Profile:
    """The small blind pushes aces, and king-queen of one suit every fourth time."""
    push = np.zeros(form.treeplexes[0].num_sequences)
    push[0], push[1::2] = 1, 1
    for name, often in (("AA", 1.0), ("KQs", 0.25)):
        place = 1 + 2 * CLASS_GRID.names.index(name)
        push[place : place + 2] = 1 - often, often
    return form.profile([push, form.treeplexes[1].uniform()])


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stages") / "saved"
    call("solve", "push-fold-tournament", "-p", "chips=1800", "--out", str(folder))
    return folder


def one_card(grid: NamedGrid | None = None, last: str = "Ky") -> GameTree:
    """Four hands, dealt alike: each bets or checks. All but the first win by a bet."""
    builder, hands = TreeBuilder(num_players=2), ("Ax", "Ay", "Kx", last)
    deals = builder.chance(builder.root, [(hand, Fraction(1, 4)) for hand in hands])
    for hand, won, deal in zip(hands, (-1, 1, 2, 3), deals, strict=True):
        check, bet = builder.decision(deal, 0, hand, ["check", "bet"])
        builder.terminal(check, [0, 0])
        builder.terminal(bet, [won, -won])
    given = GivenLabels(infosets={(0, hand): (hand, "") for hand in hands}, grid=grid)
    return replace(builder.freeze(), given=given)


def test_hands_are_where_the_game_lays_them_out(pushing_aces: Profile) -> None:
    lines = at_line(pushing_aces).matrix("push").splitlines()
    assert lines[0] == "push of player 0 (small blind), percent"
    assert lines[2].split() == list("AKQJT98765432")
    rows = {line.split()[0]: line.split()[1:] for line in lines[3:]}
    assert rows["A"] == ["100", *"." * 12]
    assert rows["K"] == [".", ".", "25", *"." * 10]
    assert all(cells == ["."] * 13 for rank, cells in rows.items() if rank not in "AK")
    assert max(map(len, lines)) < 80


def test_numbers_are_those_of_the_whole_game(form: SequenceForm, pushing_aces: Profile) -> None:
    at, after = at_line(pushing_aces), at_line(pushing_aces, "push")
    assert at.values == pytest.approx(expected_values(form, pushing_aces), abs=1e-12)
    assert (at.player, after.player, at.reach) == (0, 1, pytest.approx(1))
    often = (6 + 4 / 4) / 1326
    assert at.frequencies == pytest.approx({"fold": 1 - often, "push": often})
    assert after.reach == pytest.approx(often)
    aces = after.acting.names.index("AA")  # one pair of aces is left, of six
    assert after.acting.shares[aces] < after.acting.shares[after.acting.names.index("22")]
    folded = at.acting.values[at.acting.names.index("72o")]
    assert folded == pytest.approx(-0.5)
    assert "equity" not in at.by().text
    assert "EV" in at.by(player=1).text


def test_the_best_values_are_those_of_the_best_hands(pushing_aces: Profile) -> None:
    text = at_line(pushing_aces, "push").matrix("EV").splitlines()
    assert text[0] == "EV of player 1 (big blind), big blinds"
    values = at_line(pushing_aces, "push").acting.values
    assert len(values) == 169
    assert not np.isnan(values).any()


def test_a_tree_is_saved_with_its_matrix(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    save_tree(one_card(GRID), path)
    assert load_tree(path).given.grid == GRID
    header, arrays = read_npz(path, "saved game")
    header["written"]["grid"][2].pop()
    write_npz(path, header, arrays)
    with pytest.raises(ResultFileError, match="altered"):
        load_tree(path)


def test_any_game_may_lay_out_its_hands() -> None:
    solution = solve(one_card(GRID), method="lp")
    matrix = at_line(solution).matrix("bet").splitlines()[2:]
    assert [line.split() for line in matrix] == [["x", "y"], ["A", ".", "100"], ["K", "100", "100"]]
    picture = "".join(matrices(solution.game, solution.profile))  # type: ignore[arg-type]
    assert picture.count("<svg") == 1
    assert all(f">{name}<" in picture for name in GRID.names)


def test_pictures_of_all_lines(form: SequenceForm, pushing_aces: Profile) -> None:
    small, big = matrices(form, pushing_aces)
    assert "What player 0 (small blind) does first" in small
    assert "What player 1 (big blind) does after push" in big
    filled = re.findall(r'width="([\d.]+)" height="30.00" fill="[^"]*" fill-opacity', small)
    widths = sorted(map(float, filled))
    assert widths[:2] == [11.5, 34.5]  # a quarter of a cell, and what is left of it
    assert widths.count(46.0) == 168


def test_stages_are_looked_at_as_games_are(tournament: Path) -> None:
    text = call("show", str(tournament), "--stage", "900", "--matrix", "push")
    assert "push of player 0 (small blind), percent" in text
    assert re.search(r"^A +100 ", text, re.MULTILINE)
    words = ("show", str(tournament), "--stage", "900", "--line", "push", "--matrix", "call")
    record = json.loads(call(*words, "--json"))
    assert record["acts"] == 1
    assert np.shape(record["matrix"]) == (13, 13)
    assert record["matrix"][0][0] == 1
    stage: Any = seqform.load(tournament).stage(900)  # type: ignore[union-attr]
    assert stage._repr_html_().count("<svg") == 2


def test_no_line_is_of_two_players_where_one_may_limp() -> None:
    form = Blinds(1, 2).hand(one_card_hands(3), 6, limps=True)
    lines = [
        {form.origin.infoset_parts(seat, infoset)[1] for infoset in range(treeplex.num_infosets)}  # type: ignore[index]
        for seat, treeplex in enumerate(form.treeplexes)
    ]
    assert lines == [{"", "limp-push"}, {"push", "limp"}]


def test_what_is_unknown_is_refused(pushing_aces: Profile) -> None:
    with pytest.raises(InvalidParameterError, match=r"did you mean 'push'\? lines are '', 'push'"):
        at_line(pushing_aces, "pusch")
    with pytest.raises(UnknownNameError, match="use one of fold, push, EV, weight"):
        at_line(pushing_aces).matrix("call")
    with pytest.raises(UnknownNameError, match="equity"):
        at_line(pushing_aces).matrix("equity")
    with pytest.raises(UnsupportedGameError, match="no matrix"):
        at_line(solve(one_card(), method="lp")).matrix("bet")
    with pytest.raises(InvalidGameError, match="'Kz' is in no cell"):
        at_line(solve(one_card(GRID, last="Kz"), method="lp")).matrix("bet")
