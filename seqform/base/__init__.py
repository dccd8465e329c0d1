"""What knows no game: errors, numbers, memory, deadlines, files of arrays, provenance."""
