"""Whether what is cited exists in the work tree."""
