"""What is said when a repository has no memory."""

NOTHING = "nothing to check: no memory was found"
