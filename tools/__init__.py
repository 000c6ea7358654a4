"""Tools for those who work on memci; not part of the package."""
