"""Shared by several commands: options, the console, runs of many games, reports, transcripts."""
