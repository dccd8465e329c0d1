"""What are games and methods called in a figure?"""

from __future__ import annotations

import json
from collections.abc import Mapping

from seqform.experiment import Row


def game_of(row: Row) -> str:
    """Return the game of a row with its parameters.

    Examples
    --------
    >>> game_of({"game": "leduc", "parameters": '{"ranks": 6}'})
    'leduc(ranks=6)'
    """
    return _called(row, "game", "parameters")


def method_of(row: Row) -> str:
    """Return the method of a row with its options.

    Examples
    --------
    >>> method_of({"method": "lp", "options": None})
    'lp'
    """
    return _called(row, "method", "options")


def broken(label: str) -> str:
    """Return a label with a line for the name and for each option, for narrow places.

    Examples
    --------
    >>> print(broken("leduc(ranks=6,suits=2)"))
    leduc
    ranks=6
    suits=2
    """
    return label.rstrip(")").replace("(", "\n").replace(",", "\n")


def called(name: str, options: Mapping[str, object]) -> str:
    """Return a name with its options in brackets.

    Examples
    --------
    >>> called("dcfr", {"gamma": 2})
    'dcfr(gamma=2)'
    """
    inner = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{name}({inner})" if inner else name


def _called(row: Row, name: str, options: str) -> str:
    return called(str(row[name]), json.loads(str(row.get(options) or "{}")))
