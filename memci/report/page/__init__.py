"""The page: one self-contained HTML file about the health of memory and about a dream, and the same as JSON."""
