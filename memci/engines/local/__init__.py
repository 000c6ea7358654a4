"""The embedded engine: no key, no network, deterministic, and in nobody's words but the person's."""

from memci.engines.local.local_engine import LocalEngine

__all__ = ["LocalEngine"]
