"""Writing transcripts back with other texts in their results."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, corpus
from recordings_a import ANTHROPIC, BARE_MESSAGES, BARE_REQUEST, CLAUDE, CODEX, RECORDINGS, lines

from mcpcompact.errors import CannotWriteError
from mcpcompact.transcripts import Result, Transcript, read_transcripts
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.emit import emit

ALL = RECORDINGS | {"bare request": BARE_REQUEST, "bare messages": BARE_MESSAGES}

NEW = 'new "text" <of> a\nresult: café 語 \u2028'


def results(path: Path) -> list[Result]:
    return [result for transcript in read_transcripts(str(path)) for result in transcript.results]


@pytest.mark.parametrize("name", ALL)
def test_no_change_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(ALL[name])
    done = emit(str(tmp_path / "in"), [(r, r.text) for r in results(tmp_path / "in")], str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == ALL[name]
    assert (done.replaced, done.left) == (0, 0)


@pytest.mark.parametrize("name", ALL)
def test_the_new_texts_are_read_again(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(ALL[name])
    before = results(tmp_path / "in")
    new = [(result, f"{NEW} {n}") for n, result in enumerate(before)]
    done = emit(str(tmp_path / "in"), new, str(tmp_path / "deep" / "out"))
    assert done.replaced == sum(bool(result.places) for result in before)
    assert done.left == sum(not result.places for result in before)
    after = results(tmp_path / "deep" / "out")
    assert [r.text for r in after] == [text if result.places else result.text for result, text in new]
    assert [(r.tool, r.is_error, r.images) for r in after if r.tool != "apply_patch"] == [
        (r.tool, r.is_error, r.images) for r in before if r.tool != "apply_patch"
    ]


@pytest.mark.parametrize("name", ALL)
def test_one_change_leaves_the_rest_as_it_was(name: str, tmp_path: Path) -> None:
    """The text put back gives the same bytes: nothing else in the file moved."""
    (tmp_path / "in").write_bytes(ALL[name])
    for chosen, result in enumerate(results(tmp_path / "in")):
        if len(result.places) != 1 or not result.text:
            continue
        emit(str(tmp_path / "in"), [(result, NEW)], str(tmp_path / "out"))
        assert (tmp_path / "out").read_bytes() != ALL[name]
        back = results(tmp_path / "out")[chosen]
        emit(str(tmp_path / "out"), [(back, result.text)], str(tmp_path / "out"))
        assert (tmp_path / "out").read_bytes() == ALL[name]


def test_of_several_blocks_the_first_takes_the_text(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(CLAUDE)
    result = results(tmp_path / "in")[1]
    assert len(result.places) == 2
    emit(str(tmp_path / "in"), [(result, "short")], str(tmp_path / "out"))
    old, new = CLAUDE.splitlines(), (tmp_path / "out").read_bytes().splitlines()
    changed = [n for n, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    assert changed == [result.places[0].record]
    assert json.loads(new[changed[0]])["message"]["content"][0]["content"] == [{"type": "text", "text": "short"}]


def test_a_result_repeated_in_later_requests_changes_in_all(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(ANTHROPIC)
    result = results(tmp_path / "in")[0]
    emit(str(tmp_path / "in"), [(result, "short")], str(tmp_path / "out"))
    text = (tmp_path / "out").read_text("utf-8")
    assert text.count('"text":"short"') == 2
    assert '"text":"one"' not in text


def test_text_inside_a_json_string(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(CODEX)
    emit(str(tmp_path / "in"), [(results(tmp_path / "in")[0], "failed")], str(tmp_path / "out"))
    line = json.loads((tmp_path / "out").read_bytes().splitlines()[9])
    assert line["payload"]["output"] == '{"output":"failed","metadata":{"exit_code":1,"duration_seconds":0.1}}'


@pytest.mark.parametrize(
    "style",
    [
        {"indent": 2},
        {"indent": "\t", "ensure_ascii": False},
        {"indent": None, "separators": (",", ":")},
        {"indent": None, "ensure_ascii": False},
    ],
)
def test_a_document_keeps_its_style(style: dict[str, Any], tmp_path: Path) -> None:
    session = json.loads(RECORDINGS["gemini_cli"])
    session["messages"][0] |= {"content": "Grüße <b> & \u0007", "big": 2**70, "small": 1.5}
    data = b"\xef\xbb\xbf" + json.dumps(session, **style).encode() + b"\r\n"
    (tmp_path / "in").write_bytes(data)
    result = results(tmp_path / "in")[0]
    emit(str(tmp_path / "in"), [(result, "other")], str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == data.replace(b'"text"', b'"other"')


def test_go_escapes_stay(tmp_path: Path) -> None:
    data = RECORDINGS["entire_compact"].replace(b"<", b"\\u003c").replace(b">", b"\\u003e")
    (tmp_path / "in").write_bytes(data)
    emit(str(tmp_path / "in"), [(results(tmp_path / "in")[2], "<i>")], str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == data.replace(b"b\\u003eno\\u003c/b", b"i")


def test_half_a_character_pair(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(CLAUDE)
    emit(str(tmp_path / "in"), [(results(tmp_path / "in")[0], "\ud83d")], str(tmp_path / "out"))
    assert results(tmp_path / "out")[0].text == "\ud83d"


def test_in_place_and_places_that_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_bytes(CLAUDE)
    result = results(path)[0]
    path.write_bytes(lines(*[{"type": "user"}] * 30))
    done = emit(str(path), [(result, "x")], str(path))
    assert (done.replaced, done.left) == (0, 1)
    assert path.read_bytes() == lines(*[{"type": "user"}] * 30)
    assert [entry.name for entry in tmp_path.iterdir()] == ["in"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(CLAUDE)
    (tmp_path / "file").touch()
    with pytest.raises(CannotWriteError):
        emit(str(tmp_path / "in"), [], str(tmp_path / "file" / "out"))


# The corpus


def recordings() -> list[Path]:
    root = corpus()
    folder = root / "transcripts" if root else None
    kinds = sorted(folder.iterdir()) if folder else []
    return [path for kind in kinds for path in sorted(kind.iterdir(), key=lambda path: (path.stat().st_size, path))[:3]]


def at(value: Any, path: tuple[Any, ...]) -> str:
    for step in path:
        value = json.loads(value) if step is None else value[step]
    return "".join(value) if isinstance(value, list) else value


def test_nothing_is_written_through_a_link(tmp_path: Path, door: Run) -> None:
    """An output directory that came from elsewhere: a folder of it, and the unfinished file, are links."""
    victim = tmp_path / "precious" / "one"
    victim.parent.mkdir()
    victim.write_bytes(b"precious")
    for name in ("a", "b"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "one").write_bytes(next(iter(RECORDINGS.values())))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").symlink_to(victim.parent)
    done = door("replay", "in/a/one", "in/b/one", "--policy", "head:50", "--emit", "out")
    assert victim.read_bytes() == b"precious" and b"cannot write" in done.stderr and b"Traceback" not in done.stderr
    (tmp_path / f"made.{os.getpid()}.part").symlink_to(victim)
    with pytest.raises(CannotWriteError):
        emit(str(tmp_path / "in" / "a" / "one"), [], str(tmp_path / "made"))
    assert victim.read_bytes() == b"precious"


@pytest.mark.skipif(corpus() is None, reason="no corpus")
def test_every_place_in_the_corpus_holds_its_text(tmp_path: Path) -> None:
    for path in recordings():
        document = Document(str(path))
        found: list[Transcript] = read_transcripts(str(path))
        replies = [result for transcript in found for result in transcript.results]
        if not document.is_directory:
            values = {place.record: value for place, value in document.sections()}
            for result in replies:
                if result.places:
                    parts = ["".join(at(values[place.record], place.path)) for place in result.places]  # of lists too
                    assert result.text in ("\n".join(parts), "".join(parts)), path.name
            emit(str(path), [(result, result.text) for result in replies], str(tmp_path / "out"))
            assert (tmp_path / "out").read_bytes() == path.read_bytes()
        if found[0].format in ("litellm_completion_log", "mini_swe_agent"):
            continue  # there a result is known by how its text begins
        new = [(result, f"{NEW} {n}") for n, result in enumerate(replies) if result.text]
        done = emit(str(path), new, str(tmp_path / path.name))
        assert done.left == sum(not result.places for result, _ in new), path.name
        again = [
            result.text for transcript in read_transcripts(str(tmp_path / path.name)) for result in transcript.results
        ]
        texts = {id(result): text for result, text in new if result.places}
        assert again == [texts.get(id(result), result.text) for result in replies], path.name
