"""How well items answer what the reader looks for."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from mcpcompact.outline import Item

K1, B = 1.2, 0.75  # of BM25
MOST_TERMS = 16  # a question; the last message of a session, a page long, matches everything a little


def boosts(items: Sequence[Item], focus: str) -> dict[int, float]:
    """BM25 (Robertson, Zaragoza 2009) of each matching item for ``focus``, as a factor from 1 to 1.5 on its gain."""
    terms = sorted({t.lower() for t in re.findall(r"\w{2,}", focus)})
    if not terms or len(terms) > MOST_TERMS or not items:
        return {}
    pattern = re.compile("|".join(re.escape(t) for t in terms), re.IGNORECASE)
    found = [Counter(m.lower() for m in pattern.findall(item.text)) for item in items]
    documents = Counter(t for counts in found for t in counts)
    average = sum(len(item.text) for item in items) / len(items) or 1.0
    rarity = {t: math.log(1 + (len(items) - n + 0.5) / (n + 0.5)) for t, n in documents.items()}
    scores: dict[int, float] = {}
    for i, counts in enumerate(found):
        if counts:
            norm = K1 * (1 - B + B * len(items[i].text) / average)
            scores[i] = sum(rarity[t] * n * (K1 + 1) / (n + norm) for t, n in sorted(counts.items()))
    best = max(scores.values(), default=0.0)
    return {i: 1.0 + 0.5 * s / best for i, s in scores.items()} if best > 0 else {}
