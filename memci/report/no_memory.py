"""The message for a repository without memory."""

NOTHING = "nothing to check: no memory was found"
