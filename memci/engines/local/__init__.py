"""The embedded engine: no key, no network, deterministic; uses only the words of the person."""

from memci.engines.local.local_engine import LocalEngine

__all__ = ["LocalEngine"]
