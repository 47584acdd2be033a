"""The limits by which something is odd, for every content type, each with its reason.

A rule needs a bulk to stand out from, so each has a least number of values; and what stands out is few, so each has a
greatest number of finds: above it, the finds are the tail of a distribution and no anomaly."""

from __future__ import annotations

from typing import Final

# -- numbers: ``numbers.fences``
MIN_NUMBERS: Final = 10  # a median and its deviation say little of fewer
MAX_Z: Final = 6.0  # modified z-score; Iglewicz and Hoaglin (1993) take 3.5 for normal data, sizes and times have tails
GAP: Final = 2.0  # times as far from the median as the next value inward: a tail reaches its end without such a gap
FEW_NUMBERS, FEW_GAP = 30, 3.0  # of so few the ends lie farther apart: the dearest of twenty fares is none that is odd
MIN_SPREAD: Final = 1 / 30  # of the median: less than a fifth off (6 deviations) is never far, however tight the bulk
TIGHT: Final = 4  # times that the 95th percentile is the 5th, where a small number is far: spread down to nought,
# as ids, counters and waits are, the least number says nothing
MAX_OUTLIERS, OUTLIER_SHARE = 3, 0.005  # on either side: three, or one in 200 of many
NORMAL_MAD: Final = 1.4826  # deviations of a normal distribution in its MAD: 1 / 0.6745
NORMAL_WIDTH: Final = 3.29  # and in the width of its inner 90 %

# -- numbers of unrelated meaning: ``numbers.giants``
GIANT: Final = 50  # times as large as all others of a text
GIANT_LEAST: Final = 10_000  # smaller ones are years, ports, sizes of pages
GIANT_LITERAL: Final = 100_000  # of a program: its tests have ids of their own making
GIANT_AMONG: Final = 20  # the others count as this large at least

# -- values: ``rare.uncommon``
MIN_RARE: Final = 20  # values of a field before one can be rare among them
RARE_SHARE: Final = 0.005  # of all: one in 200
RARE_TOTAL: Final = 0.01  # of all rare values together
RARE_STEP: Final = 3  # times as frequent is the next value
MAX_RARE: Final = 3  # different rare values; more are the end of a list of names

# -- codes
SERVER_ERROR: Final = range(500, 600)  # HTTP
HTTP: Final = range(100, 600)

# -- lines: ``lines``
MIN_SHAPED: Final = 60  # lines before one can be the only one of its shape
REPEATED, REPEATS = 5, 0.85  # times that a shape recurs in a file of repeats; share of such lines
MAX_ODD: Final = 12  # lines that are kept for standing out: more crowd out what the file is about
