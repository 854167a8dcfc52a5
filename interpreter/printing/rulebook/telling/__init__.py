"""Tells the parts of a model: names, expressions, conditions, statements and constructs as phrases and sentences."""
