"""What a session leaves for the vault: candidates for notes, flags against notes, and what became of them."""
