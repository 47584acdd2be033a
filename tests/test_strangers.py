"""Masking and the check of a model's summary against inputs whose author never saw the rules (``bench.strangers``)."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from conftest import Run

from bench import corruptions, secrets
from bench.strangers.carriers import CARRIERS, TABLES, documents
from bench.strangers.clean import CLEAN
from bench.strangers.corruptions import CORRUPTED, FAITHFUL, claims
from bench.strangers.secrets import KINDS, secret
from bench.strangers.sources import sources

MIN_HIDDEN = 0.99
MAX_FALSE_HITS = 0
MAX_PASSED = 0.05
MAX_REMOVED = 0

SEED = 7
EVERY = 6  # carrier for each kind of secret, and document: the benches take all of them
PLACEHOLDER = re.compile(r"\[secret:[^\]]*\]")
ALL_CARRIERS = [*CARRIERS, *TABLES]


def test_secrets_and_their_documents_are_the_same_for_the_same_seed() -> None:
    for kind in KINDS:
        assert secret(kind, Random(3)) == secret(kind, Random(3))
        assert secret(kind, Random(3)) != secret(kind, Random(4))
    assert len(KINDS) >= 75 and len(ALL_CARRIERS) >= 15 and len(CLEAN) >= 25
    for name, make in CLEAN.items():
        assert make(Random(3)) == make(Random(3)), name


@pytest.mark.parametrize("carrier", ALL_CARRIERS)
def test_every_carrier_shows_the_secret_that_it_carries(carrier: str) -> None:
    for kind in KINDS:
        rng = Random(f"{kind}:{carrier}")
        drawn = [secret(kind, rng) for _ in range(2)]
        for text, held in documents(carrier, rng, drawn[0].name, [one.text for one in drawn]):
            assert held
            assert all(secrets.shown(drawn[i], text, text) == "whole" for i in held), kind


def test_the_statements_are_many_and_the_same_for_the_same_seed() -> None:
    docs = sources(SEED)
    assert docs == sources(SEED)
    assert len({doc.name for doc in docs}) >= 20
    false = [one for doc in docs for one in claims(doc, SEED, CORRUPTED, False, 6)]
    true = [one for doc in docs for one in claims(doc, SEED, FAITHFUL, True, 2)]
    assert len(false) >= 4000
    assert len(true) >= 500
    again = (one for doc in docs for one in claims(doc, SEED, CORRUPTED, False, 6))
    assert false[:300] == [*islice(again, 300)]
    assert {one.true for one in false} == {False}
    assert {one.true for one in true} == {True}
    assert {one.kind for one in false} == set(CORRUPTED)
    assert {one.kind for one in true} == set(FAITHFUL)


def test_no_sentence_is_called_both_true_and_false() -> None:
    for doc in sources(SEED)[::2]:
        false = {one.text for one in claims(doc, SEED, CORRUPTED, False, 6)}
        true = {one.text for one in claims(doc, SEED, FAITHFUL, True, 6)}
        assert not false & true


def test_the_command_line_masks_as_the_bench_does(door: Run, tmp_path: Path) -> None:
    texts = []
    for number, kind in enumerate(list(KINDS)[::20]):
        drawn = secret(kind, Random(kind))
        texts += [documents(ALL_CARRIERS[number], Random(kind), drawn.name, [drawn.text])[0][0]]
        (tmp_path / f"{number:02d}.txt").write_text(texts[-1], "utf-8")
    names = sorted(path.name for path in tmp_path.glob("*.txt"))
    done = door("summarize", "--mask", "--no-store", "--threshold", secrets.UNTOUCHED, "--json", *names)
    assert done.returncode == 0, done.stderr
    out = [json.loads(line)["text"] for line in done.stdout.splitlines()]
    assert [PLACEHOLDER.sub("", text).strip() for text in out] == [
        PLACEHOLDER.sub("", secrets.masked(text)).strip() for text in texts
    ]


@cache
def checked() -> list[corruptions.Checked]:
    return corruptions.checked(SEED, per=1, faithful=1, every=EVERY)


def test_secrets_of_strangers_are_hidden() -> None:
    done = []
    for number, kind in enumerate(KINDS):
        for carrier in ALL_CARRIERS[number % (2 * EVERY) :: 2 * EVERY]:
            done += secrets.trials(kind, carrier, SEED, 1)
    assert sum(not one.shown for one in done) >= MIN_HIDDEN * len(done)


def test_nothing_is_masked_in_clean_documents() -> None:
    found = secrets.false_hits(SEED)
    assert sum(map(len, found.values())) <= MAX_FALSE_HITS, {name: lines for name, lines in found.items() if lines}


def test_false_sentences_do_not_pass_the_check() -> None:
    false = [one for one in checked() if not one.claim.true]
    assert sum(not one.why for one in false) <= MAX_PASSED * len(false)


def test_faithful_sentences_stay() -> None:
    true = [one for one in checked() if one.claim.true and not one.claim.hard]
    assert sum(bool(one.why) for one in true) <= MAX_REMOVED
