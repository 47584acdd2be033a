"""``mcpcompact transcripts``: the formats of recorded sessions, and where the tools keep them."""

from __future__ import annotations

from typing import Annotated

from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import puts


def transcripts(env: Environment, json: Annotated[bool, puts("Print one JSON object per format.")] = False) -> int:
    """List supported transcript formats, where tools keep their sessions, and how many there are.

    mcpcompact transcripts --json | jq
    mcpcompact replay --from claude-code
    """
    from mcpcompact.transcripts.places import patterns, sessions
    from mcpcompact.transcripts.read import names

    env.telemetry = False  # looking is no run
    rows = [(name, patterns(name), len(sessions(name))) for name in sorted(names())]
    if json:
        for name, places, files in rows:
            env.write_json({"format": name, "files": files, "places": places})
        return 0
    wide = max(len(name) for name, _, _ in rows)
    lines = []
    for name, places, files in sorted(rows, key=lambda row: (not row[2], not row[1], row[0])):
        first, *more = places or ["files that you name"]
        lines.append(f"{name:<{wide}}  {f'{files:,}' if places else '-':>6}  {first}")
        lines += [f"{'':<{wide}}  {'':>6}  {place}" for place in more]
    env.write(f"{'format':<{wide}}  {'files':>6}  where they are\n" + "\n".join(lines) + "\n")
    return 0
