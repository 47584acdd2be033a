"""Figures of the package at two revisions, side by side, as a table of Markdown.

``python -m scripts.measure BEFORE [AFTER]`` (AFTER: the last commit) needs git and ruff, and the interpreter of an
environment in which the package's dependencies are installed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.tables import table

ROOT = Path(__file__).parents[1]
PACKAGE = "mcpcompact"
COMPLEX, LONG = 10, 500  # of a function; lines of a file
LOG = ROOT / "samples" / "service.log"
_RUN = f"""
import sys
from {PACKAGE}.cli.app import main
code = main(sys.argv[1:])
print(sum(name.split(".")[0] == {PACKAGE!r} for name in sys.modules), file=sys.stderr)
sys.exit(code)
"""


def checked_out(revision: str, place: Path) -> None:
    """The package of a revision at ``place``. Raises ``CalledProcessError`` for an unknown one."""
    packed = subprocess.run(["git", "archive", revision, PACKAGE], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", place], input=packed, check=True)


def found_by_ruff(place: Path, rule: str) -> list[str]:
    """What ruff says with the rule alone, without the exceptions of the project's settings."""
    own = ["--isolated", "--no-cache", "--select", rule, "--config", f"lint.mccabe.max-complexity={COMPLEX}"]
    command = [sys.executable, "-m", "ruff", "check", *own, "--exit-zero", "--output-format", "json", PACKAGE]
    found = subprocess.run(command, cwd=place, check=True, capture_output=True).stdout
    return [each["message"] for each in json.loads(found)]


def imports(tree: ast.Module, modules: dict[str, ast.Module]) -> Iterator[str]:
    """The modules of ours that one imports, also within its functions and by a string; not for the type checker."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in modules else str(node.module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and one.value in modules)
        pending += ast.iter_child_nodes(node)


def circles(place: Path) -> int:
    """Groups of modules each of which imports, by way of others, all of the group."""
    paths = {path: path.relative_to(place).with_suffix("").parts for path in sorted((place / PACKAGE).rglob("*.py"))}
    names = {path: ".".join(parts[:-1] if parts[-1] == "__init__" else parts) for path, parts in paths.items()}
    trees = {name: ast.parse(path.read_bytes()) for path, name in names.items()}
    graph = {name: {*imports(tree, trees)} & trees.keys() - {name, PACKAGE} for name, tree in trees.items()}
    reached: dict[str, set[str]] = {}
    for start in graph:
        seen, pending = set[str](), [*graph[start]]
        while pending:
            if (name := pending.pop()) not in seen:
                seen.add(name)
                pending += graph[name]
        reached[start] = seen
    return len(
        {frozenset(other for other in seen if name in reached[other]) for name, seen in reached.items()} - {frozenset()}
    )


def imported(place: Path) -> str:
    """How many modules of ours a summary of a log leaves imported; "–" where that revision has another command line."""
    command = [sys.executable, "-c", _RUN, "summarize", "--budget", "500", str(LOG)]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MCPCOMPACT_")}
    environment = {**plain, "PYTHONPATH": str(place), "MCPCOMPACT_TELEMETRY": "0"}
    environment["MCPCOMPACT_RESULTS_DIR"] = str(place / "results")
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    return done.stderr.split()[-1] if done.returncode == 0 else "–"


def figures(revision: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        checked_out(revision, place)
        lengths = [len(path.read_bytes().splitlines()) for path in (place / PACKAGE).rglob("*.py")]
        complexity = [int(n) for said in found_by_ruff(place, "C901") for n in re.findall(r"\((\d+) >", said)]
        return {
            "lines": f"{sum(lengths):,}",
            "files": f"{len(lengths):,}",
            f"files over {LONG} lines": str(sum(length > LONG for length in lengths)),
            f"functions of a complexity over {COMPLEX} (C901)": str(len(complexity)),
            "the most complex one": str(max(complexity, default=0)),
            "unnamed numbers (PLR2004)": str(len(found_by_ruff(place, "PLR2004"))),
            "circles of imports": str(circles(place)),
            "modules of ours that a summary of a log imports": imported(place),
        }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts.measure", description=__doc__.splitlines()[0])
    parser.add_argument("before", help="a revision of git")
    parser.add_argument("after", nargs="?", default="HEAD")
    args = parser.parse_args(argv)
    before, after = figures(args.before), figures(args.after)
    rows = [[name, value, after[name]] for name, value in before.items()]
    print(table(["", "before", "after"], rows, markdown=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
