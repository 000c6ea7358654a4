"""The history of citations in git: when each was written, and what happened to its object since."""
