"""Where tool results come from: files, streams, addresses, messages that carry them."""
