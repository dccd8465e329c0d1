"""What a user names: one file a method; and `solve`, which chooses one and runs it."""
