"""One file a command, imported when it is named: a function of the file's name, or an ``app`` of several."""
