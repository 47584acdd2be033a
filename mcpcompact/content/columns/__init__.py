"""Statistics of columns, and what they mean."""
