"""Reviews what a change does to the meaning of memory: facts added, reworded, moved and lost."""
