"""What an agent calls at the start and at the end of a session: JSON in, JSON out, never in its way."""
