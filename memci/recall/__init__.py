"""What a session would be shown of memory: which topics, how much of them, and how fresh they are."""
