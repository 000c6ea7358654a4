"""The guards: one per file, over an operation and what it rests on; every engine is treated alike."""
