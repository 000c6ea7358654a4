"""What a change does to memory, in meaning: facts added, reworded, moved and lost."""
