"""What several content types share: JSON text, file views, languages."""
