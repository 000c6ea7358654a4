"""Strict stand-ins for outside services: real servers on loopback that refuse what the real ones refuse."""
