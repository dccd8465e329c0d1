"""Recursive games: games whose leaves lead on to games; solved, proven, saved and shown."""
