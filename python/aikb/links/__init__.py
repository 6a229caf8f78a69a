"""Forward links, backlinks, and the short forms in which people write them."""
