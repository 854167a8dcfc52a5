"""One style for rules files: the same tree, the same comments, one way to write them."""
