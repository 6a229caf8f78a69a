"""Between this machine and the remote: push now, fetch and merge later."""
