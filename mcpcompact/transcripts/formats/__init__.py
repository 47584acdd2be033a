"""One file a transcript format; the registry is in ``transcripts.read``."""
