"""The rules of `memci check`, one per file, named by their ids."""
