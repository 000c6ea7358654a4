"""Finds what memory cites: paths, names, commands, lines."""
