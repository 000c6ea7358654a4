"""Predicts what a session would be shown of memory: which topics, how much of each, and how old they are."""
