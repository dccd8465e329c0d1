"""Which tables are made of the rows of a benchmark, where it is not one with all that they hold?

Each is a file of benchmarks/results that a page shows (`python -m tools.tables`).
"""

from __future__ import annotations

from benchmarks.markdown import Layout, Row, Table, columns, whole


def exact(rows: Table) -> Table:
    """Sequences of one player, and long fractions by what they are about."""
    return [
        {"game": row["game"], "sequences a player": row["sequences"][0]}
        | {key: value for key, value in row.items() if key not in ("game", "sequences", "engine")}
        | {"value": fraction(row["value"])}
        for row in rows
    ]


def fraction(value: str) -> str:
    """Return a short fraction as it is, and of a long one a float and how many digits it has.

    Examples
    --------
    >>> fraction("-7/258"), fraction(f"-{10**30 + 1}/{10**31}")
    ('-7/258', '-0.1, 31 digits over 32')
    """
    above, _, below = value.partition("/")
    if len(value) < 16 or not below.isdigit():
        return value
    about = f"{int(above) / int(below):.3g}"
    return f"{about}, {len(above.lstrip('-'))} digits over {len(below)}"


def loads(rows: Table) -> Table:
    """Whole processes by what they load."""
    parts = [row for row in rows if row.get("added ms") is not None]
    return columns({"process": "what", "adds, ms": "added ms", "in all, ms": "ms"}, parts)


def phases(rows: Table) -> Table:
    """A solve in a warm process by what it does."""
    parts = [row for row in rows if row.get("added ms") is None]
    return columns({"phase": "what", "CPU ms": "ms"}, parts)


def solved_games(rows: Table) -> Table:
    """OpenSpiel's games that are solved."""
    return [
        {
            "game": f"`{row['game']}`",
            "nodes": row["nodes"],
            "information sets": row["infosets"],
            "load, s": row["load s"],
            "solve, s": row["solve s"],
            "value": f"{round(row['value'], 9) + 0.0:.9g}",
            "nash_gap": row["nash_gap"],
            "its exploitability": row["OpenSpiel's exploitability"],
            "difference to `sequence_form_lp`": row["its value"]
            if row["difference"] is None
            else row["difference"],
        }
        for row in rows
        if row["value"] is not None
    ]


def refused_games(rows: Table) -> Table:
    """OpenSpiel's games in which somebody forgets."""
    headings = {"game": "game", "reason": "note", "what `sequence_form_lp` says": "its value"}
    refused = [
        row | {"game": f"`{row['game']}`", "note": row["note"].removeprefix("refused: R9: ")}
        for row in rows
        if row["value"] is None
    ]
    return columns(headings, refused)


def tables_of_poker(rows: Table) -> Table:
    """The sum of the gains by each rule, and each player's by the last."""
    lines: dict[str, Row] = {}
    for row in rows:
        start = {"game": f"`{row['game']}`", "nodes": row["nodes"], "sequences": row["sequences"]}
        line = lines.setdefault(row["game"], start)
        line |= {"CPU s": row["seconds"], f"`{row['rule']}`": row["gap"]}
        line[f"gain of each under `{row['rule']}`"] = row["gains"]
    last = f"gain of each under `{rows[-1]['rule']}`"
    gains = "gain of each under"
    return [
        {key: value for key, value in line.items() if not key.startswith(gains) or key == last}
        for line in lines.values()
    ]


def path_and_regrets(rows: Table) -> Table:
    """The two methods side by side."""
    lines: dict[str, Row] = {}
    for row in rows:
        line = lines.setdefault(row["game"], {"game": row["game"]})
        sizes = {key: row[key] for key in ("nodes", "sequences") if key in row}
        found = {"steps": row.get("steps"), "CPU s": row.get("seconds"), "proof": row["proof"]}
        line |= sizes | {f"`{row['method']}`: {key}": value for key, value in found.items()}
    order = ("game", "nodes", "sequences")
    return [{key: line.get(key) for key in (*order, *line)} for line in lines.values()]


def to_each_gap(rows: Table) -> Table:
    """Iterations and seconds by method and precision, on one thread."""
    lines: dict[float, Row] = {}
    for row in rows:
        if row.get("gap") is not None:
            line = lines.setdefault(row["gap"], {"nash_gap, chips": row["gap"]})
            case = f"`{row['method']}`, {row['precision']}"
            line |= {f"{case}: iterations": row["iterations"], f"{case}: CPU s": row["CPU s"]}
    return list(lines.values())


def by_threads(rows: Table) -> Table:
    """Milliseconds an iteration."""
    headings = ("precision", "threads", "ms", "wall ms")
    timed = [row for row in rows if row.get("ms") is not None]
    return columns({heading: heading for heading in headings}, timed)


def refining(rows: Table) -> Table:
    """What refining takes beside the plain solve."""
    sizes = [row | {"sequences": row["sequences"][0]} for row in rows]
    headings = {"game": "game", "nodes": "nodes", "sequences of each": "sequences"}
    seconds = {"program s": "LP s", "fractions s": "exact s", "refining s": "refine s"}
    return columns(
        headings | seconds | {"all / plain": "all / plain", "checker s": "checker s"}, sizes
    )


def as_code(column: str) -> Layout:
    """Return what makes the rows themselves, with a column in the type of code."""
    return lambda rows: [row | {column: f"`{row[column]}`"} for row in rows]


LAYOUTS: dict[str, dict[str, Layout]] = {
    "exact": {"exact": exact},
    "judging": {"judging": as_code("command")},
    "judging_whole_game": {"judging_whole_game": as_code("command")},
    "many_players": {"many_players": path_and_regrets},
    "open_spiel_games": {"open_spiel_games": solved_games, "open_spiel_refused": refused_games},
    "pages": {"pages": as_code("made by seqform solve")},
    "poker_tables": {"poker_tables": tables_of_poker},
    "refinement": {"refinement": whole, "refinement_seconds": refining},
    "small": {"small_loads": loads, "small_phases": phases},
    "whole_game": {"whole_game": to_each_gap, "whole_game_threads": by_threads},
}
"""By benchmark the files, and what makes their lines of its rows."""


def layouts(name: str) -> dict[str, Layout]:
    """Return the files of a benchmark, and what makes their lines of its rows."""
    return LAYOUTS.get(name, {name: whole})
