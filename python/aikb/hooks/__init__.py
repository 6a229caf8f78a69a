"""What an agent's session starts when it begins and ends; never in its way (docs/session-end.md)."""
