"""The sequence form and its parts: treeplexes, payoff operators, profiles."""
