"""What is taken in: files, streams, URLs, messages, and the output of commands."""
