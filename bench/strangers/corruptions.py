"""Statements about the sources, faithful and corrupted; each one's truth is computed from the records alone.

A maker draws what a sentence says, true or twisted, and asks the records whether that holds. Twisted ones that
happen to hold are dropped, and so are straight ones that do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bench.strangers.many_records import (
    comparison,
    count_of_other_group,
    count_off_by_one,
    date_span,
    distinct,
    group_count,
    group_sum,
    order,
    other_extreme,
    quantified,
    right,
    share,
    superlative,
    tally,
    total,
    wrong,
    wrong_date_span,
    wrong_distinct,
    wrong_group_sum,
    wrong_share,
    wrong_superlative,
    wrong_tally,
    wrong_total,
)
from bench.strangers.one_record import (
    cause,
    cause_not_in_source,
    converted_unit,
    date_in_words,
    invented_id,
    invented_name,
    merged_records,
    near_number,
    negated_outcome,
    negated_reading,
    not_in_source,
    other_cause,
    other_records_value,
    outcome,
    reading,
    record_told,
    rounded,
    swapped_subject,
    true_negation,
    two_readings,
    wrong_date,
    wrong_outcome,
    wrong_unit,
)
from bench.strangers.sources import Doc
from bench.strangers.view import Maker, View


class Claim(NamedTuple):
    """``kind`` is the class; ``hard`` faithful ones restate a value in another unit or form."""

    kind: str
    text: str
    true: bool
    doc: str
    hard: bool = False


FAITHFUL: dict[str, Maker] = {
    "reading": reading,
    "two-readings": two_readings,
    "record": record_told,
    "outcome": outcome,
    "true-negation": true_negation,
    "cause-in-source": cause,
    "total": total,
    "tally": tally,
    "group-count": group_count,
    "share": share,
    "sum": right("sum"),
    "mean": right("mean"),
    "median": right("median"),
    "lowest": right("lowest"),
    "highest": right("highest"),
    "superlative": superlative,
    "group-sum": group_sum,
    "distinct": distinct,
    "all": quantified("all"),
    "none": quantified("none"),
    "only": quantified("only"),
    "order": order,
    "comparison": comparison,
    "date-span": date_span,
    "date-in-words": date_in_words,
    "converted-unit": converted_unit,
    "rounded": rounded,
}
COUNTED = {"files-own"}
"""Documents that state none of the numbers: the reader counts lines of a diff."""
HARD = {"converted-unit", "rounded", "group-sum", "date-in-words"}

CORRUPTED: dict[str, Maker] = {
    "other-records-value": other_records_value,
    "near-number": near_number,
    "wrong-unit": wrong_unit,
    "swapped-subject": swapped_subject,
    "merged-records": merged_records,
    "invented-id": invented_id,
    "invented-name": invented_name,
    "wrong-outcome": wrong_outcome,
    "negated-outcome": negated_outcome,
    "negated-reading": negated_reading,
    "false-negation": true_negation,
    "other-cause": other_cause,
    "cause-not-in-source": cause_not_in_source,
    "not-in-source": not_in_source,
    "wrong-total": wrong_total,
    "wrong-tally": wrong_tally,
    "count-off-by-one": count_off_by_one,
    "count-of-other-group": count_of_other_group,
    "wrong-share": wrong_share,
    "wrong-sum": wrong("sum"),
    "wrong-mean": wrong("mean"),
    "wrong-median": wrong("median"),
    "wrong-lowest": wrong("lowest"),
    "wrong-highest": wrong("highest"),
    "other-extreme": other_extreme,
    "wrong-superlative": wrong_superlative,
    "wrong-group-sum": wrong_group_sum,
    "wrong-distinct": wrong_distinct,
    "false-all": quantified("all"),
    "false-none": quantified("none"),
    "false-only": quantified("only"),
    "wrong-order": order,
    "wrong-comparison": comparison,
    "wrong-date-span": wrong_date_span,
    "wrong-date": wrong_date,
}


def claims(doc: Doc, seed: int, makers: dict[str, Maker], wanted: bool, per: int) -> Iterator[Claim]:
    """Up to ``per`` different statements of each class about the document, all true or all false as wanted."""
    view = View(doc)
    for kind, make in makers.items():
        rng, seen = Random(f"{seed}:{doc.name}:{kind}"), set[str]()
        for _ in range(20 * per):
            needs_words = {"invented-name", "negated-reading"}
            drawn = None if not view.words and kind in needs_words else make(view, rng)
            if drawn and drawn[1] is wanted and drawn[0] not in seen:
                seen.add(drawn[0])
                yield Claim(kind, drawn[0], wanted, doc.name, kind in HARD or doc.name in COUNTED)
            if len(seen) == per:
                break
