"""What counts as an answer: one file a solution concept, and the best responses they rest on."""
