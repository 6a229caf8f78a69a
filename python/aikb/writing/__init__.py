"""The one way in: every change to a store takes the ten steps of ``docs/architecture.md``."""
