"""The store as a whole: made, adopted, checked, and asked how it is."""
