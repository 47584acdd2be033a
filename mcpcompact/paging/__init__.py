"""Long content piece by piece: chunks, pages, cursors."""
