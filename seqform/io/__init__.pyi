"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.io.efg_reader import parse_efg as parse_efg
from seqform.io.efg_reader import read_efg as read_efg
from seqform.io.efg_writer import efg_text as efg_text
from seqform.io.efg_writer import write_efg as write_efg
from seqform.io.gambit_profile import from_gambit_profile as from_gambit_profile
from seqform.io.gambit_profile import gambit_profiles as gambit_profiles
from seqform.io.nfg_reader import parse_nfg as parse_nfg
from seqform.io.nfg_reader import read_nfg as read_nfg
from seqform.io.nfg_writer import nfg_text as nfg_text
from seqform.io.nfg_writer import write_nfg as write_nfg
from seqform.io.networkx_graph import to_networkx as to_networkx
from seqform.io.networkx_reader import from_networkx as from_networkx
from seqform.io.open_spiel import describe_open_spiel as describe_open_spiel
from seqform.io.open_spiel import from_open_spiel as from_open_spiel
from seqform.io.open_spiel import open_spiel_game as open_spiel_game
from seqform.io.open_spiel import open_spiel_walk as open_spiel_walk
from seqform.io.open_spiel import to_open_spiel_policy as to_open_spiel_policy
from seqform.io.open_spiel_policy import from_open_spiel_policy as from_open_spiel_policy
from seqform.io.open_spiel_policy import read_open_spiel_policy as read_open_spiel_policy
from seqform.io.python_module import from_module as from_module
from seqform.io.python_module import function_named as function_named
from seqform.strategies.evaluate.beliefs_file import read_beliefs as read_beliefs
from seqform.strategies.evaluate.correlated import read_device as read_device
from seqform.io.strategy_file import read_rule as read_rule
from seqform.io.strategy_file import read_signal_strategy as read_signal_strategy
from seqform.io.strategy_file import read_strategy as read_strategy
