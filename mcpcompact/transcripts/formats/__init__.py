"""Transcript formats, one file each."""
