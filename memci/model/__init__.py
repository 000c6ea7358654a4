"""The nouns of memci as frozen values; they know nothing of files, git or the clock."""
