"""write_lp: the sequence-form linear program of a game as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.form.sizes import form_lp_size
from seqform.game.labels import which_player
from seqform.links.chain import reduce
from seqform.links.link import Reduction
from seqform.methods.file_need import LP_RATES, require_room_for_file
from seqform.methods.problem import Problem
from seqform.solvers.linear.highs_file import check_program_path, drafts_folder
from seqform.solvers.linear.highs_file import write_lp as write_program
from seqform.solvers.linear.program import NamedProgram, build_lp
from seqform.solvers.linear.slide_program import build_slide_lp

STYLES = {"named": (build_lp, 0), "slide": (build_slide_lp, 1)}
"""Of each style what makes the program, and whose it is by default."""


def write_lp(
    game: Any,
    path: Path | str,
    player: int | str | None = None,
    max_nodes: int | None = None,
    abstract: str | Reduction = "none",
    threshold: float = 0.0,
    style: str = "named",
) -> NamedProgram:
    """Write a player's program to a file and return it.

    In the style ``named`` the columns x_l (of player 1: y_l) are the player's sequences l, and q_h
    (p_h) the opponent's information sets h. The rows E_h (F_h) are the player's information sets,
    and best_l the opponent's sequences. The empty sequence is called ``empty``, and so is what it
    leads to. Both players' programs are maximised.

    In the style ``slide`` it is the program that von Stengel's paper and talks print, in player 0's
    payoffs: player 1's minimises p1, player 0's is its dual. Sequences are x1, x2, ... and y1, y2,
    ..., information sets p1, ... and q1, ...; comments say which they are.

    The first line is a comment with the scale.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form of a two-player constant-sum game.
    path
        Ends in .lp or .mps.
    player
        Whose program: 0 (primal) or 1 (dual); by default 0, in the style ``slide`` 1.
    max_nodes
        Largest tree to build.
    abstract
        A reduction or its name, whose smaller game's program is written.
    threshold
        Merge what is alike up to this much; see `reduce`.
    style
        ``named`` or ``slide``.

    Returns
    -------
    NamedProgram
        A `LinearProgram`, or in the style ``slide`` a `SlideProgram`.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    InvalidParameterError
        If `player` is not 0 or 1, the path has another ending, or a threshold is for nothing.
    UnknownNameError
        If there is no such reduction or style.
    GameTooLargeError
        If there is no room for the program, in memory or on the disk.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "kuhn.lp"
    >>> from seqform import make
    >>> program = write_lp(make("kuhn"), path)
    >>> program.matrix.shape, program.scale  # the optimum is 6 times what is guaranteed
    ((20, 20), 6.0)
    >>> write_lp(make("leduc"), path, abstract="suit").num_rows  # 1,562 without
    782
    >>> write_lp(make("von-stengel"), path, style="slide").row_names()
    ['x1', 'x2', 'x3', 'x4', 'x5', 'q1', 'q2']
    """
    if style not in STYLES:
        raise UnknownNameError.of("style", style, STYLES)
    path = Path(path)
    check_program_path(path)
    build, usual = STYLES[style]
    if abstract != "none":
        game = reduce(game, abstract, threshold, max_nodes)[0]
    elif threshold:
        raise InvalidParameterError("a threshold is for abstract=; name a reduction")
    form = Problem(game, max_nodes).form
    player = usual if player is None else which_player(player, form)
    rates = LP_RATES[style, path.suffix]
    nonzeros, draft = form_lp_size(form).nonzeros, drafts_folder()
    require_room_for_file(form, nonzeros, rates, path, by_classes=True, draft=draft)
    program = build(form, player)
    write_program(program, path)
    return program
