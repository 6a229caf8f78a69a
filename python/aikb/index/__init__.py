"""Notes to an index: grouping, order, summaries, budget.  Free of any note format."""
