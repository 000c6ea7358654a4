"""`memci completion`: the script that completes commands and options in a shell."""

import click
from click.shell_completion import get_completion_class

from memci.errors import Exit, UsageError
from memci.report.output import emit


@click.command(
    "completion",
    epilog="""\b
Examples:
  memci completion bash >> ~/.bashrc
  memci completion zsh >> ~/.zshrc
  memci completion fish > ~/.config/fish/completions/memci.fish""",
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def command(context: click.Context, /, shell: str) -> Exit:
    """Print the script that completes commands and options in a shell.

    SHELL is bash, zsh or fish. The tab key then completes commands, options and their values; in zsh the script must
    come after compinit.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"there is no completion for {shell}", hint="bash, zsh or fish")
    emit(kind(context.find_root().command, {}, "memci", "_MEMCI_COMPLETE").source() + "\n")
    return Exit.DONE
