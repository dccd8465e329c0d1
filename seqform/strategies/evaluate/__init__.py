"""What strategies are worth, who answers them best, and whether they are what they claim."""
