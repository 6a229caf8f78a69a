"""Markdown notes as Obsidian's users write them: front matter, inline tags, wikilinks."""
