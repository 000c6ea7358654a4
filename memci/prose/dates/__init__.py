"""Finds dates in prose, relative and absolute, and those that have passed."""
