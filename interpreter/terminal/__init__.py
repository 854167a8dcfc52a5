"""A person at a terminal: the session of `rulesrun play`, and pages drawn with rich."""
