"""Tree to model: names, types and variants of a whole file, settled for all its tables at once."""
