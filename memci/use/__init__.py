"""What became of a memory: whether sessions used it, obeyed it, and whether anybody said what it says."""
