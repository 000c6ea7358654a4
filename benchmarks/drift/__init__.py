"""Labelled findings about stale citations in public repositories, and a scorer for any tool."""
