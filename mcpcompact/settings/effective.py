"""The settings in force: defaults < file < environment < options, each with where it came from; and those of a running
process, for which a changed file counts from the next look on, a broken one never."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.config import config_dir, config_option, environment
from mcpcompact.errors import ConfigError
from mcpcompact.policy import Policy
from mcpcompact.settings.checking import Values, check, dotted, from_text, wrong
from mcpcompact.settings.files import find, in_directory, parse
from mcpcompact.settings.schema import SETTINGS, setting, written
from mcpcompact.shell import command

FILE, ENVIRONMENT, OPTION = 1, 2, 3  # layers above the defaults; the higher one wins
RESULTS, MASK, RULES = ("defaults", "results_dir"), ("defaults", "mask"), ("masking", "rules")


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model of the file. Prices are dollars for a million tokens."""

    name: str
    encoding: str | None = None
    context_limit: int | None = None
    safety_margin: float = 1.0
    input_price: float | None = None
    cached_input_price: float | None = None
    output_price: float | None = None

    @property
    def usable(self) -> int | None:
        """Tokens of its window that may be used."""
        return None if self.context_limit is None else int(self.context_limit * self.safety_margin)


@dataclass(slots=True)
class Settings:
    """What is set above the defaults, by layer. ``file`` is the configuration's path, "" for none."""

    file: str = ""
    layers: dict[int, Values] = field(default_factory=dict)
    named: dict[tuple[str, ...], str] = field(default_factory=dict)  # the variable or option that set a value
    trusted: bool = True  # not a file of the working directory that nobody named

    def find(self, *paths: tuple[str, ...]) -> tuple[Any, int]:
        """The value that counts and its layer (0: the default of the last path). Of one layer the first path wins."""
        for layer in (OPTION, ENVIRONMENT, FILE):
            values = self.layers.get(layer, {})
            for path in paths:
                if path in values:
                    return values[path], layer
        known = setting(paths[-1])
        return (None if known is None else known.default), 0

    def get(self, name: str) -> Any:
        """A setting of ``defaults``."""
        return self.find(("defaults", name))[0]

    def origin(self, path: tuple[str, ...]) -> str:
        """Where a value came from, as ``config show`` says it."""
        layer = self.find(path)[1]
        return ("default", self.file, self.named.get(path, ""), self.named.get(path, ""))[layer]

    def runs(self, command: str) -> None:
        """Raises ``ConfigError`` when a command is switched off."""
        if not self.find(("features", command))[0]:
            raise ConfigError(
                f"'{command}' is switched off: features.{command} in {self.file}", hint="ask who owns that file"
            )

    def policy(self, server: str | None = None, tool: str | None = None) -> Policy:
        """The policy of a server's tool: the tool's own settings before its server's before the defaults."""

        def pick(name: str, of_server: str = "") -> tuple[Any, int]:
            paths = of_tool(server, tool, name)
            if server and of_server:
                paths.append(("mcp_servers", server, "summarization", of_server))
            if setting(("defaults", name)) is not None:
                paths.append(("defaults", name))
            return self.find(*paths) if paths else (None, 0)

        budget, budget_layer = pick("budget_tokens", "summary_max_token_limit")
        threshold, layer = pick("threshold_tokens", "size_threshold_tokens")
        if threshold is not None and threshold < budget:
            # the two come from different parts or layers: the nearer one was meant, the other follows
            threshold = budget if budget_layer >= layer else threshold
        enabled = pick("enabled", "enabled")[0] is not False
        limits = {name: pick(name)[0] for name in ("reader", "notice", "max_chars")}
        fields: dict[str, Any] = {name: tuple(pick(name)[0] or ()) for name in ("keep_fields", "drop_fields")}
        return Policy(budget, threshold, enabled=enabled, **limits, **fields)

    def masks(self, server: str | None = None, tool: str | None = None) -> bool:
        """Whether secrets of this tool's results are replaced."""
        return bool(self.find(*of_tool(server, tool, "mask"), ("defaults", "mask"))[0])

    def masks_any(self) -> bool:
        """Whether those of any tool's are."""
        paths = {path for values in self.layers.values() for path in values if path[-1] == "mask"}
        return any(self.find(path)[0] for path in paths)

    def under(self, options: Mapping[str, Any]) -> Settings:
        """These below ``options`` of ``defaults`` that were given on the command line, by name (None: not given)."""
        given = [known for known in SETTINGS if known.option and options.get(known.name) is not None]
        values = {known.steps: options[known.name] for known in given}
        named = {known.steps: known.option for known in given}
        return Settings(self.file, {**self.layers, OPTION: values}, {**self.named, **named}, self.trusted)

    def models(self) -> dict[str, ModelEntry]:
        """The models of the file, by name."""
        models: dict[str, dict[str, Any]] = {}
        for steps, value in self.layers.get(FILE, {}).items():
            if steps[0] == "models":
                models.setdefault(steps[1], {})[steps[2]] = value
        return {name: ModelEntry(name, **values) for name, values in sorted(models.items())}


def of_tool(server: str | None, tool: str | None, name: str) -> list[tuple[str, ...]]:
    """Where a tool's own setting may stand, the nearer place first."""
    if not tool:
        return []
    anywhere = ("tools", tool, name)
    return [("mcp_servers", server, *anywhere), anywhere] if server else [anywhere]


def load(option: str | None = None) -> Settings:
    """The settings in force. ``option`` is ``--config``. Raises ``ConfigError`` that names every mistake."""
    path = find(option)
    settings = read(path, trusted=bool(option or config_option()) or os.path.dirname(path or "") != "")
    given = environment()
    for known in SETTINGS:
        if known.env not in given:
            continue
        value = from_text(known, given[known.env])
        if why := wrong(known, value):
            raise ConfigError(f"the environment variable {known.env}{why[0]}", hint="unset it or give a valid value")
        settings.layers.setdefault(ENVIRONMENT, {})[known.steps] = value
        settings.named[known.steps] = known.env
    return settings


def read(path: str | None, trusted: bool = True) -> Settings:
    """The settings of one file, checked whole; ``trusted``: the user named it, or it is the user's own."""
    if path is None:
        return Settings()
    values, mistakes = check(parse(path))
    if mistakes:
        more = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
        raise ConfigError(
            f"configuration {path}: {mistakes[0]}{more}",
            hint=f"{command('mcpcompact', 'config', 'check', path)} names all",
        )
    return Settings(path, {FILE: values if trusted else _guarded(values, path)}, trusted=trusted)


def _guarded(values: Values, path: str) -> Values:
    """The settings of a file that came with a checkout, which may not show the user's secrets: masked as the user's own
    file asks for. Raises ``ConfigError`` for a results directory that is not below the working directory."""
    named = str(values.get(RESULTS) or "")
    if named and not _is_below(named):
        raise ConfigError(
            f"configuration {path}: defaults.results_dir: a project's file may only name a directory below it",
            hint="set $MCPCOMPACT_RESULTS_DIR, or name the file with --config",
        )
    path = in_directory(config_dir()) or ""  # where the user's cannot be read it is not known what they mask: an error
    return _masked(values, check(parse(path))[0] if path else {})


def _is_below(named: str) -> bool:
    """Whether a path stays in the working directory, also through links; one with ``~``, ``$`` or a scheme does not."""
    below = os.path.realpath(named).startswith(os.path.join(os.path.realpath(os.curdir), ""))
    return below and not os.path.isabs(named) and not any(sign in named for sign in ("://", "::", "~", "$"))


def _masked(values: Values, users: Values) -> Values:
    """What the user masks stays masked, whatever the project says."""
    asked = {steps: value for steps, value in users.items() if steps[-1] == "mask" and value}
    whole = {steps: True for steps in values if steps[-1] == "mask"} if MASK in asked else {}
    own = {steps: value for steps, value in users.items() if steps[0] == RULES[0] and value}
    if RULES in own:
        own[RULES] = (*values.get(RULES, ()), *own[RULES])
    return {**values, **whole, **asked, **own}


def listed(settings: Settings) -> list[tuple[str, Any, str]]:
    """Path, value and origin of every setting of the fixed parts, and of what a file names besides."""
    paths = [known.steps for known in SETTINGS if "*" not in known.steps]
    named = {steps for values in settings.layers.values() for steps in values} - set(paths)
    return [(dotted(p), settings.find(p)[0], settings.origin(p)) for p in [*paths, *sorted(named)]]


class Live:
    """``current()`` gives the settings in force: one unchanging object, so that a run that holds on to it never mixes
    two configurations. A change is seen when it is asked for (one ``stat``, some 5 µs), not after a delay. What
    changed is told to ``log``, old and new value; a file that became invalid, or vanished, is told once and the last
    good settings stay.
    """

    def __init__(self, settings: Settings, log: Callable[[str], object]) -> None:
        self._settings, self._log = settings, log
        self._stamp = _stamp(settings.file)
        self._lock = threading.Lock()

    def current(self) -> Settings:
        """The settings in force now."""
        with self._lock:
            stamp = _stamp(self._settings.file)
            if stamp != self._stamp:
                self._stamp = stamp
                self._reload()
            return self._settings

    def _reload(self) -> None:
        old = self._settings
        try:
            values = read(old.file, old.trusted).layers.get(FILE, {})
        except ConfigError as error:
            self._log(f"{error} (the last good configuration stays)")
            return
        before = old.layers.get(FILE, {})
        changed = sorted(path for path in before.keys() | values.keys() if before.get(path) != values.get(path))
        new = Settings(old.file, old.layers | {FILE: values}, old.named, old.trusted)
        for path in changed:
            change = f"{written(before.get(path))} -> {written(values.get(path))}"
            self._log(f"configuration {old.file}: {dotted(path)} {change}")
        self._settings = new


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
