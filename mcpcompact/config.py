"""Where settings come from. The only module that reads the environment."""

from __future__ import annotations

import os
import sys
from typing import Literal

RESULTS_DIR = "MCPCOMPACT_RESULTS_DIR"
TELEMETRY = "MCPCOMPACT_TELEMETRY"
LOCAL_RESULTS = os.path.join(".mcpcompact", "results")

DEFAULT_BUDGET = 1_000
MIN_BUDGET = 50
CHUNK_TOKENS = 2_000
MIN_CHUNK_TOKENS = 4  # a character may need so many, and a chunk holds at least one
PAGE_ITEMS, MAX_PAGE_ITEMS = 50, 200
MIN_PAGE_TOKENS = 100
CURSOR_TTL, LONGEST_CURSOR_TTL = 600, 30 * 86_400  # seconds that a cursor is valid when nothing else is said; at most


def results_dir(option: str | None = None) -> tuple[str, bool]:
    """The results directory and whether a later command finds it without being told.

    The option, else ``$MCPCOMPACT_RESULTS_DIR``, else ``.mcpcompact/results`` of the working
    directory where it exists and no part of it is a link (a checkout could lead anywhere), else the user's state
    directory.
    """
    if option:
        return option, False
    named = os.environ.get(RESULTS_DIR)
    if named:
        return named, True
    if os.path.isdir(LOCAL_RESULTS) and os.path.realpath(LOCAL_RESULTS) == os.path.join(os.getcwd(), LOCAL_RESULTS):
        return LOCAL_RESULTS, True
    return os.path.join(state_dir(), "results"), True


def state_dir() -> str:
    """Where the user's programs keep what they remember."""
    return _user_dir("state", os.path.join(".local", "state"))


def telemetry_dir() -> str:
    """Where runs are recorded: the user's state directory; empty when ``$MCPCOMPACT_TELEMETRY`` says no."""
    off = os.environ.get(TELEMETRY, "").strip().lower() in ("0", "false", "no", "off")
    return "" if off else state_dir()


def config_dir() -> str:
    """Where the user's programs keep their settings."""
    return _user_dir("config", ".config")


def _user_dir(kind: str, usual: str) -> str:
    """A directory of the user. On Linux by the XDG rule, as platformdirs has it, without its 12 ms of imports."""
    if sys.platform == "linux":
        base = os.environ.get(f"XDG_{kind.upper()}_HOME", "").strip() or os.path.expanduser(os.path.join("~", usual))
        return os.path.join(base, "mcpcompact")
    import platformdirs

    return str(getattr(platformdirs, f"user_{kind}_dir")("mcpcompact", appauthor=False))


def home_of(variable: str, name: str) -> str:
    """Where another program keeps its settings: the folder of its own variable, else ``name`` in the home directory."""
    return (variable and os.environ.get(variable)) or os.path.join(os.path.expanduser("~"), name)


def environment_with(**more: str) -> dict[str, str]:
    """The environment for a program that is started, with these variables set."""
    return {**os.environ, **more}


def on_path(program: str) -> str:
    """The path of a program that a shell would find, "" for none; places relative to the working directory, which may
    be anybody's checkout, do not count. As ``shutil.which``, without its 5 ms of imports."""
    names = (program, f"{program}.exe") if os.name == "nt" else (program,)
    places = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    paths = (os.path.join(place, name) for place in places for name in names)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), "")


CONFIG_FILES = ("mcpcompact.toml", "mcpcompact.yaml", "mcpcompact.yml", "mcpcompact.json")

_READ_LATER = """
BUDGET_TOKENS CHUNK_TOKENS CURSOR_TTL_SECONDS ENCODING MASK MAX_CHARS MODEL NOTICE PAGE_LIMIT READER THRESHOLD_TOKENS
"""
VARIABLES = frozenset(f"MCPCOMPACT_{name}" for name in _READ_LATER.split())
"""Those of settings that are not read elsewhere (a test compares them with the schema)."""


def configured(option: str | None = None) -> bool:
    """Whether anything beyond the defaults is set; if not, the settings need not be imported (8 ms)."""
    if option or config_option() or environment().keys() & VARIABLES:
        return True
    return any(os.path.isfile(os.path.join(place, name)) for place in ("", config_dir()) for name in CONFIG_FILES)


def config_option() -> str:
    """The configuration file that the environment names, "" for none."""
    return os.environ.get("MCPCOMPACT_CONFIG", "")


def expanded(path: str) -> str:
    """A path with ``~`` and each ``${NAME:-default}`` of the environment put in."""
    import re

    filled = re.sub(r"\$\{(\w+):-([^}]*)\}", lambda match: os.environ.get(match[1], "").strip() or match[2], path)
    return os.path.expanduser(filled)


def environment() -> dict[str, str]:
    """The variables of this project that are set to something."""
    return {name: value for name, value in os.environ.items() if name.startswith("MCPCOMPACT_") and value.strip()}


def styled(terminal: bool) -> bool:
    """Whether output may be drawn: on a terminal that can, or that ``$FORCE_COLOR`` says can; never elsewhere."""
    return terminal and (os.environ.get("TERM") != "dumb" or bool(os.environ.get("FORCE_COLOR")))


def colours() -> Literal["auto", "standard"] | None:
    """The colours of a terminal, as Rich names them: none where ``$NO_COLOR`` is set to anything (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return None
    return "standard" if os.environ.get("TERM") == "dumb" and os.environ.get("FORCE_COLOR") else "auto"


def pager() -> list[str]:
    """The words of the user's pager, else of ``less``; none for ``cat``, or where there is none. A ``less`` without
    options of its own passes colours through and leaves what it showed on the screen."""
    import shlex
    import shutil

    words = shlex.split(os.environ.get("PAGER", "less"))
    if not words or words[0] == "cat" or shutil.which(words[0]) is None:
        return []
    return [*words, "-FRX"] if words == ["less"] and not os.environ.get("LESS") else words


def completing() -> bool:
    """Whether a shell runs the command to complete what was typed."""
    return "_MCPCOMPACT_COMPLETE" in os.environ


def prepare_litellm() -> str:
    """Set what litellm reads when it is imported: its own price map instead of a download, no ``.env`` of the working
    directory (a cloned repository could name another server there), no log. Gives the OpenAI key, "" for none."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOG"] = "CRITICAL"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    return os.environ.get("OPENAI_API_KEY", "")
