"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.perfect_information.decision import Decision as Decision
from seqform.perfect_information.equilibria import pure_equilibria as pure_equilibria
from seqform.perfect_information.induction import Induction as Induction
from seqform.perfect_information.induction import backward_induction as backward_induction
from seqform.perfect_information.one_shot_deviations import OneShotCertificate as OneShotCertificate
from seqform.perfect_information.one_shot_deviations import check_one_shot as check_one_shot
from seqform.perfect_information.result import SearchProgress as SearchProgress
from seqform.perfect_information.result import SearchResult as SearchResult
from seqform.perfect_information.game_tree_search import alpha_beta as alpha_beta
from seqform.perfect_information.game_tree_search import minimax as minimax
from seqform.perfect_information.tree_induction import TreeInduction as TreeInduction
from seqform.perfect_information.tree_induction import backward_induction_tree as backward_induction_tree
