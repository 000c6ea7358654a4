"""The guards, one per file; they judge every operation, whichever engine proposed it."""
