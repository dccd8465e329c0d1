"""Each rule of no-limit betting on a tree that a person can check, and what is refused."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from games.bet_sizes import read_size
from games.betting_edits import read_edits
from games.no_limit_betting import no_limit_betting
from games.no_limit_rules import NoLimitRules
from games.size_plan import read_plan
from seqform.base.errors import InvalidParameterError


def lines(pot: int, stack: float, sizes: str, **others: Any) -> set[str]:
    return set(no_limit_betting(NoLimitRules(pot, stack, sizes, **others)).lines)


def openings(pot: int, stack: float, sizes: str, **others: Any) -> list[str]:
    return [
        line
        for line in lines(pot, stack, sizes, **others)
        if re.fullmatch("(bet|all).*", line) and "-" not in line
    ]


def paid(line: str, *given: Any, **others: Any) -> list[list[Fraction]]:
    tree = no_limit_betting(NoLimitRules(*given, **others))
    amounts = tree.paid[tree.lines.index(line)].tolist()
    return [[Fraction(amount, tree.denominator) for amount in of] for of in amounts]


def test_a_raise_is_of_the_pot_after_calling_or_of_the_bet() -> None:
    found = lines(100, 1000, "bet 50%; raise 50%,3x,70c")
    assert {"bet50-raise150", "bet50-raise120"} < found  # 50 + 200 / 2, or 50 + 70
    assert "bet50-raise120-raise290" in found  # 120 + 340 / 2
    assert "bet50-raise120-raise360" in found  # 3 * 120


def test_limit_betting() -> None:
    found = lines(20, 1000, "bet 10c; river bet 20c; raise 10c; river raise 20c; cap 3", streets=2)
    assert "bet10-raise20-raise30-call/bet20-raise40-raise60-fold" in found
    assert not any("raise40" in line.split("/")[0] or "raise80" in line for line in found)


def test_what_is_not_spoken_of_is_not_allowed() -> None:
    assert lines(100, 1000, "bet 50%") == {
        *("", "check", "check-check", "check-bet50", "check-bet50-fold", "check-bet50-call"),
        *("bet50", "bet50-fold", "bet50-call"),
    }
    assert lines(100, 1000, "bet none; raise 50%") == {"", "check", "check-check"}
    found = lines(100, 1000, "bet 50%; raise 50%; ip raise none")
    assert "check-bet50-raise150" in found
    assert "bet50-raise150" not in found


def test_actions_go_from_small_to_large() -> None:
    rules = NoLimitRules(100, 900, "bet a,70%,50%,60%", merge="0.1", edits="add bet60; add bet20")
    tree = no_limit_betting(rules)
    assert tree.lines[1:6] == ("check", "bet20", "bet50", "bet60", "bet70")


def test_geometric_bets_are_over_the_streets_to_come() -> None:
    found = lines(100, 1300, "bet e,2e", streets=3)
    assert "bet100-call/bet300-call/allin900" in found
    assert "bet210-call/bet332" in found  # 100 * (sqrt(27) - 1) / 2 = 209.8


def test_donk_bets_are_those_of_bets_unless_it_is_said() -> None:
    sizes = "bet 50%; donk 30%"
    assert "check-bet50-call/bet60" in lines(100, 1000, sizes, streets=2)
    assert "check-bet50-call/bet100" in lines(100, 1000, "bet 50%", streets=2)
    assert not any(
        "check-bet50-call/bet" in line for line in lines(100, 1000, "bet 50%; donk none", streets=2)
    )
    assert "bet50-call/bet100" in lines(100, 1000, sizes, streets=2)  # its own bet was called
    assert "check-check/bet50" in lines(100, 1000, sizes, streets=2)


def test_small_bets_and_raises_are_made_large_enough() -> None:
    assert openings(100, 1000, "bet 1%", min_bet=10) == ["bet10"]
    assert "bet50-raise100" in lines(100, 1000, "bet 50%; raise 10c")
    assert "bet50-raise60" in lines(100, 1000, "bet 50%; raise 10c", min_raise=0)
    assert "bet50-raise51" in lines(100, 1000, "bet 50%; raise 1c", min_raise=0)
    assert openings(10, 1000, "bet 1%", chip="0.5") == ["bet0.5"]
    assert "bet50-allin60" in lines(100, 60, "bet 50%; raise 10c")  # less than a raise must be


def test_thresholds_of_all_in() -> None:
    assert set(openings(100, 150, "bet 50%", add_allin="1.5")) == {"bet50", "allin150"}
    assert openings(100, 151, "bet 50%", add_allin="1.5") == ["bet50"]
    assert openings(100, 150, "bet none", add_allin="1.5") == []
    assert "bet50-allin300" in lines(100, 300, "bet 50%; raise 10%", add_allin="1.25")
    assert "bet50-allin301" not in lines(100, 301, "bet 50%; raise 10%", add_allin="1.25")
    assert openings(100, 100, "bet 60%", allin_threshold="0.6") == ["allin100"]
    assert openings(100, 100, "bet 59%", allin_threshold="0.6") == ["bet59"]
    assert openings(100, 133, "bet 80%", force_allin="0.2") == ["bet80"]  # 53 / 260 are left
    assert openings(100, 132, "bet 80%", force_allin="0.2") == ["allin132"]


def test_near_sizes_are_merged_from_the_largest_on() -> None:
    assert set(openings(100, 900, "bet 50%,60%,70%", merge="0.1")) == {"bet50", "bet70"}
    assert set(openings(100, 900, "bet 50%,60%,70%", merge="0.14")) == {"bet70"}
    assert set(openings(100, 900, "bet 50%,65%", merge="0.1")) == {"bet50", "bet65"}  # 165 / 150
    raises = "bet 50%; raise 50%,70%"  # 100 or 140 more in a pot of 200
    assert {"bet50-raise150", "bet50-raise190"} < lines(100, 9000, raises, merge="0.13")
    assert "bet50-raise150" not in lines(100, 9000, raises, merge="0.14")


def test_payoffs_are_what_is_won_beyond_half_of_the_pot() -> None:
    spot = 15, 100, "bet 10c; raise 30c"
    half = Fraction(15, 2)
    assert paid("check-check", *spot) == [[half, -half], [0, 0], [-half, half]]
    assert paid("bet10-fold", *spot) == [[half, -half]] * 3
    assert paid("bet10-raise40-fold", *spot) == [[-half - 10, half + 10]] * 3
    assert paid("bet10-call", *spot)[0] == [half + 10, -half - 10]


def test_rake_is_paid_by_the_winner_and_shared_in_ties() -> None:
    spot = {"pot": 20, "stack": 90, "sizes": "bet 50%,a", "rake": 0.05, "rake_cap": 3}
    assert paid("bet10-call", **spot) == [[18, -20], [-1, -1], [-20, 18]]
    assert paid("check-check", **spot) == [[9, -10], [Fraction(-1, 2)] * 2, [-10, 9]]
    assert paid("bet10-fold", **spot) == [[9, -10]] * 3
    assert paid("allin90-call", **spot)[0] == [97, -100]  # the cap
    assert paid("allin90-call", 20, 90, "bet a", rake=0.05)[0] == [90, -100]
    assert paid("allin90-call", **(spot | {"rake_cap": 0}))[0] == [90, -100]
    assert no_limit_betting(NoLimitRules(**spot)).constant_sum is None


def test_all_in_is_called_and_cards_are_dealt() -> None:
    tree = no_limit_betting(NoLimitRules(100, 100, "bet a", streets=3))
    assert {"allin100-call", "allin100-call/", "allin100-call//"} < set(tree.lines)
    assert tree.dealt[tree.lines.index("allin100-call//")] == 2


def test_edits_are_added_up_and_go_into_later_streets() -> None:
    rules = NoLimitRules(100, 1000, "bet 50%", streets=2, edits="add check-check/ bet80")
    found = set(no_limit_betting(rules.edited("remove bet50")).lines)
    assert "check-check/bet80-call" in found
    assert not any(line.startswith("bet50") for line in found)
    assert [str(edit) for edit in read_edits("remove  a/b ;add x y;; add  z")] == [
        *("remove a/b", "add x y", "add z")
    ]


SPOT = {"pot": 200, "stack": 900, "sizes": "bet 50%,a; raise 100%"}

REFUSED = [
    ({"pot": 0}, r"pot=0 must be positive"),
    ({"stack": 0}, r"stack=0 must be positive"),
    ({"stack": 10**10}, r"stack=10000000000 must .* at most 1,000,000,000 times"),
    ({"pot": 6.5}, r"pot=13/2 is no multiple of the chip, 1; use a smaller chip"),
    ({"pot": -1}, r"pot=-1 is below 0"),
    ({"pot": "many"}, r"pot='many' is no number"),
    ({"pot": float("nan")}, r"pot=nan is no number"),
    ({"chip": 0}, r"chip=0: use a positive number"),
    ({"chip": "1/3"}, r"chip=1/3: use a positive number of at most 6 places"),
    ({"chip": "1e-7"}, r"chip=1/10000000: use a positive number of at most 6 places"),
    ({"chip": "0.0000015"}, r"use a positive number of at most 6 places"),
    ({"pot": "1/0"}, r"pot='1/0' is no number"),
    ({"streets": 4}, r"streets=4: use 1 for a river, 2 for a turn, 3 for a flop"),
    ({"rake": 1}, r"rake=1: use a share below 1"),
    ({"allin_threshold": 0}, r"allin_threshold=0: use a share"),
    ({"allin_threshold": 2}, r"allin_threshold=2: use a share"),
    ({"sizes": "bet 50"}, r"sizes, character 5: expected a size .*found '50' \(did you mean '50%'"),
    ({"sizes": "bet 50%,,a"}, r"character 9: expected a size .* found ''"),
    ({"sizes": "bet"}, r"character 4: expected a size"),
    ({"sizes": "bet 2x"}, r"character 5: '2x' is of the bet before, and a bet has none"),
    ({"sizes": "raise 1x"}, r"'1x' is no size: a raise is to more than once the last bet"),
    ({"sizes": "bet 0%"}, r"'0%' is no size: it is 0"),
    ({"sizes": "bet 10e"}, r"a geometric size is over 1 to 9 streets"),
    ({"sizes": f"bet {'1' * 20}%"}, r"character 5: expected a size"),
    ({"sizes": "bet 1.5e"}, r"a geometric size is over 1 to 9 streets"),
    ({"sizes": "bet 5a"}, r"all-in is written a, without a number"),
    ({"sizes": "bet %"}, r"write a number before %"),
    ({"sizes": "bet 50%,50.0%"}, r"character 9: '50%' stands there twice"),
    ({"sizes": "bte 50%"}, r"character 1: expected bet, raise, donk or cap, found 'bte' .*'bet'"),
    ({"sizes": "50%, a"}, r"character 1: expected bet, .*, as in 'bet 50%,a; raise 2.5x'"),
    ({"sizes": "flop turn bet a"}, r"character 6: 'turn' comes after 'flop'; say one"),
    ({"sizes": "oop ip bet a"}, r"character 5: 'ip' comes after 'oop'; say one"),
    ({"sizes": "ip donk 20%"}, r"character 4: only oop can make a donk bet"),
    ({"sizes": "oop cap 2"}, r"character 5: a cap is on the bets of both"),
    ({"sizes": "cap many"}, r"character 5: expected a number from 0 to 1000, found 'many'"),
    ({"sizes": "cap 1001"}, r"character 5: expected a number from 0 to 1000, found '1001'"),
    (
        {"sizes": "raise 2x;  river bet a; bet 50%"},
        r"character 12: the clause 'river bet a' is overridden .* general ones first",
    ),
    ({"sizes": ""}, r"sizes='' say nothing of bets on the river; say which"),
    ({"sizes": "raise 50%"}, r"sizes='raise 50%' say nothing of bets on the river; .* bet none"),
    (
        {"sizes": "flop bet 50%; raise 2x", "streets": 3},
        r"say nothing of bets on the turn and the river",
    ),
    ({"edits": "remove bet120"}, r"there is no 'bet120'; there are check, .*mean 'bet100'"),
    ({"edits": "remove chekc"}, r"at the beginning there is no 'chekc'; .*mean 'check'"),
    ({"edits": "remove bet100-fold-call"}, r"after 'bet100-fold' there is no 'call'; play ends"),
    ({"edits": "remove check-check", "streets": 2, "sizes": "bet none"}, r"nothing is left to do"),
    ({"edits": "remove check/"}, r"a card cannot be left out"),
    ({"edits": "remove bet100-"}, r"'bet100-' is no line: actions are joined by -"),
    ({"edits": "drop bet100"}, r"expected 'remove LINE' or 'add LINE ACTION'"),
    ({"edits": "remove bet100 call"}, r"expected 'remove LINE' or 'add LINE ACTION'"),
    ({"edits": "add check bet250 bet300"}, r"expected 'remove LINE' or 'add LINE ACTION'"),
    ({"edits": "remove bet90", "sizes": "bet 5%,50%,a"}, r"mean 'bet100'"),
    ({"edits": "remove bet40", "sizes": "bet 5%,50%,a"}, r"mean 'bet10'"),
    ({"edits": "add bet900.5", "chip": "0.5"}, r"not between 0.5, the least .* and 900, all-in"),
    ({"edits": "add"}, r"expected 'remove LINE' or 'add LINE ACTION'"),
    ({"edits": "add bet100 call"}, r"expected bet, raise or allin with chips, such as allin900"),
    ({"edits": "add check bet50.5"}, r"expected bet, raise or allin with chips"),
    ({"edits": "add bet100 raise150"}, r"not between 200, the least .* and 900, all-in"),
    ({"edits": "add bet901"}, r"not between 1, the least .* and 900, all-in"),
    ({"edits": "add raise250"}, r"that is called bet250 there"),
    ({"edits": "add bet100"}, r"that is there already"),
    ({"edits": "add allin900 raise950"}, r"the other player is all-in there"),
    ({"edits": "add bet250; remove bet250"}, r"the same action is added or removed twice"),
    ({"edits": "add check/ bet50", "streets": 2}, r"after 'check' no card is dealt"),
    ({"edits": "add check-check bet50", "streets": 2}, r"a card is dealt there: write / for it"),
    ({"edits": "remove bet100; remove bet100-call"}, r"there is no 'bet100'; there are check, all"),
]


@pytest.mark.parametrize(("changed", "why"), REFUSED, ids=[str(one[0]) for one in REFUSED])
def test_bad_rules_are_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        NoLimitRules(**(SPOT | changed))


def test_words_and_blanks_may_vary() -> None:
    one, other = (
        read_plan("turn oop bet 50 %".replace(" %", "%")),
        read_plan(" oop  turn bet 50% ;"),
    )
    assert one == other
    assert read_plan("") == read_plan(" ; ")
    assert str(read_plan("oop turn donk 33%")) == "turn donk 33%"
    assert read_plan("cap 1000").cap("flop") == 1000
    assert str(read_size("9e")) == "9e"
    assert str(read_size(f"{'1' * 19}%")) == f"{'1' * 19}%"


def test_bounds_are_allowed() -> None:
    rules = NoLimitRules("0.000001", 1000, "bet a", chip="0.000001")
    assert rules.behind == 10**9
    assert rules.label(rules.root(), 1) == "bet0.000001"


def test_rules_are_the_same_however_they_are_given() -> None:
    edits = "add check bet250; remove bet100"
    one = NoLimitRules(200, 900, "bet 50%", edits=edits)
    other = NoLimitRules(200.0, Fraction(900), read_plan("bet 50%"), edits=read_edits(edits))
    assert one == other
