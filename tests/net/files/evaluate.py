def even(state):
    """Return an estimate."""
    return 0
