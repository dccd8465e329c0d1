"""Tables of games from elsewhere: OpenSpiel's games, Gambit's catalogue, and large .efg files."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.elsewhere import FILES
from benchmarks.measure import Run, run

Table = list[dict[str, Any]]

UNIVERSAL_POKER = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,firstPlayer=1 "
    "1,maxRaises=2 2,"
    "numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1)"
)
OPEN_SPIEL_GAMES = (
    "add_noise(game=kuhn_poker(),epsilon=0.1,seed=1)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,allow_repeated_shots=False)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],num_shots=2,allow_repeated_shots=False)",
    "blotto",
    "blotto(coins=5,fields=3)",
    "cached_tree(game=kuhn_poker())",
    "clobber(rows=2,columns=3)",
    "clobber(rows=3,columns=3)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "coordinated_mp",
    "dark_hex(board_size=2)",
    "dark_hex(board_size=2,gameversion=adh)",
    "dark_hex(num_rows=2,num_cols=3)",
    "dark_hex_ir(board_size=2)",
    "dots_and_boxes(num_rows=1,num_cols=1)",
    "dots_and_boxes(num_rows=1,num_cols=2)",
    "go(board_size=2,max_game_length=6)",
    "go_fish(ranks=2,suits=2,initial_cards=1)",
    "go_fish(ranks=3,suits=2,initial_cards=1)",
    "gomoku(size=2,connect=2)",
    "goofspiel(num_cards=3)",
    "goofspiel(num_cards=3,imp_info=True)",
    "goofspiel(num_cards=4)",
    "goofspiel(num_cards=4,imp_info=True)",
    "goofspiel(num_cards=4,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=5,imp_info=True,points_order=descending)",
    "havannah(board_size=2)",
    "hex(num_rows=2,num_cols=2)",
    "hex(num_rows=3,num_cols=2)",
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(suit_isomorphism=True)",
    "liars_dice",
    "liars_dice(dice_sides=3)",
    "liars_dice(dice_sides=4)",
    "liars_dice(dice_sides=4,bidding_rule=reset-quantity)",
    "liars_dice(dice_sides=5)",
    "liars_dice(numdice=2,dice_sides=2)",
    "liars_dice_ir(dice_sides=3,recall_length=1)",
    "matrix_brps",
    "matrix_mp",
    "matrix_rps",
    "matrix_rpsw",
    "misere(game=kuhn_poker())",
    "mnk(m=2,n=2,k=2)",
    "mnk(m=3,n=2,k=2)",
    "nim(pile_sizes=1;2;3)",
    "nim(pile_sizes=1;3;4)",
    "nim(pile_sizes=2;3;4,is_misere=False)",
    "normal_form_extensive_game(game=kuhn_poker())",
    "oshi_zumo(coins=4,size=1,horizon=4)",
    "python_kuhn_poker",
    "python_liars_poker(players=2,hand_length=1,num_digits=3)",
    "repeated_leduc_poker(num_hands=1)",
    "restricted_nash_response(game=kuhn_poker(),p=0.5)",
    "start_at(game=tic_tac_toe(),history=0;4;8)",
    UNIVERSAL_POKER,
    "y(board_size=2)",
    "y(board_size=3)",
    "zerosum(game=matrix_pd())",
)
"""Every two-player zero-sum game that says what players know and has at most 300,000 nodes by
default or with small parameters."""

LOADED = (
    "leduc_poker",
    "liars_dice(dice_sides=5)",
    "liars_dice",
    "goofspiel(num_cards=5,imp_info=True,points_order=descending)",
    "first_sealed_auction(max_value=8)",
    "dark_hex(num_rows=2,num_cols=3)",
    "nim(pile_sizes=2;3;4,is_misere=False)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],num_shots=2,allow_repeated_shots=False)",
)


def child(what: str, game: str, timeout: float = 300) -> Run:
    """Run one measurement of `benchmarks.elsewhere`."""
    return run([sys.executable, "-m", "benchmarks.elsewhere", what, game], timeout)


def open_spiel_games() -> Table:
    """OpenSpiel's two-player zero-sum games of at most 300,000 nodes, beside its own
    sequence_form_lp (CPU seconds)."""
    rows = []
    for game in OPEN_SPIEL_GAMES:
        mine = child("open_spiel", game)
        record = mine.record or {"note": mine.note}
        theirs = child("sequence_form_lp", game)
        answer = theirs.record or {"its value": theirs.note}
        if "value" in record and theirs.record:
            answer["difference"] = abs(record["value"] - answer["its value"])
        rows.append({"game": game.replace("|", ""), **record, **answer})
    columns = [
        "game",
        "nodes",
        "infosets",
        "load s",
        "solve s",
        "value",
        "nash_gap",
        "OpenSpiel's exploitability",
    ]
    columns += ["its value", "its s", "difference", "note"]
    return [{column: row.get(column) for column in columns} for row in rows]


def open_spiel_loading() -> Table:
    """Loading one of OpenSpiel's games beside the bare traversal of its states in Python (CPU
    microseconds a node)."""
    return [{"game": game, **(child("loading", game).record or {})} for game in LOADED]


def gambit_catalogue() -> Table:
    """Every .efg file of the catalogue that pygambit installs."""
    package = find_spec("pygambit")
    if package is None or package.origin is None:
        return [{"note": "pygambit is not installed"}]
    catalogue = Path(package.origin).parent / "catalog_data"
    paths = sorted(catalogue.rglob("*.efg"))
    measured = [(path, child("gambit_game", str(path))) for path in paths]
    return [
        {"file": str(path.relative_to(catalogue)), **(m.record or {"answer": m.note})}
        for path, m in measured
    ]


def efg_files() -> Table:
    """Files of a million nodes in Gambit's format (CPU seconds)."""
    measured = [(kind, child("efg_file", kind)) for kind in FILES]
    return [{"file": kind, **(m.record or {"note": m.note})} for kind, m in measured]


TABLES = {
    "open_spiel_games": open_spiel_games,
    "open_spiel_loading": open_spiel_loading,
    "gambit_catalogue": gambit_catalogue,
    "efg_files": efg_files,
}
