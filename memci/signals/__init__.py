"""Signals: which sentences of a person are worth remembering; pure, over turns."""
