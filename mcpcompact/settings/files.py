"""Configuration files: where they are looked for, and how each format is read."""

from __future__ import annotations

import json
import os
from typing import Any

from mcpcompact.config import CONFIG_FILES, config_dir, config_option
from mcpcompact.errors import ConfigError

MAX_BYTES = 1 << 20


def find(option: str | None = None) -> str | None:
    """The one file that counts: ``--config``, ``$MCPCOMPACT_CONFIG``, the project's, the user's; None without any.

    Raises ``ConfigError`` when a named one is not there, or when two of one directory disagree.
    """
    named = option or config_option()
    if named:
        if not os.path.isfile(named):
            raise ConfigError(f"configuration {named}: no such file", hint="'mcpcompact config init' writes one")
        return named
    return in_directory("") or in_directory(config_dir())


def in_directory(directory: str) -> str | None:
    """The configuration file of a directory. Raises ``ConfigError`` when two of them disagree."""
    paths = [path for path in (os.path.join(directory, name) for name in CONFIG_FILES) if os.path.isfile(path)]
    if len(paths) > 1 and any(parse(path) != parse(paths[0]) for path in paths[1:]):
        raise ConfigError(f"{' and '.join(paths)} disagree", hint="keep one of them")
    return paths[0] if paths else None


def parse(path: str) -> Any:
    """A file's value: TOML, YAML or JSON by its extension (JSON is YAML too). Raises ``ConfigError``."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"configuration {path}: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"configuration {path}: over 1 MB", hint="is it a configuration?")
    extension = os.path.splitext(path)[1].lower()
    try:
        text = data.decode("utf-8-sig")
        if extension == ".toml":
            import tomllib

            return tomllib.loads(text)
        if extension == ".json":
            return json.loads(text, object_pairs_hook=unique)
        return _yaml(text)
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            f"configuration {path}: cannot be read: {reason[:200]}", hint="nothing of it was used"
        ) from None


def _yaml(text: str) -> Any:
    import yaml

    try:
        _check_nodes(yaml.compose(text, Loader=yaml.SafeLoader))
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def _check_nodes(node: Any) -> None:
    """PyYAML takes the last of two equal keys without a word; and aliases, which nothing here needs, can explode."""
    seen: set[int] = set()
    pending = [node] if node else []
    while pending:
        item = pending.pop()
        if id(item) in seen:
            raise ValueError(f"line {item.start_mark.line + 1}: an alias; write the value out")
        seen.add(id(item))
        if item.id == "mapping":
            keys = [key.value for key, _ in item.value if key.id == "scalar"]
            for key, _ in item.value:
                if key.id == "scalar" and keys.count(key.value) > 1:
                    raise ValueError(f"line {key.start_mark.line + 1}: the key '{key.value}' stands here twice")
            pending += [part for pair in item.value for part in pair]
        elif item.id == "sequence":
            pending += item.value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises ``ValueError`` for a key that it has twice."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"the key '{key}' stands there twice")
        values[key] = value
    return values
