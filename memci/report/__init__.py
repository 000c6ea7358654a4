"""Findings and status for people and machines."""
