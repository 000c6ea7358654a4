"""Reading the world: scopes, their files, CLAUDE.md; never writing."""
