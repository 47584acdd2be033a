"""The command line: thin doors to the library. Only this package prints or exits."""

import gc

gc.set_threshold(100_000)
"""Objects made before the collector looks for cycles. Python's 700 are 50 looks at a start, a tenth of its time."""
