"""What is printed can be asked, and patterns match what a slow oracle says that they match."""

from __future__ import annotations

from fnmatch import fnmatchcase
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from seqform import (
    TreeBuilder,
    build_sequence_form,
    build_tree,
    make,
    merge_by,
    reduce,
    show,
    solve,
)
from seqform.base.errors import InvalidStrategyError, UnknownNameError
from seqform.form.names import Names
from seqform.form.patterns import Matcher
from seqform.form.sequence_form import SequenceForm
from seqform.game.labels import UNSAID, infoset_texts
from seqform.strategies.exploit.lock import lock_from
from seqform.strategies.read_given import given_from
from tests.examples import examples
from tests.random_signal_games import random_signal_game
from tests.strategies import games, random_profile, seeds

LEDUC = build_sequence_form(build_tree(make("leduc")))


def texts_of(form: SequenceForm, player: int) -> list[str]:
    return [form.infoset_text(player, h) for h in range(form.treeplexes[player].num_infosets)]


def ranks(text: str) -> str:
    """Return the name of a set of Leduc poker without suits, by hand."""
    cards, _, line = text.partition(":")
    return " ".join(card[0] for card in cards.split()) + ":" + line


@given(games(players=(1, 2, 3), zero_sum=(True, False)), seeds)
def test_each_printed_label_gives_back_its_information_set(form: SequenceForm, seed: int) -> None:
    profile = random_profile(form, seed).of(form)
    for player in range(form.num_players):
        texts = texts_of(form, player)
        assert len(set(texts)) == len(texts)
        matcher, first = Matcher(form, player), form.treeplexes[player].first_sequence
        for infoset, text in enumerate(texts):
            match = matcher.match(text)
            assert (match.infosets, match.is_exact) == ((infoset,), True)
            assert Names(form, player).infoset(form.infoset_label(player, infoset)) == infoset
            local = profile[player, text]
            played = profile.behaviors[player][first[infoset] : first[infoset + 1]]
            assert list(local.values()) == played.tolist()
            assert local.infosets == (text,)
            for action, probability in zip(form.action_texts(player, infoset), played, strict=True):
                assert profile[player, text, action] == probability


@given(games(players=(2,), zero_sum=(True, False)), st.data())
def test_patterns_match_what_fnmatch_says(form: SequenceForm, data: st.DataObject) -> None:
    player = data.draw(st.integers(0, 1))
    texts = texts_of(form, player)
    if not texts:
        return
    letters = list(data.draw(st.sampled_from(texts)))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(letters)))
        stop = data.draw(st.integers(start, len(letters)))
        letters[start:stop] = [data.draw(st.sampled_from("*?"))]
    pattern = "".join(letters)
    whole = f"*{pattern}" if pattern.startswith(":") else pattern
    wanted = [h for h, text in enumerate(texts) if fnmatchcase(text, whole.replace("[", "[[]"))]
    if pattern in texts:
        wanted = [texts.index(pattern)]
    if not wanted:
        with pytest.raises(InvalidStrategyError, match="matches no information set"):
            Matcher(form, player).match(pattern)
        return
    assert list(Matcher(form, player).match(pattern).infosets) == wanted


@given(st.sampled_from((0, 1)), st.data())
def test_ranks_and_lines_match_by_hand_in_leduc(player: int, data: st.DataObject) -> None:
    texts = texts_of(LEDUC, player)
    rank = data.draw(st.sampled_from([*"JQKX*?", "K Q", "* J", "J ?"]))
    line = data.draw(st.sampled_from(["", "*", "bet", "check-bet", "*/check", "*-raise*"]))
    cards = data.draw(st.sampled_from([rank, ""]))
    pattern = f"{cards}:{line}"
    whole = pattern if cards else f"*{pattern}"
    wanted = [
        h
        for h, text in enumerate(texts)
        if fnmatchcase(text, whole) or fnmatchcase(ranks(text), whole)
    ]
    if not wanted:
        with pytest.raises(InvalidStrategyError):
            Matcher(LEDUC, player).match(pattern)
        return
    assert list(Matcher(LEDUC, player).match(pattern).infosets) == wanted


@given(seeds)
def test_a_hand_and_a_line_ask_for_the_same_sets_by_cards_and_by_names(seed: int) -> None:
    game = random_signal_game(seed)
    tree = build_tree(game)
    form = build_sequence_form(tree)
    solution = solve(game, method="dcfr", iterations=2)
    for player in range(2):
        for text in texts_of(form, player)[:10]:
            cards, _, history = text.partition(":")
            local = solution.ask(cards, history)
            assert dict(local) == dict(solution.profile[player, text])
            assert local.infosets == (text,)


PATTERNS = ("*:*bet", "K*:*", "K:", ":bet", "Ks:", "*", "?s:*")


@examples(15, 60)
@given(seeds, st.lists(st.sampled_from(PATTERNS), max_size=4))
def test_in_each_set_the_most_exact_row_counts(seed: int, patterns: list[str]) -> None:
    """An oracle that compares sets of labels; rows of which none is more exact are refused."""
    rng = np.random.default_rng(seed)
    texts = texts_of(LEDUC, 0)
    said: dict[str, dict[str, Fraction]] = {}
    for pattern in patterns:
        share = Fraction(int(rng.integers(0, 5)), 4)
        said[pattern] = {"fold": share, "call": 1 - share, "check": share, "bet": 1 - share}
    sets = {
        pattern: [
            h
            for h, text in enumerate(texts)
            if fnmatchcase(text, whole) or fnmatchcase(ranks(text), whole)
        ]
        for pattern in said
        if (whole := f"*{pattern}" if pattern.startswith(":") else pattern)
    }
    rows = {
        (0, pattern, action): number
        for pattern, numbers in said.items()
        for action, number in numbers.items()
        if any(action in LEDUC.actions(0, h) for h in sets[pattern])
    }
    wanted: dict[int, dict[str, Fraction]] = {}
    clash = False
    for infoset, text in enumerate(texts):
        here = [p for p in said if infoset in sets[p]]
        exact = [p for p in here if p == text]
        finest = exact or [
            p for p in here if not any(set(sets[o]) < set(sets[p]) and o != p for o in here)
        ]
        actions = LEDUC.actions(0, infoset)
        numbers = [{a: said[p][a] for a in actions if a in said[p]} for p in finest]
        clash |= any(other != numbers[0] for other in numbers)
        if numbers:
            wanted[infoset] = numbers[0]
    if clash:
        with pytest.raises(InvalidStrategyError, match="none is more exact"):
            given_from(rows, LEDUC)
        with pytest.raises(InvalidStrategyError, match="none is more exact"):
            lock_from(rows, LEDUC)
        return
    found = given_from(rows, LEDUC)
    lock = lock_from(rows, LEDUC)
    first = LEDUC.treeplexes[0].first_sequence
    for infoset in range(len(texts)):
        behavior = found.behaviors[0][first[infoset] : first[infoset + 1]]
        fixed = lock.fixed[0][first[infoset] : first[infoset + 1]]
        if infoset not in wanted:
            assert np.isnan(behavior).all()
            assert fixed == [None] * len(fixed)
            continue
        actions = LEDUC.actions(0, infoset)
        assert behavior.tolist() == [float(wanted[infoset].get(a, 0)) for a in actions]
        assert fixed == [wanted[infoset].get(a) for a in actions]
    assert {m.pattern for m in found.matched} == {p for p in said if p not in texts and sets[p]}
    assert found.matched == lock.matched
    for matched in found.matched:
        assert list(matched.infosets) == [texts[h] for h in sets[matched.pattern]]


@pytest.mark.parametrize("seed", range(3))
def test_stars_of_buckets_stand_for_what_the_pattern_leaves_open(seed: int) -> None:
    """By ranks, whose suits the pattern skips: the same merging as by a function."""
    table = {(p, f"{rank}:*"): f"{rank}:*" for p in (0, 1) for rank in "JQK"}
    table |= {
        (p, f"{one} {two}:*"): f"{one} {two}:*" for p in (0, 1) for one in "JQK" for two in "JQK"
    }
    rng = np.random.default_rng(seed)
    keys = list(table)
    rng.shuffle(keys)
    shuffled = {(int(p), str(name)): table[int(p), str(name)] for p, name in keys}
    by_table, _ = reduce(LEDUC, merge_by(shuffled))
    by_key, _ = reduce(LEDUC, merge_by(lambda player, label: ranks(label)))
    assert [t.num_sequences for t in by_table.treeplexes] == [
        t.num_sequences for t in by_key.treeplexes
    ]
    assert merge_by(shuffled).matched(LEDUC)


def test_a_rank_asks_for_the_mean_over_its_suits() -> None:
    solution = solve(make("leduc"), method="dcfr", iterations=50)
    local = solution.ask("K", "check-bet")
    assert local.infosets == ("Ks:check-bet", "Kh:check-bet")
    parts = [solution.ask(card, "check-bet") for card in ("Ks", "Kh")]
    weights = np.array([part.reach for part in parts])
    for action, probability in local.items():
        wanted = np.array([part[action] for part in parts]) @ weights / weights.sum()
        assert probability == pytest.approx(wanted, abs=1e-12)
    assert dict(solution.profile[0, "K:check-bet"]) == pytest.approx(dict(local), abs=1e-12)
    text = show(solution, ask=("K", "check-bet")).text
    assert "K:check-bet of player 0 matches 2 information sets: Ks:check-bet, Kh:check-bet" in text


KEYS = st.recursive(
    st.integers(0, 2) | st.sampled_from(["", "a", "a b", "0", "(0,)", "start"]) | st.booleans(),
    lambda items: st.tuples() | st.tuples(items) | st.tuples(items, items),
    max_leaves=4,
)


@given(st.lists(KEYS, unique=True, max_size=8), st.integers(0, 1), st.booleans())
def test_no_two_keys_of_a_player_are_written_alike(keys: list, player: int, begin: bool) -> None:
    """Whatever they are; and a key that is text is written as it is."""
    keys = [(player, key) for key in keys] if begin else keys
    texts = infoset_texts(player, keys, UNSAID)
    assert len(set(texts)) == len(keys)
    said = [(text, key) for text, key in zip(texts, keys, strict=True) if isinstance(key, str)]
    assert all(text == key for text, key in said)


@given(seeds, st.sampled_from(("K:check-bet", "?s:*-bet", "K*:check-bet", ":check-bet", "J *:*/")))
def test_a_pattern_gives_the_mean_by_own_reach(seed: int, pattern: str) -> None:
    profile = random_profile(LEDUC, seed, sparse=bool(seed % 2)).of(LEDUC)
    treeplex = LEDUC.treeplexes[0]
    matched = Matcher(LEDUC, 0).match(pattern).infosets
    local = profile[0, pattern]
    weights = [profile.plans[0][treeplex.parent_sequence[h]] for h in matched]
    if not any(weights):
        weights = [1.0] * len(matched)
    for place, action in enumerate(local):
        played = [profile.behaviors[0][treeplex.first_sequence[h] + place] for h in matched]
        wanted = sum(w * p for w, p in zip(weights, played, strict=True)) / sum(weights)
        assert local[action] == pytest.approx(wanted, abs=1e-12)
        assert profile[0, pattern, action] == local[action]
    assert len(local.infosets) == len(matched)


def test_brackets_in_names_are_letters() -> None:
    builder = TreeBuilder(num_players=1)
    below = builder.decision(builder.root, 0, "[ab]", ["go", "stop"])
    for node, name in zip(below, ("a", "[ab]*x"), strict=True):
        for leaf in builder.decision(node, 0, name, ["go"]):
            builder.terminal(leaf, [0])
    matcher = Matcher(build_sequence_form(builder.freeze()), 0)
    texts = matcher.names.texts
    assert [texts[h] for h in matcher.match("[ab]*").infosets] == ["[ab]", "[ab]*x"]
    assert [texts[h] for h in matcher.match("[ab]").infosets] == ["[ab]"]
    assert matcher.match("[ab]*x").is_exact


def test_patterns_of_different_actions_are_asked_for_one_by_one() -> None:
    profile = random_profile(LEDUC, 0).of(LEDUC)
    with pytest.raises(UnknownNameError, match="have different actions, such as 'Js:' and"):
        profile[0, "*"]
    with pytest.raises(UnknownNameError, match=r"'Z\*' matches no information set of player 0; "):
        profile[0, "Z*"]
    assert "Z*" not in profile[0]
    assert "K*:" in profile[0]
