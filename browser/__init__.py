"""Runs rulesrun in a web page: what the page's worker asks."""
