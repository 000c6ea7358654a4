"""Sessions: who speaks in a record, which characters of a message were typed, and what may leave the machine."""
