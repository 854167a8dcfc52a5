"""Characters to words and logical lines, and one line to its tree by the tables of the parser."""
