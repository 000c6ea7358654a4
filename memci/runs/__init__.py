"""What each command does; no click and no output formats here."""
