"""A host's settings, edited: our entry comes and goes, every other hook and setting stays.

The file is read as strict JSON and written with its own indentation; one with comments is not touched, because they
would be lost. What it was stays beside it.
"""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcpcompact.config import home_of, on_path
from mcpcompact.errors import CannotWriteError, ConfigError
from mcpcompact.results.durable import stage
from mcpcompact.settings.files import unique
from mcpcompact.shell import command

if TYPE_CHECKING:
    from mcpcompact.hook.event import Host

PROGRAM = "mcpcompact-hook"
MODULE = "mcpcompact.hook.entry"
MARKS = (PROGRAM, MODULE, "mcpcompact hook")  # what a command of ours says

BACKUP = ".before-mcpcompact"
INDENT = 2


@dataclass(frozen=True, slots=True)
class Change:
    """A settings file as it is and as it would be; None: no file."""

    path: str
    before: str | None
    after: str | None

    def diff(self) -> str:
        """What changes, as ``diff -u`` says it; empty for nothing."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, self.path, self.path, n=2)
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

    def apply(self) -> str:
        """Write it, and give the path of the backup, "" without one. Raises ``CannotWriteError``."""
        real = os.path.realpath(self.path)  # settings are often links into a folder of dotfiles
        backup = "" if self.before is None else f"{self.path}{BACKUP}"
        try:
            if backup:
                shutil.copy2(real, backup)
            if self.after is None:
                os.unlink(real)
                return backup
            os.makedirs(os.path.dirname(real), exist_ok=True)
            stage(os.path.dirname(real), [self.after.encode()]).publish(real)
            if backup:
                shutil.copymode(backup, real)
        except OSError as error:
            raise CannotWriteError(f"cannot write {self.path}: {error.strerror or error}") from error
        return backup


def hook_command() -> str:
    """How a host starts us: by a full path, because a host need not have this environment's programs on its own."""
    beside = os.path.join(os.path.dirname(sys.executable), PROGRAM)
    found = next((path for path in (beside, f"{beside}.exe", on_path(PROGRAM)) if path and os.path.isfile(path)), "")
    return command(found) if found else command(sys.executable, "-m", MODULE)


def settings_path(host: Host, project: bool) -> str:
    """The user's settings of a host, or those of the working directory's project."""
    return host.project if project else os.path.join(home_of(host.variable, host.home), host.file)


def install(host: Host, project: bool = False) -> Change:
    """What installing would change. Raises ``ConfigError`` for settings that cannot be edited without loss."""
    path = settings_path(host, project)
    entry = host.entry(hook_command())
    before, settings = _read(path, entry)
    settings = settings or dict(host.top)
    hooks = entries(settings, host, path)
    if entry in hooks:
        return Change(path, before, before)
    settings.setdefault("hooks", {})[host.event] = [*_others(hooks), entry]
    return Change(path, before, _written(settings, before))


def uninstall(host: Host, project: bool = False) -> Change:
    """What uninstalling would change. Raises as ``install``."""
    path = settings_path(host, project)
    before, settings = _read(path, None)
    hooks = entries(settings, host, path)
    others = _others(hooks)
    if others == hooks:
        return Change(path, before, before)
    settings["hooks"][host.event] = others
    if not others:
        del settings["hooks"][host.event]
    if not settings["hooks"]:
        del settings["hooks"]
    return Change(path, before, None if settings == dict(host.top) else _written(settings, before))


def entries(settings: dict[str, Any], host: Host, path: str) -> list[Any]:
    """The hooks of the host's event. Raises ``ConfigError`` where something else stands in their place."""
    hooks = settings.get("hooks", {})
    found = hooks.get(host.event, []) if isinstance(hooks, dict) else None
    if not isinstance(found, list):
        raise ConfigError(f"{path}: hooks.{host.event} is not a list", hint="nothing was changed")
    return found


def ours(hook: Any) -> str:
    """The command of a hook of ours, "" for another's."""
    commands = [hook.get(key) for key in ("command", "bash")] if isinstance(hook, dict) else []
    return next((text for text in commands if isinstance(text, str) and any(mark in text for mark in MARKS)), "")


def parts(entry: Any) -> list[Any]:
    """The hooks of an entry: those that it groups, or itself."""
    grouped = entry.get("hooks") if isinstance(entry, dict) else None
    return grouped if isinstance(grouped, list) else [entry]


def _others(hooks: list[Any]) -> list[Any]:
    """The entries without ours; a group that holds others' too keeps those."""
    kept = []
    for entry in hooks:
        left = [hook for hook in parts(entry) if not ours(hook)]
        if len(left) == len(parts(entry)):
            kept.append(entry)
        elif left:
            kept.append({**entry, "hooks": left})
    return kept


def _read(path: str, entry: Any) -> tuple[str | None, dict[str, Any]]:
    """The text of the settings and what they say."""
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        return None, {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", hint="nothing was changed") from error
    if not text.strip():
        return text, {}
    with suppress(ValueError, RecursionError):
        settings = json.loads(text, object_pairs_hook=unique)
        if isinstance(settings, dict):
            return text, settings
    add = f"; to the list of hooks add {json.dumps(entry)}" if entry else ""
    raise ConfigError(f"{path} is not plain JSON: comments would be lost", hint=f"nothing was changed{add}")


def _written(settings: dict[str, Any], before: str | None) -> str:
    """JSON with the indentation that the file had."""
    second = next((line for line in (before or "").splitlines()[1:] if line.strip()), "")
    indent = second[: len(second) - len(second.lstrip())] or " " * INDENT
    return json.dumps(settings, ensure_ascii=False, indent=indent) + "\n"
