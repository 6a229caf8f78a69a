"""The command line: parse, call one job, print.  One file a family of commands."""
