"""Labels are a game's to give: what stands in tables, files and pictures, and what is asked by."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from seqform import (
    CHANCE,
    TERMINAL,
    TreeBuilder,
    build_normal_form,
    build_sequence_form,
    build_tree,
    load,
    make,
    respond,
    show,
    solve,
    which_player,
)
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    ResultFileError,
    UnknownNameError,
)
from seqform.drawing import draw_text, draw_tree
from seqform.form.patterns import Matcher
from seqform.game.labels import UNSAID, GivenLabels, infoset_texts, named_player
from seqform.game.rules import PerfectInformation
from seqform.io.efg_reader import parse_efg
from seqform.io.efg_writer import efg_text
from seqform.io.nfg_reader import parse_nfg
from seqform.io.nfg_writer import nfg_text
from seqform.tree.file import fingerprint, load_tree, save_tree
from tests.same_game import assert_same_game


class Market:
    """Player 0 has a big or a small good and sells it or not; player 1 buys without seeing it."""

    num_players, unit = 2, "coins"

    def root(self) -> Any:
        return ()

    def player(self, state: Any) -> int:
        return TERMINAL if len(state) == 3 else (CHANCE, 0, 1)[len(state)]

    def chance(self, state: Any) -> Any:
        return [("big", Fraction(1, 2)), ("small", Fraction(1, 2))]

    def actions(self, state: Any) -> Any:
        return ("low", "high") if len(state) == 1 else ("no", "yes")

    def child(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def infoset(self, state: Any) -> Any:
        return (0, state[0], ()) if len(state) == 1 else (1, "nothing", state[1:])

    def payoffs(self, state: Any) -> Any:
        good, price, bought = state
        worth = (3 if good == "big" else 1) - (2 if price == "high" else 1)
        return (-worth, worth) if bought == "yes" else (0, 0)


class Labelled(Market):
    """The same game with all labels."""

    player_names = ("Seller", "Buyer")

    def information_set_label(self, player: int, key: Any) -> Any:
        return (key[1], "-".join(key[2]))

    def action_label(self, action: Any) -> str:
        return f"say {action}"

    def state_label(self, state: Any) -> str:
        return "/".join(state) or "start"


def test_keys_that_are_tuples_are_written_without_brackets() -> None:
    tree = build_tree(Market())
    texts = [tree.infoset_text(infoset) for infoset in range(tree.num_infosets)]
    assert texts == ["big", "small", "nothing, low", "nothing, high"]
    assert tree.infoset_labels[0] == (0, "big", ())  # the keys are the game's as before
    text = show(solve(Market())).text
    assert "nothing, low" in text
    assert "('" not in text


@pytest.mark.parametrize(
    ("keys", "texts"),
    [
        ([(0, "big", ("hold", "quiet", "pass"))], ["big, hold quiet pass"]),
        ([(1, "a"), "a"], ["1, a", "a"]),
        ([(0, "a"), (1, "a"), (0, 0)], ["0, a", "1, a", "0, 0"]),
        ([(0, "a"), ("a",), "b"], ["0, a", "a", "b"]),
        ([(0, "a", ()), (0, "a"), "b"], ["(0, 'a', ())", "(0, 'a')", "b"]),
        ([("a",), "a"], ["('a',)", "a"]),
        ([("a",), "a", "('a',)"], ["('a',) #2", "a", "('a',)"]),
        ([1, "1"], ["1 #2", "1"]),
        ([(0, ()), (0, (1,))], ["start", "1"]),
        ([(True, 2)], ["True, 2"]),
    ],
)
def test_short_texts_only_where_they_are_different(keys: list[Any], texts: list[str]) -> None:
    assert infoset_texts(0, keys, UNSAID) == texts
    assert len(set(texts)) == len(texts)


def test_a_label_that_is_given_goes_before_what_a_key_would_be_written_as() -> None:
    given = GivenLabels(infosets={(0, (0, "x")): "y"})
    assert infoset_texts(0, [(0, "x"), (0, "y")], given) == ["y", "(0, 'y')"]


def test_labels_stand_in_tables_pictures_and_files(tmp_path: Path) -> None:
    tree = build_tree(Labelled())
    solution = solve(Labelled())
    text = show(solution, layout="actions").text
    assert "player 0 (Seller)" in text
    assert "nothing:low" in text
    assert "say yes" in text
    assert dict(solution.rows())["value to player 0 (Seller)"]
    drawn = draw_tree(Labelled())
    assert {node.board for node in drawn.nodes} >= {"start", "big/low"}
    assert "player 1 (Buyer) at nothing:low" in str(draw_text(drawn).children[0].children[0].label)
    written = efg_text(tree)
    assert 'EFG 2 R "" { "Seller" "Buyer" }' in written
    assert 'p "big" 1 1 "big:" { "say low" "say high" } 0' in written
    assert_same_game(tree, parse_efg(written), labels=False)
    solution.save(tmp_path / "result")
    table = (tmp_path / "result" / "strategy.csv").read_text()
    assert "1,nothing:high,say yes," in table
    again = load(tmp_path / "result")
    assert show(again).text == show(solution).text
    shown = json.loads(json.dumps(show(solution).record()))
    assert {row["infoset"] for row in shown["rows"]} == {
        "big:", "small:", "nothing:low", "nothing:high"
    }  # fmt: skip


def test_a_game_that_says_what_the_hand_is_has_a_grid() -> None:
    lines = show(solve(Labelled()), player="buyer").text.splitlines()
    assert lines[0] == "player 1 (Buyer)"
    assert lines[1].split() == ["low", "high"]
    assert lines[2].split() == ["say", "no", "say", "yes"] * 2
    assert lines[3].split()[0] == "nothing"
    assert len(lines[3].split()) == 5
    lines = show(solve(Labelled()), player=0).text.splitlines()
    assert lines[1].split() == ["first"]
    assert lines[2].split() == ["say", "low", "say", "high"]
    assert [line.split()[0] for line in lines[3:5]] == ["big", "small"]
    assert len(show(solve(Labelled()), values=True, layout="hands").tables[0].columns) == 4


def test_names_and_keys_ask_for_the_same() -> None:
    profile = solve(Labelled()).profile
    assert profile[1, "nothing:low"] == profile[1, (1, "nothing", ("low",))]
    local = profile[1, "nothing:low"]
    assert local["say yes"] == local["yes"] == profile[1, "nothing:low", "say yes"]
    # against a seller who says both prices alike, a low one is worth buying at
    answer = respond(Labelled(), {}, "Buyer").profile[1, ":low"]
    assert (dict(answer), answer.infosets) == ({"no": 0.0, "yes": 1.0}, ("nothing:low",))
    assert respond(make("kuhn"), {}, 1).profile[1, "K:bet"]["call"] == 1.0


def test_a_game_of_ones_own_is_asked_as_games_of_cards_are() -> None:
    solution = solve(Labelled())
    assert solution.ask("nothing", "low").infosets == ("nothing:low",)
    assert solution.ask("big") == solution.profile[0, "big:"]
    assert solution.ask("*", "high")["say yes"] == solution.profile[1, "nothing:high", "yes"]
    with pytest.raises(UnknownNameError, match=r"'\*:\*' matches information sets of player 0 \(S"):
        solution.ask("*", "*")
    with pytest.raises(UnknownNameError, match=r"no information set 'nothin:low' \(did you mean"):
        solution.ask("nothin", "low")
    text = show(solution, ask=("nothing", "*")).text
    assert "nothing:* of player 1 matches 2 information sets: nothing:low, nothing:high" in text


class Game(PerfectInformation):
    """Nim with one heap of three, in which states come again."""

    num_players = 2

    def root(self) -> Any:
        return (3, 0)

    def player(self, state: Any) -> int:
        return state[1] if state[0] else TERMINAL

    def actions(self, state: Any) -> Any:
        return tuple(range(1, min(state[0], 2) + 1))

    def child(self, state: Any, action: Any) -> Any:
        return (state[0] - action, 1 - state[1])

    def payoffs(self, state: Any) -> Any:
        return (1, -1) if state[1] else (-1, 1)

    def state_label(self, state: Any) -> str:
        return f"{state[0]} left"


def test_states_name_the_information_sets_of_perfect_information() -> None:
    tree = build_tree(Game())
    texts = [tree.infoset_text(infoset) for infoset in range(tree.num_infosets)]
    assert texts == ["3 left", "2 left", "1 left", "1 left"]
    assert len({(int(p), t) for p, t in zip(tree.infoset_player, texts, strict=True)}) == 4
    assert {node.board for node in draw_tree(Game()).nodes} == {f"{n} left" for n in range(4)}


class Wrong(Labelled):
    """A game with a label that is none."""

    def __init__(self, **wrong: Any) -> None:
        for name, value in wrong.items():
            setattr(self, name, value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"information_set_label": lambda player, key: key},
            r"R11: information_set_label\(.*\) ret",
        ),
        ({"information_set_label": lambda player, key: ""}, r"R11: .*not empty, at node 1 \(big\)"),
        ({"information_set_label": lambda player, key: ("", "x")}, r"R11: .* not empty"),
        ({"information_set_label": lambda player, key: ("a", "b", "c")}, r"R11: .*return a text"),
        (
            {"information_set_label": lambda player, key: "same"},
            r"R11: the information sets \(0, 'big', \(\)\) and \(0, 'small', \(\)\) of player 0 "
            r"are both labelled 'same'; let information_set_label put all",
        ),
        ({"information_set_label": lambda player, key: f"\ud800{key}"}, "half of a character"),
        (
            {"action_label": lambda action: 1},
            r"R11: action_label\('big'\) returned 1; return a tex",
        ),
        ({"action_label": lambda action: "x"}, r"R8: two moves at .* are called 'x'"),
        ({"state_label": lambda state: " "}, r"R11: state_label\(\(\)\) returned ' '; .*the root"),
        ({"player_names": ("A", "A")}, r"R11: player_names is \('A', 'A'\); give 2 texts, one"),
        ({"player_names": "AB"}, "R11: player_names"),
        ({"player_names": ("A", "")}, "R11: player_names"),
        ({"player_names": ("A", "B", "C")}, "R11: player_names"),
        ({"player_names": 2}, "R11: player_names"),
        ({"information_set_label": lambda player, key: 1 / 0}, "the rules raised ZeroDivisionErr"),
    ],
)
def test_what_is_no_label_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidGameError, match=message):
        build_tree(Wrong(**wrong))


def test_a_label_may_be_left_to_the_key() -> None:
    tree = build_tree(Wrong(information_set_label=lambda player, key: None if player else "mine"
                            if key[1] == "big" else "other"))  # fmt: skip
    texts = [tree.infoset_text(infoset) for infoset in range(4)]
    assert texts == ["mine", "other", "nothing, low", "nothing, high"]


def test_saved_trees_keep_labels_and_their_fingerprint(tmp_path: Path) -> None:
    for game in (Market(), Labelled(), Game(), make("leduc")):
        tree = build_tree(game)
        assert save_tree(tree, tmp_path / "game.npz") == fingerprint(tree)
        again = load_tree(tmp_path / "game.npz")
        assert fingerprint(again) == fingerprint(tree)
        for infoset in range(tree.num_infosets):
            assert again.infoset_text(infoset) == tree.infoset_text(infoset)
            assert again.infoset_parts(infoset) == tree.infoset_parts(infoset)
        assert list(map(again.action_text, again.labels)) == list(
            map(tree.action_text, tree.labels)
        )
        assert again.given.players == tree.given.players
        assert list(again.given.nodes) == list(tree.given.nodes)
        assert dict(again.given.kinds) == dict(tree.given.kinds)
    # labels alone are no other game
    assert fingerprint(build_tree(Market())) == fingerprint(build_tree(Labelled()))


def test_labels_that_were_changed_in_a_file_are_refused(tmp_path: Path) -> None:
    import numpy as np

    path = tmp_path / "game.npz"
    save_tree(build_tree(Labelled()), path)
    with np.load(path) as found:
        arrays = dict(found)
    text = bytes(arrays["header"]).decode().replace("Seller", "Sellxr")
    arrays["header"] = np.frombuffer(text.encode(), dtype=np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(ResultFileError, match="its labels do not match their fingerprint"):
        load_tree(path)


def test_keys_that_read_alike_are_kept_apart_in_files(tmp_path: Path) -> None:
    builder = TreeBuilder(num_players=1)
    go, stop = builder.decision(builder.root, 0, 1, ["go", "stop"])
    for node in (stop, *builder.decision(go, 0, "1", ["1", "2"])):
        builder.terminal(node, [0])
    tree = builder.freeze()
    save_tree(tree, tmp_path / "game.npz")
    again = load_tree(tmp_path / "game.npz")
    assert [again.infoset_text(h) for h in range(2)] == ["1 #2", "1"]
    assert fingerprint(again) == fingerprint(tree)
    form = build_sequence_form(again)
    assert [Matcher(form, 0).match(text).infosets for text in ("1 #2", "1")] == [(0,), (1,)]


ENTRY = """EFG 2 R "entry" { "Alice" "Bob" }
""

p "" 1 1 "start" { "In" "Out" } 0
p "" 2 1 "after In" { "Fight" "Share" } 0
t "" 1 "" { -1, -1 }
t "" 2 "" { 2, 1 }
t "" 3 "" { 0, 3 }
"""


def test_names_of_players_in_files_are_kept_and_written_again(tmp_path: Path) -> None:
    tree = parse_efg(ENTRY)
    assert tree.given.players == ("Alice", "Bob")
    assert efg_text(tree, "entry") == ENTRY
    save_tree(tree, tmp_path / "game.npz")
    assert load_tree(tmp_path / "game.npz").given.players == ("Alice", "Bob")
    solution = solve(tree, method="lcp")
    assert "value to Alice, Bob" in dict(solution.rows())
    assert "player 1 (Bob)" in show(solution, player="bob").text
    assert "player 0 (Alice) at start" in str(draw_text(draw_tree(tree)).label)
    nfg = nfg_text(build_normal_form(build_sequence_form(tree)))
    assert nfg.startswith('NFG 1 R "" { "Alice" "Bob" }')
    assert parse_nfg(nfg).given.players == ("Alice", "Bob")
    plain = parse_efg(ENTRY.replace("Alice", "Player 1").replace("Bob", "Player 2"))
    assert plain.given.players == ()
    assert parse_efg(ENTRY.replace("Bob", "")).given.players == ("Alice", "Player 2")
    assert parse_efg(ENTRY.replace("Bob", "Alice")).given.players == ("Alice_1", "Alice_2")


@pytest.mark.parametrize("text", ["Bob", "bob", " BOB ", "1", 1])
def test_players_are_asked_by_number_or_name(text: Any) -> None:
    assert which_player(text, parse_efg(ENTRY)) == 1


def test_who_is_no_player_is_said() -> None:
    tree = parse_efg(ENTRY)
    with pytest.raises(InvalidParameterError, match=r"'bop' \(did you mean 'Bob'\?\): players are"):
        which_player("bop", tree)
    with pytest.raises(InvalidParameterError, match="2"):
        which_player("2", tree)
    with pytest.raises(InvalidParameterError, match="they have no names here"):
        which_player("Bob", make("kuhn"))
    assert named_player("x", ("X", "x")) == 1
    assert named_player("X", ("x", "X")) == 1
    assert named_player("Xx", ("xX", "xx")) is None
    with pytest.raises(UnknownNameError, match="no information set 'no such:set'"):
        show(solve(tree, method="lcp"), ask=("no such", "set"))
