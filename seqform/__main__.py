"""`python -m seqform`: the command line, where the `seqform` command is not on the path."""

from seqform.cli import shell

shell()
