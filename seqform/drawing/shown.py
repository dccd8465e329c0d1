"""Figures that notebooks show by themselves, whether or not `pyplot` was asked for."""

from __future__ import annotations

from functools import cache
from typing import Any


def new_figure(size: tuple[float, float], **settings: Any) -> Any:
    """Return an empty figure of matplotlib that a notebook shows where it is a cell's result.

    Parameters
    ----------
    size
        Width and height, in inches.
    settings
        Others of `matplotlib.figure.Figure`.
    """
    return _kind()(figsize=size, **settings)


@cache
def _kind() -> type:
    from matplotlib.figure import Figure

    class Picture(Figure):
        """A figure that shows itself."""

        def _repr_png_(self) -> bytes:
            """Return the picture as notebooks show it."""
            from io import BytesIO

            image = BytesIO()
            self.savefig(image, format="png", dpi=max(self.dpi, 144))
            return image.getvalue()

    return Picture
