"""Text to notes and back.  Parsing never raises on content."""
