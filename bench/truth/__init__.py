"""The truth bench: every number and claim of a summary against what the generator of its input knows.

Generators and checkers were written from outputs and documentation alone, without reading the code they test."""
