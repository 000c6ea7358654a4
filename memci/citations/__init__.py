"""Truth: what memory says about the repository, and what the repository and its history say back."""
