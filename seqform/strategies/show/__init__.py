"""Strategies shown to people: by hand and line of actions, or action by action."""
