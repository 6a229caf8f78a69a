"""Captures of outside sources under ``raw/``, and going back to them (ai-kb.org, "Grounding")."""
