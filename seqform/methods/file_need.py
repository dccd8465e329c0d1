"""What files of programs take: said before payoffs are listed, and refused where there is no room.

Rates were measured on rivers of up to 1.4 million payoffs. One of 65 million, whose linear program
is said to take 130 s, took 115 CPU seconds, 4.9 GB of memory, and 2.2 GB on the disk. Names of
other games make lines longer or shorter.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seqform.base.errors import GameTooLargeError
from seqform.base.memory import in_words
from seqform.base.need import Need
from seqform.methods.forecast import announce

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm


class FileRates(NamedTuple):
    """Of each nonzero: bytes on disk, bytes of memory while it is written, and CPU seconds."""

    on_disk: float
    in_memory: float
    seconds: float


LP_RATES = {
    ("named", ".lp"): FileRates(37, 90, 2e-6),
    ("named", ".mps"): FileRates(77, 90, 2e-6),
    ("slide", ".lp"): FileRates(13, 90, 2e-6),
    ("slide", ".mps"): FileRates(31, 90, 2e-6),
}
"""Of linear programs, by style and suffix."""

LCP_RATES = FileRates(16, 190, 2e-6)
"""Of complementarity problems, whose nonzeros are both players' payoffs, and constraints twice."""


def require_room_for_file(
    form: SequenceForm,
    nonzeros: int,
    rates: FileRates,
    path: Path,
    by_classes: bool = False,
    draft: Path | None = None,
) -> None:
    """Tell how large a file becomes and how long it takes, if long; refuse one that has no room.

    Parameters
    ----------
    by_classes
        Whether the program of a smaller game could be written instead.
    draft
        A folder that the file is written to first, and copied from.

    Raises
    ------
    GameTooLargeError
        If there is less memory, or less room on a disk that it is written to.
    """
    on_disk = rates.on_disk * nonzeros
    what = f"writing {nonzeros:,} nonzeros to a file of about {in_words(on_disk)}"
    instead = _instead(form, by_classes)
    Need(what, rates.in_memory * nonzeros, instead).require()
    for place in _places(path, draft):
        if place.free is not None and on_disk * place.copies > place.free:
            raise GameTooLargeError(
                f"{what}{', twice' * (place.copies > 1)} needs more than the "
                f"{in_words(place.free)} that are free in {place.folder}{place.advice}; {instead}"
            )
    announce(what, rates.seconds * nonzeros, f"if that is too long, {instead}")


def _instead(form: SequenceForm, by_classes: bool) -> str:
    if form.origin.hands is None:
        return f"use a smaller game{', or a coarser abstraction (abstract=)' * by_classes}"
    from seqform.form.merged_hands import merges_hands

    smaller = "leave out hands or bet sizes"
    if by_classes and merges_hands(form):
        return f"write the program of classes of hands (abstract='equitable'), or {smaller}"
    return smaller


class _Place(NamedTuple):
    """A folder that a file is written to, and how many copies of it are on that disk at once."""

    folder: Path
    copies: int
    advice: str

    @property
    def free(self) -> int | None:
        """The bytes that are free there, unless nobody knows."""
        try:
            return shutil.disk_usage(self.folder).free
        except OSError:
            return None


def _places(path: Path, draft: Path | None) -> list[_Place]:
    """Return where a file needs room, and beside it its draft.

    What is no file of a disk, such as ``/dev/stdout``, has no end.
    """
    target = path.resolve().parent
    is_on_disk = target.exists() and (path.is_file() or not path.exists())
    places = [_Place(target, 1, "")] if is_on_disk else []
    if draft is not None:
        advice = ", where it is written to first: set TMPDIR to a folder with more room"
        places.append(_Place(draft, 1, advice))
    disks = [place.folder.stat().st_dev for place in places]
    return [
        place._replace(copies=disks.count(disk)) for place, disk in zip(places, disks, strict=True)
    ]
