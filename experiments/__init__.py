"""One question per file; every figure and table of the README comes from here."""
