"""What a configuration file that came with a checkout may not do: send results elsewhere, show the user's secrets."""

from __future__ import annotations

import os

from mcpcompact.config import config_dir
from mcpcompact.errors import ConfigError
from mcpcompact.settings.checking import Values, check
from mcpcompact.settings.files import in_directory, parse

RESULTS = ("defaults", "results_dir")
MASK = ("defaults", "mask")
RULES = ("masking", "rules")


def guarded(values: Values, path: str) -> Values:
    """The settings of the working directory's own file, with the masking that the user's file asks for. Raises
    ``ConfigError`` for a results directory that is not below the working directory."""
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
