"""What the documentation says is what the program does."""
