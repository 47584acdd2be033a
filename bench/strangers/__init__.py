"""Generators written from public documentation alone, by somebody who never saw the rules that they test."""
