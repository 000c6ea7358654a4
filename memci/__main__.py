"""The start of memci, as a console script and as `python -m memci`."""

# Nothing more: what is imported here is imported without protection.
import os
import signal


def run() -> None:
    """Load memci and run it; whoever interrupts it while it loads sees no traceback."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # What is ignored was meant to be, as after `nohup`.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    from memci import cli

    cli.run()


def _leave(*_: object) -> None:
    """End at once: nothing has been touched yet."""
    os.write(2, b"memci: interrupted\n")
    # What memci.errors.Exit calls INTERRUPTED; nothing may be imported here.
    os._exit(130)


if __name__ == "__main__":
    run()
