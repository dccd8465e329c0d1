"""Regret minimization in extensive-form games: rules, and engines that apply them."""
