"""paginate: every item once, in order, as it stands; and a clear line for whatever is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import mcpcompact.paging.pagination
import mcpcompact.paging.snapshots
from mcpcompact import ItemPage, McpcompactError, ResultStore, Source, count, paginate
from mcpcompact.errors import InputError, NoInputError, UsageError
from mcpcompact.paging.pagination import stream
from mcpcompact.results import Original, Store
from tests.conftest import Run

LONG = "lorem ipsum dolor sit amet " * 4


def bookings(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": n,
            "guest": {"name": f"guest {n % 7}", "mail": None},
            "total": n * 37 % 101,
            "created_at": f"2026-01-{n % 28 + 1:02}T08:00:00Z",
            "note": LONG,
        }
        for n in range(1, count + 1)
    ]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return ResultStore(tmp_path / "results")


def walk(result: Any, store: Store, **options: Any) -> Iterator[ItemPage]:
    return follow(paginate(result, store=store, source_name="x", **options), store, **options)


def follow(page: ItemPage, store: Store, **options: Any) -> Iterator[ItemPage]:
    yield page
    while page.next_cursor is not None:
        page = paginate(cursor=page.next_cursor, store=store, source_name="x", **options)
        yield page


def everything(result: Any, **options: Any) -> list[str]:
    return list(stream(result, **options)[0])


# ---- a walk is the list


ROWS = bookings(103)
LISTS = {
    "bare": json.dumps(ROWS),
    "pretty": json.dumps(ROWS, indent=2),
    "beside": json.dumps({"ok": True, "page": {"next": None}, "data": {"items": ROWS}}),
    "edges": json.dumps({"data": {"users": {"edges": [{"node": row} for row in ROWS]}}}),
    "columns": json.dumps({"columns": ["id", "note"], "rows": [[row["id"], row["note"]] for row in ROWS]}),
    "mcp": json.dumps({"content": [{"type": "text", "text": json.dumps(ROWS)}]}),
    "jsonrpc": json.dumps(
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": json.dumps({"items": ROWS})}]}}
    ),
    "ndjson": "".join(json.dumps(row) + "\n" for row in ROWS),
    "documents": "\n".join(json.dumps(row, indent=1) for row in ROWS),
    "csv": "id,note,total\n" + "".join(f'{row["id"]},"{LONG}, {n}",{row["total"]}\n' for n, row in enumerate(ROWS)),
    "tsv": "id\tnote\n" + "".join(f"{row['id']}\t{LONG}\n" for row in ROWS),
    "markdown": "| id | note |\n|---|---|\n" + "".join(f"| {row['id']} | {LONG} |\n" for row in ROWS),
    "fasta": "".join(f">seq{row['id']} {row['guest']['name']}\n{'ACGT' * 20}\nACG\n" for row in ROWS),
}


@pytest.mark.parametrize("name", LISTS)
def test_every_item_comes_once_and_in_order(name: str, store: Store) -> None:
    text = LISTS[name]
    every = everything(text)
    assert len(every) == 103
    for limit in (25, 50, 200):
        pages = list(walk(text, store, limit=limit))
        assert [item for page in pages for item in page.items] == every
        assert all(page.total_count == 103 for page in pages)
        assert len(pages) == -(-103 // limit)
        assert all(page.whole == (limit == 200) for page in pages)


@pytest.mark.parametrize("options", [{"fields": ["id", "guest.name"]}, {"sort": "total:desc"}, {"sort": "newest"}])
@pytest.mark.parametrize("name", ["bare", "beside", "ndjson", "edges"])
def test_fields_and_sort_keep_each_item(name: str, options: dict[str, Any], store: Store) -> None:
    every = everything(LISTS[name], **options)
    assert len(every) == 103
    assert [item for page in walk(LISTS[name], store, limit=30, **options) for item in page.items] == every


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
records = st.dictionaries(st.sampled_from(["id", "a", "b", "é", "at"]), values, max_size=4)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(items=[None, None], limit=1, sort=".:desc", indent=None)
@given(
    items=st.lists(records, min_size=1, max_size=40) | st.lists(values, min_size=1, max_size=40),
    limit=st.integers(1, 20),
    sort=st.sampled_from([None, ".", ".:desc"]),
    indent=st.sampled_from([None, 1]),
)
def test_any_list_is_walked_whole(
    items: list[Any], limit: int, sort: str | None, indent: int | None, store: Store
) -> None:
    """Padded over 1,000 tokens, so that it comes in pages."""
    text = json.dumps({"list": items, "pad": LONG * 50}, indent=indent, ensure_ascii=False)
    pages = list(walk(text, store, limit=limit, sort=sort, path="list", content_type="json"))
    got = [json.loads(item) for page in pages for item in page.items]
    if sort is None:
        assert got == items
    else:
        key = [json.dumps(value, sort_keys=True) for value in got]
        assert sorted(key) == sorted(json.dumps(value, sort_keys=True) for value in items)
        numbers = [v for v in got if isinstance(v, (int, float)) and not isinstance(v, bool)]
        assert numbers == sorted(numbers, reverse=sort.endswith("desc"))
        filled = [v is not None for v in got]
        assert filled == sorted(filled, reverse=True), "null stands last"


def test_items_stand_as_they_are(store: Store) -> None:
    odd = '{"big":90071992547409931234,"n":1.50,"e":1E+2,"dup":1,"dup":2,"u":"\\u00e9\\ud800","s":"a  b"}'
    text = "[" + ",\n  ".join([odd.replace(",", ",\n   "), *(json.dumps({"pad": LONG}) for _ in range(60))]) + "]"
    page = paginate(text, store=store)
    assert page.items[0] == odd
    assert odd in page.json
    projected = paginate(text, store=store, fields=["big", "n", "e"])
    assert projected.items[0] == '{"big": 90071992547409931234, "n": 1.50, "e": 1E+2}'
    assert projected.items[1] == "{}"
    assert paginate(text, store=store, sort="big").items[0] == odd


def test_a_page_is_json_and_parses_back(store: Store) -> None:
    page = paginate(LISTS["beside"], store=store, limit=10)
    assert page.as_dict() == {"items": ROWS[:10], "totalCount": 103, "nextCursor": page.next_cursor}
    assert page.text == page.json


def test_tables_and_sequences(store: Store) -> None:
    page = paginate(LISTS["csv"], store=store, limit=2)
    assert json.loads(page.items[1]) == {"id": "2", "note": f"{LONG}, 1".strip(), "total": "74"}
    assert paginate(LISTS["csv"], store=store, limit=2, fields=["id"]).items == ['{"id": "1"}', '{"id": "2"}']
    assert json.loads(paginate(LISTS["fasta"], store=store, limit=1).items[0]).startswith(">seq1 guest 1\nACGT")
    assert paginate(LISTS["fasta"], store=store, limit=1, fields=["id", "length"]).items == [
        '{"id": "seq1", "length": 83}'
    ]
    longest = ">long\n" + "A" * 500 + "\n"
    assert "long" in paginate(LISTS["fasta"] + longest, store=store, limit=1, sort="length:desc").items[0]


# ---- short lists


def test_a_short_list_comes_as_it_is(store: Store) -> None:
    text = json.dumps(bookings(50), indent=3)
    page = paginate(text, store=store)
    assert (page.whole, page.text, page.next_cursor) == (True, text, None)
    assert json.loads(page.json) == {"items": bookings(50)}
    assert store.list() == []


def test_small_content_comes_whole_whatever_the_limit(store: Store) -> None:
    page = paginate("[1, 2, 3]", limit=1, store=store)
    assert (page.text, page.items, page.total_count) == ("[1, 2, 3]", ["1", "2", "3"], 3)
    page = paginate("[1, 2, 3]", limit=1, sort=".:desc")
    assert page.json == '{"items": [\n3,\n2,\n1\n]}\n'
    assert paginate('{"a": [1], "b": {"c": [3, 4]}}', path="b.c").text == "[3, 4]\n"
    assert paginate("[]").text == "[]"


# ---- tokens


@pytest.mark.parametrize(
    ("name", "most"), [("fasta", 100), ("fasta", 500), ("csv", 500), ("beside", 700), ("beside", 2_000)]
)
def test_a_page_never_exceeds_its_tokens(name: str, most: int, store: Store) -> None:
    pages = list(walk(LISTS[name], store, max_tokens=most))
    assert all(count(page.text).tokens <= most for page in pages)
    assert [item for page in pages for item in page.items] == everything(LISTS[name])


def test_an_item_that_alone_is_too_large_is_never_cut(store: Store, door: Run) -> None:
    rows = bookings(30)
    rows[4]["note"] = LONG * 100
    pages = list(walk(json.dumps(rows), store, max_tokens=300))
    items = [json.loads(item) for page in pages for item in page.items]
    assert len(items) == 30
    assert items[4].keys() == {"itemTooLarge"}
    assert items[4]["itemTooLarge"]["number"] == 5
    assert items[:4] + items[5:] == rows[:4] + rows[5:]
    (note,) = [note for page in pages for note in page.notes]
    command = note.partition(": ")[2].split()
    assert command[0] == "mcpcompact"
    done = door(*command[1:], MCPCOMPACT_RESULTS_DIR=store.directory)
    assert json.loads(done.stdout) == rows[4]


# ---- order


def test_the_order_of_mixed_types_is_the_documented_one() -> None:
    items = ["b", None, 10, "a", True, 9.5, {"x": 1}, 9007199254740993, 9007199254740992, False, [1], "B"]
    page = paginate(json.dumps(items), sort=".")
    assert page.as_dict()["items"] == [
        9.5, 10, 9007199254740992, 9007199254740993, "B", "a", "b", False, True, [1], {"x": 1}, None
    ]  # fmt: skip
    assert any("several types" in note for note in page.notes)
    down = paginate(json.dumps(items), sort=".:desc").as_dict()["items"]
    assert down == [*page.as_dict()["items"][-2::-1], None]


def test_equal_ones_stay_as_they_stood_and_missing_ones_stand_last() -> None:
    rows = [{"n": n, "k": k} for n, k in enumerate([2, 1, 2, None, 1])] + [{"n": 5}]
    for sort, expected in (("k", [1, 4, 0, 2, 3, 5]), ("k:desc", [0, 2, 1, 4, 3, 5])):
        page = paginate(json.dumps(rows), sort=sort)
        assert [row["n"] for row in page.as_dict()["items"]] == expected
        assert any("2 of 6 have no k and stand last" in note for note in page.notes)


def test_cells_are_numbers_where_they_read_as_numbers() -> None:
    text = "name,size\n" + "a,10\nb,9\nc,1200\nd,\n"
    assert [row["name"] for row in paginate(text, sort="size").as_dict()["items"]] == ["b", "a", "c", "d"]


def test_newest_sorts_by_the_most_date_like_field() -> None:
    rows = [
        {"id": 2_000_000_000 + n, "closed_at": None, "updated_at": f"2026-02-0{n}T00:00:00Z", "of": {"at": "2020"},
         "created_at": f"2026-01-0{10 - n}T00:00:00+0{n}:00"}
        for n in range(1, 9)
    ]  # fmt: skip
    page = paginate(json.dumps(rows), sort="newest")
    assert page.notes == ["newest first by created_at"]
    assert [row["id"] for row in page.as_dict()["items"]] == [2_000_000_000 + n for n in range(1, 9)]
    epochs = [{"v": n, "ts": 1_700_000_000_000 + n * 37 % 10} for n in range(8)]
    stamps = [row["ts"] for row in paginate(json.dumps(epochs), sort="newest").as_dict()["items"]]
    assert stamps == sorted(stamps, reverse=True)
    with pytest.raises(InputError, match="no field of these items holds dates"):
        paginate(json.dumps([{"id": 2_000_000_001, "name": "x"}]), sort="newest")


# ---- snapshots


def test_the_walk_stays_on_its_snapshot(tmp_path: Path, store: Store) -> None:
    before = json.dumps(ROWS)
    first = paginate(before, store=store, source_name="rows.json", limit=60)
    after = json.dumps(ROWS[50:])
    second = paginate(after, cursor=first.next_cursor, store=store, source_name="rows.json", limit=60)
    assert first.as_dict()["items"] + second.as_dict()["items"] == ROWS
    assert second.notes == ["rows.json has changed since this walk began; it continues on the earlier content"]
    assert paginate(before, cursor=first.next_cursor, store=store, source_name="copy.json", limit=60).notes == []
    with pytest.raises(UsageError, match="belongs to another input") as caught:
        paginate(after, cursor=first.next_cursor, store=store, source_name="other.json", limit=60)
    assert "start over" in caught.value.line()


@pytest.mark.parametrize("hashed", [1_000, mcpcompact.paging.snapshots.HASHED_AT_MOST])
def test_a_snapshot_that_is_gone_or_damaged(hashed: int, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcpcompact.paging.snapshots, "HASHED_AT_MOST", hashed)
    text = "".join(json.dumps({"id": n, "note": LONG}) + "\n" for n in range(103))
    cursor = paginate(text, store=store).next_cursor
    assert paginate(cursor=cursor, store=store).as_dict()["items"][0]["id"] == 50
    (result,) = store.list()
    Path(result.path).write_bytes(b"[]")
    with pytest.raises(McpcompactError, match="is damaged"):
        paginate(cursor=cursor, store=store)
    store.gc(max_bytes=0, dry_run=False)
    with pytest.raises(NoInputError, match="no longer stored") as caught:
        paginate(cursor=cursor, store=store)
    assert "start over" in caught.value.line()


TABLES = {
    "csv": lambda rows: "id,note,total\r\n" + "".join(
        f'{r["id"]},"{LONG} ""{r["id"]}""\n\nsecond, line",{r["total"]}\r\n' + "\r\n" * (r["id"] % 7 == 0) for r in rows
    ),
    "ragged": lambda rows: "id\tnote\ttotal\n" + "".join(
        f"{r['id']}\t{LONG * 2}\t{r['total']}" + "\tmore" * (r["id"] % 5 == 0) + "\n" for r in rows
    )[:-1],
    "aligned": lambda rows: "ID     NOTE" + " " * 180 + "TOTAL\n" + "".join(
        f"{r['id']:<7}{(LONG * 2)[: 40 + r['id'] % 90]:<184}{r['total']}\n" for r in rows
    ),
    "markdown": lambda rows: "| id | note | total |\n|---|---|---|\n" + "".join(
        f"| {r['id']} | {LONG * 2} | {r['total']} |\n" for r in rows
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", ["json", "ndjson", "fasta", "documents", "values", "columns", *TABLES])
@pytest.mark.parametrize("sort", [None, "total:desc"])
def test_places_that_are_kept_give_the_same_pages(
    shape: str, sort: str | None, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large list: the places of its items are kept at the first page, and can be lost at any time."""
    whole = shape == "json" and not sort  # large without help
    rows = bookings(1_500 if whole else 160)
    if not whole:
        monkeypatch.setattr(mcpcompact.paging.pagination, "INDEXED_FROM", 10_000)
    options: dict[str, Any] = {"limit": 200 if whole else 50, "content_type": "records"}
    if shape == "fasta":
        text = "".join(f">s{n}\n{'ACGT' * (40 + n % 9)}\n" for n in range(160))
        options["content_type"] = "fasta"
        sort = sort and "length:desc"
    elif shape == "values":
        text, options["path"] = json.dumps({"rows": rows}), "rows[].guest"
        sort = sort and "name"
    elif shape == "columns":
        text = json.dumps({"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]})
    elif shape in TABLES:
        text, options["content_type"] = TABLES[shape](rows), "table"
        sort = sort and sort.replace("total", "TOTAL" if shape == "aligned" else "total")
    else:
        text = {"ndjson": "\n".join(map(json.dumps, rows)), "json": json.dumps({"rows": rows})}.get(
            shape, "\n".join(json.dumps(row, indent=1) for row in rows)
        )
    every = everything(text, sort=sort, **{key: options[key] for key in options if key != "limit"})
    first = paginate(text, store=store, sort=sort, **options)
    with monkeypatch.context() as patch:
        patch.setattr(mcpcompact.paging.pagination, "listing", lambda *_: pytest.fail("the list was read again"))
        pages = list(follow(first, store, sort=sort, **options))
    assert [item for page in pages for item in page.items] == every
    (kept,) = Path(store.directory).glob("*.walk.*")
    assert len(kept.read_bytes().partition(b"\n")[2]) == 24 * len(every)
    assert store.verify() == []
    second = pages[0].next_cursor
    for damage in (b"x", kept.read_bytes()[:-1], b"{}" + kept.read_bytes()[2:], None):
        if damage:
            kept.write_bytes(damage)
        else:
            kept.unlink()
        assert paginate(cursor=second, store=store, sort=sort, **options).items == pages[1].items
    store.gc(max_bytes=0, dry_run=False)
    assert not list(Path(store.directory).glob("*.walk.*"))


@pytest.mark.parametrize(
    "other",
    [{"limit": 49}, {"path": "x"}, {"fields": ["id"]}, {"sort": "id"}, {"max_tokens": 900}, {"content_type": "json"}],
)
def test_a_cursor_is_for_the_same_options(other: dict[str, Any], store: Store) -> None:
    cursor = paginate(LISTS["bare"], store=store).next_cursor
    assert paginate(cursor=cursor, store=store).first == 51
    with pytest.raises(UsageError, match="not valid here"):
        paginate(cursor=cursor, store=store, **other)


def test_what_was_known_of_a_stored_result_stays(store: Store) -> None:
    data = LISTS["bare"].encode()
    meta = {"tokens": 5, "source": None}
    store.put(Original(Source(data), tool="get_rows", content_type="records", extension=".json", meta=meta))
    paginate(data, store=store, source_name="rows.json")
    (result,) = store.list()
    assert (result.meta["tool"], result.meta["tokens"], result.meta["source"]) == ("get_rows", 5, "rows.json")


def test_an_item_is_too_large_only_where_a_page_of_it_alone_is(store: Store) -> None:
    from mcpcompact.tokens import counter

    count = counter().count
    for words in range(215, 300):
        rows = [{"id": n, "note": "word " * words} for n in range(3)]
        page = paginate(json.dumps(rows), store=store, limit=2, max_tokens=300)
        fits = count(ItemPage([json.dumps(rows[0], separators=(",", ":"))], 3, "c" + "1" * 45).json) <= 300
        assert count(page.json) <= 300 and fits == ("itemTooLarge" not in page.json), words


def test_an_unwritable_directory_costs_the_cursor_not_the_page(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    page = paginate(LISTS["bare"], store=ResultStore(tmp_path / "file" / "results"))
    assert (len(page.items), page.next_cursor) == (50, None)
    assert page.problem is not None
    assert page.problem.exit_code == 73


# ---- bad input


@pytest.mark.parametrize("limit", [0, 201, -1, 1.5, "x", True])
def test_a_limit_that_is_not_possible(limit: Any) -> None:
    with pytest.raises(UsageError, match="limit") as caught:
        paginate("[1]", limit=limit)
    assert "1 to 200" in caught.value.line()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("name", "there is no list at 'name': it is a string"),
        ("deep", "it is an object with a, inner"),
        ("nope", "path 'nope' leads nowhere"),
        ("deep.x.y", "before 'x' there is an object"),
    ],
)
def test_a_path_that_is_no_list(path: str, told: str) -> None:
    text = json.dumps({"name": "x", "rows": ROWS[:3], "deep": {"a": 1, "inner": [1, 2]}})
    with pytest.raises(InputError) as caught:
        paginate(text, path=path)
    assert told in caught.value.line()
    assert "lists: rows (3), deep.inner (2)" in caught.value.line()


@pytest.mark.parametrize("text", ["just a sentence, or two of them.\n", '{"a": 1}', "42", "def f():\n    return 1\n"])
def test_what_holds_no_list(text: str) -> None:
    with pytest.raises(InputError, match="no list"):
        paginate(text)


def test_a_log_that_opens_with_a_bracket_is_no_json() -> None:
    log = "".join(f"[2026-01-01 10:00:{n % 60:02}] [INFO] request {n} done in {n} ms\n" for n in range(200))
    with pytest.raises(InputError, match="it is log"):
        paginate(log)


def test_a_list_that_is_cut_off(store: Store) -> None:
    page = paginate(json.dumps(ROWS)[:9_000], store=store, limit=200)
    *whole, last = (json.loads(item) for item in page.items)
    assert whole == ROWS[: len(whole)]
    assert isinstance(last, str)
    assert any("cut off" in note for note in page.notes)


def test_lines_that_are_no_items_are_said(store: Store) -> None:
    lines = LISTS["ndjson"].splitlines(keepends=True)
    lines.insert(3, "oops {\n")
    page = paginate("".join(lines), store=store)
    assert page.total_count == 103
    assert any("1 (4)" in note for note in page.notes)


def test_a_main_list_that_is_the_lesser_part_is_named() -> None:
    text = json.dumps({"a": {"ids": list(range(9))}, "b": {"text": LONG}, "c": {"text": LONG}})
    (note,) = paginate(text).notes
    assert note.startswith("this is the list at a.ids, about ")
    assert paginate(text, path="a.ids").notes == []
    assert paginate(LISTS["beside"]).notes == []


def test_unknown_fields(store: Store) -> None:
    page = paginate(LISTS["bare"], store=store, fields=["nope", "id"])
    assert page.notes == [
        "none of these items has nope; the last one has id, guest, guest.name, guest.mail, total, created_at, note"
    ]
    with pytest.raises(InputError, match="no column 'nope'"):
        paginate(LISTS["csv"], store=store, fields=["nope"])
    with pytest.raises(InputError, match="none of the 103 items has 'nope'"):
        paginate(LISTS["bare"], store=store, sort="nope")


@pytest.mark.parametrize("pages", [(0, 1), (3, 2), (12, 13)])
def test_pages_that_are_not_there(pages: tuple[int, int], store: Store) -> None:
    with pytest.raises(UsageError, match="page"):
        paginate(LISTS["bare"], store=store, limit=10, pages=pages)


def test_several_pages_at_once(store: Store) -> None:
    page = paginate(LISTS["bare"], store=store, limit=10, pages=(2, 4))
    assert page.as_dict()["items"] == ROWS[10:40]
    following = paginate(cursor=page.next_cursor, store=store, limit=10)
    assert following.as_dict()["items"] == ROWS[40:50]
    assert paginate(LISTS["bare"], store=store, limit=10, pages=(11, 20)).next_cursor is None


def test_values_with_a_list_of_them_on_the_way() -> None:
    text = json.dumps({"orders": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": []}, {"id": 3, "tags": ["c"]}]})
    assert paginate(text, path="orders[].id").items == ["1", "2", "3"]
    assert paginate(text, path="orders[0].tags").items == ['"a"', '"b"']
    assert [Decimal(item) for item in paginate(text, path="orders[].id", sort=".:desc").items] == [3, 2, 1]


# ---- the command line


def test_the_command_walks_with_and_without_the_file(door: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text(LISTS["beside"])
    items: list[Any] = []
    cursor: list[str] = []
    for turn in range(5):
        file = ["rows.json"] if turn % 2 == 0 else []
        done = door("paginate", *file, "--limit", "40", "--fields", "id, guest.name", *cursor)
        assert done.returncode == 0, done.stderr
        assert done.stderr == b""
        page = json.loads(done.stdout)
        items += page["items"]
        assert page["totalCount"] == 103
        if "nextCursor" not in page:
            break
        cursor = ["--cursor", f" {page['nextCursor']}\n"]
    assert items == [{"id": row["id"], "guest.name": row["guest"]["name"]} for row in ROWS]
    assert turn == 2
    whole = door("paginate", "--limit", "40", "--fields", "id,guest.name", "--all", input=LISTS["beside"].encode())
    assert [json.loads(line) for line in whole.stdout.splitlines()] == items
    whole = door("paginate", "--all", "--json", "--sort", "id:desc", input=LISTS["beside"].encode())
    assert json.loads(whole.stdout) == {"items": ROWS[::-1], "totalCount": 103}


def test_the_command_says_when_the_file_has_changed_or_gone(door: Run, tmp_path: Path) -> None:
    rows = tmp_path / "rows.json"
    rows.write_text(LISTS["bare"])
    cursor = json.loads(door("paginate", "rows.json").stdout)["nextCursor"]
    rows.write_text("[]")
    done = door("paginate", "rows.json", "--cursor", cursor)
    assert b"has changed since this walk began" in done.stderr
    assert json.loads(done.stdout)["items"] == ROWS[50:100]
    rows.unlink()
    done = door("paginate", "rows.json", "--cursor", cursor)
    assert (done.returncode, json.loads(done.stdout)["items"]) == (0, ROWS[50:100])
    assert b"continues on the earlier content" in done.stderr
    piped = json.loads(door("paginate", input=LISTS["bare"].encode()).stdout)["nextCursor"]
    assert json.loads(door("paginate", "--cursor", piped).stdout)["items"] == ROWS[50:100]
    done = door("results", "gc", "--max-bytes", "0", "--yes")
    done = door("paginate", "--cursor", cursor)
    assert (done.returncode, done.stdout) == (66, b"")
    assert b"start over" in done.stderr


def test_a_short_list_comes_byte_for_byte(door: Run) -> None:
    data = b'\xef\xbb\xbf[1,\r\n 2.50, "\xff"]\r\n'
    assert door("paginate", input=data).stdout == data
    assert json.loads(door("paginate", "--json", input=b"[1,\r\n 2.50]").stdout) == {"items": [1, 2.5]}


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--limit", "0"], "give 1 to 200"),
        (["--limit", "201"], "give 1 to 200"),
        (["--limit", "x"], "give 1 to 200"),
        (["--pages", "3-1"], "write A-B"),
        (["--pages", "x"], "write A-B"),
        (["--max-tokens", "10"], "give 100 or more"),
        (["--cursor", "abc"], "the letter c and 45 digits"),
        (["--cursor", ""], "the letter c and 45 digits"),
        (["--cursor-ttl", "99999999"], "30 days"),
        (["--sort", ":desc"], "write FIELD, FIELD:desc or newest"),
        (["--path", "a[b"], "write it as a.b[0]"),
        (["--all", "--cursor", "c"], "cannot be combined"),
        (["--type", "nope"], "unknown content type"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(door: Run, argv: list[str], told: str) -> None:
    done = door("paginate", *argv, input=LISTS["bare"].encode())
    assert done.returncode in (2, 65)
    assert done.stdout == b""
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_an_expired_cursor(door: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from mcpcompact.paging.cursors import Cursors

    page = json.loads(door("paginate", "--cursor-ttl", "1", input=LISTS["bare"].encode()).stdout)
    defaults = Cursors.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "clock", lambda: time.time() + 3)
    done = door("paginate", "--cursor", page["nextCursor"])
    assert done.returncode == 2
    assert b"expired" in done.stderr


def test_pages_of_stored_results_go_on_by_cursor(door: Run, store: Store) -> None:
    lines = b"".join(b"%d lorem ipsum dolor sit amet\n" % n for n in range(1, 400))
    one_line = json.dumps([{"text": LONG * 200}]).encode()
    put = store.put
    log = put(Original(Source(lines), "log", ".log")).id
    wide = put(Original(Source(one_line), "records", ".json")).id
    for argv in (
        ["get", log, "--lines", "5:390"],
        ["grep", log, "9 lorem", "-C", "1"],
        ["get", wide, "--records", "1"],
        ["get", wide, "--bytes", "7:9000"],
    ):
        whole = door("results", *argv, "--max-tokens", "0").stdout
        got, cursor = "", []
        for _ in range(60):
            done = door("results", *argv, "--max-tokens", "300", "--json", *cursor)
            assert done.returncode == 0, done.stderr
            page = json.loads(done.stdout)
            got += page["text"]
            if "nextCursor" not in page:
                break
            cursor = ["--cursor", page["nextCursor"]]
        assert got.encode() == whole
        assert cursor, "more than one page"
        other = door("results", argv[0], wide if argv[1] == log else log, *argv[2:], "--max-tokens", "300", *cursor)
        assert other.returncode == 2
        assert b"start over" in other.stderr


def test_bare_control_characters_and_bytes_that_are_no_text_still_give_json(store: Store) -> None:
    text = b"[" + b",\n".join(b'{"id": %d, "t": "a\x1b[31m\t\xff%s"}' % (n, b"z" * 60) for n in range(99)) + b"]"
    page = paginate(text, store=store)
    assert json.loads(page.json)["items"][1] == {"id": 1, "t": "a\x1b[31m\t\ufffd" + "z" * 60}
    assert page.items[1].startswith('{"id":1,"t":"a\\u001b[31m\\u0009')


def test_two_documents_on_one_line_are_two_items() -> None:
    assert paginate('{"a":{"b":1}}[1,2]', content_type="json").items == ['{"a":{"b":1}}', "[1,2]"]
    assert paginate('{"a": {"x": [1, {"y": [[2]]}]}, "b": [{"c": {"d": {"e": {"f": 1}}}}, {"c": 2}]}').items == [
        '{"c":{"d":{"e":{"f":1}}}}',
        '{"c":2}',
    ]
