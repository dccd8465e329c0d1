"""Proof: what is proven of an answer beyond its certificate, and how a kind of it is kept.

A proof is data: of one game, and made by a function that proves it. Its kind says what a saved
result claims of it and which files it is written to, and proves it again from these. A kind is one
file, and one line of pyproject.toml under ``seqform.proofs``. Whatever prints, saves, loads or
reports solutions goes through these protocols.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Protocol

from seqform.base.errors import VerificationError
from seqform.base.registry import Registry
from seqform.base.summary import Rows

CERTIFICATE = "certificate.json"
"""The file of what plans prove, for others to check: docs/data-model.md has the format."""


OF_PLANS = ("exact", "bracket")
"""Kinds that share the keys of results and the certificate: all results may have them."""


class Proof(Protocol):
    """What is proven of a game, in exact arithmetic."""

    @property
    def kind(self) -> str:
        """The name of its kind in `PROOFS`."""

    @property
    def game(self) -> Any:
        """The game that it is proven of, in the form in which its concept certifies answers."""

    def rows(self, unit: str) -> Rows:
        """Return what is proven for people: name and text of each row of a table."""

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values."""

    def on(self, game: Any) -> Proof:
        """Return the same of the game in another form, proven again."""


@dataclass(frozen=True)
class Files:
    """The files of a saved result, by the names that kinds of proofs give them.

    Parameters
    ----------
    folder
        Where they are.
    of
        What stands in their names before the first dot, as in those of a locked game.
    """

    folder: Path
    of: str = ""

    def path(self, name: str) -> Path:
        """Return where a file is, or would be."""
        stem, dot, endings = name.partition(".")
        return self.folder / f"{stem}{self.of}{dot}{endings}"

    def write(self, contents: Mapping[str, bytes]) -> None:
        """Write files.

        Raises
        ------
        OSError
            If one cannot be written.
        """
        for name, content in contents.items():
            self.path(name).write_bytes(content)


@dataclass(frozen=True, eq=False)
class Proven:
    """An answer, and all that is proven of it.

    Parameters
    ----------
    game
        The game, in the form in which its concept certifies answers.
    answer
        The answer of the concept, such as a `Profile`.
    identity
        What certificates call the game, for people.
    proofs
        What is proven.
    """

    game: Any
    answer: Any
    identity: dict[str, Any]
    proofs: tuple[Proof, ...] = ()

    def by(self, kind: str) -> Any | None:
        """Return the proof of a kind; None if there is none."""
        return of_kind(self.proofs, kind)


class ProofKind(Protocol):
    """A kind of proofs; a class of them may inherit from this, and has its defaults then."""

    name: str
    """What it is called, which is a key of saved results that have such a proof."""
    keys: tuple[str, ...]
    """Keys of a saved result that speak of such a proof, its name among them."""
    after: tuple[str, ...] = OF_PLANS
    """Kinds that are read before, and shown above."""

    @abstractmethod
    def claims(self, proof: Any) -> dict[str, Any]:
        """Return what a saved result says of a proof, as JSON values by keys of its own."""

    def write(self, proof: Any, proven: Proven) -> dict[str, bytes]:
        """Return the files of a proof, by name; nothing where the claims say all.

        All that is proven of the answer is given, since several kinds may share a file.
        """
        return {}

    @abstractmethod
    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> Any | None:
        """Return what a saved result proves, proven again; None if it claims nothing.

        Parameters
        ----------
        files
            The result's files.
        claims
            What ``result.json`` says.
        proven
            Game and answer, and what is proven by the kinds that come before.

        Raises
        ------
        ResultFileError
            If a file is missing or damaged.
        VerificationError
            If that is not proven which is claimed.
        """


BY_OTHERS = "proofs_of_other_packages"
"""Key of a saved result that lists its kinds of proofs that are not this package's own.

So that a result whose package is not installed is not verified without a word of its proof."""

PROOFS: Registry[ProofKind] = Registry("seqform.proofs", "kind of proof", ProofKind)


def of_kind(proofs: Iterable[Proof], kind: str) -> Any | None:
    """Return the proof of a kind; None if there is none."""
    return next((proof for proof in proofs if proof.kind == kind), None)


def claims_of(proofs: Iterable[Proof]) -> dict[str, Any]:
    """Return what a saved result says of proofs, as JSON values."""
    found: dict[str, Any] = {}
    ordered = in_order(proofs)
    for proof in ordered:
        for key, claim in PROOFS.get(proof.kind).claims(proof).items():
            found.setdefault(key, claim)  # the best proof of plans comes first
    if foreign := [proof.kind for proof in ordered if not PROOFS.is_ours(proof.kind)]:
        found[BY_OTHERS] = foreign
    return found


def files_of(proven: Proven) -> dict[str, bytes]:
    """Return the files of what is proven, by name."""
    found: dict[str, bytes] = {}
    for proof in in_order(proven.proofs):
        found |= PROOFS.get(proof.kind).write(proof, proven)
    return found


def read_proofs(files: Files, claims: dict[str, Any], proven: Proven) -> tuple[Proof, ...]:
    """Return what a saved result proves, proven again, kind after kind.

    Raises
    ------
    ResultFileError
        If a file is missing or damaged.
    VerificationError
        If that is not proven which is claimed, or no package here reads a proof of its kind.
    """
    for kind in claims.get(BY_OTHERS, ()):
        if kind not in PROOFS:
            raise VerificationError(
                f"the result claims a proof of kind {kind!r}, which no installed package reads: "
                "install the package that the result was made with"
            )
    for kind in _sorted(claimed_kinds(claims)):
        found = PROOFS.get(kind).read(files, claims, proven)
        if found is not None:
            proven = replace(proven, proofs=(*proven.proofs, found))
    return proven.proofs


def claimed_kinds(claims: Mapping[str, Any]) -> list[str]:
    """Return the kinds of proofs that a result may have.

    Others are not loaded, so that a package that is broken harms only results with its proofs.
    """
    return [
        *OF_PLANS,
        *(name for name in PROOFS.names() if name in claims and name not in OF_PLANS),
    ]


def in_order(proofs: Iterable[Proof]) -> list[Proof]:
    """Return proofs in the order in which they are read and shown."""
    by_kind = {proof.kind: proof for proof in proofs}
    return [by_kind[kind] for kind in _sorted(by_kind)]


def _sorted(kinds: Iterable[str]) -> list[str]:
    """Return kinds, each after those that it needs."""
    names = sorted(kinds)
    graph = {name: [o for o in PROOFS.get(name).after if o in names] for name in names}
    return list(TopologicalSorter(graph).static_order())
