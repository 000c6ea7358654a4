"""What the repository answers when it is asked about a name, lines, a log or a commit."""
