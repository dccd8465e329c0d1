"""verify_report: is a page as it was written? It needs no browser, and runs nothing of the page."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from seqform.base.errors import ResultFileError, VerificationError
from seqform.base.whole_file import reason
from seqform.report.fingerprint import Reader, fingerprints, held_in
from seqform.report.page import script


class PageFound(NamedTuple):
    """What is known of a page that is as it was written.

    Parameters
    ----------
    fingerprint
        SHA-256 of all that the page says.
    num_results
        How many results it shows.
    has_own_script
        Whether its script is that of this version of seqform, to the last letter, and nothing else
        runs.
    """

    fingerprint: str
    num_results: int
    has_own_script: bool


def verify_report(path: Path | str) -> PageFound:
    """Check that nothing on a page was changed since `write_report` wrote it.

    Everybody can make fingerprints of a page that was changed, and change its script. So compare
    the fingerprint with the one that the author names, or have the page's button check its
    certificates, if it has the script of this version.

    Raises
    ------
    ResultFileError
        If the file cannot be read, or is no page of a result.
    VerificationError
        If it was changed.

    Examples
    --------
    >>> import tempfile
    >>> from seqform import make, solve, verify_report, write_report
    >>> page = Path(tempfile.mkdtemp()) / "kuhn.html"
    >>> write_report(solve(make("kuhn")), page)
    >>> verify_report(page).has_own_script
    True
    >>> changed = page.write_text(page.read_text().replace("1/18", "1/17"))
    >>> verify_report(page)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    seqform.base.errors.VerificationError: .../kuhn.html was changed after it was written
    """
    try:
        text = Path(path).read_bytes().decode()
        held, found = held_in(text), fingerprints(text)
    except OSError as error:
        raise ResultFileError(f"cannot read {path}: {reason(error)}") from None
    except (ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} is no page, or damaged: {error}") from None
    if held is None:
        raise ResultFileError(f"{path} is no page that `seqform report` of this version wrote")
    if held != found.record():
        raise VerificationError(f"{path} was changed after it was written")
    has_own = f"<script data-whole>\n{script()}\n</script>" in text and Reader(text).running == 1
    return PageFound(found.of_all, len(found.results), has_own)
