"""The guards, one per file, named by their ids."""
