"""Renders the reference of the commands from their declarations."""

import inspect
import re
from typing import NamedTuple

import click

from memci.cli import _EXIT_CODES, _group, find_sections

_PARENT = click.Context(_group, info_name="memci", **_group.context_settings)


class Section(NamedTuple):
    """A part of the epilog of a command: its title, and lines of a term and its meaning."""

    title: str
    lines: list[tuple[str, str]]


def list_commands() -> list[tuple[click.Command, click.Context]]:
    """List every command with its context, in the order of the overview."""
    names = [name for names in find_sections().values() for name in names]
    commands = [command for name in names if (command := _group.get_command(_PARENT, name))]
    return [(command, click.Context(command, info_name=command.name, parent=_PARENT)) for command in commands]


def list_options(command: click.Command, context: click.Context) -> list[click.Option]:
    """List the visible options, without `--help`, which is documented once for all commands."""
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    return [option for option in options if not option.hidden and (option.expose_value or command is _group)]


def variable_of(option: click.Option, context: click.Context) -> str:
    """Return the environment variable that sets an option; options that only print something have none."""
    return str(option.envvar or f"{context.auto_envvar_prefix}_{option.name}".upper()) if option.expose_value else ""


def read_epilog(command: click.Command) -> list[Section]:
    """Split the epilog of a command into its sections."""
    sections = []
    for part in (command.epilog or "").replace("\b\n", "").split("\n\n"):
        title, *lines = part.split("\n")
        # At least two spaces separate a term from its meaning.
        parts = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines]
        sections.append(Section(title.rstrip(":"), [(words[0], words[1] if words[1:] else "") for words in parts]))
    return [section for section in sections if section.lines]


def render_overview() -> str:
    """Render the commands by heading, each with its summary."""
    commands = {context.info_name: (command, context) for command, context in list_commands()}
    rows = []
    for title, names in find_sections().items():
        rows.append(f"| **{title}** | |")
        rows += [f"| [`{name}`](#memci-{name}) | {_paragraphs(commands[name][0])[0]} |" for name in names]
    return "\n".join(["| command | |", "|---|---|", *rows])


def render_commands() -> str:
    """Render a section for each command."""
    return "\n\n".join(_render_command(command, context) for command, context in list_commands())


def render_global_options() -> str:
    """Render the options that come before the command."""
    return _render_options(_group, _PARENT)


def render_exit_codes() -> str:
    """Render the meanings of the exit codes of all commands."""
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
    return "\n\n".join(part for part in parts if part)


def _paragraphs(command: click.Command) -> list[str]:
    return [" ".join(part.split()) for part in inspect.cleandoc(command.help or "").split("\n\n")]


def _render_options(command: click.Command, context: click.Context) -> str:
    options = list_options(command, context)
    rows = ["| option | | default | variable |", "|---|---|---|---|"] if options else []
    for option in options:
        names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
        value = "" if option.is_flag or option.count else f" `{option.make_metavar(context)}`"
        default = option.get_help_extra(context).get("default", "")
        variable = variable_of(option, context)
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
