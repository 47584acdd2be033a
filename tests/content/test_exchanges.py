"""HTTP exchanges recorded as text: what was asked for, what came back, and nothing where the text is no recording."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpcompact import compact
from mcpcompact.content.shared.datatext import as_json, from_exchanges
from mcpcompact.source import Source

SHELF = {"total": 2, "books": [{"id": i, "name": f"Book {i}", "about": "of ships " * 40} for i in (7, 8)]}
GONE = {"error": "gone", "message": "The shelf of poems was given away to the school by the lake."}


def lines_of(path: str, status: int, body: Any, sent: str = "None") -> str:
    """As recorders of test suites write it: a line for each part."""
    heads = "[('Server', 'books'), ('Date', 'Tue, 02 Jan 2024 10:00:00 GMT')]"
    said = "" if body is None else json.dumps(body)
    return f"https\nGET\napi.example.org\nNone\n{path}\n{{'Accept': 'text'}}\n{sent}\n{status}\n{heads}\n{said}\n\n"


def said_by_curl(path: str, status: int, body: Any) -> str:
    return (
        f"*   Trying 127.0.0.1:80...\n> GET {path} HTTP/1.1\n> Host: localhost\n>\n< HTTP/1.1 {status} OK\n"
        f"< content-type: application/json\n<\n{{ [900 bytes data]\n{json.dumps(body, indent=2)}\n"
    )


@pytest.mark.parametrize("written", [lines_of, said_by_curl])
def test_each_exchange_is_a_row_of_what_was_asked_and_answered(written: Any) -> None:
    answers = [SHELF | {"n": 0}, SHELF | {"n": 1}, GONE, SHELF | {"n": 3}]
    text = "".join(written(f"/shelves/{n}", 404 if n == 2 else 200, said) for n, said in enumerate(answers))
    result = compact(text, budget=400, threshold=100, store=None)
    assert result.content_type == "json" and "HTTP exchanges: array of 4 elements" in result.text
    assert (
        "headers (but the Location of a redirect), and what else is no JSON object or list, stand only in the text"
        in result.text
    )
    assert f"[2]|/shelves/2|404|error=gone, message={GONE['message']}" in result.text
    assert "[0]|/shelves/0|200|books=[2 items: Book 7, Book 8]" in result.text


def test_an_answer_that_came_before_is_told_once_and_an_empty_one_is_none() -> None:
    text = lines_of("/a", 200, SHELF) + lines_of("/b", 200, SHELF) + lines_of("/c", 204, None, '{"id": 1.10}')
    view = as_json(Source.of_text(text))
    assert view is not None
    first, again, empty = json.loads(view.source.text)
    assert first == {"method": "GET", "url": "/a", "status": 200, "response": SHELF}
    assert again["response"] == "the same as [0].response"
    assert empty.keys() == {"method", "url", "status", "body"} and '"body": {"id": 1.10}' in view.source.text
    shown = compact(text, budget=300, threshold=100, store=None).text
    assert '[1]|/b|200||"the same as [0].response"' in shown and "[2]|/c|204|{id: 1.10}\n" in shown


def test_what_all_have_in_common_leaves_no_empty_column() -> None:
    asked = json.dumps({"query": "query { shelf { name books { name pages } } } " * 3})
    text = "".join(lines_of("/graphql", 200, {"data": {"shelf": {"name": f"S{n}"}}}, asked) for n in range(8))
    shown = compact(text, budget=300, threshold=100, store=None).text
    assert "[]|body|response (in all: status=200, method=GET, url=/graphql)" in shown


@pytest.mark.parametrize(
    "text",
    [
        "GET\n/a\n200\nplain words and no JSON at all\n" * 9,
        "How to ask:\n\nGET /a HTTP/1.1\n\nThe server answers with what it knows of this shelf.\n\n200\n"
        '{"a": 1}\n\nIt may also say that there is none such.\n' * 3,
        '10.0.0.1 - - [02/Jan/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 12\n{"a": 1}\n' * 9,
        '{"a": 1}\nGET\n/a\n200\n{"a": 2}\n' * 9,
        "GET\n/a\n200\n" + "[" * 200_000,
        "GET\n/a\n200\n" + "{\n" * 200_000,
        "GET\n/a\n200\n" + '{"a\n' * 200_000,
    ],
)
def test_other_texts_are_no_recording(text: str) -> None:
    assert from_exchanges(text) is None


def test_a_recording_whose_first_answer_is_longer_than_what_is_looked_at() -> None:
    text = lines_of("/long", 200, {"items": [{"name": f"n{i}", "text": "words " * 40} for i in range(400)]})
    text += lines_of("/last", 500, {"message": "the shelf fell down"})
    shown = compact(text, budget=400, threshold=100, store=None).text
    assert "[1]|/last|500|message=the shelf fell down" in shown


def test_lists_without_names_are_counted() -> None:
    text = "".join(
        lines_of(f"/sizes/{n}", 200, [{"size": k, "text": "of wood " * 9} for k in range(5)]) for n in range(2)
    )
    text += lines_of("/files", 200, [{"filename": f"a_{k}.py", "patch": "+ of wood " * 9} for k in range(5)])
    shown = compact(text, budget=400, threshold=100, store=None).text
    assert "[0]|/sizes/0|[5 items]" in shown and "[2]|/files|[5 items: a_0.py, a_1.py, a_2.py, a_3.py, …]" in shown


def test_what_is_too_large_or_breaks_off_behind_its_beginning_is_still_summarised() -> None:
    large = "".join(lines_of(f"/shelves/{n}", 200, {"text": "of ships " * 9_000}) for n in range(120))
    assert compact(large, budget=300, threshold=100, store=None).tokens <= 300
    broken = lines_of("/a", 200, SHELF) * 90 + "GET\n/b\n200\n" + '{"a\n' * 60
    result = compact(broken, budget=300, threshold=100, store=None)
    assert result.tokens <= 300 and "bytes from offset" in result.text


@pytest.mark.parametrize(
    "header", ["[('Server', 'books'), ('Location', 'https://example.org/b')]", "< location: https://example.org/b"]
)
def test_of_a_redirect_it_is_told_where_to(header: str) -> None:
    moved = f"https\nGET\napi.example.org\nNone\n/a\nNone\nNone\n302\n{header}\n\n\n"
    text = moved + lines_of("/b", 200, SHELF) + lines_of("/c", 200, SHELF | {"n": 3})
    shown = compact(text, budget=300, threshold=100, store=None).text
    assert "[0]|/a|302|headers.location=https://example.org/b" in shown
