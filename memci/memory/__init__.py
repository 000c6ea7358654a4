"""The format of memory: MEMORY.md, topics, scopes, guides; reading and editing them."""
