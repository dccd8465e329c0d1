"""Programs beside seqform: the standalone checker of certificates, and mutation testing."""
