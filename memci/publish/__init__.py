"""Writes a finished plan as a bundle, and proposes bundles as one pull request."""
