"""The house rules of docs/architecture.md: who may import whom, who prints, exits and reads the environment."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

import mcpcompact
from mcpcompact.content.detect import REGISTRY
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.read import REGISTRY as FORMATS
from mcpcompact.transcripts.read import load

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mcpcompact"

FLOORS = [
    {
        "patterns",
        "charset",
        "collector",
        "deadline",
        "encoded",
        "shell",
        "errors",
        "config",
        "policy",
        "source",
        "outline",
    }
    | {"phrasing", "masking", "telemetry"},
    {"inputs"},
    {"tokens", "content", "results", "transcripts", "settings"},
    {"retrieval", "notice", "compaction"},
    {"engine", "paging"},
    {"steps"},
    {"dressing"},
    {"pipeline"},
    {"llm"},
    {"replaying", "batch", "integrations"},
    {"hook"},
    {"cli"},
    {"__main__"},
]
"""The modules and packages from the ground up. Each imports only what stands lower, or its own ``ROOMS``."""

ROOMS = [FLOORS[0]]
"""Modules of one floor that may import each other, without a cycle."""

HEAVY = {
    "Bio",
    "tiktoken",
    "toktok",
    "msgspec",
    "orjson",
    "rich",
    "zstandard",
    "platformdirs",
    "yaml",
    "litellm",
    "fsspec",
    "distributed",
}
MAX_LINES = 500

FLOOR = {unit: number for number, units in enumerate(FLOORS) for unit in units}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in PACKAGE.rglob("*.py")}
OURS = sorted(FILES)


class Import(NamedTuple):
    name: str
    line: int
    at_top: bool  # happens when the module is imported
    typing: bool  # never happens: for the type checker


@cache
def read(module: str) -> tuple[list[Import], set[str]]:
    """What a module imports, and its words. The tree itself is large and not kept."""
    tree = ast.parse(FILES[module].read_text("utf-8"))
    return list(imported(module, tree)), set(words_of(tree))


def imports(module: str) -> list[Import]:
    return read(module)[0]


def imported(module: str, tree: ast.Module) -> Iterator[Import]:
    """Everything that a module imports, each name by its full name; of ours, the module that holds it."""
    pending: list[tuple[ast.AST, bool, bool]] = [(tree, True, False)]
    while pending:
        node, top, typing = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            top = False
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending += [(child, top, True) for child in node.body] + [(child, top, typing) for child in node.orelse]
            continue
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, top, typing) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}:{node.lineno} imports relatively; the others say full names"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield Import(full if full in FILES else str(node.module), node.lineno, top, typing)
        pending += [(child, top, typing) for child in ast.iter_child_nodes(node)]


def words_of(tree: ast.Module) -> Iterator[str]:
    """Every name, every attribute with its dot and behind the name that it is taken from, every imported name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}"
            yield f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else ""
        elif isinstance(node, ast.ImportFrom):
            yield from (f".{name.name}" for name in node.names)


def unit(module: str) -> str:
    """The part of the package that a module belongs to; empty for the package's own ``__init__``."""
    return module.split(".")[1] if "." in module else ""


def test_every_module_has_its_floor() -> None:
    assert {unit(module) for module in OURS} - {""} == set(FLOOR)
    assert sum(map(len, FLOORS)) == len(FLOOR)


def stands_below(own: str, other: str) -> bool:
    """Whether a part of the package may import another; only the command line imports the package itself."""
    if not other:
        return own == "cli"
    return own == other or any({own, other} <= room for room in ROOMS) or FLOOR[other] < FLOOR[own]


def test_imports_run_downward_only() -> None:
    used = ((module, one) for module in OURS if unit(module) for one in imports(module))
    ours = ((module, one) for module, one in used if one.name.split(".")[0] == "mcpcompact")
    wrong = [(m, one.line, one.name) for m, one in ours if not stands_below(unit(m), unit(one.name))]
    assert not wrong


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {
        module: {used.name for used in imports(module) if used.name in FILES and unit(used.name) and not used.typing}
        for module in OURS
    }
    for module, used in graph.items():
        used.discard(module)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_no_heavy_module_is_imported_with_ours() -> None:
    at_top = ((module, one) for module in OURS for one in imports(module) if one.at_top and not one.typing)
    assert not [(module, one) for module, one in at_top if one.name.split(".")[0] in HEAVY]


def test_only_the_command_line_prints_or_exits_and_only_config_reads_the_environment() -> None:
    ends = {"sys.stdout", "sys.stderr", "sys.exit", "os._exit", "os.abort", "SystemExit", "print", "exit", "quit"}
    reads = {".environ", ".environb", ".getenv", ".getenvb", ".expanduser", ".expandvars"}
    wrong = []
    for module in OURS:
        free = ends if unit(module) in ("cli", "__main__") else set()
        free |= reads if module == "mcpcompact.config" else set()
        wrong += [(module, word) for word in read(module)[1] & ((ends | reads) - free)]
    assert not wrong


def test_variables_are_named_for_what_they_hold_and_limits_alike() -> None:
    vague = {"found", "made", "said", "told"}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        given = {arg.arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for arg in node.args}
        assert not vague & (stored - _fields(tree) | given), path
        assert not [name for name in stored if re.match("_?(MOST|LEAST)_", name)], f"{path}: MAX_ and MIN_"


def _fields(tree: ast.Module) -> set[str]:
    """What classes declare: names that others use."""
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    declared = (each.target for body in bodies for each in body if isinstance(each, ast.AnnAssign))
    return {target.id for target in declared if isinstance(target, ast.Name)}


def test_no_module_is_long() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines()) for path in PACKAGE.rglob("*.py")}
    assert not {name: length for name, length in lengths.items() if length > MAX_LINES}


@pytest.mark.parametrize("name", mcpcompact.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    assert getattr(mcpcompact, name) is not None
    said = "\n".join((ROOT / path).read_text("utf-8") for path in ("README.md", "docs/library.md"))
    code = re.findall(r"```.*?```|`[^`\n]+`", said, re.DOTALL)
    assert any(re.search(rf"\b{name}\b", piece) for piece in code), "in code, not just as a word of English"


def test_the_public_names_are_those_that_are_looked_up() -> None:
    assert sorted(mcpcompact._HOMES) == sorted(mcpcompact.__all__)


@pytest.mark.parametrize("name", list(REGISTRY))
def test_every_content_type_keeps_the_contract(name: str) -> None:
    module = importlib.import_module(REGISTRY[name])
    assert module.__name__ == f"mcpcompact.content.{name}"
    kind = module.TYPE
    assert kind.name == name
    assert re.fullmatch(r"\.[a-z]+", kind.extension)
    assert all(callable(getattr(kind, method)) for method in ("sniff", "outline", "spans"))
    text = "a,b\n1,2\n\n3,4\n" * 3
    spans = list(kind.spans(text))
    assert [spans[0][0], spans[-1][1]] == [0, len(text)]
    assert all(end == start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize("name", list(REGISTRY))
def test_every_content_type_is_named_where_people_look(name: str) -> None:
    for path, found in (("docs/usage.md", rf"`--type TYPE`.*\b{name}\b"), ("README.md", rf"\| `{name}` \|")):
        assert re.search(found, (ROOT / path).read_text("utf-8")), f"{path} (--type: cli/options.py, then make usage)"


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_transcript_format_keeps_the_contract(name: str, tmp_path: Path) -> None:
    format = load(name)
    assert format.name == name
    assert re.search(rf"`{name}`", (ROOT / "docs" / "transcripts.md").read_text("utf-8")), "its row of the table"
    for number, rubbish in enumerate(
        (b"", b"{", b'[1, null, {"type": 3}]', b'{"a": []}\n{"a": 1}\n', bytes(range(256)))
    ):
        path = tmp_path / str(number)
        path.write_bytes(rubbish)
        assert format.sniff(Document(str(path))) < 1, "never raises, and is not sure of rubbish"


def test_the_number_of_formats_is_told_right() -> None:
    assert f"({len(FORMATS)} formats)" in (ROOT / "README.md").read_text("utf-8")


def test_the_types_are_shipped() -> None:
    assert (PACKAGE / "py.typed").is_file()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == ["mcpcompact"], "all that stands in it is shipped"


def test_the_documents_name_what_exists() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for path in re.findall(r"`((?:mcpcompact|tests|docs|bench)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path
    rows = set(re.findall(r"^\| `(\w+)[./]", text, re.MULTILINE))
    assert rows == set(FLOOR) - {"__main__"}, "the table of modules is not that of the package"


STATES = ["CONFIRMED"] * 77 + ["CANCELLED"] + ["CONFIRMED"] * 122
CALENDAR = "BEGIN:VCALENDAR\r\n" + "".join(
    f"BEGIN:VEVENT\r\nSUMMARY:Meeting {i}\r\nSTATUS:{state}\r\nEND:VEVENT\r\n" for i, state in enumerate(STATES, 1)
)


def test_the_documented_tenth_content_type_works(tmp_path: Path) -> None:
    """The example of docs/architecture.md, installed as another package would be, and run from the command line."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    example = text.split("<!-- example: begin -->")[1].split("<!-- example: end -->")[0]
    code = example.split("```python\n")[1].split("```")[0]
    points = example.split("```toml\n")[1].split("```")[0]
    (tmp_path / "calendars.py").write_text(code)
    info = tmp_path / "calendars-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: calendars\nVersion: 1.0\n")
    table = tomllib.loads(points)["project"]["entry-points"]["mcpcompact.content"]
    lines = [f"{name} = {target}\n" for name, target in table.items()]
    (info / "entry_points.txt").write_text("[mcpcompact.content]\n" + "".join(lines))

    def run(*args: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "mcpcompact", *args, "--results-dir", "results"],
            input=CALENDAR.encode(),
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
            check=True,
        )
        return done.stdout.decode(), done.stderr.decode()

    text, why = run("summarize", "--budget", "300", "--explain")
    assert "calendar" in why
    assert "200 events" in text
    assert "#78 SUMMARY:Meeting 78" in text
    command = re.search(r"mcpcompact (results get \w+)", text)
    assert command, "the way to the others"
    one, _ = run(*command[1].split(), "--records", "78:78")
    assert one == "BEGIN:VEVENT\r\nSUMMARY:Meeting 78\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n"
