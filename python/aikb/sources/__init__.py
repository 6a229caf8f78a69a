"""Where notes come from: an org store on disk, later a Markdown vault, and memory in tests."""
