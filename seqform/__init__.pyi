"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.base.errors import SeqformError as SeqformError
from seqform.base.progress import listening as listening
from seqform.concepts.best_response import best_response as best_response
from seqform.concepts.best_response import expected_values as expected_values
from seqform.concepts.concept import Certificate as Certificate
from seqform.concepts.nash import NashCertificate as NashCertificate
from seqform.concepts.nash import certify as certify
from seqform.form.from_tree import build_sequence_form as build_sequence_form
from seqform.form.profile import Profile as Profile
from seqform.form.sequence_form import SequenceForm as SequenceForm
from seqform.form.sequence_form import ZeroSumForm as ZeroSumForm
from seqform.form.treeplex import Treeplex as Treeplex
from seqform.game.catalogue import GAMES as GAMES
from seqform.game.catalogue import GameEntry as GameEntry
from seqform.game.catalogue import make as make
from seqform.game.deals import Deck as Deck
from seqform.game.rules import CHANCE as CHANCE
from seqform.game.rules import TERMINAL as TERMINAL
from seqform.game.rules import Game as Game
from seqform.game.signals import SignalGame as SignalGame
from seqform.io.load import load as load
from seqform.io.save_game import save_game as save_game
from seqform.methods.describe import describe as describe
from seqform.methods.method import METHODS as METHODS
from seqform.methods.payoff_region import PayoffRegion as PayoffRegion
from seqform.methods.payoff_region import payoff_region as payoff_region
from seqform.methods.shrink import shrink as shrink
from seqform.methods.solve import solve as solve
from seqform.methods.write_lp import write_lp as write_lp
from seqform.results.folder import check_folder as check_folder
from seqform.results.verification import verify as verify
from seqform.results.reduction import REDUCTIONS as REDUCTIONS
from seqform.results.reduction import lift as lift
from seqform.results.reduction import reduce as reduce
from seqform.results.solution import Solution as Solution
from seqform.results.solution import Status as Status
from seqform.solvers.iterative.search import Progress as Progress
from seqform.solvers.linear.solver import SOLVERS as SOLVERS
from seqform.tree.builder import TreeBuilder as TreeBuilder
from seqform.tree.from_any import AnyGame as AnyGame
from seqform.tree.from_any import build_tree as build_tree
from seqform.tree.from_rules import expand as expand
from seqform.tree.from_signals import assemble as assemble
from seqform.tree.tree import GameTree as GameTree

__version__: str
