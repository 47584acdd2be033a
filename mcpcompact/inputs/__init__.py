"""Where tool results come from: files, streams, addresses, commands, messages that carry them."""
