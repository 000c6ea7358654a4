"""Reads Markdown and sentences in several languages: pure functions of text."""
