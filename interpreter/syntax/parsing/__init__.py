"""Characters to words and logical lines, and the tables of the parser."""
