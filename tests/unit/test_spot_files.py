"""Spots that other programs wrote: what they say becomes parameters, and nothing is dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.hand_classes import NUM_HANDS
from games.hand_orders import hand_order
from games.hand_ranges import parse_range
from games.holdem import holdem
from games.spot_files import read_spot
from seqform import make
from seqform.base.errors import GameFileError, InvalidParameterError
from tests.command_line import call

TEXAS = """\
set_pot 50
set_effective_stack 200
set_board Qs,Jh,2h,8c,3d
set_range_ip AA,KK:0.5
set_range_oop QQ,JTs
set_bet_sizes oop,river,bet,50,100
set_bet_sizes oop,river,raise,60
set_bet_sizes oop,river,allin
set_bet_sizes ip,river,bet,75
set_allin_threshold 0.67
build_tree
set_thread_num 8
start_solve
"""

PIO = """\
#Type#NoLimit
#Range0#QQ:1,JJ:0.5
#Range1#AA
#Board#Qs Jh 2h
#Pot#550
#EffectiveStacks#2100
#AllinThreshold#60
#AddAllinOnlyIfLessThanThisTimesThePot#250
#MergeSimilarBets#True
#MergeSimilarBetsThreshold#12
#CapEnabled#True
#CapPerStreet#3#0#0
#FlopConfig.BetSize#25
#FlopConfig.RaiseSize#2.5x
#FlopConfig.AddAllin#True
#TurnConfig.BetSize#50
#TurnConfig.AddAllin#True
#RiverConfig.BetSize#30 66
#RiverConfig.DonkBetSize#30
#RiverConfig.AddAllin#True
#FlopConfigIP.BetSize#33
#FlopConfigIP.AddAllin#True
#TurnConfigIP.AddAllin#True
#RiverConfigIP.AddAllin#True
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "spot.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_texas_solvers_commands(tmp_path: Path) -> None:
    found = read_spot(written(tmp_path, TEXAS))
    assert found.parameters == {
        "pot": "50",
        "stack": "200",
        "board": "Qs Jh 2h 8c 3d",
        "ip": "AA,KK:0.5",
        "oop": "QQ,JTs",
        "allin_threshold": "0.67",
        "sizes": (
            "oop turn donk none; oop river bet 50%,100%,a; oop river raise 60%,a; "
            "oop river donk none; ip river bet 75%"
        ),
    }
    assert found.notes == (
        "not of the game, and not used: build_tree; set_thread_num 8; start_solve",
    )


def test_pios_tree_script(tmp_path: Path) -> None:
    found = read_spot(written(tmp_path, PIO))
    assert found.parameters == {
        "oop": "QQ:1,JJ:0.5",
        "ip": "AA",
        "board": "Qs Jh 2h",
        "pot": "550",
        "stack": "2100",
        "allin_threshold": "3/5",
        "add_allin": "5/2",
        "merge": "3/25",
        "sizes": (
            "oop flop bet 25%; oop flop raise 2.5x; oop turn bet 50%; oop turn donk none; "
            "oop river bet 30%,66%; oop river donk 30%; ip flop bet 33%; flop cap 3"
        ),
    }
    assert not found.notes


def test_libratus_endgame(tmp_path: Path) -> None:
    weights = ["0.0"] * NUM_HANDS, ["0.0"] * NUM_HANDS
    order = hand_order("libratus").tolist()
    for player, text in enumerate(("AhKh, QsQc", "JJ")):
        for number in parse_range(text).held:
            weights[player][order.index(number)] = "0.123456789012345678"
    reach = " ".join((*weights[0], *weights[1]))
    text = f"-round 4\n-board 4s8hTc9h2s\n-pot 500\n-reach {reach}\n"
    found = read_spot(written(tmp_path, text)).parameters
    assert (found["board"], found["pot"], found["stack"]) == ("4s8hTc9h2s", "500", "19750")
    assert found["oop"] == "QsQc:0.123456789012, AhKh:0.123456789012"
    assert found["ip"] == "JJ:0.123456789012"


def test_the_game_is_that_of_the_parameters(tmp_path: Path) -> None:
    path = written(tmp_path, TEXAS)
    found = read_spot(path).parameters
    of_file, said = make("holdem", spot=str(path)), make("holdem", **found)
    assert of_file.betting.lines == said.betting.lines
    assert holdem(spot=str(path)).betting.lines == said.betting.lines
    assert make("holdem", spot=str(path), sizes="bet a").betting.num_nodes == 9
    unused = "not of the game, and not used: build_tree; set_thread_num 8; start_solve"
    assert of_file.notes[0] == unused
    assert not said.notes or said.notes[0] != unused
    assert make("holdem", remarks="from a talk").notes[0] == "from a talk"


def test_results_are_saved_without_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, TEXAS)
    record = json.loads(
        call("solve", "holdem", "-p", f"spot={path}", "--json", "--out", str(tmp_path / "result"))
    )
    assert record["params"]["oop"] == "QQ,JTs"
    assert "spot" not in record["params"]
    path.unlink()
    assert "value to player 0" in call("verify", str(tmp_path / "result"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no spot"),
        ("hello", "no spot"),
        (TEXAS + "set_colour red\n", "line 14: 'set_colour' is no command"),
        (TEXAS.replace("oop,river,bet,50,100", "oop,river,bet,half"), "line 6: 'half' is no size"),
        (TEXAS.replace("oop,river,raise", "oop,rover,raise"), "line 7: write set_bet_sizes"),
        (TEXAS.replace("oop,river,raise", "oop,river,rise"), "line 7: 'rise' is none of"),
        (TEXAS.replace("set_pot 50\n", ""), "nothing says pot"),
        (PIO + "#Colour#Red\n", "line 25: 'Colour' is nothing that is known"),
        (PIO + "#FlopConfig.Colour#Red\n", "line 25: 'FlopConfig.Colour'"),
        (PIO + "nonsense\n", "line 25: 'nonsense' is not written as #Name#value"),
        (PIO + "#ICM.Enabled#True\n", "ICM"),
        (PIO.replace("#Type#NoLimit", "#Type#Limit"), "only NoLimit"),
        (PIO.replace("#AllinThreshold#60", "#AllinThreshold#sixty"), "'sixty' is no number"),
        (PIO.replace("#CapPerStreet#3#0#0", "#CapPerStreet#3"), "a number for each street"),
        (PIO.replace("#TurnConfig.AddAllin#True", "#TurnConfig.AddAllin#False"), "on some streets"),
        ("-round 4\n-board 4s8hTc9h2s\n-pot 500\n", "-reach is missing"),
        ("-round 4\n-board 4s8hTc9h2s\n-pot 500\n-reach 1 2 3\n", "-reach has 3 numbers"),
        ("-round 4\n-colour red\n", "line 2: '-colour'"),
    ],
)
def test_what_is_not_understood_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(GameFileError, match=said):
        read_spot(written(tmp_path, text))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="does not exist"):
        make("holdem", spot=str(tmp_path / "none.txt"))
    with pytest.raises(InvalidParameterError, match="spot=3 is no path"):
        make("holdem", spot=3)
    with pytest.raises(GameFileError, match="cannot be read: embedded null byte"):
        make("holdem", spot="a\0b")


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spot.txt"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(GameFileError, match="cannot be read: it is not UTF-8 text; save it as UTF"):
        read_spot(path)


def test_the_answer_names_the_game_as_it_was_typed(tmp_path: Path) -> None:
    path = written(tmp_path, TEXAS)
    printed = call("solve", "holdem", "-p", f"spot={path}", "-p", "stack=100")
    assert printed.startswith(f"holdem -p spot={path} -p stack=100: ")
    assert f"seqform solve holdem -p spot={path} -p stack=100 --details" in printed
    assert "QQ,JTs" not in printed
