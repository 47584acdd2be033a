"""Does the hook work here? A recorded payload through the command that ``install`` writes; a line a finding.

Settings may be anybody's, above all those of a checkout: no other command that they name is run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcpcompact.config import environment_with, on_path
from mcpcompact.errors import McpcompactError
from mcpcompact.hook.hosts import HOSTS, Host
from mcpcompact.hook.install import commands, hook_command, parts, read, settings_path
from mcpcompact.integrations.base import mapping
from mcpcompact.settings.effective import load

LINES = 400  # of the sample: some 16 KB, well over any usual threshold
PATIENCE = 20.0  # seconds for one command
SHOWN = 120  # characters of a command that is named
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. ``wrong``: the hook does not do its work there."""

    where: str
    text: str
    wrong: bool = False


def examine() -> Iterator[Finding]:
    """What is found, host by host."""
    try:
        load()
    except McpcompactError as error:
        yield Finding("configuration", f"{error.line()}: results stay as they are", True)
    if not on_path("mcpcompact"):
        yield Finding("notice", "no mcpcompact on the PATH: results name the stored file instead of a command")
    none = True
    for one in HOSTS.values():
        paths = {os.path.realpath(settings_path(one, project)): project for project in (True, False)}  # one in the home
        findings = [finding for project in paths.values() for finding in _file(one, project)]
        if findings:
            yield from (*findings, *_version(one))
        elif on_path(one.program):
            findings = [Finding(one.name, f"is here, without the hook: mcpcompact hook install {one.name}")]
            yield from findings
        none = none and not findings
    if none:
        yield Finding("hook", f"installed nowhere: mcpcompact hook install HOST (one of {', '.join(HOSTS)})")


def _file(one: Host, project: bool) -> Iterator[Finding]:
    """What is wrong with the hooks of one settings file; nothing where ours is not there."""
    path = settings_path(one, project)
    try:
        _, settings, entries = read(one, path)
    except McpcompactError as error:
        yield Finding(one.name, f"{error.reason}: ours was not looked for")
        return
    hooks = [command for entry in entries for command in commands(entry)]
    for command in hooks:
        is_known = command == hook_command() and not project
        yield _tried(one, path, command) if is_known else _named(one, path, command, project)
    if hooks and (switch := _off(settings)):
        yield Finding(one.name, f"{path} switches all hooks off ({switch})", True)
    if len(hooks) > 1:
        yield Finding(one.name, f"{path} names the hook {len(hooks)} times", True)
    if hooks and len(hooks) < sum(len(parts(entry)) for entry in entries):
        yield Finding(one.name, f"{path} has other hooks of this event: where two rewrite a result, the last one wins")


def _off(settings: dict[str, Any]) -> str:
    """The setting by which Claude Code or Gemini CLI runs no hook at all."""
    if settings.get("disableAllHooks") is True:
        return "disableAllHooks"
    return "hooksConfig.enabled" if mapping(settings.get("hooksConfig")).get("enabled") is False else ""


def _named(one: Host, path: str, command: str, project: bool) -> Finding:
    """A command that is not run. One line: it may hold line breaks and whatever a terminal obeys."""
    shown = json.dumps(command if len(command) <= SHOWN else f"{command[:SHOWN]}…")
    if project:
        return Finding(one.name, f"{path}: not run, because it is a project's: {shown}")
    ask = f"mcpcompact hook install {one.name}"
    return Finding(one.name, f"{path}: not run, because it is not what '{ask}' writes: {shown}", True)


def _tried(one: Host, path: str, command: str) -> Finding:
    """The command, with a long result of a shell."""
    with tempfile.TemporaryDirectory() as folder:
        payload = one.sample("".join(f"step {number} of the build is done\n" for number in range(LINES)), folder)
        env, given = environment_with(MCPCOMPACT_RESULTS_DIR=os.path.join(folder, "results")), json.dumps(payload)
        began = time.perf_counter()
        try:
            done = subprocess.run(
                command, shell=True, input=given.encode(), capture_output=True, timeout=PATIENCE, env=env
            )
        except subprocess.TimeoutExpired:
            return Finding(one.name, f"{path}: no answer within {PATIENCE:g} s from {command}", True)
        took = time.perf_counter() - began
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        wrong = _wrong(done.returncode, done.stdout)
        if wrong:
            return Finding(one.name, f"{path}: {wrong}: {command}{''.join(f' ({line})' for line in words)}", True)
    return Finding(one.name, f"{path}: works, {took * 1000:.0f} ms for a result of 12 KB")


def _wrong(code: int, out: bytes) -> str:
    if code:
        return f"exit code {code}"
    if not out:
        return "says nothing to a long result"
    try:
        reply: Any = json.loads(out)
    except ValueError:
        return "says something that is no JSON"
    return "" if isinstance(reply, dict) and reply else "says something that is no reply"


def _version(one: Host) -> Iterator[Finding]:
    program = on_path(one.program)
    if not (program and one.least):
        return
    try:
        output = subprocess.run([program, "--version"], capture_output=True, timeout=PATIENCE, text=True).stdout
    except (OSError, subprocess.TimeoutExpired):
        return
    match = _VERSION.search(output)
    if match and tuple(map(int, match.groups())) < one.least:
        yield Finding(one.name, f"{match[0]} takes no other result: {'.'.join(map(str, one.least))} does", True)
