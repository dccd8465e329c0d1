"""Fonts that have the letters of a text: matplotlib's own, and installed ones where it lacks some.

Names of games, players and moves are in whatever script people write.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from seqform.drawing.style import FONT, MONOSPACE

logger = logging.getLogger(__name__)

PREFERRED = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Source Han Sans SC"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "PingFang SC", "Hiragino Sans"),
    *("Microsoft YaHei", "SimHei", "Yu Gothic", "Malgun Gothic", "Arial Unicode MS"),
)
"""Fonts of East Asian letters that systems have, the first of those installed is taken; for other
letters any font that has them."""

BOXES = "Last Resort"
"""The font that comes with matplotlib and has a box for every letter that there is."""

_told: set[str] = set()


def families(text: str, monospace: bool = False) -> list[str]:
    """Return the font families of a text: matplotlib's, and those that have what it lacks."""
    own = (MONOSPACE if monospace else FONT)["family"]
    return [own, *_others(frozenset(filter(_is_foreign, text)), own)]


def drawable(text: str) -> tuple[str, int]:
    """Return a text without the letters that no installed font has, and how many these are."""
    lost = missing(text)
    return "".join(letter for letter in text if letter not in lost), sum(
        letter in lost for letter in text
    )


def missing(text: str) -> frozenset[str]:
    """Return the letters of a text that no installed font has."""
    foreign = frozenset(filter(_is_foreign, text))
    if not foreign:
        return foreign
    having = (_letters(name) for name in (FONT["family"], *_others(foreign, FONT["family"])))
    return foreign.difference(*(map(chr, letters) for letters in having))


@contextmanager
def boxes_told(texts: Iterator[str], boxes: bool) -> Iterator[None]:
    """Say once which letters are boxes in a picture, instead of matplotlib's line for each.

    Parameters
    ----------
    texts
        All that stands in the picture.
    boxes
        Whether letters that no font has become boxes; in SVG files text stays text.
    """
    import warnings

    lost = frozenset[str]().union(*map(missing, texts)) - _told
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
    if lost and boxes:
        _told.update(lost)
        some = "".join(sorted(lost)[:10])
        logger.warning(
            "no installed font has %s%s, so the picture has boxes there: install one that does "
            "(for Chinese, Japanese and Korean: apt install fonts-noto-cjk), or write .svg, which "
            "is drawn with the reader's fonts",
            some,
            "..." if len(lost) > len(some) else "",
        )


def _is_foreign(letter: str) -> bool:
    return letter > "\u024f"  # Latin letters are in all fonts


@cache
def _others(letters: frozenset[str], own: str) -> tuple[str, ...]:
    """Return installed fonts that have letters which a font lacks, as few as it takes."""
    wanted = {ord(letter) for letter in letters} - _letters(own)
    if not wanted:
        return ()
    names = installed()
    first = [name for name in PREFERRED if name in names]
    found: list[str] = []
    for name in (*first, *(name for name in names if name not in first)):
        if not wanted:
            break
        if wanted & _letters(name):
            found.append(name)
            wanted -= _letters(name)
    return tuple(found)


def installed() -> list[str]:
    """Return the names of all fonts that matplotlib finds, in alphabetical order."""
    from matplotlib.font_manager import fontManager

    names = {font.name for font in fontManager.ttflist}
    return sorted(name for name in names if not name.startswith(BOXES))


@cache
def _letters(name: str) -> frozenset[int]:
    """Return the letters that a font has, by their numbers."""
    from matplotlib.font_manager import fontManager, get_font

    files = [font.fname for font in fontManager.ttflist if font.name == name]
    try:
        return frozenset(get_font(files[0]).get_charmap()) if files else frozenset()
    except (OSError, RuntimeError, ValueError):  # a file that is no font after all
        return frozenset()
