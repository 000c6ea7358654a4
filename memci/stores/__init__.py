"""The only package that changes files."""
