"""Finding things again."""
