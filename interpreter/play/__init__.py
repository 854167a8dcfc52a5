"""A game in progress: the Python API, views, worlds, transcripts, narration."""
