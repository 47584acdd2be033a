"""One home for what is odd: words, lines, scalars."""
