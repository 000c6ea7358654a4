"""Tools for developers of memci; not part of the package."""
