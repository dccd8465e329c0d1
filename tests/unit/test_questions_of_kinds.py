"""Where it may be asked of which class a game, a form or a strategy is; anywhere else none is.

What all of them have is a member of their protocol, and questions about the class of game, such as
whether payoffs add up to a constant, are those of `seqform.game.needs`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from tests.imports import modules, syntax

GAMES = {"Game", "GameTree", "SignalGame", "TreeGame", "HandGame"}
FORMS = {"SequenceForm", "ZeroSumForm", "BoardGame", "HandForm"}
PAYOFFS = {
    "ZeroSumPayoffs",
    "PayoffTensor",
    "SparsePayoff",
    "KroneckerPayoff",
    "RestrictedPayoff",
    "HandPayoff",
}
STRATEGIES = {
    "HandStrategy",
    *("Profile", "LiftedProfile", "SignalStrategy", "GivenStrategy"),
    *("MixedStrategy", "StrategyMixture", "Induction", "TreeInduction"),
}
KINDS = GAMES | FORMS | PAYOFFS | STRATEGIES
QUESTIONS = {"is_form", "is_tree", "is_other_form", "is_signal_game", "is_profile"}

GAMES_COME_IN = "a user's game comes in, in any of the ways in which a game may be held"
STRATEGIES_COME_IN = "a user's strategies come in, in any of the ways in which they may be given"
NODES = "what goes along nodes goes along rules, trees and deals in different ways"
ANSWERS = "an answer is of a form, of a tree or of rules, as its method found it"
FILES = "what is written, and proven again, is by entries, by classes, or by nodes"
LAYOUT = "a layout that kernels were compiled for"
HANDS_ONLY = "a link of games of hands: it has to be one"
HANDS = "cards have kinds and names, which nothing else has"

PLACES = {
    "abstraction.contraction": GAMES_COME_IN,
    "abstraction.dominance": LAYOUT,
    "abstraction.equitable": GAMES_COME_IN,
    "abstraction.signal_reduction": GAMES_COME_IN,
    "abstraction.tree_shrink": GAMES_COME_IN,
    "seqform.cli.play": HANDS,
    "seqform.cli.sample": HANDS,
    "seqform.cli.show": HANDS,
    "seqform.concepts.best_response": STRATEGIES_COME_IN,
    "seqform.concepts.game_value": GAMES_COME_IN,
    "seqform.concepts.nash": "the certificate, which depends on as little as it can",
    "seqform.concepts.subgame_perfect": ANSWERS,
    "seqform.drawing.answers": ANSWERS,
    "seqform.drawing.draw": ANSWERS,
    "seqform.exact.saved_plans": FILES,
    "seqform.game.kinds": GAMES_COME_IN,
    "seqform.game.labels": "names of a tree are checked already",
    "seqform.game.signals": GAMES_COME_IN,
    "seqform.io.python_module": GAMES_COME_IN,
    "seqform.links.locked_hands": HANDS_ONLY,
    "seqform.methods.certified": ANSWERS,
    "seqform.methods.compare": GAMES_COME_IN,
    "seqform.methods.describe": GAMES_COME_IN,
    "seqform.methods.estimate_size": NODES,
    "seqform.methods.exploit.believed": STRATEGIES_COME_IN,
    "seqform.methods.peak_memory": NODES,
    "seqform.methods.pivot_start": STRATEGIES_COME_IN,
    "seqform.methods.problem": GAMES_COME_IN,
    "seqform.perfect_information.one_shot_deviations": ANSWERS,
    "seqform.recursive.stage_form": GAMES_COME_IN,
    "seqform.report.proof": FILES,
    "seqform.report.reported": FILES,
    "seqform.results.claims": ANSWERS,
    "seqform.results.on_tree": ANSWERS,
    "seqform.results.saving": FILES,
    "seqform.results.solution": ANSWERS,
    "seqform.results.verification": FILES,
    "seqform.solvers.iterative.regret.engine": LAYOUT,
    "seqform.solvers.iterative.regret.many_players_engine": LAYOUT,
    "seqform.strategies.analyze": STRATEGIES_COME_IN,
    "seqform.strategies.as_profile": STRATEGIES_COME_IN,
    "seqform.strategies.evaluate.assessment": STRATEGIES_COME_IN,
    "seqform.strategies.evaluate.correlated": STRATEGIES_COME_IN,
    "seqform.strategies.evaluate.evaluate": STRATEGIES_COME_IN,
    "seqform.strategies.evaluate.forgetting": GAMES_COME_IN,
    "seqform.strategies.evaluate.respond": STRATEGIES_COME_IN,
    "seqform.strategies.exploit.departures": HANDS,
    "seqform.strategies.exploit.hand_lock_from": STRATEGIES_COME_IN,
    "seqform.strategies.exploit.hand_model": STRATEGIES_COME_IN,
    "seqform.strategies.exploit.lock": STRATEGIES_COME_IN,
    "seqform.strategies.line.at_line": STRATEGIES_COME_IN,
    "seqform.strategies.exploit.locking": GAMES_COME_IN,
    "seqform.strategies.exploit.model": STRATEGIES_COME_IN,
    "seqform.strategies.given": STRATEGIES_COME_IN,
    "seqform.strategies.play.play": STRATEGIES_COME_IN,
    "seqform.strategies.play.sample": STRATEGIES_COME_IN,
    "seqform.strategies.show.brief": ANSWERS,
    "seqform.strategies.show.next_steps": HANDS,
    "seqform.strategies.show.show": STRATEGIES_COME_IN,
    "seqform.strategies.show.subject": STRATEGIES_COME_IN,
    "seqform.tree.from_any": GAMES_COME_IN,
    "seqform.tree.restricted": GAMES_COME_IN,
    "seqform.tree.views": NODES,
}
"""The modules outside `seqform.form` that ask, each with its reason. Think twice before adding."""


def asked(code: ast.AST) -> Iterator[str]:
    """Return the questions of a piece of code."""
    for node in ast.walk(code):
        if not isinstance(node, ast.Call):
            continue
        function = _name(node.func)
        if function == "isinstance" and KINDS & {_name(part) for part in ast.walk(node.args[1])}:
            yield ast.unparse(node)
        if function in QUESTIONS:
            yield ast.unparse(node)


@cache
def asked_in(module: str) -> tuple[str, ...]:
    """Return the questions of a module."""
    return tuple(asked(syntax(module)))


def _name(node: ast.AST) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def test_classes_are_asked_about_where_there_is_a_reason() -> None:
    asking = {
        module: list(asked_in(module))
        for module in modules()
        if not module.startswith(("seqform.form.", "experiments."))
    }
    unexplained = {module: found for module, found in asking.items() if found}
    assert {m: found for m, found in unexplained.items() if m not in PLACES} == {}
    assert set(PLACES) - set(unexplained) == set(), "they ask nothing: take them off the list"


def test_the_class_of_game_is_asked_in_one_place() -> None:
    """Whether payoffs add up to a constant is mathematics, however the game is held."""
    asking = {
        module
        for module in modules()
        if not module.startswith("seqform.form.")
        if any("ZeroSumForm" in question for question in asked_in(module))
    }
    assert asking == {"seqform.concepts.nash"}


def test_questions_are_found() -> None:
    code = ast.parse(
        "isinstance(game, (dict, form.SequenceForm))\nisinstance(game, str)\nkinds.is_tree(game)\n"
        "isinstance(against, SignalStrategy | None)\nproblem.is_form"
    )
    assert list(asked(code)) == [
        "isinstance(game, (dict, form.SequenceForm))",
        "kinds.is_tree(game)",
        "isinstance(against, SignalStrategy | None)",
    ]


def test_all_classes_that_are_looked_for_exist() -> None:
    defined = {
        node.name
        for module in modules()
        if module.partition(".")[0] == "seqform"
        for node in ast.walk(syntax(module))
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    }
    assert defined >= KINDS | QUESTIONS
