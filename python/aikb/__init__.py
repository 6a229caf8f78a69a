"""ai-kb: a memory for coding agents that lasts."""

__version__ = "0.1.0"
