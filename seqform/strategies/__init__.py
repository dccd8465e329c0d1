"""What one does with a strategy: read it, show it, evaluate it, exploit it, and play it."""
