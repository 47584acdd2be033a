"""The judge must be right before it judges: generators are deterministic and their needles stand where they say."""

from __future__ import annotations

import pytest

from bench import baselines, oracle, startup
from bench.evidence import cases_of
from bench.fidelity import summarize
from bench.generate import KINDS, stands
from bench.generate.blind import BLIND
from bench.reading import quotable
from bench.transcripts import RESULT, anthropic, pair
from mcpcompact.content.detect import detect
from mcpcompact.replaying.evidence import atoms
from mcpcompact.source import Source
from mcpcompact.transcripts.model import Call, Message, Result, Transcript

ALL = {**KINDS, **BLIND}


def test_only_words_of_the_original_are_quotable_and_the_legend_of_a_diff_is_ours() -> None:
    original = "one two three four five six seven eight nine ten\n+added = 1\n"
    assert quotable("(+N: line of the new file, -N: of the old)\n+7 added = 1", original) == (2, 2)
    assert quotable("two three four five six seven eight nine of ten", original) == (8, 10)
    assert quotable("seven of nine", original) == (0, 3)


@pytest.mark.parametrize("kind", sorted(startup.TYPES))
def test_start_up_is_measured_with_every_content_type(kind: str) -> None:
    data = startup.cut(startup.TYPES[kind], startup.SUMMARIZED)
    assert startup.SUMMARIZED * 3 // 4 < len(data) <= startup.SUMMARIZED
    assert detect(Source(data)).content_type == kind


@pytest.mark.parametrize("kind", sorted(ALL))
def test_generators_plant_what_they_say(kind: str) -> None:
    for seed in (0, 1, 5):
        case = ALL[kind](seed)
        assert seed or case == ALL[kind](seed)
        assert len({planted.what for planted in case.planted}) == 3
        for planted in case.planted:
            assert planted.shown(case.text), planted
            if planted.what != "loud" and kind in KINDS:  # an outlier or a rare value that occurs often is none
                assert all(case.text.count(needle) <= 4 for needle in planted.needles[:1]), planted


@pytest.mark.parametrize(
    "kind",
    ["columns-rows", "df", "fasta-proteins", "git-diff", "java-log", "netstat", "prometheus", "ps-aux", "sql-dump",
     "variants-tsv", "plan", "build"],
)  # fmt: skip
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_once_missed_is_shown(kind: str, seed: int) -> None:
    case = ALL[kind](seed)
    text, _, _, _ = summarize(case, 1000)
    assert all(planted.shown(text) for planted in case.planted)
    assert case.counted(text)


def test_a_needle_is_a_whole_word_or_number() -> None:
    assert stands("4127", "restarts 4127, node a")
    assert not stands("4127", "id 41270")
    assert not stands("200", "took 200.5")
    assert stands("Oslo", "city=Oslo;")


def test_the_oracle_agrees_with_itself_on_long_text() -> None:
    text = "".join(f"{i} some words, {i * 7}\n" for i in range(9_000))
    assert oracle.count(text) == len(oracle.encoding().encode_ordinary(text))
    assert oracle.count("tiktoken is great!") == 6


@pytest.mark.parametrize("name", ["head", "tail", "head_tail", "greedy", "names"])
def test_baselines_stay_within_the_budget(name: str) -> None:
    text = KINDS["log"](3).text
    out = getattr(baselines, name)(text, 500)
    assert 400 <= oracle.count(out) <= 500


def test_atoms_are_what_agents_copy() -> None:
    found = atoms("in src/api/load_batch.py:120: raise LeaseError and return the value 88213")
    assert {"src/api/load_batch.py", "load_batch.py", "LeaseError", "88213", "120"} <= found
    assert not {"return", "value", "raise"} & found


def test_evidence_is_new_and_used_later() -> None:
    read = Call("1", "read", {"path": "a.py"})
    text = "known_name fresh_name unused_name " + "filler words here " * 20
    messages = [
        Message("user", "look at known_name please"),
        Message("assistant", calls=[read]),
        Message("tool", text, result=Result(text, read)),
        Message("assistant", calls=[Call("2", "edit", {"old": "fresh_name known_name"})]),
    ]
    (case,) = cases_of(Transcript(messages, format="made"), "up", least=10)
    assert [use.atom for use in case.uses] == ["fresh_name"]
    assert (case.tool, case.how) == ("read", ["edit: fresh_name known_name"])
    assert case.context == {"known_name"}


def test_a_reader_pairs_calls_and_results() -> None:
    events = anthropic(
        [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {"path": "x"}}]},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a"}]}],
            },
        ]
    )
    pair(events)
    assert [(event.kind, event.tool, event.text) for event in events][-1] == (RESULT, "ls", "a")
