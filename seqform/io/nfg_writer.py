"""From a NormalForm to Gambit's .nfg format, payoff version."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from seqform.base.deadline import check_time
from seqform.base.errors import GameFileError
from seqform.base.whole_file import reason, replacing
from seqform.form.normal_form import NormalForm
from seqform.io.distinct_labels import written_names
from seqform.io.efg_writer import number_text, quoted


def write_nfg(normal: NormalForm, path: Path | str, title: str = "") -> None:
    """Write a normal form as Gambit's .nfg file.

    A file that is there stays whole until the new one is complete.

    Raises
    ------
    GameFileError
        If the file cannot be written.
    """
    try:
        with replacing(path) as file:
            file.writelines(line.encode() for line in _lines(normal, title))
    except OSError as error:
        raise GameFileError(f"cannot write {path}: {reason(error)}") from None


def nfg_text(normal: NormalForm, title: str = "") -> str:
    """Return a normal form as a text in Gambit's .nfg format.

    A strategy is called as `NormalForm.name` calls it. Payoffs are fractions, or shortest decimals
    that are the same floats again. Player 0's strategy is the first to change.

    Examples
    --------
    >>> from seqform import build_normal_form, build_sequence_form, build_tree, make
    >>> game = build_sequence_form(build_tree(make("matching-pennies")))
    >>> print(nfg_text(build_normal_form(game), "pennies"))
    NFG 1 R "pennies" { "Player 1" "Player 2" }
    { { "1" "2" }
      { "1" "2" } }
    ""
    <BLANKLINE>
    1 -1
    -1 1
    -1 1
    1 -1
    <BLANKLINE>
    """
    return "".join(_lines(normal, title))


def _lines(normal: NormalForm, title: str) -> Iterator[str]:
    counts = normal.num_strategies
    players = " ".join(map(quoted, written_names(normal.form.player_names, len(counts))))
    yield f"NFG 1 R {quoted(title)} {{ {players} }}\n"
    lists = [
        " ".join(quoted(normal.name(player, strategy)) for strategy in range(count))
        for player, count in enumerate(counts)
    ]
    yield "{ " + "\n  ".join(f"{{ {names} }}" for names in lists) + ' }\n""\n\n'
    for *later, first in product(*(range(count) for count in reversed(counts))):
        if not first:
            check_time("writing the normal form")
        paid = normal.payoff((first, *reversed(later)))
        yield " ".join(map(number_text, paid)) + "\n"
