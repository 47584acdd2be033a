"""Every recording of the corpus: read, paired, and counted a second time by plain walks over what the formats say,
which share no code with the readers (``bench.counters``)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from conftest import corpus

from bench.readers import counters, ours
from mcpcompact.errors import InputError
from mcpcompact.transcripts import read_transcripts

ROOT = corpus()
FOLDERS = (
    [folder for part in ("transcripts", "recordings") for folder in sorted((ROOT / part).iterdir())] if ROOT else []
)
WITHOUT_RESULTS = {"Aquaticat.aider.chat.history.md", "cline+cline__read-file.json"}

pytestmark = pytest.mark.skipif(ROOT is None, reason="no corpus")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_the_counts_are_those_of_a_plain_walk(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        if path.name in WITHOUT_RESULTS:
            with pytest.raises(InputError):
                read_transcripts(str(path))
            continue
        found = read_transcripts(str(path))
        formats = {transcript.format for transcript in found}  # of exchanges with several providers, each one's
        for name in formats:
            counted = ours([transcript for transcript in found if transcript.format == name])
            wanted = {field: value for field, value in counters()[name](path).items() if value is not None}
            assert {field: counted[field] for field in wanted} == wanted, path.name
        if folder.parent.name == "transcripts":
            assert folder.name in formats, path.name
        else:
            assert not any(transcript.omissions.results_without_call for transcript in found), path.name


def test_everything_is_paired() -> None:
    totals: Counter[str] = Counter()
    for path in (path for folder in FOLDERS if folder.parent.name == "transcripts" for path in folder.iterdir()):
        left = [transcript.omissions for transcript in read_transcripts(str(path))]
        totals.update(calls=sum(each.calls for each in left), results=sum(each.results for each in left))
        totals.update(unpaired=sum(each.results_without_call for each in left))
        totals.update(unanswered=sum(each.calls_without_result for each in left))
    assert totals["unpaired"] <= 0.005 * totals["results"]
    assert totals["unanswered"] <= 0.02 * totals["calls"], "calls of interrupted runs have no result"
