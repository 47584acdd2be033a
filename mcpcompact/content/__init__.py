"""Content types: one file each, found through the registry in ``detect``."""
