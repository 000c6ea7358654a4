"""The engine that asks a model: fixed calls, no tools, and nothing of a reply is believed."""

from memci.engines.model.model_engine import ModelEngine

__all__ = ["ModelEngine"]
