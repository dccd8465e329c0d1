"""`seqform draw`: files of every format, text, and the refusal of what cannot be drawn."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib.image import imread
from rich.console import Console

from games.random_games import random_game
from games.tic_tac_toe import tic_tac_toe
from seqform import (
    CHANCE,
    GameTree,
    Status,
    TreeBuilder,
    analyze,
    build_sequence_form,
    build_tree,
    solve,
)
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    InvalidParameterError,
    SolverError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.cli.display import print_whole
from seqform.drawing import draw_figure, draw_text, draw_tree, fonts, pen, save_figure
from seqform.drawing.answers import edge_weights, reached_infosets
from seqform.drawing.stack import stacked
from seqform.drawing.style import (
    CHANCE_INK,
    FAINT,
    NORMAL,
    THIN,
    UNREACHED,
    label_text,
    number_text,
)
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.game.catalogue import make
from seqform.game.observations import SignalStructure
from seqform.tree.path_of_labels import find_state
from seqform.tree.views import view
from tests.command_line import call
from tests.perfect_games import Coin, TwoCoins

MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
TIC_TAC_TOE = "tic-tac-toe"


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_files_of_every_format_are_written_and_replaced(tmp_path: Path) -> None:
    for name in ("kuhn.svg", "kuhn.pdf", "kuhn.png", "KUHN.PNG"):
        path = tmp_path / name
        path.write_text("an older file")
        assert f"wrote 58 nodes to {path}" in call("draw", "kuhn", "--solution", "-o", str(path))
    assert ET.parse(tmp_path / "kuhn.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "kuhn.pdf").read_bytes().startswith(b"%PDF-")
    assert b"%%EOF" in (tmp_path / "kuhn.pdf").read_bytes()[-10:]
    height, width, _ = imread(tmp_path / "kuhn.png").shape
    assert 500 < width < height * 2 < 4000


def test_text_stays_text_in_svg(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.svg"
    call("draw", "kuhn", "--solution", "-o", str(path))
    written = [found.text for found in ET.parse(path).iter("{http://www.w3.org/2000/svg}text")]
    drawn = texts(draw_figure(draw_tree(make("kuhn"), solution=True)))
    assert sorted(map(str, written)) == sorted(drawn)
    assert {"check", "bet", "fold", "chance", "information set"} <= set(written)
    assert "'DejaVu Sans', Verdana, sans-serif" in path.read_text()


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_equal_trees_make_equal_files(kind: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.{kind}" for name in "ab"]
    for path in paths:
        save_figure(draw_figure(draw_tree(make("von-stengel"), solution=True)), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_settings_of_the_user_change_nothing(kind: str, tmp_path: Path) -> None:
    settings = {
        "savefig.transparent": True,
        "font.size": 30,
        "text.usetex": True,
        "savefig.bbox": "tight",
        "path.simplify": False,
    }
    save_figure(draw_figure(draw_tree(make("matching-pennies"))), tmp_path / f"a.{kind}")
    with matplotlib.rc_context(
        {**settings, "lines.linestyle": ":", "svg.fonttype": "none", "hatch.color": "red"}
    ):
        save_figure(draw_figure(draw_tree(make("matching-pennies"))), tmp_path / f"b.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_everything_asked_for_is_in_the_picture() -> None:
    shown = texts(draw_figure(draw_tree(make("kuhn"), solution=True, values=True), infosets=True))
    for text in (
        "J",
        "1/3",
        "1/2",
        "check",
        "0.333",
        f"{MINUS}0.0556",
        f"{MINUS}2",
        "Q:check",
        "player 1",
        "chance",
        "information set",
    ):
        assert text in shown
    assert "payoffs and values to player 0, in chips" in shown
    plain = texts(draw_figure(draw_tree(make("kuhn")), legend=False))
    assert not {"0.667", f"{MINUS}0.0556", "Q:check", "player 1"} & set(plain)
    assert plain.count("check") == 12


def test_a_board_is_drawn_as_a_board_and_what_goes_on_has_a_sign() -> None:
    figure = draw_figure(draw_tree(tic_tac_toe(), max_depth=1, values=True))
    assert texts(figure).count(". x .") == 3
    shapes = [type(patch).__name__ for patch in figure.axes[0].patches]
    assert shapes.count("Polygon") == 9
    assert shapes.count("Circle") == 10 + 2  # who moves, at each node and in the legend


def test_players_who_do_not_share_a_sum_have_a_payoff_each() -> None:
    builder = TreeBuilder(3)
    for child, payoffs in zip(
        builder.decision(0, 2, "x", ["a", "b"]), [(1, 2, 3), (4, 5, 0.25)], strict=True
    ):
        builder.terminal(child, payoffs)
    drawn = draw_tree(builder.freeze(), solution=True)
    shown = set(texts(draw_figure(drawn)))
    assert {
        "1",
        "2",
        "3",
        "4",
        "5",
        "0.25",
        "played",
        "payoffs and values in units, by player",
    } <= shown
    assert [node.weight for node in drawn.nodes] == [None, 1.0, 0.0]


def test_the_legend_names_those_whose_numbers_or_moves_are_shown() -> None:
    three = texts(draw_figure(draw_tree(random_game(players=3, depth=1, zero_sum=False, chance=0))))
    assert [text for text in three if text.startswith("player")] == [
        "player 0",
        "player 1",
        "player 2",
    ]
    below = texts(draw_figure(draw_tree(make("kuhn"), start="J,Q,bet")))
    assert [text for text in below if text.startswith("player")] == ["player 1"]


def test_edges_are_as_wide_as_their_moves_are_likely() -> None:
    tree = draw_tree(make("kuhn"), solution=True)
    figure = draw_figure(tree, legend=False)
    lines = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 3]
    assert len(lines) == len(tree.nodes) - 1
    for node, line in zip(tree.nodes[1:], lines, strict=True):
        above = tree.nodes[node.parent]
        color, width = pen.edge_style(node.weight, above.player)
        width = UNREACHED["linewidth"] if node.weight and not above.is_on_path else width
        assert (line.get_color(), line.get_linewidth()) == (color, width)
    widths = [pen.edge_style(weight, 0)[1] for weight in (0.0, 1e-3, 0.5, 1.0)]
    assert widths == sorted(set(widths))
    assert pen.edge_style(0.0, 0) == (FAINT, THIN)
    assert pen.edge_style(None, 0) == pen.edge_style(None, CHANCE) == (CHANCE_INK, NORMAL)


def test_text_shows_moves_probabilities_and_payoffs() -> None:
    lines = call("draw", "von-stengel", "--solution", "--values").splitlines()
    assert lines[0] == "chance  value 1"
    assert "├── low (1/2)  player 0 at low  value 0" in lines
    assert "│       ├── c [0.5]  pays 2" in [line.replace("(0.5)", "0.5") for line in lines]
    assert lines[-1] == "payoffs and values to player 0, in units"
    assert call("draw", "kuhn", "--max-depth", "0") == "chance  ...\n"
    best = call(
        "draw", TIC_TAC_TOE, "-p", "board=xoo/..x/...", "--solution", "--values", "--max-depth", "1"
    )
    assert (
        "├── * a2  player 1  value 1  ...\n│   x o o\n│   x . x\n│   . . .\n├── b2  player 1"
        in best
    )


def chain(length: int) -> GameTree:
    """One player who moves on and on."""
    builder = TreeBuilder(1)
    node = builder.root
    for depth in range(length):
        (node,) = builder.decision(node, 0, depth, [f"on, as for the {depth}th time already"])
    builder.terminal(node, [1])
    return builder.freeze()


def printed(tree: GameTree) -> list[str]:
    """The lines of a tree in the terminal."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        print_whole(draw_text(draw_tree(tree)))
    return out.getvalue().splitlines()


def test_text_is_neither_cut_nor_wrapped() -> None:
    assert Console().width < 300
    lines = printed(chain(100))
    assert len(lines) == 101
    assert lines[-1].endswith("└── on, as for the 99th time already  pays 1")


def test_a_deep_chain_is_drawn_or_refused() -> None:
    tree = chain(250)
    with pytest.raises(
        GameTooLargeError, match=r"by \d+ inches, more than 100: use max_depth=\d+, the greatest"
    ) as error:
        draw_figure(draw_tree(tree))
    assert len(printed(tree)) == 251
    depth = int(str(error.value).split("max_depth=")[1].split(",")[0])
    draw_figure(draw_tree(tree, max_depth=depth))
    with pytest.raises(GameTooLargeError):
        draw_figure(draw_tree(tree, max_depth=depth + 1))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            ["kuhn", "-o", "kuhn.gif"],
            InvalidParameterError,
            r"kuhn.gif: a picture's name ends in .svg, .pdf or .png",
        ),
        (["kuhn", "-o", "kuhn"], InvalidParameterError, "a picture's name ends in"),
        (
            ["kuhn", "-o", "nowhere/kuhn.svg"],
            InvalidParameterError,
            "there is no folder nowhere; make it first",
        ),
        (
            ["kuhn", "--orientation", "up"],
            UnknownNameError,
            "no orientation 'up'.*auto, down, right",
        ),
        (
            ["kuhn", "--from", "J,Q,bett"],
            UnknownNameError,
            r"after J,Q there is no 'bett' \(did you mean 'bet'\?\); there are check, bet",
        ),
        (
            ["kuhn", "--from", "A"],
            UnknownNameError,
            "at the root there is no 'A'; there are J, Q, K",
        ),
        (
            ["kuhn", "--from", "J,Q,bet,fold,x"],
            UnknownNameError,
            "the game is over after J,Q,bet,fold, so there is no 'x'",
        ),
        (["kuhn", "--from", ",J"], UnknownNameError, "at the root there is no ''"),
        (["leduc", "--hand", "K"], UnknownNameError, "hand: there is no card 'K'.*cards are Js, "),
        (["leduc", "--hand", "Ks", "--player", "2"], InvalidParameterError, "players are 0 to 1"),
        (["nim", "--hand", "Ks"], InvalidParameterError, "games that deal signals"),
        (
            ["leduc", "--line", "check-bett"],
            UnknownNameError,
            r"line: after check there is no 'bett' \(did you mean 'bet'\?\); there are check, bet",
        ),
        (["rhode-island", "--solution", "--max-depth", "1"], GameTooLargeError, "nodes"),
        (["kuhn", "--from", "X", "--solution"], UnknownNameError, "at the root"),
    ],
)
def test_refusals(
    arguments: list[str],
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        call("draw", *arguments)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "a.svg").mkdir()
    with pytest.raises(InvalidParameterError, match="is a folder"):
        call("draw", "kuhn", "-o", str(tmp_path / "a.svg"))


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.svg").symlink_to(tmp_path / "missing" / "b.svg")
    with pytest.raises(InvalidParameterError, match=r"cannot write .*a\.svg: No such file"):
        save_figure(draw_figure(draw_tree(make("matching-pennies"))), tmp_path / "a.svg")


def test_a_game_too_large_to_solve_says_so_and_can_be_drawn_further_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("seqform.drawing.answers.MAX_STATES", 100)
    with pytest.raises(GameTooLargeError, match="more than 100 states"):
        draw_tree(tic_tac_toe(), max_depth=1, values=True)
    drawn = draw_tree(tic_tac_toe(), start="a1,b2,c3,b1,b3", max_depth=1, values=True)
    assert drawn.nodes[0].value == (0, 0)


class Broken(Coin):
    """Rules with a mistake."""

    def __init__(self, **wrong: Any) -> None:
        super().__init__(is_seen=True)
        for name, value in wrong.items():
            setattr(self, name, value)


def divide(state: str) -> Any:
    return 1 / 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"actions": divide}, r"the rules raised ZeroDivisionError: .*, at the state 'h'"),
        ({"draw": divide}, "the rules raised ZeroDivisionError"),
        ({"player": lambda _: "0"}, "R3"),
        ({"actions": lambda _: []}, "R3"),
        ({"player": lambda _: 5}, "R3: player 5 moves.*, at the state ''"),
        ({"chance": lambda _: [("h", 0.5), ("t", 0.4)]}, "R4"),
        ({"payoffs": lambda _: None}, "R5"),
        ({"payoffs": lambda _: [1, 2]}, "R5"),
        ({"payoffs": lambda _: [float("nan")]}, "not finite.*, at the state 'hh'"),
        (
            {
                "infoset": lambda _: "same",
                "actions": lambda state: ["h", "t"][: 1 + (state == "t")],
            },
            "R8",
        ),
    ],
)
def test_mistakes_in_rules_are_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidGameError, match=message):
        draw_tree(Broken(**wrong))


def test_mistakes_on_the_way_to_a_state_are_named_too() -> None:
    with pytest.raises(
        InvalidGameError, match=r"the rules raised ZeroDivisionError: .*, at the state 'h'"
    ):
        draw_tree(Broken(actions=divide), start="h,h")
    with pytest.raises(InvalidGameError, match="the rules raised NameError"):
        draw_tree(Broken(root=lambda: nothing), start="h")  # type: ignore[name-defined]  # noqa: F821


def test_an_endless_game_is_drawn_down_to_a_depth() -> None:
    class Endless(Coin):
        def player(self, state: str) -> int:
            return 0

        def infoset(self, state: str) -> str:
            return state

    game = Endless(True)
    assert len(draw_tree(game, max_depth=3).nodes) == 15
    with pytest.raises(GameTooLargeError, match="max_depth=8, the greatest that fits"):
        draw_tree(game)


def test_labels_may_hold_commas_and_blanks() -> None:
    builder = TreeBuilder(1)
    children = builder.decision(builder.root, 0, "x", ["a", "a,b", "a b", (1, 2)])
    for child in children:
        for end in builder.decision(child, 0, child, ["b", "c"]):
            builder.terminal(end, [0])
    seen = view(builder.freeze())
    paths = {"a": 1, " a , c": 6, "a > c": 6, "a,b": 2, "a,b,b": 7, "a b": 3, "(1, 2),c ": 12}
    assert {path: find_state(seen, path) for path in paths} == paths


def test_what_is_written_is_short_and_in_one_line() -> None:
    assert label_text("a\n b") == "a b"
    assert len(label_text("x" * 100)) == 28
    assert [number_text(x) for x in (1, -2, 0.5, 1 / 3, 123456789.0)] == [
        "1",
        "-2",
        "0.5",
        "0.333333",
        "123456789",
    ]


def test_dollars_are_no_formulas() -> None:
    builder = TreeBuilder(1)
    for child in builder.decision(builder.root, 0, "x", ["$1", "$2$"]):
        builder.terminal(child, [0])
    figure = draw_figure(draw_tree(builder.freeze()))
    assert {"$1", "$2$"} <= set(texts(figure))
    assert not any(text.get_parse_math() for text in figure.axes[0].texts)


def test_a_single_node_is_a_picture_too() -> None:
    builder = TreeBuilder(2)
    builder.terminal(builder.root, (1, 2))
    tree = builder.freeze()
    assert {"1", "2"} <= set(texts(draw_figure(draw_tree(tree), orientation="right")))
    assert draw_tree(tree, solution=True, values=True).nodes[0].value == (1, 2)


def test_a_negative_depth_and_a_form_without_a_tree_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="max_depth=-1"):
        draw_tree(make("kuhn"), max_depth=-1)
    form = build_signal_form(SignalStructure(make("kuhn")))
    with pytest.raises(UnsupportedGameError, match="no tree to draw"):
        edge_weights(form, Profile.uniform(form.treeplexes))


def test_hidden_coins_solve_as_two_players() -> None:
    shown = texts(draw_figure(draw_tree(TwoCoins(False), solution=True)))
    assert "[hh]" in shown
    assert "played" in shown


def test_what_is_no_equilibrium_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(make("kuhn"))
    monkeypatch.setattr(
        "seqform.drawing.answers.solve", lambda _: replace(solution, status=Status.INACCURATE)
    )
    with pytest.raises(
        SolverError, match=r"no equilibrium to draw: .*above the tolerance.*leave out solution"
    ):
        draw_tree(make("kuhn"), solution=True)


def test_mistakes_end_with_one_line_and_status_2(tmp_path: Path) -> None:
    code = "from seqform.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "draw", "kuhn", "-o", "a.gif"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("seqform: a.gif")
    assert len(done.stderr.splitlines()) == 1


def test_a_saved_result_is_drawn_without_solving_again(tmp_path: Path) -> None:
    solve(make("kuhn")).save(tmp_path, "kuhn")
    shown = call("draw", str(tmp_path), "--solution", "--values")
    assert shown == call("draw", "kuhn", "--solution", "--values")
    assert "[0.667]" in shown
    assert "[0.667]" not in call("draw", str(tmp_path), "--values")
    call("draw", str(tmp_path), "--solution", "-o", str(tmp_path / "c.svg"))
    with pytest.raises(InvalidParameterError, match="is a folder, which has no parameters"):
        call("draw", str(tmp_path), "-p", "x=2")


def test_a_solution_without_a_tree_is_not_drawn() -> None:
    form = build_signal_form(SignalStructure(make("leduc")))
    with pytest.raises(UnsupportedGameError, match="no tree to draw"):
        draw_tree(solve(form, gap=1.0), solution=True, max_depth=1)


def test_a_solution_lifted_without_a_tree_is_drawn() -> None:
    game = make("leduc", ranks=4)
    solution = solve(game, method="dcfr", gap=0.5, abstract="equitable")
    assert solution.game.tree is None
    drawn = draw_tree(game, solution=solution, max_depth=2)
    assert drawn.nodes[0].label is None
    assert len(drawn.nodes) == 1 + 8 + 8 * 7


def test_what_is_never_reached_is_not_shown_as_played() -> None:
    builder = TreeBuilder(2)  # player 0 stops, and would be asked again if it went on
    stop, go, hide = builder.decision(builder.root, 0, "first", ["stop", "go", "hide"])
    builder.terminal(stop, (5, -5))
    for node, payoffs in ((go, [(1, -1), (2, -2)]), (hide, [(-1, 1)])):
        end, ask = builder.decision(node, 1, "other", ["end", "ask"])
        builder.terminal(end, (0, 0))
        ends = builder.decision(ask, 0, "again", ["left", "right"]) if node == go else [ask]
        for leaf, paid in zip(ends, payoffs, strict=True):
            builder.terminal(leaf, paid)
    drawn = draw_tree(builder.freeze(), solution=True, values=True)
    first, again = (node for node in drawn.nodes if node.player == 0)
    assert (first.is_reached, again.is_reached, again.value) == (True, False, None)
    below = drawn.children[drawn.nodes.index(again)]
    assert [drawn.nodes[child].weight for child in below] == [None, None]
    out = Console(file=io.StringIO(), width=200)
    out.print(draw_text(drawn))
    assert "player 0 at again, not reached" in out.file.getvalue()  # type: ignore[attr-defined]
    assert "not reached: nothing is said" in texts(draw_figure(drawn))


def test_what_the_others_never_let_happen_is_marked_and_never_bold() -> None:
    drawn = draw_tree(make("kuhn"), solution=True)
    sets = {str(node.infoset): node.is_on_path for node in drawn.nodes if node.player >= 0}
    assert {name for name, there in sets.items() if not there} == {"J:bet", "Q:bet", "K:bet"}
    figure = draw_figure(drawn)
    bold = [text.get_text() for text in figure.axes[0].texts if text.get_weight() == "bold"]
    brackets = [text for text in texts(figure) if text.startswith("(")]
    assert {"(0.667)", "(1)", "(0)"} <= set(brackets)
    assert not set(brackets) & set(bold)
    assert "never reached: would be played so" in texts(figure)
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert dashed
    console = Console(file=io.StringIO(), width=200, force_terminal=True)
    console.print(draw_text(draw_tree(make("kuhn"), start="J,Q", solution=True)))
    out = console.file.getvalue()  # type: ignore[attr-defined]
    assert "fold [(0.667)]" in out
    assert "\x1b[1mfold [1]" in out
    assert "\x1b[1mfold [(" not in out
    assert "Q:bet" in out.partition("not reached")[0]


def test_a_set_that_one_of_its_nodes_is_reached_at_is_reached() -> None:
    tree = build_tree(make("leduc"))
    form = build_sequence_form(tree)
    profile = solve(form).profile
    assert profile is not None
    reached = reached_infosets(tree, edge_weights(form, profile))
    for player, of in enumerate(analyze(form, profile).players):
        assert reached[form.tree_infosets[player]].tolist() == of.is_reached.tolist()


def names_in(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_moves_that_are_alike_are_drawn_once_where_a_page_is_too_narrow() -> None:
    drawn = draw_tree(tic_tac_toe(), max_depth=2, fit=True)
    firsts = [str(drawn.nodes[node].label) for node in drawn.children[0]]
    assert firsts == [f"a1 {TIMES}4", f"b1 {TIMES}4", "b2"]
    assert [len(drawn.children[node]) for node in drawn.children[0]] == [5, 5, 2]
    assert not drawn.left_out
    figure = draw_figure(drawn)
    assert max(figure.get_size_inches()) < 9.6
    assert any("alike by symmetry" in text for text in names_in(figure))
    assert len(draw_tree(tic_tac_toe(), max_depth=2, fit=True, fold=False).nodes) == 82
    assert len(draw_tree(tic_tac_toe(), max_depth=2).nodes) == 82
    assert len(draw_tree(tic_tac_toe(), max_depth=1, fit=True).nodes) == 10


def test_weights_of_moves_that_are_alike_are_added() -> None:
    position = tic_tac_toe("x../.o./...")
    whole = draw_tree(position, max_depth=1, solution=True, fold=False)
    folded = draw_tree(position, max_depth=1, solution=True, fold=True)
    assert sum(node.weight or 0 for node in folded.nodes) == 1
    for drawn in (whole, folded):
        assert {node.value for node in drawn.nodes} == {(0, 0)}
    assert len(whole.nodes) == 8
    labels = [str(folded.nodes[node].label) for node in folded.children[0]]
    assert labels == [*(f"{move} {TIMES}2" for move in ("b1", "c1", "c2")), "c3"]


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (4, 3), (2, 4)])
def test_positions_are_alike_if_turning_or_reflecting_the_board_makes_them_equal(
    columns: int, rows: int
) -> None:
    game = make("mnk", columns=columns, rows=rows)
    firsts = [game.child(0, action) for action in game.actions(0)]
    states = [game.child(first, action) for first in firsts for action in game.actions(first)]

    def images(state: int) -> set[str]:
        board = [line.split() for line in game.draw(state).split("\n")]
        found = []
        for _ in range(4):
            board = [list(line) for line in zip(*board[::-1], strict=True)]
            found += [board, [line[::-1] for line in board]]
        return {str(image) for image in found if len(image) == rows and len(image[0]) == columns}

    for one in states:
        for two in states:
            is_alike = game.canonical(one) == game.canonical(two)
            assert is_alike == bool(images(one) & images(two))


def test_a_wide_tree_is_stacked_with_every_node_in_one_part() -> None:
    drawn = draw_tree(make("mnk"), max_depth=2, fit=True)
    parts = stacked(drawn, 7.2 * 72, False)
    assert len(parts) > 1
    assert sum(len(part.tree.nodes) - 1 for part in parts) == len(drawn.nodes) - 1
    assert all(part.size[0] <= 7.2 * 72 for part in parts)
    width, height = draw_figure(drawn).get_size_inches()
    assert width < 7.4
    alone = draw_figure(drawn, orientation="down").get_size_inches()
    assert max(alone) > max(width, height)


def test_a_tree_whose_information_sets_reach_over_all_moves_is_not_stacked() -> None:
    drawn = draw_tree(make("kuhn"))
    assert stacked(drawn, 100.0, False) == []


def test_a_thicket_of_information_sets_has_names_in_the_nodes_instead_of_lines() -> None:
    drawn = draw_tree(make("leduc"), max_depth=4)
    lost = {key for key, nodes in drawn.infosets.items() if len(nodes) > 1} - set(drawn.joined)
    assert lost
    assert set(drawn.names) == lost
    shown = names_in(draw_figure(drawn))
    for key in lost:
        assert shown.count(drawn.names[key]) == len(drawn.infosets[key])
    assert len(set(drawn.names.values())) == len(lost) or len({key[0] for key in lost}) == 2
    assert "nodes of one name are one information set" in shown
    assert draw_tree(make("kuhn")).names == {}


def test_values_are_shown_with_a_solution_unless_they_are_not_wanted() -> None:
    assert draw_tree(make("kuhn"), solution=True).nodes[0].value is not None
    assert draw_tree(make("kuhn"), solution=True, values=False).nodes[0].value is None
    assert draw_tree(make("kuhn")).nodes[0].value is None


def test_what_alpha_beta_does_not_look_at_is_cut_off(tmp_path: Path) -> None:
    """Node 2 is worth 2 at most once its first move is seen; node 1 is worth 3 (Knuth & Moore)."""
    builder = TreeBuilder(2)
    left, right = builder.decision(builder.root, 0, "max", ["left", "right"])
    for node, payoffs in ((left, (3, 12, 8)), (right, (2, 4, 6))):
        ends = builder.decision(node, 1, str(node), ["x", "y", "z"])
        for end, paid in zip(ends, payoffs, strict=True):
            builder.terminal(end, (paid, -paid))
    drawn = draw_tree(builder.freeze(), pruning=True)
    cut = [(drawn.nodes[node.parent].label, node.label) for node in drawn.nodes if node.is_pruned]
    assert cut == [("right", "y"), ("right", "z")]
    assert "cut off by alpha-beta" in texts(draw_figure(drawn))
    out = Console(file=io.StringIO(), width=200)
    out.print(draw_text(drawn))
    assert out.file.getvalue().count("cut off") == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(("columns", "rows", "in_a_row"), [(3, 2, 2), (2, 2, 2), (3, 2, 3)])
def test_cut_off_moves_change_no_value(columns: int, rows: int, in_a_row: int) -> None:
    game = make("mnk", columns=columns, rows=rows, in_a_row=in_a_row)
    drawn = draw_tree(game, pruning=True, max_nodes=5000)

    def value(node: int) -> Any:
        of = drawn.nodes[node]
        if of.payoffs is not None:
            return of.payoffs[0]
        below = [value(n) for n in drawn.children[node] if not drawn.nodes[n].is_pruned]
        return (max, min)[of.player](below)

    assert any(node.is_pruned for node in drawn.nodes)
    whole = draw_tree(game, values=True, max_depth=0).nodes[0].value
    assert whole is not None
    assert value(0) == whole[0]


def test_pruning_is_for_games_without_hidden_moves() -> None:
    for game in (make("kuhn"), build_tree(make("kuhn"))):
        with pytest.raises(UnsupportedGameError):
            draw_tree(game, pruning=True)
    with pytest.raises(InvalidParameterError, match="leave out fold"):
        draw_tree(tic_tac_toe(), pruning=True, fold=True, max_depth=1)


def in_script(*labels: str) -> GameTree:
    builder = TreeBuilder(1)
    for child in builder.decision(builder.root, 0, "x", list(labels)):
        builder.terminal(child, [0])
    return builder.freeze()


def test_letters_that_no_font_has_are_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    tree = in_script("\U000fabcd\U000fabce", "\U000fabce")  # of private use: no font has them
    save_figure(draw_figure(draw_tree(tree)), tmp_path / "a.svg")
    assert not caplog.messages
    for _ in range(2):
        save_figure(draw_figure(draw_tree(tree)), tmp_path / "a.png")
    (said,) = caplog.messages
    assert "\U000fabcd\U000fabce" in said
    assert "apt install" in said
    assert not [w for w in recwarn if "Glyph" in str(w.message)]
    assert "\U000fabcd" in (tmp_path / "a.svg").read_text()


def test_a_font_that_has_the_letters_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    cjk = {"Noto Sans CJK SC": {ord("牌")}, "Other": {ord("牌"), ord("न")}}
    have = {"DejaVu Sans": set(map(ord, "ab")), **cjk}
    monkeypatch.setattr(fonts, "_letters", lambda name: frozenset(have.get(name, ())))
    monkeypatch.setattr(fonts, "installed", lambda: list(have))
    fonts._others.cache_clear()
    try:
        assert fonts.families("ab") == ["DejaVu Sans"]
        assert fonts.families("a牌") == ["DejaVu Sans", "Noto Sans CJK SC"]
        assert fonts.families("न牌") == ["DejaVu Sans", "Noto Sans CJK SC", "Other"]
        assert fonts.missing("a牌क") == {"क"}
    finally:
        fonts._others.cache_clear()


def test_figures_show_themselves_in_notebooks() -> None:
    figure = draw_figure(draw_tree(make("kuhn"), max_depth=1))
    assert figure._repr_png_().startswith(b"\x89PNG")
