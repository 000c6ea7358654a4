"""The reference of the commands, made from the commands themselves."""

import inspect
import re
from typing import NamedTuple

import click

from memci.cli import _EXIT_CODES, _group, find_sections

_ABOVE = click.Context(_group, info_name="memci", **_group.context_settings)


class Section(NamedTuple):
    """A paragraph below the options of a command: its title, and lines of a word and what is said of it."""

    title: str
    lines: list[tuple[str, str]]


def find_commands() -> list[tuple[click.Command, click.Context]]:
    """Return every command with the context in which it runs, in the order of the overview."""
    names = [name for names in find_sections().values() for name in names]
    commands = [command for name in names if (command := _group.get_command(_ABOVE, name))]
    return [(command, click.Context(command, info_name=command.name, parent=_ABOVE)) for command in commands]


def find_options(command: click.Command, context: click.Context) -> list[click.Option]:
    """Return the options that people see; `--help` is said once, for all commands."""
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    return [option for option in options if not option.hidden and (option.expose_value or command is _group)]


def find_variable(option: click.Option, context: click.Context) -> str:
    """Return the environment variable that sets an option; what only shows something has none."""
    return str(option.envvar or f"{context.auto_envvar_prefix}_{option.name}".upper()) if option.expose_value else ""


def read_epilog(command: click.Command) -> list[Section]:
    """Split what stands below the options into its sections."""
    sections = []
    for part in (command.epilog or "").replace("\b\n", "").split("\n\n"):
        title, *lines = part.split("\n")
        # A word and its meaning are two blanks apart, at least.
        parts = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines]
        sections.append(Section(title.rstrip(":"), [(words[0], words[1] if words[1:] else "") for words in parts]))
    return [section for section in sections if section.lines]


def render_overview() -> str:
    """Return the commands below their headings, each with its summary."""
    commands = {context.info_name: (command, context) for command, context in find_commands()}
    rows = []
    for title, names in find_sections().items():
        rows.append(f"| **{title}** | |")
        rows += [f"| [`{name}`](#memci-{name}) | {_paragraphs(commands[name][0])[0]} |" for name in names]
    return "\n".join(["| command | |", "|---|---|", *rows])


def render_commands() -> str:
    """Return a section for each command."""
    return "\n\n".join(_render_command(command, context) for command, context in find_commands())


def render_global_options() -> str:
    """Return the options that stand before the command."""
    return _render_options(_group, _ABOVE)


def render_exit_codes() -> str:
    """Return what the exit codes mean, for all commands."""
    return _render_section(Section("Exit codes", [(str(int(code)), text) for code, text in _EXIT_CODES.items()]))


def _render_command(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [
        f"## {context.command_path}",
        *_paragraphs(command),
        f"Usage: `{usage}`",
        _render_options(command, context),
    ]
    parts += [f"{section.title}:\n\n{_render_section(section)}" for section in read_epilog(command)]
    return "\n\n".join(parts)


def _paragraphs(command: click.Command) -> list[str]:
    return [" ".join(part.split()) for part in inspect.cleandoc(command.help or "").split("\n\n")]


def _render_options(command: click.Command, context: click.Context) -> str:
    rows = ["| option | | default | variable |", "|---|---|---|---|"]
    for option in find_options(command, context):
        names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
        value = "" if option.is_flag or option.count else f" `{option.make_metavar(context)}`"
        default = option.get_help_extra(context).get("default", "")
        variable = find_variable(option, context)
        cells = (names + value, option.help or "", default, f"`{variable}`" if variable else "")
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def _render_section(section: Section) -> str:
    if section.title == "Examples":
        width = max((len(line) for line, meaning in section.lines if meaning), default=0)
        lines = [f"{line:{width}}  # {meaning}" if meaning else line for line, meaning in section.lines]
        return "\n".join(["```sh", *lines, "```"])
    head = "code" if section.title == "Exit codes" else ""
    return "\n".join([f"| {head} | |", "|---|---|", *(f"| {word} | {meaning} |" for word, meaning in section.lines)])
