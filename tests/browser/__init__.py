"""Tests of what runs in a web page."""
