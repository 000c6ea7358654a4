"""Citations: what memory states about the repository, checked against the repository and its history."""
