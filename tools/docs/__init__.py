"""Builds the generated pages and parts of the documentation."""
