"""Contracts that have grown: what was written before some members gets their defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from games.kuhn import kuhn
from seqform import METHODS, build_sequence_form, build_tree, solve
from seqform.base.clock import Clock
from seqform.base.contract import defaults, lacking, required, whole
from seqform.base.errors import InvalidParameterError
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.methods.iterative_method import IterativeMethod
from seqform.methods.method import Method
from seqform.methods.problem import Problem
from seqform.methods.search_options import SearchOptions
from seqform.solvers.iterative.search import Engine, Limits, progress
from tests.imports import modules, syntax
from tests.installed_packages import install

OLDER_METHOD = """
from dataclasses import dataclass
from seqform.form.profile import Profile
from seqform.methods.method import Answer

@dataclass(frozen=True)
class Options:
    pass

class Uniform:
    __slots__ = ()  # so that nothing can be added to it
    name, summary, concept, Options = "uniform", "everybody draws lots", "nash", Options

    def accepts(self, problem):
        return None

    def run(self, problem, options, clock):
        form = problem.form
        finish = lambda solution: solution.saying("proven by what it knows")
        return Answer(form, Profile.uniform(form.treeplexes), self.name, 1.0, finish=finish)

UNIFORM = Uniform()
"""


@pytest.fixture
def stranger(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that installs a package with a method that lacks a member."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(without: str) -> None:
        code = OLDER_METHOD + (f"del Uniform.{without}\n" if without else "")
        (tmp_path / f"older{without.lower()}.py").write_text(code)
        install(
            tmp_path,
            "older",
            f"uniform = older{without.lower()}:UNIFORM",
            group="seqform.methods",
        )

    return put


def test_a_method_written_before_the_newer_members_has_their_defaults(stranger: Any) -> None:
    stranger("")
    method = METHODS.get("uniform")
    form = build_sequence_form(build_tree(kuhn()))
    assert (method.parallel, method.lifts, method.forgets) == (False, True, False)
    assert method.need(form) is None
    method.compile_ahead()
    assert METHODS.get("uniform") is method
    solution = solve(kuhn(), method="uniform")
    assert solution.method == "uniform"
    assert solution.profile is not None
    assert solution.message == "; proven by what it knows"
    assert solve(kuhn(), method="uniform", abstract="equitable").reduction == "equitable"
    with pytest.raises(InvalidParameterError, match="method 'uniform' uses one thread"):
        solve(kuhn(), method="uniform", threads=2)


@pytest.mark.parametrize("without", ["Options", "accepts", "run", "concept"])
def test_a_method_without_a_member_that_has_no_default_harms_only_who_names_it(
    stranger: Any, without: str
) -> None:
    stranger(without)
    said = rf"the method 'uniform' of older 1\.0 cannot be loaded .*: it lacks {without}; repair"
    with pytest.raises(InvalidParameterError, match=said):
        solve(kuhn(), method="uniform")
    assert solve(kuhn()).exact is not None
    assert "uniform" not in [method.name for method in METHODS.at_hand()]
    assert METHODS.not_at_hand() == {"uniform": "older 1.0"}


def test_what_a_contract_needs_and_what_it_gives() -> None:
    assert set(required(Method)) == {"name", "summary", "concept", "Options", "accepts", "run"}
    flags = {"parallel", "lifts", "records", "forgets"}
    assert set(defaults(Method)) == {*flags, "need", "compile_ahead"}
    of_engines = {"bounds_value", "profile", "single", "remark", "joint_play", "order"}
    assert set(defaults(Engine)) == {*of_engines, "finish", "last_plans"}
    assert lacking(object(), Method) == required(Method)


@pytest.mark.parametrize("name", METHODS.names())
def test_our_own_methods_inherit_the_contract(name: str) -> None:
    method = METHODS.get(name)
    assert Method in type(method).__mro__
    assert whole(method, Method) is method


class Lazy:
    """An engine that inherits nothing, and says only what a search asks."""

    iterations = 0

    def __init__(self, form: SequenceForm, name: str = "lazy") -> None:
        self.form, self.name = form, name

    def run(self, count: int) -> None:
        self.iterations += count

    def plans(self) -> Any:
        return Profile.uniform(self.form.treeplexes).plans

    def bounds(self) -> tuple[float, float]:
        return -1.0, 1.0


class Drawing(IterativeMethod):
    name, summary = "drawing", "draws lots"

    def engine(self, form: SequenceForm, single: bool = False, threads: int = 1) -> Any:
        return Lazy(form)


def test_an_engine_that_inherits_nothing_gets_what_it_does_not_say() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    told = list(progress(Lazy(form), Limits(0.0, 3)))
    assert [now.iterations for now in told] == [1, 2, 3]
    assert all(now.bounds_value for now in told)
    answer = Drawing().run(Problem(form), SearchOptions(iterations=5), Clock())
    assert (answer.engine, answer.message) == ("drawing/lazy", "stopped by a limit")
    assert answer.iterations == 5


def asked_by_name(module: str) -> Iterator[str]:
    """Return what a module asks of objects by ``getattr`` or ``hasattr``, written as words."""
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr"):
            name = node.args[1]
            if isinstance(name, ast.Constant):
                yield str(name.value)


def test_nobody_asks_whether_an_item_has_a_member_of_its_contract() -> None:
    members = {*defaults(Method), *defaults(Engine), *required(Method), *required(Engine)}
    asked = {(m, name) for m in modules() for name in asked_by_name(m)}
    assert asked
    assert {(m, name) for m, name in asked if name in members} == set()
