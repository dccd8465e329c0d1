"""The command line as its users meet it: in a process of its own, or through typer's runner."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import seqform
from seqform.base.errors import OutOfTimeError, SeqformError
from seqform.cli import app
from tests.command_line import KEYS, SIZES, call, process, typed


def test_solve_prints_one_json_object_with_the_promised_keys() -> None:
    record = json.loads(call("solve", "kuhn", "--json"))
    assert record.keys() >= KEYS
    assert record["sizes"].keys() == SIZES
    assert record["seconds"].keys() == {"build", "solve", "certify", "exact", "complete"}
    assert record["status"] == "solved"
    assert record["lower"] <= -1 / 18 <= record["upper"]
    assert record["exploitability"] == record["nash_gap"] / 2
    assert record["unit"] == "chips"


def test_solve_takes_parameters_of_the_game() -> None:
    record = json.loads(call("solve", "leduc", "-p", "ranks=4", "-p", "merge_suits=true", "--json"))
    assert record["params"] == {"ranks": 4, "merge_suits": True}
    assert record["value"] == pytest.approx(-0.1022429212, abs=1e-9)


def test_solve_for_people_names_value_interval_gains_and_unit() -> None:
    text = call("solve", "kuhn", "--solver", "highs", "--engine", "ipx", "--details")
    for word in (
        "SOLVED",
        "-0.0555555555555",
        "chips",
        "proven interval",
        "player 0's gain",
        "player 1's gain",
        "nash_gap",
        "exploitability",
        "-1/18",
    ):
        assert word in text


def test_games_lists_every_game_with_parameters_and_known_values() -> None:
    listed = {entry["name"]: entry for entry in json.loads(call("games", "--json"))}
    assert {
        "kuhn",
        "leduc",
        "liars-dice",
        "goofspiel",
        "matching-pennies",
        "rock-paper-scissors",
        "von-stengel",
    } <= listed.keys()
    assert listed["leduc"]["params"] == {
        "ranks": 0,
        "suits": 2,
        "max_bets": 2,
        "merge_suits": False,
        "players": 2,
    }
    assert listed["kuhn"]["known_values"][0]["value"] == "-1/18"
    assert "leduc" in call("games")


def test_info_counts_without_solving() -> None:
    record = json.loads(call("info", "leduc", "--json"))
    assert record["nodes"] == 9457
    assert record["infosets_per_player"] == [468, 468]
    assert record["sequences_per_player"] == [1093, 1093]
    assert (record["lp_rows"], record["lp_columns"]) == (1562, 1562)
    assert record["recall"] == "perfect"
    assert record["sum"] == "zero"
    assert record["memory_estimate_mb"] > 0


def test_info_of_a_general_sum_game_has_no_program() -> None:
    record = json.loads(call("info", "random", "-p", "zero_sum=no", "-p", "players=3", "--json"))
    assert record["sum"] == "general"
    assert "lp_rows" not in record


@pytest.mark.parametrize(("game", "scale", "value"), [("von-stengel", 1, 1), ("kuhn", 6, -1 / 18)])
def test_write_lp_reads_back_as_the_same_program(
    game: str, scale: int, value: float, tmp_path: Path
) -> None:
    import highspy

    for suffix in ("lp", "mps"):
        for player, sign in ((0, 1), (1, -1)):
            path = tmp_path / f"game_{player}.{suffix}"
            call("write-lp", game, str(path), "--player", str(player))
            highs = highspy.Highs()
            highs.setOptionValue("output_flag", False)
            assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
            highs.run()
            # payoffs were multiplied by their common denominator
            assert re.match(rf"[\\*] scale = {scale}\.0: ", path.read_text())
            optimum = highs.getInfo().objective_function_value
            assert optimum == pytest.approx(sign * scale * value)


def test_written_program_names_sequences_as_the_literature_does(tmp_path: Path) -> None:
    path = tmp_path / "von_stengel.lp"
    call("write-lp", "von-stengel", str(path))
    text = path.read_text()
    for name in ("x_empty", "x_l", "x_r", "x_L", "x_R", "best_c", "best_d", "q_empty", "q_second"):
        assert f" {name}" in text


@pytest.mark.parametrize("game", ["leduc", "goofspiel", "rock-paper-scissors", "liars-dice"])
@pytest.mark.parametrize("suffix", ["lp", "mps"])
def test_lines_of_programs_are_sequences_and_infosets_of_both_players(
    game: str, suffix: str, tmp_path: Path
) -> None:
    import highspy

    built = seqform.make(game, **{"sides": 3} if game == "liars-dice" else {})
    program = seqform.write_lp(built, tmp_path / f"game.{suffix}", abstract="equitable")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(tmp_path / f"game.{suffix}")) == highspy.HighsStatus.kOk
    lines = highs.getLp()
    assert sorted(lines.col_names_) == sorted(program.column_names())  # .lp has another order
    assert lines.row_names_ == program.row_names()
    mine, theirs = program.game.treeplexes
    assert [name[:2] for name in lines.col_names_].count("q_") == 1 + theirs.num_infosets
    assert [name[:2] for name in lines.row_names_].count("E_") == 1 + mine.num_infosets
    highs.run()
    scale = float(re.search("scale = ([^:]*):", (tmp_path / f"game.{suffix}").read_text())[1])
    value = seqform.solve(built).value
    assert highs.getInfo().objective_function_value / scale == pytest.approx(value, abs=1e-9)


def test_programs_of_smaller_games(tmp_path: Path) -> None:
    path = tmp_path / "leduc.lp"
    assert "wrote 782 rows" in call("write-lp", "leduc", str(path), "--abstract", "suit")
    with pytest.raises(SeqformError, match="there is no reduction 'suits'"):
        call("write-lp", "leduc", str(path), "--abstract", "suits")
    with pytest.raises(SeqformError, match="name a reduction"):
        call("write-lp", "leduc", str(path), "--threshold", "1")


def test_write_lp_refuses_other_endings_and_missing_folders(tmp_path: Path) -> None:
    with pytest.raises(SeqformError, match=r"\.lp or \.mps"):
        call("write-lp", "kuhn", str(tmp_path / "kuhn.txt"))
    with pytest.raises(SeqformError, match="no folder"):
        call("write-lp", "kuhn", str(tmp_path / "missing" / "kuhn.lp"))


def test_demo_solves_kuhn_and_leduc(tmp_path: Path) -> None:
    text = call("demo", "--no-large", "--out", str(tmp_path / "demo"))
    made = {path.name for path in (tmp_path / "demo").iterdir()}
    assert made == {"kuhn", "leduc", "kuhn.svg", "report.html"}
    assert "-0.055555556" in text
    assert "-0.085606424" in text


OWN_GAME = """
from seqform.game.rules import TERMINAL

class Guess:
    num_players = 2

    def __init__(self, stake: int = 1):
        self.stake = stake

    def root(self): return ()
    def player(self, state): return len(state) if len(state) < 2 else TERMINAL
    def actions(self, state): return ("a", "b")
    def chance(self, state): return ()
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return len(state)
    def payoffs(self, state):
        sign = self.stake if state[0] == state[1] else -self.stake
        return (sign, -sign)

game = Guess(3)
broken = 5
"""


def test_a_users_own_game_is_solved_by_module_and_attribute(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN_GAME)
    for name, extra in (("own:game", ()), ("own:Guess", ("-p", "stake=2"))):
        done = process("solve", name, *extra, "--json", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["value"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "khun"), ("no game 'khun'", "kuhn", "seqform games")),
        (("solve", "leduc", "-p", "rank=3"), ("no parameter 'rank'", "ranks")),
        (("solve", "leduc", "-p", "ranks=three"), ("ranks='three'", "int")),
        (("solve", "leduc", "-p", "merge_suits=perhaps"), ("neither true nor false",)),
        (("solve", "leduc", "-p", "ranks"), ("key=value",)),
        (
            ("solve", "leduc", "-p", "ranks=3", "-p", " ranks=4"),
            ("ranks=4: ranks was given before",),
        ),
        (("solve", "kuhn", "-p", "cards=1"), ("cards=1", "2 or more")),
        (("solve", "kuhn", "--solver", "cplex"), ("no solver 'cplex'", "highs")),
        (("solve", "kuhn", "--method", "magic"), ("no method 'magic'", "lp")),
        (
            ("solve", "kuhn", "--solver", "highs", "--engine", "warp"),
            ("no highs engine 'warp'", "simplex"),
        ),
        (("solve", "kuhn", "--time-limit", "-1"), ("--time-limit -1",)),
        (("solve", "random", "-p", "players=3", "--method", "lp"), ("R10", "2 players")),
        (
            ("solve", "random", "-p", "zero_sum=false", "-p", "depth=3", "--method", "lp"),
            ("R10", "zero-sum"),
        ),
        (("solve", "own:missing"), ("no attribute 'missing'",)),
        (("solve", "nowhere:game"), ("no module 'nowhere'",)),
        (("solve", "own:broken"), ("is not callable|not a game",)),
        (("verify", "nowhere"), ("does not exist", "was saved in")),
    ],
)
def test_a_mistake_gets_one_line_and_no_stack_trace(
    tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    (tmp_path / "own.py").write_text(OWN_GAME)
    done = typed(*arguments, folder=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("seqform: ")
    assert "Traceback" not in done.stderr
    for word in words:
        assert any(choice in done.stderr for choice in word.split("|")), done.stderr


def test_a_limit_gives_status_and_null_never_a_number() -> None:
    game = ("leduc", "-p", "ranks=8", "--abstract", "none", "--solver", "highs")
    for seconds in ("2", "8", "32"):  # building takes a hundredth of what solving takes
        done = CliRunner().invoke(app, ["solve", *game, "--time-limit", seconds, "--json"])
        if not isinstance(done.exception, OutOfTimeError):
            break
    assert done.exit_code == 1
    record = json.loads(done.stdout)
    assert record["status"] == "limit"
    assert record["value"] is None
    assert record["nash_gap"] is None


def test_errors_speak_of_flags_but_not_for_parameters_of_the_game() -> None:
    with pytest.raises(SeqformError, match=r"^--threads 0: use 1 or more"):
        call("solve", "kuhn", "--threads", "0")
    with pytest.raises(SeqformError, match=r"^depth=-1 is too small"):
        call("solve", "random", "-p", "depth=-1")
    assert "module:attribute" in call("info", "--help")


@pytest.mark.parametrize("arguments", [["games", "--json"], ["solve", "no-such-game"]])
def test_no_garbage_is_looked_for_when_the_process_ends(arguments: list[str]) -> None:
    code = (
        "import atexit, gc, sys; from seqform.cli import main; "
        f"sys.argv[1:] = {arguments}; "
        "atexit.register(lambda: print(gc.get_freeze_count() > 10_000, len(gc.get_objects()))); "
        "main()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    frozen, left = done.stdout.splitlines()[-1].split()
    assert frozen == "True"
    assert int(left) < 1_000
