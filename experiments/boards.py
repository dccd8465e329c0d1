"""What does a spot of hold'em come to on one board after another?

Every board is solved by itself, and certified. A row has the value, what player 0 wins of the pot
(`ev`, in chips, and in percent), equity, the gap in chips and percent of the pot, how often the
first decision goes which way (`root_check`, `root_bet100`, ...), and the texture of the board as
`games.textures` defines it. Half of the gap is what solvers print as exploitability. `weight` is
how many boards of the list this one stands for: those that both ranges leave alike, suits apart.

Boards are one or more of a list, with commas between them (`games.board_lists`): QsJh2h8c, turns of
QsJh2h, rivers of QsJh2h8c, flops, 25 flops. Games are those with a board: holdem, flop, turn,
river. Their parameters are given as everywhere; --oop, --ip and --sizes take a text with commas as
one, and a TOML file a list of such texts. In the table by texture, and in the picture, boards count
by their weights.

Claim: none; this is what solvers call an aggregate report, here of all turns of one flop.

Source: each row's certificate.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from experiments.board_picture import draw_boards
from experiments.board_summary import ROOT, by_texture
from games.board_lists import alike, boards_of, read_board, stands_for
from games.textures import texture
from seqform.base.errors import InvalidParameterError, SeqformError
from seqform.experiment import Axis, ExperimentSpec, Point, Role, Row, run_as_script

if TYPE_CHECKING:
    from games.weighted_hands import WeightedHands
    from seqform import Solution

DIGITS = 9
"""Of frequencies."""


def solve_board(point: Point) -> Row:
    """Return what a spot comes to on one board."""
    from seqform import solve
    from seqform.experiment.measure import make_game, row_of
    from seqform.experiment.methods_by_name import known

    options: dict[str, Any] = dict(point.options)
    solution = solve(make_game(point), method=known(point.method), **options)
    return {
        **row_of(solution),
        "weight": weight_of(point),
        **texture(read_board(point["board"]).cards)._asdict(),
        **in_shares(solution),
    }


def in_shares(solution: Solution) -> Row:
    """Return what player 0 wins of the pot, equity, the gap in percent of the pot, and actions."""
    from seqform import at_line

    first: Any = at_line(solution)
    half = float(first.game.beyond[0])
    share = float(solution.values[0]) + half
    return {
        "ev": share,
        "ev_percent": 50 * share / half,
        "equity": first.equity[0],
        "gap_percent": 50 * float(solution.gap) / half,
        **{ROOT + action: round(often, DIGITS) for action, often in first.frequencies.items()},
    }


def weight_of(point: Point) -> int:
    """Return how many boards of its list the board of a point stands for; 0 if another does."""
    board = read_board(point["board"])
    if not board.dealt:
        return 1
    given = tuple((name, of) for name, of in point.parameters.items() if name != "board")
    return stands_for(board, _alike(board.known, point.game, given))


@lru_cache(maxsize=1000)
def _alike(
    known: tuple[int, ...], game: str, given: tuple[tuple[str, Any], ...]
) -> list[tuple[int, ...]]:
    return alike(known, _ranges(game, dict(given)))


def _ranges(game: str, given: dict[str, Any]) -> list[WeightedHands]:
    """Return both ranges of a game, as its parameters or the file that they name have them."""
    from games.hand_ranges import parse_range
    from seqform.game.catalogue import GAMES

    entry = GAMES.get(game)
    if not {"board", "oop", "ip"} <= set(entry.parameters):
        raise InvalidParameterError(f"{game} has no board: use holdem, flop, turn or river")
    said = entry.expand(given) if entry.expand else given
    found = []
    for name in ("oop", "ip"):
        try:
            found.append(parse_range(str(said.get(name, entry.parameters[name].default))))
        except SeqformError as error:
            raise InvalidParameterError(f"{name}: {error}") from None
    return found


def _text(name: str, help_: str) -> Axis:
    """Return an axis for a parameter whose texts have commas; by default the game's own."""
    return Axis(
        name,
        (None,),
        help=help_,
        role=Role.PARAMETER,
        plural=name,
        read=str,
        gives=lambda value: {} if value is None else {name: value},
        words=lambda text: (text,),
    )


BOARDS = ExperimentSpec(
    name="boards",
    doc=__doc__,
    axes=(
        Axis("game", ("flop",), help="holdem, flop, turn or river"),
        Axis(
            "board",
            tuple(boards_of("turns of Td9d6h")),
            quick=tuple(boards_of("Td9d6hQc, Td9d6h7d, Td9d6h6s")),
            help="boards, turns of BOARD, rivers of BOARD, flops, 25 flops",
            role=Role.PARAMETER,
            read=lambda text: str(read_board(text)),
            gives=lambda board: {"board": board.replace(":", "")},
            words=boards_of,
        ),
        _text("oop", "the range of player 0, such as 'QQ+, AKs'"),
        _text("ip", "the range of player 1"),
        _text("sizes", "what may be bet, such as 'bet 50%,a; raise 2.5x'"),
        Axis(
            "method",
            ("dcfr(gap=0.2)",),
            quick=("dcfr(gap=1)",),
            help="auto, or such as dcfr(gap=0.5), in chips",
        ),
    ),
    measure=solve_board,
    keep=weight_of,  # type: ignore[arg-type]
    figures={"boards.png": draw_boards, "by_texture.md": by_texture},
    shown=("board", "weight", "status", "ev", "equity", "gap_percent", "suits", "pairing"),
)

if __name__ == "__main__":
    run_as_script("boards")
