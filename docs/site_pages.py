"""What the documentation site has besides its pages: navigation, and the reference.

Navigation is read from docs/index.md: each section of its list becomes a part of the sidebar. The
reference is generated in docs/api: from docstrings, the command line, and the catalogue of games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from typing import Any

from seqform.base.lazy import declared

DOCS = Path(__file__).parent
ROOT = DOCS.parent
API = DOCS / "api"
INDEX, REFERENCE = "docs/index", "Reference"

GENERATED = {
    "api/index": "The library: every public name, with examples",
    "api/commands": "The command line: the help of every command",
    "api/games": "The games: their parameters and known values",
}
"""Pages that are not in the repository, and what the index says of them."""

SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
WIDTH = 100
FRAME = re.compile(r"^[╭│╰]─* ?(.*?) ?─*[╮│╯]$")
LINK = re.compile(r"\]\(([\w./-]+\.(?:md|ipynb))\)")

ROOMS = {
    "seqform": "what everybody uses",
    "seqform.experiment": "experiments of one's own",
    "seqform.io": "games from elsewhere",
    "seqform.drawing": "pictures",
    "seqform.perfect_information": "games in which nothing is hidden",
}
"""Packages whose public names have a page, and what they are for."""


def connect(app: Any) -> None:
    """Generate the reference before pages are read, and navigation when the index is."""
    app.connect("builder-inited", lambda _: write_reference())
    app.connect("source-read", add_navigation)
    app.connect("build-finished", lambda app, _: write_entrance(Path(app.outdir)))


def add_navigation(_app: Any, page: str, source: list[str]) -> None:
    """Add a hidden table of contents for each section of the index; tables of results have none."""
    if page == INDEX:
        source[0] = with_reference(source[0]) + "".join(navigation(source[0]))
    if "/results/" in page:
        source[0] = f"---\norphan: true\n---\n\n# {page.rpartition('/')[2]}\n\n{source[0]}"


def navigation(index: str) -> Iterator[str]:
    """Yield a table of contents for each section of the index, in its order.

    Before the first section pages may be pointed to that belong to a later one.
    """
    start, *sections = SECTION.split(index)
    texts = dict(zip(sections[::2], sections[1::2], strict=True))
    later = {link for text in texts.values() for link in LINK.findall(text)}
    first = [link for link in LINK.findall(start) if link not in later]
    links = {"Start": first} | {title: LINK.findall(text) for title, text in texts.items()}
    for title, found in links.items():
        pages = [_from_docs(link) for link in dict.fromkeys(found)]
        pages += GENERATED if title == REFERENCE else ()
        lines = "\n".join(pages)
        yield f"\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"


def with_reference(index: str) -> str:
    """Return the index with the generated pages before the others of their section."""
    items = "".join(f"* [{title}]({page}.rst){rest}.\n" for page, title, rest in _generated())
    return index.replace(f"## {REFERENCE}\n\n", f"## {REFERENCE}\n\n{items}", 1)


def _generated() -> Iterator[tuple[str, str, str]]:
    for page, words in GENERATED.items():
        title, colon, rest = words.partition(":")
        yield page, title, colon + rest


def write_entrance(site: Path) -> None:
    """Write a page at the root of the site that leads to the first one."""
    to = f"{INDEX}.html"
    (site / "index.html").write_text(
        f'<!doctype html>\n<meta charset="utf-8">\n<title>seqform</title>\n'
        f'<meta http-equiv="refresh" content="0; url={to}">\n<a href="{to}">seqform</a>\n'
    )


def _from_docs(link: str) -> str:
    """Return the name of a page for a table of contents of docs/index.md."""
    path = (DOCS / link).resolve().relative_to(ROOT).with_suffix("")
    inside = path.is_relative_to("docs")
    return str(path.relative_to("docs")) if inside else f"/{path}"


def write_reference() -> None:
    """Write the generated pages; a page that has not changed keeps its date."""
    API.mkdir(exist_ok=True)
    pages = {"commands": commands_page(), "games": games_page()}
    pages |= {room: room_page(room) for room in ROOMS}
    pages["index"] = index_page()
    for name, text in pages.items():
        path = API / f"{name}.rst"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def index_page() -> str:
    """Return the page that leads to those of the packages."""
    listed = "".join(f"* :doc:`{room}`: {meaning}\n" for room, meaning in ROOMS.items())
    tree = "".join(f"   {room}\n" for room in ROOMS)
    return f"{_title('The library')}{listed}\n.. toctree::\n   :hidden:\n\n{tree}"


def room_page(room: str) -> str:
    """Return the page of a package: its public names, functions first."""
    module = import_module(room)
    found = {name: getattr(module, name) for name in sorted(module.__all__)}
    homes = declared(room)
    if room != "seqform":
        found = {name: item for name, item in found.items() if name not in declared("seqform")}
    functions = [name for name, item in found.items() if isfunction(item)]
    classes = [name for name, item in found.items() if isclass(item)]
    rest = [name for name in found if name not in (*functions, *classes)]
    parts = [_title(room), f".. currentmodule:: {room}\n\n"]
    for title, names, kind in (
        ("Functions", functions, "autofunction"),
        ("Classes", classes, "autoclass"),
        ("Registries and constants", rest, "autodata"),
    ):
        if names:
            parts.append(_title(title, "-"))
            parts += [
                _entry(kind, homes[name] if kind == "autodata" else room, name) for name in names
            ]
    return "".join(parts)


def _entry(kind: str, room: str, name: str) -> str:
    members = "   :members:\n" if kind == "autoclass" else ""
    return f".. {kind}:: {room}.{name}\n{members}\n"


def commands_page() -> str:
    """Return a page with the help of every command."""
    parts = [_title("The command line"), "What ``seqform COMMAND --help`` says.\n\n"]
    for command in commands():
        parts += [_title(f"seqform {command}", "-"), _literal(unframed(help_of(command)))]
    return "".join(parts)


def commands() -> list[str]:
    """Return the names of all commands, in the order in which the command line lists them."""
    import typer
    from click import Context

    from seqform.cli import app

    group: Any = typer.main.get_command(app)
    return list(group.list_commands(Context(group)))


def help_of(command: str) -> str:
    """Return what the command line prints, in lines of the longest code of a page."""
    from typer.testing import CliRunner

    from seqform.cli import app

    plain = {"COLUMNS": str(WIDTH), "NO_COLOR": "1"}
    done = CliRunner().invoke(app, [command, "--help"], env=plain, prog_name="seqform")
    if done.exit_code != 0:
        raise RuntimeError(f"seqform {command} --help ended with {done.exit_code}: {done.output}")
    return done.output


def unframed(text: str) -> str:
    """Return help without frames: their titles stay, and what they hold."""
    lines = (FRAME.sub(r"\1", line).rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip("\n"))


def games_page() -> str:
    """Return a page with all games, their parameters and their known values."""
    from seqform import GAMES

    parts = [_title("The games")]
    for entry in sorted(GAMES.usable(), key=lambda entry: entry.name):
        parts += [_title(entry.name, "-"), f"{entry.summary}.\n\n"]
        for name, parameter in entry.parameters.items():
            shown = "none" if parameter.default is None else repr(parameter.default)
            parts.append(f"* ``{name}``: {_kind(parameter.kind)}, by default ``{shown}``\n")
        parts += ["\n", *(_known(value) for value in entry.known), "\n"]
    return "".join(parts)


def _kind(kind: Any) -> str:
    return kind.__name__ if isclass(kind) else str(kind).replace("None", "nothing")


def _known(known: Any) -> str:
    given = ", ".join(f"{name} = {value}" for name, value in dict(known.parameters).items())
    where = f" with {given}" if given else ""
    return f"* known value to player 0{where}: {known.value} ({known.source})\n"


def _title(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n\n"


def _literal(text: str) -> str:
    return ".. code-block:: text\n\n" + "".join(f"   {line}\n" for line in text.splitlines()) + "\n"
