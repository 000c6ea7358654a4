"""The engine that asks a model: fixed calls, no tools, and replies are untrusted."""

from memci.engines.model.model_engine import ModelEngine

__all__ = ["ModelEngine"]
