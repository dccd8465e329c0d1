"""What one does with a strategy: read, look at, judge and bend it, and play it."""
