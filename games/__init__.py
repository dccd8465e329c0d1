"""The games themselves, one file each; `seqform.game.catalogue` names them."""
