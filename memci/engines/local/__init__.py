"""The embedded engine: no key, no network, deterministic, and in nobody's words but the person's."""

from memci.engines.local.engine import LocalEngine

__all__ = ["LocalEngine"]
