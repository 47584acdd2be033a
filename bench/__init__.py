"""Measurements: every figure that the documentation states is printed by a module of this package."""

import os

os.environ.setdefault("MCPCOMPACT_TELEMETRY", "0")  # a measurement is no use of the tool
