"""Fuzz guided by coverage: `python -m tests.fuzz NAME [-runs=N …]`, or `all`; needs `pip install atheris`."""

import subprocess
import sys

import atheris

with atheris.instrument_imports(include=["memci"]):
    from tests.fuzz.targets import TARGETS


def _run(name: str, arguments: list[str]) -> None:
    target = next((target for target in TARGETS if target.name == name), None)
    if target is None:
        sys.exit(f"no such target: {name}; there are {', '.join(target.name for target in TARGETS)}")

    def read(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        words = []
        while provider.remaining_bytes() > 0:
            # Half of what is read are words of the target's language: random letters alone rarely form one.
            if provider.ConsumeBool():
                words.append(provider.PickValueInList(list(target.pieces)))
            else:
                words.append(provider.ConsumeUnicode(8))
        target.run("".join(words))

    atheris.Setup([name, *arguments], read)
    atheris.Fuzz()


def _run_all(arguments: list[str]) -> None:
    """Run each target in a process of its own, because the fuzzer ends the one it is in."""
    failed = [
        target.name
        for target in TARGETS
        if subprocess.run([sys.executable, "-m", "tests.fuzz", target.name, *arguments], check=False).returncode
    ]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    name, *rest = sys.argv[1:] or [""]
    _run_all(rest) if name == "all" else _run(name, rest)
