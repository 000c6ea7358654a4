"""Scopes and signals for the tests of the dream, made from texts."""

import datetime as dt
from collections.abc import Mapping
from pathlib import PurePosixPath

from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import run_rules
from memci.config import Config
from memci.dream.pipeline import dream_scope
from memci.dream.sources import Sources
from memci.engines.local import LocalEngine
from memci.model import ScopeSnapshot, Snapshot, TopicType
from memci.operation import ScopePlan
from memci.transcript import Origin, Signal, SignalKind
from tests.build import make_scope

NOW = dt.datetime(2026, 11, 16, 3, tzinfo=dt.UTC)
