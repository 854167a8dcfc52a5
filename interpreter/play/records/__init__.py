"""Games written down: transcripts, their replay, and reviews of games that were played."""
