"""Markdown, YAML, dates, similarity: pure functions of text; no files, no clock, no network."""
