"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.experiment.axes import Axis as Axis
from seqform.experiment.axes import Role as Role
from seqform.experiment.methods_by_name import changed_rule as changed_rule
from seqform.experiment.methods_by_name import named_method as named_method
from seqform.experiment.point import Point as Point
from seqform.experiment.row import INPUTS as INPUTS
from seqform.experiment.row import Cell as Cell
from seqform.experiment.row import Row as Row
from seqform.experiment.row import column_of as column_of
from seqform.experiment.runner import Finished as Finished
from seqform.experiment.runner import Now as Now
from seqform.experiment.runner import run_experiment as run_experiment
from seqform.experiment.script import run_as_script as run_as_script
from seqform.experiment.spec import EXPERIMENTS as EXPERIMENTS
from seqform.experiment.spec import ExperimentSpec as ExperimentSpec
from seqform.experiment.store import read_table as read_table
from seqform.experiment.toml_file import read_sweep as read_sweep
