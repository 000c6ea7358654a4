"""What the GitHub action does around memci: inputs to arguments, results to outputs and a summary."""
