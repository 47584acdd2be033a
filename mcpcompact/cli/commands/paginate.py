"""``mcpcompact paginate``: the door to ``mcpcompact.paginate``."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcpcompact.cli import options
from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Counting, Kept, Number, Text, much, names, puts, read
from mcpcompact.config import CURSOR_TTL, MAX_PAGE_ITEMS, MIN_PAGE_TOKENS, PAGE_ITEMS
from mcpcompact.errors import NoInputError, UsageError

if TYPE_CHECKING:
    from mcpcompact.results import Store
    from mcpcompact.source import Source

_LIMIT = f"Items per page, 1 to {MAX_PAGE_ITEMS}."
_TOKENS = f"Token limit of a page, at least {MIN_PAGE_TOKENS}."
_SORT = "Sort by FIELD, FIELD:desc or 'newest'; items without the field come last."
_RANGE = re.compile(r"(\d{1,9})(?:[-:](\d{1,9}))?", re.ASCII)


def _pages(text: Any) -> tuple[int, int]:
    match = _RANGE.fullmatch(str(text).strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise typer.BadParameter(f"'{text}' is not possible; write A-B, from 1, A not above B")
    return first, last


class Chosen(OptionGroup):
    """Which items of which list, in which order."""

    cursor: options.Cursor = None
    path: Annotated[str, read("Path of the list, such as data.users; by default the main list.", "PATH")] = ""
    content_type: options.ContentType = None
    limit: Annotated[int, much(_LIMIT, "N", least=1, most=MAX_PAGE_ITEMS)] = PAGE_ITEMS
    pages: Annotated[Any, much("Range of pages to return at once, first call only.", "A-B", parser=_pages)] = None
    max_tokens: Annotated[Number, much(_TOKENS, "N", least=MIN_PAGE_TOKENS)] = None
    fields: Annotated[Any, puts("Show only these fields of each item.", "A,B.C", parser=names)] = ""
    sort: Annotated[Text, puts(_SORT, "FIELD")] = None


def paginate(
    env: Environment,
    chosen: Chosen,
    counting: Counting,
    kept: Kept,
    file: options.File = None,
    all: Annotated[bool, read("Print every item, one per line.")] = False,
    json: Annotated[bool, puts("Print a JSON object even for a list that fits on one page.")] = False,
    cursor_ttl: options.CursorTtl = CURSOR_TTL,
    config: options.Config = None,
) -> int:
    """Read a long list page by page: exact items, the total and a cursor for the next page.

    mcpcompact paginate bookings.json --limit 20
    mcpcompact paginate pods.json --fields metadata.name,status.phase
    kubectl get events -o json | mcpcompact paginate --sort newest
    """
    from mcpcompact.paging import pagination
    from mcpcompact.results.own import said

    env.paginated = True
    store = env.store(kept.results_dir)
    if all:
        return _all(file, chosen, kept, store, json, env)
    source, notes = _source(file, chosen, kept, store, env)
    name = "" if file in (None, "-") else env.clean(os.path.basename(str(file)))
    how: dict[str, Any] = vars(chosen) | vars(counting) | {"store": store, "cursor_ttl": cursor_ttl}
    page = pagination.paginate(source, source_name=name, **how)
    if page.content is None or json:
        env.write(page.json)
    else:
        env.write_blocks(page.content.blocks())
    said(store, page.json, *(env.say(note) for note in [*notes, *page.notes]))
    if page.problem is not None:
        env.say(f"{page.problem.line()} (there is no cursor for the next page)")
        return page.problem.exit_code
    return 0


def _source(
    file: str | None, chosen: Chosen, kept: Kept, store: Store, env: Environment
) -> tuple[Source | None, list[str]]:
    from mcpcompact.cli.masks import opened

    source, notes = opened(file, chosen.cursor, kept, store, env)
    if source is not None and not source.size and chosen.cursor is None:
        raise NoInputError(f"{'standard input' if file in (None, '-') else file} is empty")
    return source, notes


def _all(file: str | None, chosen: Chosen, kept: Kept, store: Store, as_json: bool, env: Environment) -> int:
    from mcpcompact.paging.pagination import stream

    for name in ("cursor", "pages", "max_tokens"):
        if getattr(chosen, name) is not None:
            raise UsageError(f"paginate: --all and --{name.replace('_', '-')} cannot be combined", hint="give one")
    source, _ = _source(file, chosen, kept, store, env)
    assert source is not None
    items, notes = stream(
        source, path=chosen.path, fields=chosen.fields, sort=chosen.sort, content_type=chosen.content_type
    )
    if as_json:
        count = 0
        env.write('{"items": [')
        for count, item in enumerate(items, 1):
            env.write(f"{',' if count > 1 else ''}\n{item}")
        env.write(f'\n], "totalCount": {count}}}\n')
    else:
        for item in items:
            env.write(f"{item}\n")
    for note in notes:
        env.say(note)
    return 0
