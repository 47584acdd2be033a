"""A host's settings, edited: our entry comes and goes, every other hook and setting stays as it was written.

The file is read as strict JSON; one with comments is not touched. What it first was stays beside it, in a file of its
own: nothing is written through a link that a checkout brought along.
"""

from __future__ import annotations

import difflib
import errno
import json
import os
import shutil
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mcpcompact.config import home_of, on_path
from mcpcompact.errors import CannotWriteError, ConfigError
from mcpcompact.hook.hosts import Host
from mcpcompact.hook.splice import appended, cut, cuts, items, parsed, place
from mcpcompact.results.durable import Staging, create, open_regular
from mcpcompact.shell import command

PROGRAM = "mcpcompact-hook"
MODULE = "mcpcompact.hook.entry"
MARKS = (PROGRAM, MODULE, "mcpcompact hook")  # what a command of ours says

BACKUP = ".before-mcpcompact"
MAX_BYTES = 1 << 20  # of settings, which are some kilobytes


@dataclass(frozen=True, slots=True)
class Change:
    """A settings file as it is and as it would be; None: no file. ``backup``: what it is now has to be kept."""

    path: str
    before: str | None
    after: str | None
    backup: bool = False

    def diff(self) -> str:
        """What changes, as ``diff -u`` says it; empty for nothing."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, self.path, self.path, n=2)
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

    def apply(self) -> str:
        """Write it, and give the path of the backup, "" where none was made. Raises ``CannotWriteError``."""
        real = os.path.realpath(self.path)  # the user's settings are often links into a folder of dotfiles
        try:
            backup = self._backed_up(real) if self.backup and self.before is not None else ""
            if self.after is None:
                os.unlink(real)
                return backup
            os.makedirs(os.path.dirname(real), exist_ok=True)
            with Staging(os.path.dirname(real)) as staging:
                staged = staging.add([self.after.encode()])
                if self.before is not None:
                    shutil.copymode(real, staged.path)
                staged.publish(real)
        except OSError as error:
            reason = error.strerror or error
            raise CannotWriteError(f"cannot write {self.path}: {reason}", hint="nothing was changed") from error
        return backup

    def _backed_up(self, real: str) -> str:
        """Keep what it is in a new file; the first one stays. Raises ``OSError`` for a name that leads elsewhere."""
        backup = f"{self.path}{BACKUP}"
        try:
            create(backup, (self.before or "").encode(), stat.S_IMODE(os.stat(real).st_mode))
        except FileExistsError:
            info = os.lstat(backup)
            if not stat.S_ISREG(info.st_mode) or info.st_nlink > 1:
                raise OSError(errno.EEXIST, f"{backup} is no file of its own; remove it first") from None
            return ""
        return backup


def hook_command() -> str:
    """How a host starts us: by a full path, because a host need not have this environment's programs on its own. What
    stands in the working directory never counts."""
    beside = os.path.join(os.path.dirname(sys.executable), PROGRAM)
    program = next((path for path in (beside, f"{beside}.exe", on_path(PROGRAM)) if path and os.path.isfile(path)), "")
    return command(program) if program else command(sys.executable, "-P", "-m", MODULE)


def settings_path(host: Host, project: bool) -> str:
    """The user's settings of a host, or those of the working directory's project."""
    return host.project if project else os.path.join(home_of(host.variable, host.home), host.file)


def install(host: Host, project: bool = False) -> Change:
    """What installing would change. Raises ``ConfigError`` for settings that cannot be edited without loss."""
    path = _inside(host.project) if project else settings_path(host, project)
    entry = host.entry(hook_command())
    before, _, hooks = read(host, path, f"; to the list of hooks add {json.dumps(entry)}")
    if parsed(json.dumps(entry)) in hooks:
        return Change(path, before, before)
    return Change(path, before, _with(before, host, entry), backup=True)


def uninstall(host: Host, project: bool = False) -> Change:
    """What uninstalling would change: all that installing did, if nothing else changed since. Raises as ``install``."""
    path = _inside(host.project) if project else settings_path(host, project)
    before, _, hooks = read(host, path)
    if before is None or not any(map(commands, hooks)):
        return Change(path, before, before)
    after, original = _without(before, host), _original(path, host)
    if original is not None and _without(_with(original, host, host.entry(hook_command())), host) == after:
        return Change(path, before, original)
    return Change(path, before, None if parsed(after) == parsed(json.dumps(dict(host.top))) else after)


def read(host: Host, path: str, hint: str = "") -> tuple[str | None, dict[str, Any], list[Any]]:
    """The text of a settings file, None without one; what it says; and the entries of the host's event. Raises
    ``ConfigError`` for what is no file (a pipe is not waited for), no object of strict JSON, or no list."""
    settings = None
    try:
        with open_regular(os.path.realpath(path)) as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise OSError(errno.EFBIG, f"it is over {MAX_BYTES >> 20} MB")
        text = data.decode()
        settings = parsed(text) if text.strip() else {}
    except FileNotFoundError:
        return None, {}, []
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}", hint="nothing was changed") from error
    except (ValueError, RecursionError):
        pass
    if not isinstance(settings, dict):
        raise ConfigError(f"{path} is not plain JSON: comments would be lost", hint=f"nothing was changed{hint}")
    hooks = settings.get("hooks", {})
    entries = hooks.get(host.event, []) if isinstance(hooks, dict) else None
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: hooks.{host.event} is not a list", hint="nothing was changed")
    return text, settings, entries


def commands(entry: Any) -> list[str]:
    """The commands of ours in an entry."""
    return [command for command in map(ours, parts(entry)) if command]


def ours(hook: Any) -> str:
    """The command of a hook of ours, "" for another's."""
    texts = [hook.get(key) for key in ("command", "bash")] if isinstance(hook, dict) else []
    return next((text for text in texts if isinstance(text, str) and any(mark in text for mark in MARKS)), "")


def parts(entry: Any) -> list[Any]:
    """The hooks of an entry: those that it groups, or itself."""
    grouped = entry.get("hooks") if isinstance(entry, dict) else None
    return grouped if isinstance(grouped, list) else [entry]


def _inside(path: str) -> str:
    """The settings of a project, whose checkout may hold links to anywhere. Raises ``ConfigError`` for those."""
    real, root = os.path.realpath(path), os.path.realpath(os.curdir)
    if os.path.islink(path) or not real.startswith(os.path.join(root, "")):
        raise ConfigError(f"{path} is a link, or leads out of the project: {real}", hint="nothing was changed")
    return path


def _original(path: str, host: Host) -> str | None:
    """What the settings were before the hook was first installed; None where that is not known."""
    backup = f"{path}{BACKUP}"
    with suppress(ConfigError):
        text, _, hooks = read(host, backup)
        return None if os.path.islink(backup) or any(map(commands, hooks)) else text
    return None


def _with(text: str | None, host: Host, entry: Any) -> str:
    """Settings with our entry behind the other hooks, in the place of one of an older version."""
    text = text if text and text.strip() else "{}\n"
    if not items(text, place(text)):
        for key, value in host.top.items():
            text = appended(text, place(text), value, key)
    if place(text, "hooks") < 0:
        return appended(text, place(text), {host.event: [entry]}, "hooks")
    if place(text, "hooks", host.event) < 0:
        return appended(text, place(text, "hooks"), [entry], host.event)
    text = _others(text, place(text, "hooks", host.event))
    return appended(text, place(text, "hooks", host.event), entry)


def _without(text: str, host: Host) -> str:
    """Settings without our entry, and without the list and the object that held nothing else."""
    text = _others(text, place(text, "hooks", host.event))
    for keys in (("hooks", host.event), ("hooks",)):
        if not items(text, place(text, *keys)):
            above = place(text, *keys[:-1])
            text = cut(text, cuts(text, above, [[item.key for item in items(text, above)].index(keys[-1])]))
    return text


def _others(text: str, at: int) -> str:
    """The text without what is ours in a list of hooks; a group that holds others' too keeps those."""
    whole, spans = [], []
    for index, item in enumerate(items(text, at)):
        mine = [bool(ours(hook)) for hook in parts(item.content)]
        if mine and all(mine):
            whole.append(index)
        elif any(mine):
            group = next(part.value for part in items(text, item.value) if part.key == "hooks")
            spans += cuts(text, group, [number for number, own in enumerate(mine) if own])
    return cut(text, sorted(spans + cuts(text, at, whole)))
