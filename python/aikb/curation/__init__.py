"""Looking after a collection as a whole: what should be gathered, and what has gone stale."""
