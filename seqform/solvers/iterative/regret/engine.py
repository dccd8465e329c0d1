import numpy as np


def regret_engine(form, rule, single=False, threads=1):
    from seqform.base.errors import UnsupportedGameError
    from seqform.solvers.iterative.regret.signal_engine import SignalEngine
    from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine

    if form.signals is None:
        return TreeplexEngine(form, rule)
    try:
        return SignalEngine(
            *form.signals, rule, np.float32 if single else np.float64, threads=threads
        )
    except UnsupportedGameError:
        return TreeplexEngine(form, rule)
