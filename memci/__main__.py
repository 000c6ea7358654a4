"""The start of memci, as a console script and as `python -m memci`."""

# Nothing more: an interrupt during these imports would show a traceback.
import gc
import os
import signal
import sys

# The plugin calls it after every write to a Markdown file, and the agent waits for it.
_HOOK = ["check", "--hook"]


def run() -> None:
    """Load memci and run it; an interrupt while it loads shows no traceback."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Signals that are ignored stay ignored, as after `nohup`.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    # Loading creates 50,000 objects and no garbage; at the default of 700 Python would look for it 70 times.
    gc.set_threshold(50_000)
    if sys.argv[1:] == _HOOK and not any(name.startswith("MEMCI_") for name in os.environ):
        # Without the command line and its options, which take a quarter of the time.
        from memci.runs.check_hook import answer

        answer()
        return
    from memci import cli

    cli.run()


def _leave(*_: object) -> None:
    """End at once: nothing has been touched yet."""
    os.write(2, b"memci: interrupted\n")
    # What memci.errors.Exit calls INTERRUPTED; nothing may be imported here.
    os._exit(130)


if __name__ == "__main__":
    run()
