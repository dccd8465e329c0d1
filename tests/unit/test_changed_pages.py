"""A page that was changed is found out without a browser, whatever was changed in it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.kuhn import kuhn
from seqform import TreeBuilder, solve, verify_report, write_report
from seqform.base.errors import ResultFileError, VerificationError
from seqform.cli import app
from tests.changed_pages import KINDS, digits, with_other_digit


@pytest.fixture(scope="module", params=KINDS)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "page.html"
    write_report({request.param: KINDS[request.param]()}, path)
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "kuhn.html"
    write_report(solve(kuhn()), path)
    return path


@pytest.fixture
def kuhn_page(written: Path, tmp_path: Path) -> Path:
    """A page that the test may change."""
    return Path(shutil.copy(written, tmp_path))


def test_any_digit_that_is_changed_is_noticed(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    assert verify_report(page).has_own_script
    changed = tmp_path / "changed.html"
    for place in digits(text, 15):
        changed.write_text(with_other_digit(text, place))
        with pytest.raises((VerificationError, ResultFileError)):
            verify_report(changed)


CHANGES = [
    ("\N{MINUS SIGN}1/18", "1/18"),
    (">solved</span>", ">failed</span>"),
    ("chips</i>", "pounds</i>"),
    ('"move":["","J"', '"move":["","K"'),
    ("<h1>", "<p>It pays 5.</p><h1>"),
    ("data-drawn></div>", "data-drawn><p>Confirmed.</p></div>"),
    ("const sha256 =", "const sha257 ="),
    (".verdict", ".verdlct"),
    ("· seqform</title>", "· Seqform</title>"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_words_script_and_style_count(kuhn_page: Path, old: str, new: str) -> None:
    text = kuhn_page.read_text()
    assert old in text
    kuhn_page.write_text(text.replace(old, new, 1))
    with pytest.raises(VerificationError, match=r"kuhn\.html was changed after it was written"):
        verify_report(kuhn_page)


def test_a_script_beside_ours_is_told(kuhn_page: Path) -> None:
    text = kuhn_page.read_text()
    for more in ("<script>1</script>", '<p onclick="1">', '<a href="javascript:1">x</a>'):
        kuhn_page.write_text(text.replace("<body>", f"<body>{more}"))
        assert not verify_report(kuhn_page).has_own_script
    done = CliRunner().invoke(app, ["verify", str(kuhn_page)])
    assert done.exit_code == 1
    assert "script: not that of this version" in done.output


def test_pages_that_are_none(tmp_path: Path, kuhn_page: Path) -> None:
    with pytest.raises(ResultFileError, match="No such file"):
        verify_report(tmp_path / "none.html")
    for content in (b"", b"\xff\xfe", b"<html>", b"<p>" * 100_000):
        (tmp_path / "odd.html").write_bytes(content)
        with pytest.raises(ResultFileError, match="page"):
            verify_report(tmp_path / "odd.html")
    text = kuhn_page.read_text()
    start = text.index('id="fingerprints">') + len('id="fingerprints">')
    for held in ("", "[]", "{", "[" * 100_000, "1" * 5000):
        stop = text.index("</script>", start)
        kuhn_page.write_text(text[:start] + held + text[stop:])
        with pytest.raises(ResultFileError, match="page"):
            verify_report(kuhn_page)


def test_the_command_says_what_a_page_is_worth(kuhn_page: Path) -> None:
    done = CliRunner().invoke(app, ["verify", str(kuhn_page)])
    assert done.exit_code == 0, done.output
    found = verify_report(kuhn_page)
    assert found.fingerprint in done.output
    told = json.loads(CliRunner().invoke(app, ["verify", "--json", str(kuhn_page)]).output)
    assert told == found._asdict()


def test_two_who_write_the_same_page_have_one_fingerprint(tmp_path: Path) -> None:
    solve(kuhn()).save(tmp_path / "kuhn", "kuhn")
    for name in ("one.html", "two.html"):
        write_report(tmp_path / "kuhn", tmp_path / name)
    one, two = (verify_report(tmp_path / name) for name in ("one.html", "two.html"))
    assert one == two


@pytest.mark.parametrize("label", ["a\0b", "a\rb", "\u0085\u00a0x", "\U0001f0a1", "  two  spaces "])
def test_labels_of_any_letters(label: str, tmp_path: Path) -> None:
    builder = TreeBuilder(num_players=2)
    for child in builder.decision(builder.root, 0, label, [label, "b"]):
        builder.terminal(child, [1, 2])
    write_report({label: solve(builder.freeze(), method="lcp")}, tmp_path / "page.html")
    verify_report(tmp_path / "page.html")
