"""Org text, read exactly as Emacs and org-roam read it (facts: ``docs/reading-org.md``)."""
