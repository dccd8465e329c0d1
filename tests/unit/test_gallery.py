"""The gallery's pictures are made by the commands that stand under them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from seqform.cli import app
from tools.gallery import PAGE, ROOT, drawings, shown

DRAWINGS = {path.name: (path, words) for path, words in drawings()}


def labels(picture: Path) -> list[str]:
    """Return what is written in a picture, in its order."""
    written = re.findall(r"<text[^>]*>(.*?)</text>", picture.read_text(), re.DOTALL)
    return [re.sub(r"<[^>]*>", "", text).strip() for text in written]


def test_every_picture_has_its_command() -> None:
    assert len(shown()) == PAGE.read_text().count("![")
    for path, words in shown():
        assert (ROOT / path).exists()
        if words[1] == "draw":
            assert words[-2:] == ["-o", str(path)]
        else:
            assert words[:2] == ["seqform", "experiment"]
            assert path.is_relative_to(f"experiments/results/{words[2]}")


def test_every_drawing_is_shown() -> None:
    kept = {path.name for path in (ROOT / "docs" / "gallery").iterdir()}
    assert kept == set(DRAWINGS)


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_command_draws_what_is_shown(name: str, tmp_path: Path) -> None:
    path, words = DRAWINGS[name]
    done = CliRunner().invoke(app, [*words[1:-1], str(tmp_path / name)])
    assert done.exit_code == 0, done.output
    assert labels(tmp_path / name) == labels(ROOT / path) != []
