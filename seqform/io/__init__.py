"""Games from elsewhere and back: Gambit's .efg files, OpenSpiel, networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.lazy import attributes

_HOME = {
    "efg_text": "efg_writer",
    "from_networkx": "networkx_reader",
    "from_open_spiel": "open_spiel",
    "open_spiel_game": "open_spiel",
    "parse_efg": "efg_reader",
    "read_efg": "efg_reader",
    "to_networkx": "networkx_graph",
    "to_open_spiel_policy": "open_spiel",
    "write_efg": "efg_writer",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from seqform.io.efg_reader import parse_efg as parse_efg
    from seqform.io.efg_reader import read_efg as read_efg
    from seqform.io.efg_writer import efg_text as efg_text
    from seqform.io.efg_writer import write_efg as write_efg
    from seqform.io.networkx_graph import to_networkx as to_networkx
    from seqform.io.networkx_reader import from_networkx as from_networkx
    from seqform.io.open_spiel import from_open_spiel as from_open_spiel
    from seqform.io.open_spiel import open_spiel_game as open_spiel_game
    from seqform.io.open_spiel import to_open_spiel_policy as to_open_spiel_policy

__getattr__ = attributes(__name__, _HOME)
