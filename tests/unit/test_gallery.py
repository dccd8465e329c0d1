"""The gallery's pictures are made by the commands that stand under them."""

from __future__ import annotations

from tools.gallery import PAGE, ROOT, drawings, shown

DRAWINGS = {path.name: (path, words) for path, words in drawings()}


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
