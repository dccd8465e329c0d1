"""Games of hands at one public node: who comes there with what, and what that is worth."""
