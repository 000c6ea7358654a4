"""Finds what must not be shown or obeyed: secrets, hidden text, orders to the model."""
