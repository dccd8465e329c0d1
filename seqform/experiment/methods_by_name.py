"""Methods of one's own by the file that they are in: ``rules.py:RULE``, as games are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError
from seqform.methods.method import METHODS, Method

if TYPE_CHECKING:
    from seqform.solvers.iterative.regret.rules import RegretRule


def named_method(name: str) -> Method:
    """Return the method of a name.

    Parameters
    ----------
    name
        That of a method which seqform or a package declares. Or ``module:attribute``, where the
        module may be written as a file ``module.py``: a `Method`, a class of one, or a
        `RegretRule`. From then on `solve` knows it by that name.

    Raises
    ------
    UnknownNameError
        If there is no such method, module or attribute.
    InvalidParameterError
        If what is found is no method.
    """
    if ":" in name and name not in METHODS:
        from seqform.io.python_module import attribute_named

        module, _, attribute = name.partition(":")
        found = attribute_named(f"{module.removesuffix('.py')}:{attribute}")
        METHODS.add(name, _as_method(name, found))
    return METHODS.get(name)


def known(name: str) -> str:
    """Have `solve` know a method that is named by its file; return the name."""
    if ":" in name:
        named_method(name)
    return name


def changed_rule(rule: RegretRule, changes: Any) -> RegretRule:
    """Return a regret rule with other values of its fields.

    Raises
    ------
    InvalidParameterError
        If a field does not exist or makes no sense.

    Examples
    --------
    >>> from seqform.solvers.iterative.regret.rules import RULES
    >>> changed_rule(RULES["dcfr"], {"gamma": 2.0}).gamma
    2.0
    """
    from dataclasses import fields, replace

    have = [field.name for field in fields(rule) if field.name != "name"]
    if unknown := sorted(set(changes) - set(have)):
        raise InvalidParameterError(
            f"the rule {rule.name} has no field {unknown[0]!r}; it has {', '.join(have)}"
        )
    return replace(rule, **changes)


def _as_method(name: str, found: Any) -> Any:
    """Return what a module holds as a method: a rule is one for regret minimization."""
    from seqform.methods.regret import RegretMinimization
    from seqform.solvers.iterative.regret.rules import RegretRule

    if isinstance(found, RegretRule):
        return RegretMinimization(found)
    if not isinstance(found, type):
        return found
    try:
        return found()
    except Exception as error:  # whatever the user's own code raises
        raise InvalidParameterError(
            f"{name} cannot be made without parameters: {type(error).__name__}: {error}"
        ) from error
