"""The rules of `memci check`: one per file, pure, over a snapshot."""
