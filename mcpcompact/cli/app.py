"""The command line's table of contents. Nothing but this module is imported until a command is known."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # the typing module costs 15 ms; checkers know this name
if TYPE_CHECKING:
    from mcpcompact.cli.io import Environment

COMMANDS = {
    # name -> what it does; the module of the same name in this package has NAME, HELP, configure and run
    "summarize": "fit a tool result into a token budget, keep the original, say how to get the rest",
    "chunk": "long content piece by piece: whole entries, paragraphs, records; every byte once",
    "paginate": "a long list page by page, with exact items and a cursor for the next page",
    "count": "count tokens exactly, per model; gate a budget in CI",
    "config": "write, show and check the configuration",
    "replay": "replay recorded sessions under several policies: what each saves and loses",
    "stats": "what runs saved, from the local telemetry; warnings, JSON, Prometheus",
    "results": "list, show, get, grep, verify and gc the stored originals",
}

HELP = """\
usage: mcpcompact COMMAND [OPTIONS] [FILES]

Make the tool output of LLM agents small without losing what the agent needs.
Reads files, or standard input with '-' or a pipe; data on stdout, everything else on stderr.

commands:
{commands}

options:
  --help     show this help; 'mcpcompact COMMAND --help' shows a command's
  --version  show the version

exit codes: 0 done, 1 a gate failed, 2 usage, 65 input cannot be used, 66 no input,
            73 cannot write, 74 cannot read, 78 configuration
"""


def help_text() -> str:
    return HELP.format(commands="\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items()))


def main(argv: list[str], env: Environment | None = None) -> int:
    """Run one command; returns the exit code. Never raises for bad input, never prints a traceback."""
    if argv and argv[0] in ("--version", "-V"):
        from mcpcompact import __version__

        sys.stdout.write(f"mcpcompact {__version__}\n")
        return 0
    if not argv or argv[0] in ("--help", "-h", "help"):
        (sys.stdout if argv else sys.stderr).write(help_text())
        return 0 if argv else 2
    if argv[0] == "run":
        from mcpcompact.cli.commands.run import standing_alone

        return standing_alone(argv[1:], env)
    if argv[0] not in COMMANDS:
        sys.stderr.write(f"mcpcompact: unknown command '{argv[0]}'; use one of {', '.join(COMMANDS)}\n")
        return 2
    from mcpcompact.cli.io import Environment
    from mcpcompact.cli.running import run_command

    return run_command(argv[0], argv[1:], env or Environment())


def entry() -> None:
    """The console script. A closed pipe is quiet; output is flushed before the code is returned."""
    import os

    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter flushes once more at exit
    except KeyboardInterrupt:
        code = 130
    except OSError as error:  # a full disk behind stdout
        code = 73
        if sys.stderr is not None:
            sys.stderr.write(f"mcpcompact: cannot write: {error.strerror or error}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if code < 0:  # as the command that was run, by that signal
        from mcpcompact.cli.commands.run import end_by

        end_by(-code)
    sys.exit(code)
