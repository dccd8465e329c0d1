"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.base.errors import SeqformError as SeqformError
from seqform.base.progress import listening as listening
from seqform.concepts.best_response import best_response as best_response
from seqform.concepts.best_response import expected_values as expected_values
from seqform.concepts.concept import Certificate as Certificate
from seqform.concepts.nash import NashCertificate as NashCertificate
from seqform.concepts.nash import certify as certify
from seqform.experiment.runner import run_experiment as run_experiment
from seqform.experiment.spec import EXPERIMENTS as EXPERIMENTS
from seqform.experiment.spec import ExperimentSpec as ExperimentSpec
from seqform.form.counts_from_signals import is_too_large as is_too_large
from seqform.form.complementarity_file import read_lcp as read_lcp
from seqform.form.from_tree import build_sequence_form as build_sequence_form
from seqform.form.mixed_strategy import MixedStrategy as MixedStrategy
from seqform.form.mixed_strategy import mix as mix
from seqform.form.normal_form import NormalForm as NormalForm
from seqform.form.normal_form import build_normal_form as build_normal_form
from seqform.form.profile import Profile as Profile
from seqform.form.normal_form import to_arrays as to_arrays
from seqform.form.pure_strategies import count_strategies as count_strategies
from seqform.form.sequence_form import SequenceForm as SequenceForm
from seqform.form.sequence_form import ZeroSumForm as ZeroSumForm
from seqform.form.treeplex import Treeplex as Treeplex
from seqform.game.catalogue import GAMES as GAMES
from seqform.game.catalogue import GameEntry as GameEntry
from seqform.game.catalogue import make as make
from seqform.game.deals import Deck as Deck
from seqform.game.labels import which_player as which_player
from seqform.game.rules import CHANCE as CHANCE
from seqform.game.rules import TERMINAL as TERMINAL
from seqform.game.rules import Game as Game
from seqform.game.size_estimate import SizeEstimate as SizeEstimate
from seqform.game.signals import SignalGame as SignalGame
from seqform.io.load import load as load
from seqform.io.save_game import save_game as save_game
from seqform.methods.compare import Comparison as Comparison
from seqform.methods.compare import Reduced as Reduced
from seqform.methods.compare import compare_reductions as compare_reductions
from seqform.methods.describe import describe as describe
from seqform.methods.doctor import doctor as doctor
from seqform.methods.estimate_size import estimate_size as estimate_size
from seqform.methods.exploit import exploit as exploit
from seqform.methods.method import METHODS as METHODS
from seqform.methods.payoff_region import PayoffRegion as PayoffRegion
from seqform.methods.payoff_region import payoff_region as payoff_region
from seqform.methods.compare_nodes import compare_nodes as compare_nodes
from seqform.methods.shrink import shrink as shrink
from seqform.methods.shrink_steps import MeasuredStep as MeasuredStep
from seqform.methods.shrink_steps import shrink_steps as shrink_steps
from seqform.methods.solve import solve as solve
from seqform.methods.write_lcp import write_lcp as write_lcp
from seqform.methods.write_lp import write_lp as write_lp
from seqform.report.unchanged import verify_report as verify_report
from seqform.report.write import write_report as write_report
from seqform.results.folder import check_folder as check_folder
from seqform.results.verification import load_strategy as load_strategy
from seqform.results.verification import verify as verify
from seqform.links.buckets import merge_by as merge_by
from seqform.links.link import REDUCTIONS as REDUCTIONS
from seqform.results.lift import lift as lift
from seqform.links.chain import reduce as reduce
from seqform.results.solution import Solution as Solution
from seqform.results.status import Status as Status
from seqform.solvers.iterative.search import Progress as Progress
from seqform.solvers.linear.solver import SOLVERS as SOLVERS
from seqform.strategies.analysis import StrategyAnalysis as StrategyAnalysis
from seqform.strategies.analysis import analyze as analyze
from seqform.strategies.as_profile import form_of as form_of
from seqform.strategies.evaluate.correlated import (
    check_correlated_equilibrium as check_correlated_equilibrium,
)
from seqform.strategies.evaluate.device import DeviceCheck as DeviceCheck
from seqform.strategies.evaluate.forgetting import playing_form as playing_form
from seqform.strategies.evaluate.evaluate import Evaluation as Evaluation
from seqform.strategies.evaluate.evaluate import evaluate as evaluate
from seqform.strategies.given import GivenStrategy as GivenStrategy
from seqform.strategies.given import given_from as given_from
from seqform.strategies.given import read_given as read_given
from seqform.strategies.play.play import play as play
from seqform.strategies.exploit.observed import Observations as Observations
from seqform.strategies.exploit.observed import read_observations as read_observations
from seqform.strategies.evaluate.respond import BestResponse as BestResponse
from seqform.strategies.evaluate.respond import check_strategy_file as check_strategy_file
from seqform.strategies.evaluate.respond import respond as respond
from seqform.strategies.play.sample import sample as sample
from seqform.strategies.show.brief import Brief as Brief
from seqform.strategies.show.brief import brief as brief
from seqform.strategies.show.show import Shown as Shown
from seqform.strategies.show.show import show as show
from seqform.strategies.play.sampled import Sample as Sample
from seqform.strategies.evaluate.sequential_equilibrium import (
    check_sequential_equilibrium as check_sequential_equilibrium,
)
from seqform.tree.builder import TreeBuilder as TreeBuilder
from seqform.tree.from_any import AnyGame as AnyGame
from seqform.tree.from_arrays import matrix_game as matrix_game
from seqform.tree.from_any import build_tree as build_tree
from seqform.tree.from_rules import expand as expand
from seqform.tree.from_signals import assemble as assemble
from seqform.tree.isomorphism import Isomorphism as Isomorphism
from seqform.tree.isomorphism import NotIsomorphic as NotIsomorphic
from seqform.tree.isomorphism import isomorphism as isomorphism
from seqform.tree.restricted import restricted_game as restricted_game
from seqform.tree.tree import GameTree as GameTree

__version__: str
