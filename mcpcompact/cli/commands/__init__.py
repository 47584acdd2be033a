"""The commands, a module each, imported when one is named."""
