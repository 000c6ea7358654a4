"""What `memci doctor` examines."""
