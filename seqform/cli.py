"""The command line. Everything heavy is imported inside the commands, so that `seqform --help` is instant."""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seqform import display
from seqform.errors import InvalidParameterError, SeqformError

if TYPE_CHECKING:
    from seqform.build import AnyGame
    from seqform.exact.interval import ProvenInterval
    from seqform.sequence_form import SequenceForm
    from seqform.solution import Solution
    from seqform.tree import GameTree

app = typer.Typer(
    help="Exact, fast and certified equilibria of extensive-form games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A name that `seqform games` lists, or module:attribute.")]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", "-p", metavar="key=value", help="A parameter of the game; repeat for more.")
]
MaxNodes = Annotated[int | None, typer.Option(min=1, help="Largest tree to build.")]
Threshold = Annotated[float, typer.Option(help="Merge what is alike up to this much; 0 is exact (docs/explanation/gameshrink.md).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

EXIT_ERROR = 2
EXIT_UNSOLVED = 1


def main() -> None:
    """Run the command line; an error of our own becomes one line on standard error and exit status 2."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no dense algebra here; idle threads would only burn time
    gc.set_threshold(200_000, 50, 50)  # imports and trees make many objects and no garbage: look for it rarely
    try:
        app()
    except SeqformError as error:
        print(f"seqform: {error}", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except MemoryError as error:
        print(f"seqform: out of memory ({error}); use a smaller game or an abstraction", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_ERROR)


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their parameters with defaults, and the values known for them."""
    entries = _registry().ENTRIES
    if as_json:
        print(json.dumps([_entry_record(e) for e in entries], indent=2))
        return
    table = display.new_table("game", "parameters", "known value to player 0")
    for e in entries:
        values = [f"{display.short(k.value)}{_at(k.parameters)}" for k in e.known]
        table.add_row(
            f"[bold]{e.name}[/bold]\n{e.summary}",
            "\n".join(f"{n}={d}" for n, (_, d) in e.parameters.items()),
            "\n".join(values),
            end_section=True,
        )
    display.print_table(table)


@app.command()
def info(game: GameArgument, param: Parameters = None, max_nodes: MaxNodes = None, as_json: AsJson = False) -> None:
    """Count nodes, information sets and sequences, the size of the linear program, and the memory it takes."""
    from seqform.report import describe

    built, parameters = _load(game, param)
    record = {"game": game, "params": parameters, **describe(built, max_nodes)}
    if as_json:
        print(json.dumps(record))
        return
    table = display.new_table("", game)
    for key, value in record.items():
        if key not in ("game", "params"):
            table.add_row(key.replace("_", " "), display.grouped(value))
    display.print_table(table)


@app.command()
def solve(
    game: GameArgument,
    param: Parameters = None,
    method: Annotated[
        str,
        typer.Option(
            help="lp; iterative: dcfr, hs-dcfr, cfr, cfr+, linear-cfr, pcfr+, pdhg; auto: lp unless very large, or with --gap etc."
        ),
    ] = "auto",
    solver: Annotated[str, typer.Option(help="auto, highs, clarabel or cvxpy.")] = "auto",
    engine: Annotated[str | None, typer.Option(help="HiGHS: simplex, ipx, hipo or pdlp; cvxpy: one of its solvers.")] = None,
    gap: Annotated[float | None, typer.Option(help="Iterative methods: nash_gap to reach, in the game's unit.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Iterative methods: how many at most.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for the solver.")] = None,
    threads: Annotated[int, typer.Option(help="Threads for the solver.")] = 1,
    max_nodes: MaxNodes = None,
    abstract: Annotated[str, typer.Option(help="none, or a criterion of `shrink`: solve the smaller game and lift.")] = "none",
    threshold: Threshold = 0.0,
    checkpoint: Annotated[Path | None, typer.Option(help="Iterative methods: file to save the search to, every minute.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    polish: Annotated[
        bool,
        typer.Option("--polish", help="Regret minimization: go on to --gap, or 1e-9 of the largest payoff, by quadratic programs."),
    ] = False,
    prove: Annotated[bool, typer.Option("--prove", help="Prove an interval in exact arithmetic; all payoffs int or Fraction.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for result.json, strategies and game.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compute an equilibrium and certify it; exit status 0 only if the certificate proves it, or measures what an abstraction lost."""
    from seqform.build import build_tree, is_too_large
    from seqform.pipeline import solve as run
    from seqform.report import result_record
    from seqform.sequence_form import build_sequence_form

    built, parameters = _load(game, param)
    if threshold and abstract == "none":
        raise InvalidParameterError("--threshold needs --abstract: outcome, tree or tree-published")
    options: dict[str, Any] = {"method": method, "solver": solver, "engine": engine, "time_limit": time_limit, "threads": threads}
    options |= {"gap": gap, "iterations": iterations, "checkpoint": checkpoint, "resume": resume, "polish": polish}
    if out is not None and out.exists() and not out.is_dir():
        raise InvalidParameterError(f"--out {out} is a file; give a folder")
    large = is_too_large(built, max_nodes)
    tree = None if out is None or large else build_tree(built, max_nodes)  # what cannot be saved is refused before it is solved
    inside = ("equitable" if large else None) if abstract == "none" else abstract
    abstracted = None
    with display.progress(not as_json) as callback:
        if inside is None:
            form = _provable(build_sequence_form(tree or build_tree(built, max_nodes))) if prove else None
            solution = run(form or tree or built, max_nodes=max_nodes, callback=callback, **options)
        else:
            reduced, inverse = _abstraction("criteria").reduction(inside, built, threshold).apply(built, max_nodes)
            _ = _provable(reduced) if prove else None
            abstracted = run(reduced, callback=callback, **options)
            if large:
                print("lifting the strategies into the whole game and certifying them there ...", file=sys.stderr)
            solution = _abstraction("reduction").lift(abstracted, inverse)
    proven = _prove(solution) if prove else None
    record = result_record(solution, game, parameters)
    if proven is not None:
        record["proven"] = proven.record()
    if abstracted is not None:
        record |= {"abstraction": inside, "abstract_value": abstracted.value, "loss": solution.nash_gap}
    if out is not None:
        _save(solution, abstracted, tree, out, record)
    if as_json:
        from seqform.result_files import jsonable

        print(json.dumps(jsonable(record)))
    else:
        display.print_solution(game, solution, _known(game, parameters), abstracted, inside, proven)
        if out is not None:
            print(f"saved in {out}; `seqform verify {out}` checks it again")
    if solution.status.name not in ("SOLVED", "LIFTED"):
        sys.exit(EXIT_UNSOLVED)


@app.command()
def shrink(
    game: GameArgument,
    param: Parameters = None,
    criterion: Annotated[
        str | None,
        typer.Option(help="outcome, suit, equitable, tree or tree-published. Default: outcome where signals are dealt, else equitable."),
    ] = None,
    threshold: Threshold = 0.0,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Shrink a game with GameShrink and compare its linear program before and after."""
    built, parameters = _load(game, param)
    record = {"game": game, "params": parameters, **_abstraction("report").shrink(built, criterion, threshold, max_nodes)}
    if as_json:
        print(json.dumps(record))
        return
    table = display.new_table("", "before", "after", "ratio")
    for name in ("rows", "columns", "nonzeros"):
        table.add_row(name, f"{record['before'][name]:,}", f"{record['after'][name]:,}", f"{record['ratio'][name]:,}")
    print(
        f"{game}, criterion {record['criterion']}: classes {display.grouped(record['classes'])}; found in {record['seconds']:.3f} s of CPU"
    )
    if record["before"] == record["after"]:
        print("nothing to merge")
    else:
        print("lossless, by a theorem" if record["lossless"] else "not lossless: `seqform solve --abstract` says what it loses")
    if "nodes" in record:
        print(f"nodes of the tree: {record['nodes'][0]:,} before, {record['nodes'][1]:,} after")
    display.print_table(table)


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `seqform solve --out DIR` wrote.")], as_json: AsJson = False
) -> None:
    """Check a saved result again from its files alone."""
    from seqform.result_files import verify as check

    found = check(folder, _loaded)
    certificate = found.certificate
    record = {
        "verified": True,
        "game": found.claims.get("game"),
        "value": certificate.values[0],
        "lower": certificate.lower,
        "upper": certificate.upper,
        "nash_gap": certificate.nash_gap,
    }
    if found.proven is not None:
        record["proven"] = found.proven.record()
    if as_json:
        print(json.dumps(record))
        return
    interval = f"[{certificate.lower:.15g}, {certificate.upper:.15g}]"
    print(f"verified: the profile pays player 0 {certificate.values[0]:.15g} in {record['game']}, whose value is in {interval};")
    print(f"its nash_gap is {certificate.nash_gap:.3g}")
    if found.proven is not None:
        from seqform.exact.interval import outwards

        print(f"proven in exact arithmetic: the value is in [{', '.join(outwards(found.proven))}]")


@app.command("write-lp")
def write_lp(
    game: GameArgument,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .lp or .mps.")],
    param: Parameters = None,
    player: Annotated[int, typer.Option(help="Whose program: 0 (primal) or 1 (dual).")] = 0,
) -> None:
    """Write the sequence-form linear program of a game to a file."""
    from seqform.build import build_tree
    from seqform.sequence_form import build_sequence_form
    from seqform.solvers.highs import write_lp as write
    from seqform.solvers.linear_program import build_lp

    program = build_lp(build_sequence_form(build_tree(_load(game, param)[0])), player)
    write(program, path)
    print(f"wrote {program.num_rows:,} rows, {program.num_columns:,} columns, {program.num_nonzeros:,} nonzeros to {path}")
    print(f"the optimum is {program.scale:g} times what player {player} can guarantee")


@app.command()
def demo(
    large: Annotated[bool, typer.Option(help="Whether to solve Rhode Island hold'em too: half a minute.")] = True,
) -> None:
    """Solve Kuhn poker, Leduc hold'em and, to 0.01 chips, Rhode Island hold'em, and print what was proven."""
    from seqform.pipeline import solve as run

    table = display.new_table("game", "value", "within", "nodes", "solver", "seconds", no_wrap=True)
    if large:
        print("Solving Kuhn, Leduc, and the 52 cards of Rhode Island hold'em (half a minute) ...", file=sys.stderr)
    with display.progress(shown=True) as callback:
        for name in ("kuhn", "leduc", *(["rhode-island"] if large else [])):
            game = _registry().make(name)
            options: dict[str, Any] = {}
            if name == "rhode-island":
                game, _ = _abstraction("criteria").reduction("suit", game).apply(game)
                options = {"gap": 1e-2, "callback": callback}
            s = run(game, **options)
            digits, total = (12, f"{sum(s.seconds.values()):.3f}") if not options else (4, f"{sum(s.seconds.values()):.0f}")
            width = f"{s.upper - s.lower:.1e}"
            solver = s.method.removeprefix("lp/").split("/")[0]
            table.add_row(name, f"{s.value:.{digits}f}", width, f"{s.sizes['nodes']:,}", solver, total)
    display.print_table(table)
    print("Values are chips a hand, to player 0; 'within' is the width of the interval proven by best responses")
    print("against both plans, rounding errors included. A solver's own claim is never used for it.")
    if large:
        print("Rhode Island hold'em is solved and certified with suits exchanged freely, a symmetry of the game;")
        print("`seqform solve rhode-island` certifies in the unabstracted game, too.")


def _registry() -> Any:
    """Return the registry of games: the one place where seqform reaches for its sibling."""
    import games.registry

    return games.registry


def _abstraction(module: str) -> Any:
    """Return a module of the reductions: the one place where seqform reaches for them."""
    from importlib import import_module

    return import_module(f"abstraction.{module}")


def _save(solution: Solution, abstracted: Solution | None, tree: GameTree | None, out: Path, record: dict[str, Any]) -> None:
    """Save a solution with its tree, or by classes of observations where the game has none."""
    from seqform.result_files import save, with_tree
    from seqform.signal_strategy import SignalStrategy

    if tree is not None:
        save(with_tree(solution, tree), out, record)
    elif abstracted is not None and abstracted.profile is not None and abstracted.game.signals is not None:
        save(solution, out, record, SignalStrategy(*abstracted.game.signals, abstracted.profile.behaviors))


def _provable(form: SequenceForm) -> SequenceForm:
    """Return a game of exact payoffs, and refuse any other before it is solved."""
    from seqform.exact.interval import check_provable

    check_provable(form)
    return form


def _prove(solution: Solution) -> ProvenInterval | None:
    """Return the interval that a solution's plans prove in the game in which they are certified; None without plans."""
    from time import perf_counter

    from seqform.exact.interval import prove

    if solution.profile is None:
        return None
    start = perf_counter()
    proven = prove(solution.game, solution.profile)
    solution.seconds["prove"] = perf_counter() - start
    return proven


def _load(name: str, given: list[str] | None) -> tuple[AnyGame, dict[str, Any]]:
    """Return a game by registry name or as module:attribute, and the parameters given for it."""
    parameters: dict[str, Any] = {}
    for item in given or []:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise InvalidParameterError(f"-p {item}: write parameters as key=value")
        parameters[key.strip()] = value.strip()
    if ":" not in name:
        registry = _registry()
        parameters = registry.parse(registry.entry(name), parameters)
        return registry.make(name, parameters), parameters
    from seqform.build import load_attribute

    return load_attribute(name, parameters), parameters


def _loaded(name: str, parameters: dict[str, Any]) -> AnyGame:
    """Return a game that a saved result names."""
    return _load(name, [f"{key}={value}" for key, value in parameters.items()])[0]


def _known(name: str, parameters: dict[str, Any]) -> Any:
    return None if ":" in name else _registry().entry(name).known_value(parameters)


def _entry_record(entry: Any) -> dict[str, Any]:
    known = [{"value": str(k.value), "params": dict(k.parameters), "source": k.source} for k in entry.known]
    return {"name": entry.name, "summary": entry.summary, "params": {n: d for n, (_, d) in entry.parameters.items()}, "known_values": known}


def _at(parameters: Any) -> str:
    return f" ({', '.join(f'{k}={v}' for k, v in parameters.items())})" if parameters else ""
